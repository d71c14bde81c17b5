/** The list of options: the complete and accessible way to choose. Filtered as one types, each line with its key. */

import { figure } from "./counters.js";
import { classes, h } from "./dom.js";
import { groups } from "./narrow.js";
import { scoreTable } from "./scores.js";
import { symbol } from "./signs.js";
import { laidBy, sidesPicture } from "./tile_sides.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./table.js").Table} Table */

const FEW = 12; // on a phone, so many are read sooner than typed

/** @param {Context} ctx @param {Table} table @returns {(HTMLElement | null)[]} */
export function optionViews(ctx, table) {
  if (ctx.position.over && ctx.scene.score_sheet) return [h("div", { class: "top" }, h("h2", { class: "caption" }, t("score.sheet")), h("span", { class: "hint" }, t("options.over"))), h("div", { class: "scrollx", tabindex: "0" }, scoreTable(ctx, table, ctx.scene.score_sheet))];
  if (!ctx.mine) return [h("div", { class: "top" }, h("h2", { class: "caption" }, t("options")), h("span", { class: "hint" }, t(ctx.position.over ? "options.over" : "options.notyours")))];
  const narrowed = ctx.left.length !== ctx.options.length;
  return [
    h("div", { class: "top" }, h("h2", { class: "caption" }, t("options"), ` · ${narrowed ? t("n.of", { left: ctx.left.length, n: ctx.options.length }) : ctx.options.length}`), h("span", { class: "hint" }, t("options.also"))),
    ctx.options.length > (ctx.compact ? FEW : 1) ? filterBox(table) : null,
    h("div", { class: "optionlist", role: "group", "aria-label": t("options") }, listed(ctx, table), ctx.options.length && !ctx.left.length ? h("p", { class: "hint" }, t("options.none")) : null),
    free(ctx, table),
    refusedLine(ctx, table),
  ];
}

/** @param {Table} table */
function filterBox(table) {
  return h(
    "div",
    { class: "filter" },
    symbol("search"),
    h("input", { type: "search", value: table.choice.filter, placeholder: t("filter"), "aria-label": t("filter"), data: { focus: "filter" }, on: { input: (/** @type {Event} */ event) => table.setFilter(/** @type {HTMLInputElement} */ (event.target).value) } }),
    h("kbd", { "aria-hidden": "true" }, "/"),
  );
}

/** @param {Context} ctx @param {Table} table */
function listed(ctx, table) {
  const parts = groups(ctx.left);
  if (parts.length === 1 && parts[0].name === null) {
    const closed = ctx.left.length > 60 && !table.listOpen && table.choice.filter === "";
    const shown = closed ? [] : ctx.left;
    const open = closed ? h("button", { class: "button", type: "button", data: { focus: "openlist" }, on: { click: () => table.openList() } }, t("options.show", { n: ctx.left.length })) : null;
    return [open, ...shown.map((option) => optionView(ctx, table, option))];
  }
  const few = ctx.left.length <= 24;
  const alone = parts.filter((part) => part.options.length === 1).length > 1; // headings over single lines say nothing
  return parts.map((part) => alone && part.options.length === 1 ? optionView(ctx, table, part.options[0]) :
    h(
      "details",
      { class: "optiongroup", open: few || table.openGroups.has(part.name ?? "") || table.choice.filter !== "", on: { toggle: (/** @type {Event} */ event) => table.keepGroup(part.name ?? "", /** @type {HTMLDetailsElement} */ (event.target).open) } },
      h("summary", { data: { focus: `group-${part.name}` } }, h("span", null, part.name || t("options.other")), h("span", { class: "n" }, part.options.length)),
      h("div", null, part.options.map((option) => optionView(ctx, table, option))),
    ),
  );
}

/** @param {Context} ctx @param {Table} table @param {Option} option */
function optionView(ctx, table, option) {
  const key = ctx.keys.get(option.index);
  const sure = ctx.sure === option;
  const effect = effectOf(ctx, option);
  const phone = ctx.compact;
  return h(
    "button",
    {
      class: classes("option", { sure, hinted: ctx.hinted === option }), type: "button", disabled: ctx.busy, data: { option: option.index, focus: `option-${option.code}-${option.index}` },
      "aria-keyshortcuts": key ?? null,
      on: { click: () => (phone && !sure ? table.select(option) : table.take(option)), pointerenter: () => table.light(option.index), pointerleave: () => table.light(null), focus: () => table.light(option.index) },
    },
    h("span", { class: "keycap", "aria-hidden": "true" }, key ?? "·"),
    h("span", { class: "label" }, tileOf(ctx, option), option.label),
    option.note ? h("span", { class: "note" }, option.note) : null,
    phone && sure ? h("span", { class: "button take go" }, t("take"), effect) : effect,
  );
}

/** The tile that the option lays down, turned as it would lie. @param {Context} ctx @param {Option} option */
function tileOf(ctx, option) {
  const laid = laidBy(ctx, option);
  return laid ? sidesPicture(laid.sides, "optiontile", laid.turned) : null;
}

/** What the option would change in my numbers: "−2 ⚡". @param {Context} ctx @param {Option} option */
function effectOf(ctx, option) {
  const parts = (option.preview?.counters ?? []).flatMap((change) => {
    const counter = ctx.counters.get(change.id);
    const delta = Number(change.to) - Number(change.from);
    if (!counter || !delta || Number.isNaN(delta) || !counter.symbol || !isMine(ctx, change.id)) return [];
    return [h("span", null, delta > 0 ? `+${figure(delta)}` : figure(delta), " ", symbol(counter.symbol))];
  });
  return parts.length ? h("span", { class: "effect" }, parts.slice(0, 3)) : null;
}

/** @param {Context} ctx @param {string} id */
function isMine(ctx, id) {
  return ctx.scene.seats.find((seat) => seat.seat === ctx.scene.player)?.counters.includes(id) ?? false;
}

/** @param {Context} ctx @param {Table} table */
function free(ctx, table) {
  const options = ctx.free;
  if (!options.length) return null;
  return h("div", { class: "anytime" }, h("span", { class: "caption" }, t("anytime")), options.map((option) => optionView(ctx, table, option)));
}

/** @param {Context} ctx @param {Table} table */
function refusedLine(ctx, table) {
  const refused = ctx.scene.refused;
  return h(
    "div",
    { class: "refusedline" },
    symbol("lock"),
    h("span", null, refused?.count ? t("refused.n", { n: refused.count }) : t("refused.any")),
    h("button", { class: "linklike", type: "button", data: { focus: "why" }, on: { click: () => table.openWhy() } }, t("why")),
  );
}
