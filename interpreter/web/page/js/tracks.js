/** A track: cells in rows, with a symbol where something happens and the seats that stand there. */

import { markedClass } from "./context.js";
import { h } from "./dom.js";
import { badge } from "./pieces.js";
import { seatSign, symbol } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */

/** @param {Context} ctx @param {Track} track */
export function trackView(ctx, track) {
  const columns = track.columns ?? Math.min(10, track.cells.length);
  const worded = track.cells.some((cell) => cell.label.length > 4);
  return h(
    "div",
    { class: markedClass(ctx, track.id, "place track"), data: { id: track.id }, role: "group", "aria-label": track.name },
    h("div", { class: "caption placename" }, h("span", null, track.name)),
    h("div", { class: worded ? "cells worded" : "cells", style: { "--columns": columns } }, track.cells.map((cell) => cellView(ctx, track, cell))),
  );
}

/** @param {Context} ctx @param {Track} track @param {TrackCell} cell */
function cellView(ctx, track, cell) {
  const here = track.markers.filter((marker) => marker.cell === cell.id);
  const seats = here.map((marker) => (marker.seat === null ? undefined : ctx.seats.get(marker.seat)));
  const names = seats.map((seat) => seat?.name).filter(Boolean).join(", ");
  const held = here.map((marker, at) => h("span", { class: markedClass(ctx, marker.id, "marker"), data: { id: marker.id, piece: marker.id } }, seatSign(seats[at], "small")));
  return h(
    "div",
    { class: markedClass(ctx, cell.id, "cell", { held: here.length }), data: { id: cell.id }, title: [cell.label, cell.note, names].filter(Boolean).join(" · "), style: { "--tint": cell.tint } },
    here.length ? h("span", { class: "held" }, held) : null,
    here.length && cell.label.length <= 4 ? null : (symbol(cell.symbol) ?? cell.label),
    badge(ctx, cell.id),
  );
}
