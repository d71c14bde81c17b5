/** Dice with pips up to six, else the figure; larger where dice are the main thing. */

import { markedClass } from "./context.js";
import { figure } from "./counters.js";
import { h, s } from "./dom.js";
import { badge } from "./pieces.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */

/** Pips on a field of 3 by 3. @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[1, 1]],
  2: [[0, 0], [2, 2]],
  3: [[0, 0], [1, 1], [2, 2]],
  4: [[0, 0], [2, 0], [0, 2], [2, 2]],
  5: [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]],
  6: [[0, 0], [2, 0], [0, 1], [2, 1], [0, 2], [2, 2]],
};

/** @param {Context} ctx @param {Dice} dice @param {"full" | "small" | "tiny"} size */
export function diceView(ctx, dice, size) {
  const many = dice.dice.length > 1;
  const name = dice.name || t("dice");
  return h(
    "div",
    { class: markedClass(ctx, dice.id, `place dice ${size}`, { changed: dice.changed }), data: { id: dice.id }, role: "group", "aria-label": name },
    h("div", { class: "caption placename" }, h("span", null, name, many ? ` · ${dice.dice.length}` : "")),
    h("div", { class: "content" }, dice.dice.map((die) => dieView(ctx, die.id, die.face, size))),
  );
}

/** @param {Context} ctx @param {string} id @param {any} face @param {string} size */
function dieView(ctx, id, face, size) {
  const known = face !== null && face !== undefined && face !== "?";
  return h(
    "div",
    { class: markedClass(ctx, id, `piece die ${size}`, { blank: !known }), data: { id, piece: id }, role: "img", "aria-label": known ? t("die.shows", { face: String(face) }) : t("die.blank") },
    known && PIPS[face] ? pips(face) : h("b", null, known ? figure(face) : "?"),
    badge(ctx, id),
  );
}

/** @param {number} face */
function pips(face) {
  return s("svg", { viewBox: "0 0 30 30", "aria-hidden": "true" }, PIPS[face].map(([x, y]) => s("circle", { cx: 7 + 8 * x, cy: 7 + 8 * y, r: 2.9 })));
}
