/**
 * The keyboard: numbers and letters take options, arrows go from mark to mark on the table, Enter takes, Esc goes back. Keys do
 * nothing while a text is typed, except Enter and Esc.
 */

import { lighten } from "./lighten.js";
import { buttons } from "./narrow.js";
import { closePanels, panelIsOpen } from "./panels.js";

/** @typedef {import("./table.js").Table} Table */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {() => Table | null} current @returns {(event: KeyboardEvent) => void} */
export function keyHandler(current) {
  return (event) => {
    const table = current();
    if (!table || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return escape(event, table);
    if (panelIsOpen()) return;
    const typing = event.target instanceof HTMLInputElement && event.target.type !== "range";
    if (typing) {
      if (event.key === "Enter") takeOnly(event, table);
      return;
    }
    if (event.key in ARROWS) return arrow(event, table);
    if (event.key === "Enter") return enter(event, table);
    command(event, table);
  };
}

/** @param {KeyboardEvent} event @param {Table} table */
function escape(event, table) {
  if (closePanels()) return;
  if (event.target instanceof HTMLInputElement) event.target.blur();
  if (table.why) table.hideWhy();
  else if (table.choice.chosen.length && !table.choice.filter) table.unchoose(table.choice.chosen[table.choice.chosen.length - 1]);
  else table.clear();
}

/** @param {KeyboardEvent} event @param {Table} table */
function takeOnly(event, table) {
  const ctx = table.context();
  if (!ctx?.mine || ctx.left.length !== 1) return;
  event.preventDefault();
  table.take(ctx.left[0]);
}

/** @param {KeyboardEvent} event @param {Table} table */
function enter(event, table) {
  const target = event.target;
  if (target instanceof HTMLElement && target.closest("button, a, summary, input")) return;
  const ctx = table.context();
  if (!ctx?.mine) return;
  event.preventDefault();
  if (ctx.cursor) table.touch([ctx.cursor]);
  else if (ctx.sure) table.take(ctx.sure);
}

/** @param {KeyboardEvent} event @param {Table} table */
function command(event, table) {
  const key = event.key.toLowerCase();
  const ctx = table.context();
  if (!ctx) return;
  const taken = ctx.mine ? [...ctx.left, ...ctx.free].find((option) => ctx.keys.get(option.index) === key) : undefined;
  const pass = ctx.mine ? buttons(ctx.scene.decision)[0] : undefined;
  /** @type {Record<string, (() => void) | undefined>} */
  const commands = {
    "/": () => filterBox(table)?.focus(), u: () => table.undo(), h: () => (ctx.mine && ctx.position.hints !== false ? table.hint() : undefined), l: () => toLog(table), r: () => table.openRules(),
    b: () => showBoard(table, 1), s: () => (ctx.scene.score_sheet ? table.openScores() : undefined), m: () => table.openMenu(), d: pass ? () => table.take(pass) : undefined, "?": () => table.openKeys(),
  };
  const call = taken ? () => table.take(taken) : commands[key];
  if (!call) return;
  event.preventDefault();
  call();
}

/** @param {Table} table */
function filterBox(table) {
  const box = table.parts.options.querySelector("input");
  return box instanceof HTMLInputElement ? box : null;
}

/** @param {Table} table */
function toLog(table) {
  if (table.rightTab !== "log") table.showRight("log");
  const log = table.parts.log.querySelector(".loglist");
  if (log instanceof HTMLElement) log.focus();
}

/** To the nearest marked thing in the direction of the arrow; with Shift to any thing. @param {KeyboardEvent} event @param {Table} table */
function arrow(event, table) {
  const target = event.target;
  if (target instanceof HTMLElement && target.closest(".boardtab")) {
    event.preventDefault();
    return showBoard(table, ARROWS[event.key][0] + ARROWS[event.key][1]);
  }
  if (target instanceof HTMLInputElement || (target instanceof HTMLElement && target.closest(".loglist, .optionlist") && event.key !== "Tab")) return listArrow(event, table);
  const ctx = table.context();
  if (!ctx?.mine) return;
  event.preventDefault();
  const [dx, dy] = ARROWS[event.key];
  const all = [...table.parts.table.querySelectorAll(event.shiftKey ? "[data-id]" : "[data-id].may, [data-id].maybe")].filter((element) => element.getClientRects().length);
  const next = nearest(all, all.find((element) => idOf(element) === ctx.cursor), dx, dy);
  if (!next) return;
  table.choice = { ...table.choice, cursor: idOf(next) };
  table.draw();
  const after = table.context();
  const options = after?.marks.get(idOf(next))?.options ?? [];
  if (after) lighten(table.parts.table, after, options.length === 1 ? options[0] : null);
}

/** The board of the next player, or of the one before; its button has the focus then. @param {Table} table @param {number} step */
function showBoard(table, step) {
  const tabs = /** @type {HTMLElement[]} */ ([...table.parts.board.querySelectorAll(".boardtab")]);
  if (!tabs.length) return;
  const at = tabs.findIndex((tab) => tab.getAttribute("aria-pressed") === "true");
  table.boardOf = Number(tabs[(at + step + tabs.length) % tabs.length].dataset.board);
  table.draw();
  /** @type {HTMLElement | null} */ (table.parts.board.querySelector('.boardtab[aria-pressed="true"]'))?.focus();
}

/** Up and down inside the list of options. @param {KeyboardEvent} event @param {Table} table */
function listArrow(event, table) {
  const options = /** @type {HTMLElement[]} */ ([...table.parts.options.querySelectorAll(".option, summary")].filter((element) => element.getClientRects().length));
  const at = options.findIndex((element) => element === document.activeElement);
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (at < 0 || !step) return;
  event.preventDefault();
  options[Math.max(0, Math.min(options.length - 1, at + step))]?.focus();
}

/** @param {Element} element */
function idOf(element) {
  return /** @type {HTMLElement} */ (element).dataset.id ?? "";
}

/** @param {Element[]} all @param {Element | undefined} from @param {number} dx @param {number} dy */
function nearest(all, from, dx, dy) {
  if (!from) return all[0];
  const middle = (/** @type {Element} */ element) => {
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const at = middle(from);
  /** @type {Element | undefined} */
  let best;
  let least = Infinity;
  for (const element of all) {
    if (element === from) continue;
    const there = middle(element);
    const along = (there.x - at.x) * dx + (there.y - at.y) * dy;
    const aside = Math.abs((there.x - at.x) * dy) + Math.abs((there.y - at.y) * dx);
    const cost = along + 2.5 * aside;
    if (along > 2 && cost < least) [best, least] = [element, cost];
  }
  return best;
}
