/** Why something is not on offer: a popover beside the thing that moves aside from what may be taken; on a phone a box in the sheet. */

import { nameOf } from "./context.js";
import { h } from "./dom.js";
import { clauseTag } from "./prompt.js";
import { symbol } from "./signs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./table.js").Table} Table */

/** @param {Context} ctx @param {Table} table @returns {HTMLElement} */
export function whyBox(ctx, table) {
  const why = table.why;
  const id = why?.id ?? "";
  const reasons = why?.reasons.length ? why.reasons : [{ reason: t("why.notoffered"), cites: ctx.scene.decision?.cites ?? [] }];
  return h(
    "div",
    { class: "why", role: "note" },
    h("div", { class: "whyhead" }, symbol("lock"), h("b", null, nameOf(ctx, id)), h("button", { type: "button", class: "whyclose", "aria-label": t("close"), on: { click: () => table.hideWhy() } }, "✕")),
    reasons.slice(0, 3).map((reason) => h("div", { class: "reason" }, h("p", { class: "whyreason" }, reason.what && reason.what !== nameOf(ctx, id) ? `${reason.what}: ${reason.reason}` : reason.reason), (reason.cites ?? []).slice(0, 2).map((/** @type {string} */ cite) => clauseLine(ctx, table, cite)))),
  );
}

/** @param {Context} ctx @param {Table} table @param {string} id */
export function clauseLine(ctx, table, id) {
  return h("p", { class: "clauseline" }, clauseTag(id, table), " ", ctx.scene.clauses[id]?.summary ?? "");
}

/** @param {Context} ctx @param {Table} table @param {HTMLElement} slot */
export function whyPopover(ctx, table, slot) {
  const anchor = table.parts.table.querySelector(`[data-id="${CSS.escape(table.why?.id ?? "")}"]`);
  const box = whyBox(ctx, table);
  box.classList.add("popover");
  slot.append(box);
  place(box, anchor?.getBoundingClientRect() ?? new DOMRect(innerWidth / 2, innerHeight / 2, 0, 0), table.parts.table);
}

/** The spot around the thing that covers least of what may be taken. @param {HTMLElement} box @param {DOMRect} at @param {HTMLElement} root */
function place(box, at, root) {
  const { width, height } = box.getBoundingClientRect();
  const marked = [...root.querySelectorAll(".may, .maybe, .mapbadge")].map((element) => element.getBoundingClientRect());
  const spots = [
    [at.x + at.width / 2 - width / 2, at.y - height - 12],
    [at.x + at.width / 2 - width / 2, at.bottom + 12],
    [at.right + 12, at.y + at.height / 2 - height / 2],
    [at.x - width - 12, at.y + at.height / 2 - height / 2],
  ].map(([x, y]) => ({ x: Math.max(8, Math.min(x, innerWidth - width - 8)), y: Math.max(8, Math.min(y, innerHeight - height - 8)) }));
  const cost = (/** @type {{x: number, y: number}} */ spot) => marked.reduce((sum, other) => sum + overlap(spot, width, height, other), 4 * overlap(spot, width, height, at));
  const best = spots.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  box.style.left = `${best.x}px`;
  box.style.top = `${best.y}px`;
}

/** @param {{x: number, y: number}} spot @param {number} width @param {number} height @param {DOMRect} other */
function overlap(spot, width, height, other) {
  const x = Math.min(spot.x + width, other.right) - Math.max(spot.x, other.x);
  const y = Math.min(spot.y + height, other.bottom) - Math.max(spot.y, other.y);
  return x > 0 && y > 0 ? x * y : 0;
}
