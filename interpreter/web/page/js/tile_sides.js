/**
 * Tiles with something at each side, as they lie: a wedge for each side in the tint of its value, with its sign or letter.
 * The scene says what the sides are before the tile is turned, and by how many it is turned.
 */

import { s } from "./dom.js";
import { hasSymbol, symbolAt } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */

/** The values in the order of the directions, as the tile lies. @param {Sides} sides @param {number} [turned] @returns {SideValue[]} */
export function lyingSides(sides, turned = sides.turned ?? 0) {
  const n = sides.values.length;
  const by = sides.anticlockwise ? -turned : turned;
  return sides.values.map((_, side) => sides.values[(((side - by) % n) + n) % n]);
}

/** What lies around, in words. @param {Sides} sides */
export function sidesInWords(sides) {
  return lyingSides(sides).map((side) => side.name).join(", ");
}

/**
 * A tile around the origin. `r` is from the middle to a side.
 * @param {Sides} sides @param {number} r @param {number} [turned]
 */
export function sidesShape(sides, r, turned) {
  const n = sides.values.length;
  const step = (2 * Math.PI) / n;
  const first = n === 6 ? -Math.PI / 3 : -Math.PI / 2; // north east on hexes, north on grids
  const corner = r / Math.cos(step / 2);
  const up = sides.mirrored ? -1 : 1;
  const point = (/** @type {number} */ angle, /** @type {number} */ far) => ({ x: far * Math.cos(angle), y: far * Math.sin(angle) * up });
  const text = (/** @type {{x: number, y: number}} */ p) => `${p.x.toFixed(2)} ${p.y.toFixed(2)}`;
  const wedges = lyingSides(sides, turned).map((side, at) => {
    const angle = first + at * step;
    const [a, b, middle] = [point(angle - step / 2, corner), point(angle + step / 2, corner), point(angle, r * 0.68)];
    const size = r * (n === 6 ? 0.36 : 0.42);
    return s(
      "g",
      { class: "side", data: { side: side.name } },
      s("path", { class: "sideground", d: `M0 0L${text(a)}L${text(b)}z`, style: { "--ground-tint": side.tint } }),
      r < 9 ? null : side.symbol && hasSymbol(side.symbol) ? symbolAt(side.symbol, middle.x, middle.y, size, "mapsymbol") : s("text", { class: "sideletter", x: middle.x, y: middle.y + size * 0.34, "font-size": size }, side.letter),
    );
  });
  return s("g", { class: "tilesides" }, wedges);
}

/** The same as a picture of its own, for eyes alone: words stand beside it. @param {Sides} sides @param {string} cls @param {number} [turned] */
export function sidesPicture(sides, cls, turned) {
  return s("svg", { class: cls, viewBox: "-30 -30 60 60", "aria-hidden": "true" }, sidesShape(sides, sides.values.length === 6 ? 25 : 27, turned));
}

/** The tile that an option lays on a space, and how it would be turned; null if it lays none. @param {Context} ctx @param {Option} option */
export function laidBy(ctx, option) {
  for (const move of option.preview?.moves ?? []) {
    const piece = move.piece ? ctx.pieces.get(move.piece) : undefined;
    const node = ctx.scene.maps.flatMap((map) => map.nodes).find((one) => move.to && one.places.includes(move.to));
    if (!piece?.sides || !node) continue;
    const turn = (option.preview?.counters ?? []).find((change) => change.id === `${piece.id}.${piece.sides?.by}`);
    return { sides: piece.sides, node: node.id, turned: turn ? Number(turn.to) : (piece.sides.turned ?? 0) };
  }
  return null;
}
