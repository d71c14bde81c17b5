/**
 * Lights up what an option touches while the pointer or the focus is on it, with the preview of its effects. Works on the
 * drawn page and takes itself back: nothing is drawn anew under a moving pointer.
 */

import { figure } from "./counters.js";
import { h, s } from "./dom.js";
import { laidBy, sidesShape } from "./tile_sides.js";

/** @type {(() => void)[]} */
let undo = [];

/** @param {HTMLElement} root @param {import("./context.js").Context} ctx @param {Option | null} option */
export function lighten(root, ctx, option) {
  for (const back of undo) back();
  undo = [];
  if (!option) return;
  for (const id of option.touches) for (const element of find(root, id)) addClass(element, "lit");
  for (const element of root.querySelectorAll(`.option[data-option="${option.index}"]`)) addClass(element, "lit");
  layDown(root, ctx, option);
  for (const change of option.preview?.counters ?? []) {
    if (ctx.becomes.has(change.id)) continue;
    for (const element of find(root, change.id)) foresee(element, change.to);
  }
}

/** The tile that the option lays down, where it would lie. @param {HTMLElement} root @param {import("./context.js").Context} ctx @param {Option} option */
function layDown(root, ctx, option) {
  const laid = laidBy(ctx, option);
  if (!laid) return;
  for (const element of find(root, laid.node)) {
    const ghost = s("g", { class: "ghost tileghost" }, sidesShape(laid.sides, 40, laid.turned));
    element.append(ghost);
    undo.push(() => ghost.remove());
  }
}

/** @param {HTMLElement} root @param {Option[]} options */
export function lightOptions(root, options) {
  for (const option of options) for (const element of root.querySelectorAll(`.option[data-option="${option.index}"]`)) addClass(element, "lit");
}

/** @param {HTMLElement} root @param {string} id */
function find(root, id) {
  return root.querySelectorAll(`[data-id="${CSS.escape(id)}"]`);
}

/** @param {Element} element @param {string} name */
function addClass(element, name) {
  if (element.classList.contains(name)) return;
  element.classList.add(name);
  undo.push(() => element.classList.remove(name));
}

/** @param {Element} element @param {any} value */
function foresee(element, value) {
  const note = h("span", { class: "becomes" }, `→${figure(value)}`);
  (element.querySelector(".value") ?? element).append(note);
  undo.push(() => note.remove());
}
