/**
 * Small pieces on a map, as SVG around their own centre: tokens with sign or letter, stacks as high as what they carry, cards
 * as little plates with letter and figure.
 */

import { markedClass } from "./context.js";
import { figure } from "./counters.js";
import { s } from "./dom.js";
import { edgeOf, inkOn } from "./look.js";
import { spokenName, tokenShape } from "./pieces.js";
import { signShape } from "./signs.js";
import { sidesShape } from "./tile_sides.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {{width: number, height: number, draw: (x: number, y: number) => SVGElement}} Mini */

/** Width of a line of text, near enough to lay out a plate. @param {string} text @param {number} size */
export function textWidth(text, size) {
  let sum = 0;
  for (const letter of text) sum += /[ilj.,:;'|!()\[\] ]/.test(letter) ? 0.32 : /[mwMW@]/.test(letter) ? 0.88 : /[A-Z0-9]/.test(letter) ? 0.66 : 0.56;
  return sum * size;
}

/** Cut to a width, with an ellipsis. @param {string} text @param {number} size @param {number} width */
export function fitText(text, size, width) {
  if (textWidth(text, size) <= width) return text;
  let cut = text;
  while (cut.length > 1 && textWidth(`${cut}…`, size) > width) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}

/** @param {Context} ctx @param {Piece} piece @param {number} r @param {boolean} [isNamed] @returns {Mini} */
export function mini(ctx, piece, r, isNamed = false) {
  const height = stackHeight(ctx, piece);
  if (height !== null) return stack(ctx, piece, r, height);
  if (piece.face_down) return { width: r * 1.6, height: r * 2, draw: (x, y) => group(ctx, piece, x, y, s("rect", { class: "miniback", x: -r * 0.8, y: -r, width: r * 1.6, height: r * 2, rx: 2 })) };
  if (piece.look === "card" || piece.look === "tile") return plate(ctx, piece, r, isNamed);
  const across = piece.look === "pawn" ? r * 1.7 : r * 2;
  return { width: across, height: r * 2, draw: (x, y) => group(ctx, piece, x, y, tokenShape(ctx, piece, r)) };
}

/** A tile with something at each side, as large as its space. @param {Context} ctx @param {Piece} piece @param {number} r from the middle to a side */
export function laidTile(ctx, piece, r) {
  return group(ctx, piece, 0, 0, piece.sides ? sidesShape(piece.sides, r) : null);
}

/**
 * Those who stand on a node or an edge because a field names it: a player's pawn, or a marker of the table.
 * @param {Context} ctx @param {Standing[]} standing @param {number} r @returns {Mini[]}
 */
export function standingMinis(ctx, standing, r) {
  return standing.map((one) => {
    const pawn = /** @type {Piece} */ ({ id: one.id, kind: one.name, kind_name: one.name, name: one.name, place: "", look: one.seat === null ? "disc" : "pawn", owner: one.seat, letter: one.seat === null ? one.name.slice(0, 1).toUpperCase() : null, face_down: false, figure: null, label: null, tint: null, symbol: null, drawing: null, size: null, back: null, lines: [], fields: [], carries: [], cites: [] });
    return { width: r * 1.8, height: r * 2, draw: (/** @type {number} */ x, /** @type {number} */ y) => group(ctx, pawn, x, y, tokenShape(ctx, pawn, r)) };
  });
}

/** Small drawings side by side around a centre. @param {Mini[]} minis @param {number} x @param {number} y */
export function lineUp(minis, x, y) {
  const width = minis.reduce((sum, one) => sum + one.width + 2, -2);
  let left = x - width / 2;
  return s("g", null, minis.map((one) => {
    const drawn = one.draw(left + one.width / 2, y);
    left += one.width + 2;
    return drawn;
  }));
}

/** @param {Context} ctx @param {Piece} piece @param {number} x @param {number} y @param {...SVGElement | null} drawn */
function group(ctx, piece, x, y, ...drawn) {
  return s(
    "g",
    { class: markedClass(ctx, piece.id, "mpiece"), data: { id: piece.id, piece: piece.id }, transform: `translate(${x} ${y})` },
    s("title", null, spokenName(ctx, piece)),
    ...drawn,
  );
}

/** The height of a piece that stands on a pile of others, or null: what lies in its hold is counted and not stacked. @param {Context} ctx @param {Piece} piece */
function stackHeight(ctx, piece) {
  if (!piece.carries.length || piece.look === "card" || piece.carries.some((id) => ctx.places.get(id)?.sort !== "pile")) return null;
  return piece.carries.reduce((sum, id) => sum + (ctx.places.get(id)?.count ?? ctx.places.get(id)?.pieces.length ?? 0), 0);
}

/** @param {Context} ctx @param {Piece} piece @param {number} r @param {number} height @returns {Mini} */
function stack(ctx, piece, r, height) {
  const shown = Math.max(1, Math.min(height, 6));
  const rise = r * 0.42;
  const flat = r * 0.55;
  const owner = piece.owner === null ? undefined : ctx.seats.get(piece.owner);
  const colour = owner?.colour ?? piece.tint ?? "#8b8476";
  const total = flat * 2 + rise * shown;
  const draw = (/** @type {number} */ x, /** @type {number} */ y) => {
    const bottom = total / 2 - flat;
    const discs = Array.from({ length: shown }, (_, level) => {
      const cy = bottom - rise * level;
      return s("g", null, s("path", { d: `M${-r} ${cy - rise}v${rise}a${r} ${flat} 0 0 0 ${2 * r} 0v${-rise}z`, fill: edgeOf(colour) }), s("ellipse", { cx: 0, cy: cy - rise, rx: r, ry: flat, fill: colour, stroke: edgeOf(colour), "stroke-width": 0.8 }));
    });
    const top = bottom - rise * shown;
    const ink = inkOn(colour);
    return group(
      ctx, piece, x, y,
      ...discs,
      owner ? signShape(owner.sign, -r * 0.4, top, r * 0.8, ink) : null,
      s("text", { class: "tokentext", x: owner ? r * 0.38 : 0, y: top + r * 0.3, "font-size": r * 0.85, fill: ink }, height),
    );
  };
  return { width: r * 2.1, height: total, draw };
}

/** What a man of a seat is, beside his number: infantry and armour of the same strength look alike otherwise. @param {Piece} piece @param {number} size @param {number} width */
function sortOf(piece, size, width) {
  const said = piece.owner === null || piece.letter ? null : (piece.label ?? piece.title);
  return said ? fitText(said, size, width) : "";
}

/** @param {Context} ctx @param {Piece} piece @param {number} r @param {boolean} [isNamed] whether its name stands beside it anyhow @returns {Mini} */
function plate(ctx, piece, r, isNamed = false) {
  const owner = piece.owner === null ? undefined : ctx.seats.get(piece.owner);
  const number = piece.figure === null || piece.figure === undefined ? "" : figure(piece.figure);
  const words = !number && !piece.letter ? fitText(piece.label ?? piece.name ?? piece.kind_name, r * 1.25, r * 7) : "";
  const sort = number && !isNamed ? sortOf(piece, r * 1.2, r * 5) : "";
  const sign = owner || piece.letter ? r * 1.7 : 0;
  const beside = sort ? textWidth(sort, r * 1.2) + 4 : 0;
  const width = Math.max(r * 2, sign + beside + (number ? textWidth(number, r * 1.5) + 4 : 0) + (words ? textWidth(words, r * 1.25) + 6 : 0) + 4);
  const height = r * 1.9;
  const draw = (/** @type {number} */ x, /** @type {number} */ y) => {
    const left = -width / 2;
    return group(
      ctx, piece, x, y,
      s("rect", { class: "miniplate", x: left, y: -height / 2, width, height, rx: 3, style: { "--owner": owner?.colour ?? piece.tint ?? undefined } }),
      owner && !piece.letter ? tokenSign(owner, left + sign / 2 + 1, r) : null,
      piece.letter ? s("g", { transform: `translate(${left + sign / 2 + 1} 0)` }, s("rect", { x: -r * 0.7, y: -r * 0.7, width: r * 1.4, height: r * 1.4, rx: 2.5, fill: piece.tint ?? "#777" }), s("text", { class: "tokentext", y: r * 0.42, "font-size": r * 1.15, fill: inkOn(piece.tint) }, piece.letter)) : null,
      sort ? s("text", { class: "minitext", x: left + sign + 2 + beside / 2, y: r * 0.45, "font-size": r * 1.2 }, sort) : null,
      s("text", { class: "minitext", x: left + sign + beside + (width - sign - beside) / 2, y: r * 0.5, "font-size": number ? r * 1.5 : r * 1.25 }, number || words),
    );
  };
  return { width, height, draw };
}

/** @param {Seat} owner @param {number} x @param {number} r */
function tokenSign(owner, x, r) {
  return s("g", null, s("rect", { x: x - r * 0.7, y: -r * 0.7, width: r * 1.4, height: r * 1.4, rx: 2.5, fill: owner.colour }), signShape(owner.sign, x, 0, r * 1.3, inkOn(owner.colour)));
}

/**
 * Pieces in rows around a centre, wrapped to a width. Equal pieces become one with "×n" when they are many.
 * @param {Context} ctx @param {string[]} ids @param {number} r @param {number} wrap
 * @returns {Mini}
 */
export function rows(ctx, ids, r, wrap) {
  return wrapped(gathered(ctx, ids).map(({ piece, times }) => withTimes(mini(ctx, piece, r), times, r)), wrap);
}

/** Small drawings in rows around a centre, wrapped to a width. @param {Mini[]} minis @param {number} wrap @returns {Mini} */
export function wrapped(minis, wrap) {
  /** @type {Mini[][]} */
  const lines = [[]];
  let used = 0;
  for (const one of minis) {
    if (used + one.width > wrap && lines[lines.length - 1].length) {
      lines.push([]);
      used = 0;
    }
    lines[lines.length - 1].push(one);
    used += one.width + 1.5;
  }
  const widths = lines.map((line) => line.reduce((sum, one) => sum + one.width + 1.5, -1.5));
  const heights = lines.map((line) => Math.max(0, ...line.map((one) => one.height)));
  const width = Math.max(0, ...widths);
  const height = heights.reduce((sum, one) => sum + one + 2, -2);
  const draw = (/** @type {number} */ x, /** @type {number} */ y) => {
    const holder = s("g", { transform: `translate(${x} ${y})` });
    let top = -height / 2;
    for (const [at, line] of lines.entries()) {
      let left = -widths[at] / 2;
      for (const one of line) {
        holder.append(one.draw(left + one.width / 2, top + heights[at] - one.height / 2));
        left += one.width + 1.5;
      }
      top += heights[at] + 2;
    }
    return holder;
  };
  return { width, height: Math.max(0, height), draw };
}

/** @param {Context} ctx @param {string[]} ids */
function gathered(ctx, ids) {
  const pieces = ids.flatMap((id) => ctx.pieces.get(id) ?? []);
  if (pieces.length <= 6) return pieces.map((piece) => ({ piece, times: 1 }));
  /** @type {Map<string, {piece: Piece, times: number}>} */
  const found = new Map();
  for (const piece of pieces) {
    const marks = ctx.marks.get(ctx.standIn.get(piece.id) ?? piece.id)?.options.map((option) => option.index).join() ?? "";
    const key = [piece.kind, piece.name, piece.owner, piece.letter, piece.tint, marks, ctx.picked.has(piece.id), piece.carries.length ? piece.id : ""].join("|");
    const known = found.get(key);
    if (known) known.times += 1;
    else found.set(key, { piece, times: 1 });
  }
  return [...found.values()];
}

/** @param {Mini} one @param {number} times @param {number} r @returns {Mini} */
function withTimes(one, times, r) {
  if (times < 2) return one;
  const text = `×${times}`;
  const extra = textWidth(text, r * 1.3) + 2;
  return {
    width: one.width + extra, height: one.height,
    draw: (x, y) => s("g", null, one.draw(x - extra / 2, y), s("text", { class: "minitext", x: x + one.width / 2 + 1, y: y + r * 0.5, "font-size": r * 1.3 }, text)),
  };
}
