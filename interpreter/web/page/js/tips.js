/** Hover or long press on a piece, place, node or edge: its name, what is printed on it, its effect and its clauses. */

import { figure } from "./counters.js";
import { h } from "./dom.js";
import { symbol } from "./signs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./table.js").Table} Table */

const WAIT = 450;

/** @type {HTMLElement | null} */
let shown = null;
/** @type {any} */
let timer = null;

/** @param {HTMLElement} root @param {Table} table */
export function wireTips(root, table) {
  root.addEventListener("pointerover", (event) => later(event, table, event.pointerType === "mouse" ? WAIT : 0, event.pointerType));
  root.addEventListener("pointerdown", (event) => (event.pointerType === "mouse" ? hideTip() : later(event, table, 550, "press")));
  for (const name of ["pointerup", "pointercancel", "pointerleave", "scroll", "wheel"]) root.addEventListener(name, () => clearTimeout(timer), { passive: true, capture: true });
  root.addEventListener("pointerleave", hideTip);
}

/** @param {Event} event @param {Table} table @param {number} wait @param {string} how */
function later(event, table, wait, how) {
  clearTimeout(timer);
  if (how === "touch") return;
  const target = event.target instanceof Element ? event.target.closest("[data-id]") : null;
  if (!(target instanceof HTMLElement || target instanceof SVGElement)) return hideTip();
  if (shown?.dataset.for === target.dataset.id) return;
  hideTip();
  timer = setTimeout(() => showTip(target, table), wait);
}

export function hideTip() {
  clearTimeout(timer);
  shown?.remove();
  shown = null;
}

/** @param {HTMLElement | SVGElement} target @param {Table} table */
function showTip(target, table) {
  const ctx = table.context();
  const id = target.dataset.id;
  const content = ctx && id && target.isConnected && !table.why ? tipOf(ctx, id) : null;
  if (!content || !id) return;
  shown = h("div", { class: "tip", role: "tooltip", data: { for: id } }, content);
  document.body.append(shown);
  const at = target.getBoundingClientRect();
  const box = shown.getBoundingClientRect();
  const below = at.bottom + 10 + box.height < innerHeight;
  shown.style.left = `${Math.max(8, Math.min(at.x + at.width / 2 - box.width / 2, innerWidth - box.width - 8))}px`;
  shown.style.top = `${below ? at.bottom + 10 : Math.max(8, at.y - box.height - 10)}px`;
}

/** @param {Context} ctx @param {string} id @returns {Node[] | null} */
function tipOf(ctx, id) {
  const piece = ctx.pieces.get(id);
  if (piece) return piece.face_down ? [h("b", null, t("piece.hidden", { kind: piece.kind_name }))] : pieceTip(ctx, piece);
  const place = ctx.places.get(id);
  if (place) return place.help ? [h("b", null, place.name), h("p", null, place.help), ...clauses(ctx, place.cites)] : null;
  const counter = ctx.counters.get(id);
  if (counter) return [h("b", null, counter.name), counter.help ? h("p", null, counter.help) : null, counter.range ? h("p", null, t("range", { low: counter.range[0], high: counter.range[1] })) : null, ...clauses(ctx, counter.cites)].filter((part) => part !== null);
  for (const map of ctx.scene.maps) {
    const thing = map.nodes.find((node) => node.id === id) ?? map.edges.find((edge) => edge.id === id);
    if (thing) return [h("b", null, thing.name ?? ""), "ground" in thing && thing.ground ? h("span", { class: "hint" }, ` ${thing.ground}`) : document.createTextNode(""), ...fields(thing.fields), ...clauses(ctx, thing.cites)];
  }
  return null;
}

/** @param {Context} ctx @param {Piece} piece */
function pieceTip(ctx, piece) {
  const owner = piece.owner === null ? null : ctx.seats.get(piece.owner)?.name;
  const head = [piece.name, piece.name === piece.kind_name ? null : piece.kind_name, owner].filter(Boolean);
  const carried = piece.carries.flatMap((id) => ctx.places.get(id) ?? []).filter((place) => place.count);
  return [
    h("b", null, head.shift() ?? ""), head.length ? h("span", { class: "hint" }, ` ${head.join(" · ")}`) : document.createTextNode(""),
    ...fields(piece.fields), ...piece.lines.map((line) => h("p", null, line)),
    ...carried.map((place) => h("p", null, `${place.name}: ${place.pieces.map((id) => ctx.pieces.get(id)?.name ?? "?").join(", ") || place.count}`)),
    ...clauses(ctx, piece.cites),
  ];
}

/** @param {Field[]} all */
function fields(all) {
  const shownFields = all.filter((field) => field.value !== null && field.value !== undefined && field.value !== "");
  if (!shownFields.length) return [];
  return [h("dl", { class: "tipfields" }, shownFields.flatMap((field) => [h("dt", null, field.name), h("dd", null, figure(field.value), symbol(field.symbol))]))];
}

/** @param {Context} ctx @param {string[] | undefined} ids */
function clauses(ctx, ids) {
  return (ids ?? []).slice(0, 3).map((id) => h("p", { class: "clauseline" }, h("span", { class: "clause" }, id), " ", ctx.scene.clauses[id]?.summary ?? ""));
}
