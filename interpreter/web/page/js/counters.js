/** Numbers of players and of the table: tiles with figures, lines of lettered chips, rows of bars, ticks. */

import { badgeOf, markedClass } from "./context.js";
import { classes, h } from "./dom.js";
import { inkOn } from "./look.js";
import { seatSign, symbol } from "./signs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */

const LONG_LIST = 7;

/** @param {any} value @returns {string} */
export function figure(value) {
  if (value === null || value === undefined) return "–";
  if (value === true) return "✓";
  if (value === false) return "–";
  return typeof value === "number" ? String(value).replace("-", "−") : String(value);
}

/** Long rows of numbers (a memory of positions, say) are no reading for people. @param {Counter} counter */
export function isReadable(counter) {
  if (counter.grid) return true;
  const items = counter.items ?? [];
  return items.length <= 30 && items.every((item) => typeof item.value !== "number" || Math.abs(item.value) < 100000);
}

/** Whether a family is written on the pad on the board: a list too long for a line of letters, or a sheet of a player. @param {Context} ctx @param {Counter} counter */
export function isPadded(ctx, counter) {
  if (counter.grid && !ctx.scene.maps.length && counter.seat !== null) return true;
  return !ctx.scene.maps.length && counter.look === "chips" && (counter.items?.length ?? 0) >= LONG_LIST;
}

/** @param {Context} ctx @param {Counter} counter @param {boolean} [large] every single value as a tile @returns {HTMLElement} */
export function counterView(ctx, counter, large = false) {
  if (!isReadable(counter)) return h("div", { class: "counter line", data: { id: counter.id } }, h("span", { class: "name" }, counter.name), h("span", { class: "hint" }, t("numbers.n", { n: counter.items?.length ?? 0 })));
  if (counter.grid) return gridTable(ctx, [counter], [counter.name]);
  if (counter.look === "bars" && counter.items?.length) return bars(ctx, counter);
  if (counter.items?.length) return chips(ctx, counter);
  if (large || (counter.look === "tile" && typeof counter.value === "number")) return tile(ctx, counter);
  return lineView(ctx, counter);
}

/** @param {Context} ctx @param {Counter} counter */
export function change(ctx, counter) {
  const becomes = ctx.becomes.get(counter.id);
  if (becomes !== undefined) return h("span", { class: "becomes" }, `→${figure(becomes)}`);
  const delta = typeof counter.changed === "number" ? counter.changed : ctx.changed.size ? ctx.deltas.get(counter.id) : null;
  if (!delta || Number.isNaN(delta) || !ctx.mine) return null;
  return h("span", { class: "delta" }, delta > 0 ? `+${delta}` : `−${-delta}`);
}

/** @param {Context} ctx @param {Counter} counter */
function tile(ctx, counter) {
  return h(
    "div",
    { class: markedClass(ctx, counter.id, "counter tile"), data: { id: counter.id }, title: counter.help ?? counter.name },
    h("span", { class: "value", data: { short: counter.symbol ? null : counter.name } }, symbol(counter.symbol), seatNamed(ctx, counter), typeof counter.value === "boolean" ? t(counter.value ? "yes" : "no") : figure(counter.value), change(ctx, counter)),
    h("span", { class: "name" }, counter.name),
  );
}

/** The sign of the seat that a counter names. @param {Context} ctx @param {Counter} counter */
function seatNamed(ctx, counter) {
  const seat = ctx.scene.seats.find((one) => one.id === counter.refers);
  return seat ? seatSign(seat, "small") : null;
}

/** @param {Context} ctx @param {Counter} counter */
export function lineView(ctx, counter) {
  const value = counter.value;
  const shown = typeof value === "boolean" ? t(value ? "yes" : "no") : figure(value);
  return h(
    "div",
    { class: markedClass(ctx, counter.id, "counter line"), data: { id: counter.id }, title: counter.help },
    h("span", { class: "name" }, counter.name),
    h("b", null, symbol(counter.symbol), seatNamed(ctx, counter), shown),
    change(ctx, counter),
  );
}

/** A family of numbers by an enum: one line of lettered chips. @param {Context} ctx @param {Counter} counter */
function chips(ctx, counter) {
  const items = (counter.items ?? []).map((item) =>
    h(
      "span",
      { class: markedClass(ctx, item.id, "lettered"), title: item.name, data: { id: item.id } },
      h("span", { class: "letter", style: { "--tint": item.tint, "--on-tint": inkOn(item.tint) } }, item.letter ?? (item.tint ? item.name.slice(0, 1).toUpperCase() : item.name)),
      figure(item.value),
    ),
  );
  return h(
    "div",
    { class: markedClass(ctx, counter.id, "counter line"), data: { id: counter.id }, title: counter.help },
    h("span", { class: "name" }, counter.name),
    items,
    change(ctx, counter),
  );
}

/** A family of numbers by numbers: a small row of bars. @param {Context} ctx @param {Counter} counter */
function bars(ctx, counter) {
  const items = counter.items ?? [];
  const top = Math.max(1, counter.range?.[1] ?? 0, ...items.map((item) => Number(item.value) || 0));
  return h(
    "div",
    { class: "counter", data: { id: counter.id } },
    h("div", { class: "caption" }, counter.name),
    h(
      "div",
      { class: "bars" },
      items.map((item) =>
        h(
          "div",
          { class: markedClass(ctx, item.id, "bar"), data: { id: item.id } },
          h("i", { style: { height: `${Math.round((40 * (Number(item.value) || 0)) / top)}px` } }),
          h("b", null, figure(item.value)),
          h("span", null, item.name),
        ),
      ),
    ),
  );
}

/**
 * Families over the same rows and columns as one sheet: a board of one's own. What is nothing leaves its cell empty, unless the
 * cell would be.
 * @param {Context} ctx @param {Counter[]} counters @param {(Node | string)[]} title
 */
export function gridTable(ctx, counters, title) {
  const { rows, columns } = counters[0].grid ?? { rows: [], columns: [] };
  return h(
    "table",
    { class: classes("scores pad sheet", { dense: columns.length > 6 }), data: { id: counters[0].id } },
    h("caption", { class: "caption" }, title),
    h("thead", null, h("tr", null, h("td", null), columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, rows.map((name, row) => h("tr", null, h("th", { scope: "row" }, name), columns.map((_, column) => h("td", null, gridCell(ctx, counters, row * columns.length + column)))))),
  );
}

/** @param {Context} ctx @param {Counter[]} counters @param {number} at */
function gridCell(ctx, counters, at) {
  const alone = counters.length === 1;
  return counters.flatMap((counter, number) => {
    const item = counter.items?.[at];
    const nothing = !item?.value;
    if (!item || (nothing && number > 0 && !ctx.marks.has(item.id))) return [];
    const value = item.value === true && !alone ? counter.name : nothing && !alone && number > 0 ? counter.name : figure(item.value);
    const key = badgeOf(ctx, item.id);
    const shown = typeof item.value === "number" && number > 0 ? `${counter.name} ${value}` : value;
    return [h("span", { class: markedClass(ctx, item.id, "piece entry", { changed: item.changed, nothing }), data: { id: item.id }, title: `${counter.name} · ${item.name}` }, shown, key ? h("span", { class: "badge" }, key) : null)];
  });
}
