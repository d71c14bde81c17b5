/** The question: who decides what, what was clicked or picked so far, and the buttons that are not lines of the list. */

import { again, share } from "./afterwards.js";
import { nameOf } from "./context.js";
import { h } from "./dom.js";
import { buttons } from "./narrow.js";
import { seatTitle } from "./players.js";
import { gripView } from "./sheet.js";
import { symbol } from "./signs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./table.js").Table} Table */

/** @param {Context} ctx @param {Table} table @returns {HTMLElement} */
export function promptView(ctx, table) {
  const decides = ctx.scene.status.decides;
  const seat = decides === null || decides === undefined ? undefined : ctx.seats.get(decides);
  return h(
    "section",
    { class: ctx.position.over ? "panel prompt over" : "panel prompt", style: { "--seat": seat?.colour }, "aria-label": t("question") },
    ctx.compact ? gripView(table) : null,
    table.choice.chosen.length && ctx.mine ? h("div", { class: "trail" }, trail(ctx, table)) : null,
    h("h1", { tabindex: "-1" }, question(ctx), ...clauseTags(ctx, table)),
    side(ctx, table),
    strip(ctx, table),
  );
}

/** @param {Context} ctx */
export function question(ctx) {
  const { position, scene } = ctx;
  if (position.over) return overWords(ctx);
  if (scene.decision && (ctx.mine || !position.live)) return scene.decision.prompt;
  if (scene.status.waiting) return scene.status.waiting;
  const decides = scene.status.decides;
  const seat = decides === null ? undefined : ctx.seats.get(decides);
  return seat ? t("waiting.for", { name: seatTitle(ctx, seat) }) : t("waiting");
}

/** @param {Context} ctx */
function overWords(ctx) {
  const ranking = ctx.position.result?.ranking ?? [];
  const first = ctx.scene.seats.filter((seat) => ranking[seat.seat] === 1);
  const reason = ctx.position.result?.reason;
  const won = first.length === 1 ? (first[0].seat === ctx.scene.player ? t("over.you") : t("over.won", { name: seatTitle(ctx, first[0]) })) : first.length === ctx.scene.seats.length && first.length > 1 ? t("over.draw") : first.length ? t("over.shared", { names: first.map((seat) => seatTitle(ctx, seat)).join(", ") }) : t("over");
  return reason ? `${won} ${reason}${/[.!?]$/.test(reason) ? "" : "."}` : won;
}

/** @param {Context} ctx @param {Table} table */
function clauseTags(ctx, table) {
  if (!ctx.mine) return [];
  return (ctx.scene.decision?.cites ?? []).slice(0, 2).map((id) => clauseTag(id, table));
}

/** @param {string} id @param {Table} table */
export function clauseTag(id, table) {
  return h("button", { class: "clause", type: "button", title: table.clauseWords(id), data: { clause: id }, on: { click: (/** @type {Event} */ event) => { event.stopPropagation(); table.openRules(id); } } }, id);
}

/** @param {Context} ctx @param {Table} table */
function trail(ctx, table) {
  return table.choice.chosen.map((id) =>
    h("button", { class: "chip", type: "button", "aria-label": t("chip.remove", { name: nameOf(ctx, id) }), on: { click: () => table.unchoose(id) } }, nameOf(ctx, id), h("span", { class: "cross", "aria-hidden": "true" }, "✕")),
  );
}

/** @param {Context} ctx @param {Table} table */
function side(ctx, table) {
  if (ctx.position.over) return h("div", { class: "side" }, ...overButtons(ctx, table));
  if (!ctx.mine) return h("div", { class: "side" });
  const narrowed = table.choice.chosen.length > 0 || table.choice.filter !== "";
  const all = ctx.options.length;
  const count = narrowed ? t("options.of", { left: ctx.left.length, n: all }) : t("options.n", { n: all });
  return h(
    "div",
    { class: "side" },
    all ? h("span", { class: "count" }, count, h("span", { class: "how" }, howTo(ctx))) : null,
    narrowed ? h("button", { class: "button clear", type: "button", on: { click: () => table.clear() } }, t("clear"), h("kbd", { "aria-hidden": "true" }, "Esc")) : null,
    buttons(ctx.scene.decision).map((option, at) =>
      h("button", { class: "button pass", type: "button", disabled: ctx.busy, data: { option: option.index, focus: `pass${at}` }, on: { click: () => table.take(option) } }, option.label, at === 0 ? h("kbd", { "aria-hidden": "true" }, "D") : null),
    ),
  );
}

/** How to choose, for those who sit here for the first time. @param {Context} ctx */
function howTo(ctx) {
  if (ctx.compact) return "";
  if (ctx.sure) return t("how.enter");
  return ctx.marks.size ? t("how.click") : t("how.list");
}

/** @param {Context} ctx @param {Table} table */
function overButtons(ctx, table) {
  return [
    h("button", { class: "button", type: "button", on: { click: () => table.goTo(0) } }, symbol("first"), t("replay")),
    h("button", { class: "button", type: "button", on: { click: () => share(table) } }, symbol("link"), t("share")),
    ctx.scene.player === null ? null : h("button", { class: "button take", type: "button", data: { focus: "again" }, on: { click: () => again(table) } }, t("again")),
  ];
}

/** Sets and payments: what is picked, how much is left. @param {Context} ctx @param {Table} table */
function strip(ctx, table) {
  const decision = ctx.scene.decision;
  if (!decision || !ctx.mine || (!decision.picked.length && !decision.to_pay && !decision.progress)) return null;
  const picks = decision.picked.map((pick, at) =>
    h("button", { class: "chip", type: "button", disabled: ctx.busy, "aria-label": t("pick.back", { name: pick.name }), on: { click: () => table.takeBack(decision.picked.length - at) } }, pick.name, h("span", { class: "cross", "aria-hidden": "true" }, "✕")),
  );
  return h("div", { class: "strip" }, payment(decision), decision.progress ? h("span", null, decision.progress) : null, ...picks);
}

/** @param {Decision} decision */
function payment(decision) {
  const pay = decision.to_pay;
  if (!pay) return null;
  const circles = pay.total !== null && pay.total <= 12 ? Array.from({ length: pay.total }, (_, at) => h("i", { class: at < (pay.total ?? 0) - pay.left ? "paid" : "" })) : [];
  return h("span", { class: "topay" }, h("b", null, t("pay.left", { n: pay.left, what: pay.what ?? "" })), ...circles);
}
