/**
 * The seats that this browser holds, by table. A token is a secret: it lives in local storage and in the fragment of a link,
 * which no request carries; it is taken out of the address bar as soon as it is read.
 */

/** @typedef {{seat: number, token: string}} Held */

const KEY = "seats";

/** @returns {Record<string, Held[]>} */
export function allSeats() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} table @returns {Held[]} */
export function seatsAt(table) {
  return allSeats()[table] ?? [];
}

/** @param {string} table @param {number} seat @param {string} token */
export function keepSeat(table, seat, token) {
  const all = allSeats();
  const others = (all[table] ?? []).filter((held) => held.token !== token);
  all[table] = [...others, { seat, token }].sort((a, b) => a.seat - b.seat);
  localStorage.setItem(KEY, JSON.stringify(all));
}

/** @returns {{table: string | null, seat: string | null, step: number | null, game: string | null}} */
export function readFragment() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const step = parts.get("step");
  return { table: parts.get("t"), seat: parts.get("seat"), step: step === null ? null : Number(step), game: parts.get("game") };
}

/** @param {Record<string, string | number>} parts */
export function fragment(parts) {
  const entries = Object.entries(parts).map(([key, value]) => /** @type {[string, string]} */ ([key, String(value)]));
  return `#${new URLSearchParams(entries)}`;
}
