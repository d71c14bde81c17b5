/**
 * The board of a game that has neither map nor pieces on the table: its families of numbers as rows of large cells, those of
 * the other seats on top, mine below, as people sit.
 */

import { markedClass } from "./context.js";
import { figure, isReadable } from "./counters.js";
import { classes, h } from "./dom.js";
import { badge } from "./pieces.js";
import { seatTitle } from "./players.js";
import { seatSign } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */

const ONE_LINE = 8; // so many houses of a player stand in one line, as they do on a board

/** @param {Context} ctx @returns {HTMLElement[]} */
export function numberBoard(ctx) {
  const families = ctx.scene.counters.filter((counter) => counter.items?.length && counter.look === "bars" && isReadable(counter));
  const place = (/** @type {Counter} */ counter) => (counter.seat === null ? 1 : counter.seat === ctx.scene.player ? 2 : 0);
  const ordered = [...families].sort((a, b) => place(a) - place(b) || (b.seat ?? 0) - (a.seat ?? 0));
  return ordered.map((counter) => rowOf(ctx, counter));
}

/** @param {Context} ctx @param {Counter} counter */
function rowOf(ctx, counter) {
  const seat = counter.seat === null ? undefined : ctx.seats.get(counter.seat);
  const beside = seat ? seat.counters.flatMap((id) => ctx.counters.get(id) ?? []).filter((other) => typeof other.value === "number" && other.look === "tile") : [];
  return h(
    "section",
    { class: "numberrow", data: { id: counter.id }, style: { "--seat": seat?.colour } },
    h("div", { class: "caption" }, seat ? seatSign(seat, "small") : null, h("span", null, [seat ? seatTitle(ctx, seat) : null, counter.name].filter(Boolean).join(" · "))),
    h(
      "div",
      { class: classes("numbercells", { dense: (counter.items?.length ?? 0) > 12, oneline: (counter.items?.length ?? 0) <= ONE_LINE && !ctx.compact }), style: { "--cells": counter.items?.length ?? 1 } },
      (counter.items ?? []).map((item) => h("div", { class: markedClass(ctx, item.id, "piece numbercell", { changed: item.changed }), data: { id: item.id }, role: "img", "aria-label": `${counter.name} ${item.name}: ${figure(item.value)}` }, h("b", null, figure(item.value)), h("span", null, item.name), badge(ctx, item.id))),
      beside.slice(0, 2).map((other) => h("div", { class: markedClass(ctx, other.id, "piece numbercell store", { changed: other.changed }), data: { id: other.id }, role: "img", "aria-label": `${other.name}: ${figure(other.value)}` }, h("b", null, figure(other.value)), h("span", null, other.name))),
    ),
  );
}
