/** A map as one SVG picture: the sort decides the drawing; zoom and pan stand around it. */

import { s, h } from "./dom.js";
import { gridDrawing, hexDrawing } from "./map_grid.js";
import { networkDrawing } from "./map_network.js";
import { shownOf } from "./map_part.js";
import { boardTabs, ownBoard } from "./own_boards.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */

/**
 * @param {Context} ctx @param {GameMap} map @param {{width: number, height: number}} room
 * @returns {HTMLElement}
 */
export function mapView(ctx, map, room) {
  const { view, content } = drawing(ctx, map.own ? ownBoard(ctx, map) : shownOf(ctx, map), room);
  const picture = s(
    "svg",
    { class: `mapsvg ${map.sort}`, viewBox: view.map((part) => part.toFixed(1)).join(" "), preserveAspectRatio: "xMidYMid meet", role: "img", "aria-label": describe(ctx, map) },
    map.outline ? s("path", { class: "outline", d: map.outline }) : null,
    ...content,
  );
  return h("div", { class: "map", data: { map: map.id } }, map.own ? boardTabs(ctx) : null, picture);
}

/** @param {Context} ctx @param {GameMap} map @param {{width: number, height: number}} room */
function drawing(ctx, map, room) {
  if (map.sort.startsWith("hex")) return hexDrawing(ctx, map);
  if (map.sort === "network") return networkDrawing(ctx, map, room);
  return gridDrawing(ctx, map);
}

/** @param {Context} ctx @param {GameMap} map */
function describe(ctx, map) {
  return t("map.described", { name: map.name || ctx.scene.title, n: map.nodes.length });
}
