/**
 * The pad on which players write: families of numbers and ticks over one long list of words (the lines of a score sheet), a
 * line for each word and a column for each player.
 */

import { markedClass } from "./context.js";
import { figure, isPadded } from "./counters.js";
import { h } from "./dom.js";
import { badge } from "./pieces.js";
import { seatTitle } from "./players.js";
import { seatSign } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */

/** One table for each list of words. @param {Context} ctx @returns {HTMLElement[]} */
export function padViews(ctx) {
  /** @type {Map<string, Counter[]>} */
  const found = new Map();
  for (const counter of ctx.scene.counters.filter((one) => isPadded(ctx, one))) {
    const words = (counter.items ?? []).map((item) => item.key).join();
    found.set(words, [...(found.get(words) ?? []), counter]);
  }
  return [...found.values()].map((counters) => pad(ctx, counters));
}

/** @param {Context} ctx @param {Counter[]} counters */
function pad(ctx, counters) {
  const seats = ctx.scene.seats;
  const names = [...new Set(counters.map((counter) => counter.name))];
  const lines = counters[0].items ?? [];
  return h(
    "table",
    { class: "scores pad" },
    h("caption", { class: "caption" }, names.join(" · ")),
    h("thead", null, h("tr", null, h("td", null), seats.map((seat) => h("th", { scope: "col" }, seatSign(seat), h("span", null, seatTitle(ctx, seat)))))),
    h("tbody", null, lines.map((line, at) => h("tr", null, h("th", { scope: "row" }, line.name), seats.map((seat) => h("td", null, counters.filter((counter) => counter.seat === seat.seat).map((counter) => entry(ctx, counter, at))))))),
  );
}

/** A number, or a tick where there is one. @param {Context} ctx @param {Counter} counter @param {number} at */
function entry(ctx, counter, at) {
  const item = counter.items?.[at];
  if (!item) return null;
  const value = typeof item.value === "boolean" ? (item.value ? "✓" : "") : figure(item.value);
  return h("span", { class: markedClass(ctx, item.id, "piece entry", { changed: item.changed, nothing: !item.value }), data: { id: item.id }, title: `${counter.name} · ${item.name}` }, value, badge(ctx, item.id));
}
