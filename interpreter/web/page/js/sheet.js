/**
 * The phone's sheet: question and options below the board. It is dragged by its grip or by the question between three stops:
 * `low` (the question, and the option that is left), `half`, and `full` (the options instead of the board). The grip is a
 * slider for keyboard and screen reader. Listeners stand on the table itself, so a drawing in the middle of a drag is harmless.
 */

import { h } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

export const STOPS = ["low", "half", "full"];
const SNAP = 180;
const MOVED = 6; // pixels; less is a tap
const FLICK = 0.5; // pixels per millisecond

function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {Table} table */
export function gripView(table) {
  return h("div", {
    class: "grip", role: "slider", tabindex: "0", "aria-label": t("sheet"), "aria-orientation": "vertical", "aria-valuemin": 0, "aria-valuemax": 2,
    "aria-valuenow": STOPS.indexOf(table.sheet), "aria-valuetext": [t("sheet.low"), t("sheet.half"), t("sheet.full")][STOPS.indexOf(table.sheet)], data: { focus: "grip" },
    on: { keydown: (/** @type {KeyboardEvent} */ event) => keyed(event, table) },
  });
}

/** @param {KeyboardEvent} event @param {Table} table */
function keyed(event, table) {
  const at = STOPS.indexOf(table.sheet);
  const to = { ArrowUp: at + 1, ArrowRight: at + 1, ArrowDown: at - 1, ArrowLeft: at - 1, Home: 0, End: 2, Enter: (at + 1) % 3, " ": (at + 1) % 3 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  move(table, Math.max(0, Math.min(2, to)));
}

/** @param {Table} table @param {number} stop */
function move(table, stop) {
  const right = rightOf(table);
  const from = right.getBoundingClientRect().height;
  right.style.removeProperty("height");
  right.style.removeProperty("max-height");
  table.showSheet(STOPS[stop]);
  const to = right.getBoundingClientRect().height;
  if (!still() && Math.abs(to - from) > 2) right.animate([{ height: `${from}px`, maxHeight: "none" }, { height: `${to}px`, maxHeight: "none" }], { duration: SNAP, easing: "ease-out" });
}

/** @param {Table} table @returns {HTMLElement} */
function rightOf(table) {
  return /** @type {HTMLElement} */ (table.parts.options.parentElement);
}

/** @param {HTMLElement} root @param {Table} table */
export function wireSheet(root, table) {
  /** @type {{id: number, y: number, height: number, last: number, at: number, speed: number, moved: boolean} | null} */
  let drag = null;
  root.addEventListener("pointerdown", (event) => {
    const target = event.target;
    if (!(target instanceof Element) || !target.closest(".phone .prompt") || target.closest("button, input, a") || drag) return;
    drag = { id: event.pointerId, y: event.clientY, height: rightOf(table).getBoundingClientRect().height, last: event.clientY, at: event.timeStamp, speed: 0, moved: false };
  });
  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id || !root.isConnected) return;
    drag.moved ||= Math.abs(event.clientY - drag.y) > MOVED;
    if (!drag.moved) return;
    const spent = Math.max(1, event.timeStamp - drag.at);
    Object.assign(drag, { speed: (drag.last - event.clientY) / spent, last: event.clientY, at: event.timeStamp });
    const right = rightOf(table);
    right.style.setProperty("max-height", "none");
    right.style.setProperty("height", `${Math.max(0, drag.height + drag.y - event.clientY)}px`);
  });
  for (const name of ["pointerup", "pointercancel"])
    addEventListener(name, (raised) => {
      const event = /** @type {PointerEvent} */ (raised);
      if (!drag || event.pointerId !== drag.id) return;
      const { moved, speed, height, y, last } = drag;
      drag = null;
      if (!root.isConnected) return;
      if (moved) move(table, nearest(table, height + y - last, speed));
      else if (event.target instanceof Element && event.target.closest(".grip")) move(table, (STOPS.indexOf(table.sheet) + 1) % 3);
    });
}

/** The stop that is nearest, or the next one in the direction of a flick. @param {Table} table @param {number} height @param {number} speed */
function nearest(table, height, speed) {
  const full = fullHeight(table);
  const half = Math.min(full, innerHeight * 0.38);
  const at = height < half / 2 ? 0 : height < (half + full) / 2 ? 1 : 2;
  if (Math.abs(speed) < FLICK) return at;
  const was = STOPS.indexOf(table.sheet);
  return Math.max(0, Math.min(2, was + Math.sign(speed)));
}

/** @param {Table} table */
function fullHeight(table) {
  const parts = table.parts;
  return innerHeight - [parts.head, parts.players, parts.prompt, parts.tabs].reduce((sum, part) => sum + part.getBoundingClientRect().height, 0);
}
