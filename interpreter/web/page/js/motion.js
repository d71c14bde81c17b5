/**
 * Pieces travel visibly from where they lay to where they lie: 220 ms, several a little apart, a second at most in all. A copy
 * flies over the page while the piece itself is already in its place, so input is never blocked; a click ends the flight.
 * Where the system asks for less motion, nothing travels.
 */

import { h, s } from "./dom.js";

const LONG = 220;
const APART = 40;
const MOST = 1000;
const SHOWN = 24;

/** @type {Animation[]} */
let flights = [];

function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {HTMLElement} root @returns {Map<string, DOMRect>} */
function before(root) {
  land();
  /** @type {Map<string, DOMRect>} */
  const places = new Map();
  if (still() || document.hidden) return places;
  for (const element of root.querySelectorAll("[data-piece], [data-place]")) {
    const box = element.getBoundingClientRect();
    if (!box.width || !(element instanceof HTMLElement || element instanceof SVGElement)) continue;
    const id = element.dataset.piece ?? element.dataset.place;
    if (id) places.set(id, box);
  }
  return places;
}

/** @param {HTMLElement} root @param {Map<string, DOMRect>} old @param {Scene} scene */
function after(root, old, scene) {
  if (!old.size || still()) return;
  const from = new Map((scene.changes?.moves ?? []).map((move) => [move.piece, move.from]));
  const flying = [];
  for (const element of root.querySelectorAll("[data-piece]")) {
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) continue;
    const id = element.dataset.piece ?? "";
    const origin = old.get(id) ?? old.get(from.get(id) ?? "");
    if (!origin) continue;
    const box = element.getBoundingClientRect();
    const far = Math.hypot(box.x + box.width / 2 - origin.x - origin.width / 2, box.y + box.height / 2 - origin.y - origin.height / 2);
    if (box.width && far > 12) flying.push({ element, box, origin });
  }
  if (flying.length > SHOWN) return;
  for (const [at, { element, box, origin }] of flying.entries()) fly(element, box, origin, Math.min(at * APART, MOST - LONG));
}

/** @param {HTMLElement | SVGElement} element @param {DOMRect} box @param {DOMRect} origin @param {number} delay */
function fly(element, box, origin, delay) {
  const overlay = document.getElementById("overlay");
  if (!overlay) return;
  const copy = h("div", { class: "flight", style: { position: "absolute", left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` } }, pictureOf(element, box));
  overlay.append(copy);
  element.classList.add("inflight");
  const dx = origin.x + origin.width / 2 - box.x - box.width / 2;
  const dy = origin.y + origin.height / 2 - box.y - box.height / 2;
  const flight = copy.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: LONG, delay, easing: "ease-out", fill: "both" });
  flights.push(flight);
  const end = () => {
    copy.remove();
    element.classList.remove("inflight");
  };
  flight.finished.then(end, end);
}

/** @param {HTMLElement | SVGElement} element @param {DOMRect} box */
function pictureOf(element, box) {
  const copy = /** @type {HTMLElement | SVGElement} */ (element.cloneNode(true));
  for (const part of [copy, ...copy.querySelectorAll("[data-id]")]) part.removeAttribute("data-id");
  copy.removeAttribute("data-piece");
  if (copy instanceof HTMLElement) return copy;
  const inner = /** @type {SVGGraphicsElement} */ (element).getBBox();
  copy.removeAttribute("transform");
  return s("svg", { viewBox: `${inner.x} ${inner.y} ${inner.width} ${inner.height}`, width: box.width, height: box.height }, copy);
}

/** Ends all flights at once. */
function land() {
  for (const flight of flights) flight.finish();
  flights = [];
}

export const travel = { before, after, land };
