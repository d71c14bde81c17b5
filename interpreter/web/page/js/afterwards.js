/** What can be done with a game beside playing it: share a moment, keep the record, go on from here, play again. */

import { call, download } from "./api.js";
import { openShare } from "./panels.js";
import { fragment, keepSeat, seatsAt } from "./seats.js";
import { language } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/** A link to the moment that is shown, for people who hold no seat. @param {Table} table */
export async function share(table) {
  if (!table.shown) return;
  try {
    const { link } = await call(`tables/${table.id}/share`, { token: table.token, body: { step: table.shown.step } });
    openShare(new URL(link, location.href).href);
  } catch (error) {
    table.refused(error);
  }
}

/** @param {Table} table */
export async function downloadRecord(table) {
  try {
    download(`${table.live?.game ?? "game"}.json`, await call(`tables/${table.id}/record`, { token: table.token }));
  } catch (error) {
    table.refused(error);
  }
}

/** The game goes on from the moment that is shown, at a table of its own. @param {Table} table */
export async function fork(table) {
  try {
    enter(await call(`tables/${table.id}/fork`, { token: table.token, body: { step: table.shown?.step ?? 0 } }));
  } catch (error) {
    table.refused(error);
  }
}

/** The same game with the same seats once more. @param {Table} table */
export async function again(table) {
  if (!table.live) return;
  const held = seatsAt(table.id).map((one) => one.seat);
  const seats = table.live.seats.map((seat) => ({ kind: seat.kind === "bot" ? "bot" : held.includes(seat.seat) ? "me" : seat.kind, name: seat.name, ...(seat.kind === "bot" && seat.bot ? { bot: seat.bot } : {}) }));
  try {
    enter(await call("tables", { body: { game: table.live.game, players: seats.length, seats, hints: table.live.hints !== false, undo: true, language: language() } }));
  } catch (error) {
    table.refused(error);
  }
}

/** @param {any} created */
function enter(created) {
  for (const seat of created.seats) if (seat.token) keepSeat(created.table, seat.seat, seat.token);
  location.hash = fragment({ t: created.table });
}
