/**
 * What is written on a node or an edge now, as small chips: cubes by colour, houses by seat, flags and words. The number that
 * stands large on a node is none of them.
 */

import { figure } from "./counters.js";
import { s } from "./dom.js";
import { edgeOf, inkOn } from "./look.js";
import { fitText, textWidth, wrapped } from "./map_pieces.js";
import { signShape } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./map_pieces.js").Mini} Mini */

const MOST = 12; // chips of one node: more are no reading
const MOST_NUMBERED = 4; // of one declaration

/** The chips of these fields side by side, wrapped to a width; null if nothing is told. @param {Context} ctx @param {Field[]} fields @param {number} size @param {number} wrap @returns {Mini | null} */
export function chips(ctx, fields, size, wrap) {
  const all = fields.filter((field) => field.id && field.value !== "?" && field.value !== false && field.value !== null);
  const told = all.filter((field) => !isNumbered(field) || all.filter((one) => isNumbered(one) && one.declared === field.declared).length <= MOST_NUMBERED);
  return told.length ? wrapped(told.slice(0, MOST).map((field) => chip(ctx, field, size, wrap - 8)), wrap) : null;
}

/** A number by a number: many of them are what the rules keep for themselves, and stand in the tip alone. @param {Field} field */
function isNumbered(field) {
  return typeof field.value === "number" && !field.tint && !field.said && field.seat === undefined && /^\d+$/.test(String(field.index ?? ""));
}

/** What a chip says in letters; a seat's sign says the rest. @param {Field} field */
function wordsOf(field) {
  if (field.said) return field.value === true ? field.said : `${field.said} ${figure(field.value)}`;
  if (field.tint) return [field.letter, field.value === true ? "" : figure(field.value)].filter(Boolean).join(" ");
  if (field.seat !== undefined) return typeof field.value === "number" ? figure(field.value) : "";
  if (field.value === true) return field.name;
  if (typeof field.value === "string") return field.value;
  return `${field.index ?? field.name} ${figure(field.value)}`;
}

/** @param {Context} ctx @param {Field} field @param {number} size of its letters @param {number} most of its width @returns {Mini} */
function chip(ctx, field, size, most) {
  const seat = field.seat === undefined ? undefined : ctx.seats.get(field.seat);
  const text = fitText(wordsOf(field) || (seat ? "" : field.name), size, most);
  const sign = seat ? size * 1.35 : 0;
  const height = size * 1.4;
  const width = sign + (text ? textWidth(text, size) + 6 : 0);
  const fill = field.tint ?? null;
  const ink = fill ? inkOn(fill) : null;
  const draw = (/** @type {number} */ x, /** @type {number} */ y) => s(
    "g",
    { class: "fieldchip", data: { id: field.id }, transform: `translate(${x} ${y})` },
    s("title", null, `${field.name} ${figure(field.value)}`),
    text ? s("rect", { class: "chipground", x: -width / 2 + sign, y: -height / 2, width: width - sign, height, rx: 3, style: { fill, stroke: fill ? edgeOf(fill) : null } }) : null,
    seat ? s("g", null, s("rect", { x: -width / 2, y: -height / 2, width: sign, height, rx: 3, fill: seat.colour }), signShape(seat.sign, -width / 2 + sign / 2, 0, sign * 0.85, inkOn(seat.colour))) : null,
    text ? s("text", { class: "chiptext", x: sign / 2, y: size * 0.36, "font-size": size, style: { fill: ink } }, text) : null,
  );
  return { width, height, draw };
}
