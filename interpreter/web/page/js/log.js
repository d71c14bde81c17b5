/** What happened, line by line, with the clauses; and the bar that goes through the whole game as this seat saw it. */

import { classes, h } from "./dom.js";
import { clauseTag } from "./prompt.js";
import { seatSign, symbol } from "./signs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./table.js").Table} Table */

const SHOWN = 300;

/** @param {Context} ctx @param {Table} table @returns {HTMLElement[]} */
export function logViews(ctx, table) {
  const all = ctx.scene.log;
  const lines = (table.logAll ? all : all.filter((line) => line.level === 0)).slice(-SHOWN);
  return [
    h("div", { class: "top" }, h("h2", { class: "caption" }, t("log")), h("div", null, ctx.mine && all.some((line) => line.new) ? h("button", { type: "button", data: { focus: "happened" }, title: t("what.happened"), "aria-label": t("what.happened"), on: { click: () => table.whatHappened() } }, symbol("next"), " ", t("what.happened")) : null, logSwitch(table, false), logSwitch(table, true))),
    h("div", { class: "loglist", tabindex: "0", role: "log", "aria-label": t("log"), "aria-live": "off" }, logLines(ctx, table, lines), lines.length ? null : h("p", { class: "hint" }, t("log.empty"))),
    replayBar(ctx, table),
  ];
}

/** @param {Table} table @param {boolean} everything */
function logSwitch(table, everything) {
  return h("button", { type: "button", "aria-pressed": String(table.logAll === everything), data: { focus: `log-${everything}` }, on: { click: () => table.showLog(everything) } }, t(everything ? "log.all" : "log.turns"));
}

/** @param {Context} ctx @param {Table} table @param {LogLine[]} lines */
function logLines(ctx, table, lines) {
  const views = [];
  let began = false;
  let before = -2;
  for (const line of lines) {
    if (line.new && !began && ctx.scene.player !== null) {
      began = true;
      if (views.length) views.push(h("div", { class: "began" }, t("log.began")));
    }
    const repeats = line.seat === before && line.level > 0;
    before = line.seat ?? -1;
    views.push(logLine(ctx, table, line, repeats));
  }
  return views;
}

/** @param {Context} ctx @param {Table} table @param {LogLine} line @param {boolean} repeats */
function logLine(ctx, table, line, repeats) {
  const seat = line.seat === null || line.seat === undefined ? undefined : ctx.seats.get(line.seat);
  return h(
    "div",
    { class: classes("logline", { deep: line.level > 0, new: line.new && ctx.mine }) },
    seat && !repeats ? seatSign(seat, "small") : h("span"),
    h("span", { class: "what" }, seat && !repeats ? h("span", { class: "unseen" }, `${seat.name}: `) : null, line.text),
    h("span", { class: "tags" }, line.cites.slice(0, 1).map((id) => clauseTag(id, table))),
  );
}

/** @param {Context} ctx @param {Table} table */
function replayBar(ctx, table) {
  const { step } = ctx.position;
  const steps = table.live?.steps ?? ctx.position.steps;
  const button = (/** @type {string} */ sign, /** @type {string} */ words, /** @type {number} */ to, /** @type {boolean} */ off) => h("button", { type: "button", title: words, "aria-label": words, disabled: off, data: { focus: `replay-${sign}` }, on: { click: () => table.goTo(to) } }, symbol(sign));
  return h(
    "div",
    { class: "replaybar" },
    button("first", t("replay.first"), 0, step <= 0),
    button("back", t("replay.back"), step - 1, step <= 0),
    h("input", { type: "range", min: 0, max: steps, value: step, "aria-label": t("replay.slider"), data: { focus: "slider" }, on: { input: (/** @type {Event} */ event) => table.slide(Number(/** @type {HTMLInputElement} */ (event.target).value)) } }),
    button("next", t("replay.next"), step + 1, step >= steps),
    h("span", { class: "at" }, `${step} / ${steps}`),
  );
}
