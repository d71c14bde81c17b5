/** A small picture of a map with some nodes filled: what a card that names a place shows of it. */

import { s } from "./dom.js";

/** @typedef {import("./context.js").Context} Context */

const MOST_NODES = 60;

/** @param {Context} ctx @param {string[]} points ids of nodes @returns {SVGElement | null} */
export function miniMap(ctx, points) {
  const map = ctx.scene.maps.find((one) => one.nodes.some((node) => points.includes(node.id)));
  if (!map || map.nodes.length > MOST_NODES) return null;
  const right = Math.max(...map.nodes.map((node) => node.x));
  const bottom = Math.max(...map.nodes.map((node) => node.y));
  const [width, height] = [76, 46];
  const at = (/** @type {MapNode} */ node) => ({ x: (node.x / (right || 1)) * width, y: (node.y / (bottom || 1)) * height });
  const places = new Map(map.nodes.map((node) => [node.id, at(node)]));
  const lines = map.edges.flatMap((edge) => {
    const [a, b] = edge.ends.map((id) => places.get(id));
    return a && b ? [s("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y })] : [];
  });
  const dots = map.nodes.map((node) => {
    const here = points.includes(node.id);
    const { x, y } = at(node);
    return s("circle", { class: here ? "here" : "", cx: x, cy: y, r: here ? 6 : 2.2 });
  });
  const last = dots.sort((a, b) => Number(a.classList.contains("here")) - Number(b.classList.contains("here")));
  return s("svg", { class: "minimap", viewBox: `-8 -8 ${width + 16} ${height + 16}`, "aria-hidden": "true" }, lines, last);
}
