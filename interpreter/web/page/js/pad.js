/**
 * The pad on which players write: families of numbers and ticks over one long list of words (the lines of a score sheet), a
 * line for each word and a column for each player; of families of the table (what lies on the spaces for workers) one for each. Families over two indexes are a sheet for each player.
 */

import { markedClass } from "./context.js";
import { figure, gridTable, isPadded } from "./counters.js";
import { h } from "./dom.js";
import { badge } from "./pieces.js";
import { seatTitle } from "./players.js";
import { seatSign } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */

/** One table for each list of words. @param {Context} ctx @returns {HTMLElement[]} */
export function padViews(ctx) {
  /** @type {Map<string, Counter[]>} */
  const found = new Map();
  for (const counter of ctx.scene.counters.filter((one) => isPadded(ctx, one) && !one.grid)) {
    const words = [counter.seat === null, ...(counter.items ?? []).map((item) => item.key)].join();
    found.set(words, [...(found.get(words) ?? []), counter]);
  }
  const sheets = sheetViews(ctx);
  return [...[...found.values()].map((counters) => pad(ctx, counters)), ...(sheets.length ? [h("div", { class: "sheets" }, sheets)] : [])];
}

/** The sheets of each player, those of the viewer first. @param {Context} ctx */
function sheetViews(ctx) {
  const me = ctx.scene.player;
  const seats = [...ctx.scene.seats].sort((a, b) => Number(b.seat === me) - Number(a.seat === me) || a.seat - b.seat);
  return seats.flatMap((seat) => {
    /** @type {Map<string, Counter[]>} */
    const found = new Map();
    for (const counter of ctx.scene.counters.filter((one) => one.seat === seat.seat && one.grid && isPadded(ctx, one))) {
      const shape = JSON.stringify(counter.grid);
      found.set(shape, [...(found.get(shape) ?? []), counter]);
    }
    return [...found.values()].map((counters) => gridTable(ctx, counters, [seatSign(seat, "small"), ` ${seatTitle(ctx, seat)} · ${counters.map((one) => one.name).join(" · ")}`]));
  });
}

/** @param {Context} ctx @param {Counter[]} counters */
function pad(ctx, counters) {
  if (counters[0].seat === null) return tablePad(ctx, counters);
  const seats = ctx.scene.seats;
  const names = [...new Set(counters.map((counter) => counter.name))];
  const lines = counters[0].items ?? [];
  if (isTicked(counters)) return tickedLine(ctx, counters, names);
  return h(
    "table",
    { class: "scores pad" },
    h("caption", { class: "caption" }, names.join(" · ")),
    h("thead", null, h("tr", null, h("td", null), seats.map((seat) => h("th", { scope: "col" }, seatSign(seat), h("span", null, seatTitle(ctx, seat)))))),
    h("tbody", null, lines.map((line, at) => h("tr", null, h("th", { scope: "row" }, line.name), seats.map((seat) => h("td", null, counters.filter((counter) => counter.seat === seat.seat).map((counter) => entry(ctx, counter, at))))))),
  );
}

/** Ticks at short numbers (2 to 12) are a line for each player, as on a sheet. @param {Counter[]} counters */
function isTicked(counters) {
  const items = counters.flatMap((counter) => counter.items ?? []);
  return new Set(counters.map((counter) => counter.name)).size === 1 && items.every((item) => typeof item.value === "boolean" && item.name.length < 4);
}

/** @param {Context} ctx @param {Counter[]} counters @param {string[]} names */
function tickedLine(ctx, counters, names) {
  const lines = counters[0].items ?? [];
  return h(
    "table",
    { class: "scores pad sheet dense ticked" },
    h("caption", { class: "caption" }, names.join(" · ")),
    h("thead", null, h("tr", null, h("td", null), lines.map((line) => h("th", { scope: "col" }, line.name)))),
    h("tbody", null, counters.map((counter) => {
      const seat = counter.seat === null ? undefined : ctx.seats.get(counter.seat);
      return h("tr", null, h("th", { scope: "row" }, seat ? seatSign(seat, "small") : null, " ", seat ? seatTitle(ctx, seat) : counter.name), lines.map((_, at) => h("td", null, entry(ctx, counter, at))));
    })),
  );
}

/** @param {Context} ctx @param {Counter[]} counters */
function tablePad(ctx, counters) {
  return h(
    "table",
    { class: "scores pad" },
    h("thead", null, h("tr", null, h("td", null), counters.map((counter) => h("th", { scope: "col" }, counter.name)))),
    h("tbody", null, (counters[0].items ?? []).map((line, at) => h("tr", null, h("th", { scope: "row" }, line.name), counters.map((counter) => h("td", null, entry(ctx, counter, at)))))),
  );
}

/** A number, or a tick where there is one. @param {Context} ctx @param {Counter} counter @param {number} at */
function entry(ctx, counter, at) {
  const item = counter.items?.[at];
  if (!item) return null;
  const value = typeof item.value === "boolean" ? (item.value ? "✓" : "") : figure(item.value);
  return h("span", { class: markedClass(ctx, item.id, "piece entry", { changed: item.changed, nothing: !item.value }), data: { id: item.id }, title: `${counter.name} · ${item.name}` }, value, badge(ctx, item.id));
}
