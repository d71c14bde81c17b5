/** Areas of the scene, in the column that the scene gives them, and the things in them by what they are. */

import { counterView, isPadded } from "./counters.js";
import { diceView } from "./dice.js";
import { classes, h } from "./dom.js";
import { mapView } from "./map.js";
import { groupView, isPlain, placeView } from "./places.js";
import { trackView } from "./tracks.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {"full" | "small" | "tiny"} Size */

/** @param {Context} ctx @param {string} column @returns {Area[]} */
export function areasIn(ctx, column) {
  return ctx.scene.areas.filter((area) => area.column === column).sort((a, b) => a.order - b.order);
}

/** @param {Context} ctx @param {Area} area @param {Size} size @param {{width: number, height: number}} [room] @returns {HTMLElement | null} */
export function areaView(ctx, area, size, room) {
  const items = itemViews(ctx, area.items, size, room);
  if (!items.length) return null;
  const alone = area.items.length === 1 && !area.items.some((id) => ctx.maps.has(id));
  const title = alone || !area.title ? null : h("div", { class: "caption" }, h("span", null, area.title));
  return h("section", { class: classes("area", { mapped: area.items.some((id) => ctx.maps.has(id)) }), data: { area: area.id }, "aria-label": area.title }, title, h("div", { class: "items" }, items));
}

/** @param {Context} ctx @param {string[]} ids @param {Size} size @param {{width: number, height: number}} [room] @returns {HTMLElement[]} */
export function itemViews(ctx, ids, size, room) {
  /** @type {HTMLElement[]} */
  const views = [];
  /** @type {HTMLElement[]} */
  let tiles = [];
  const flush = () => {
    if (tiles.length) views.push(h("div", { class: "tiles" }, tiles));
    tiles = [];
  };
  for (const id of ids) {
    const counter = ctx.counters.get(id);
    if (counter) {
      if ((room && counter.look === "bars") || isPadded(ctx, counter)) continue; // the board of numbers has it, or the pad
      const view = counterView(ctx, counter, Boolean(room));
      if (view.classList.contains("tile")) tiles.push(view);
      else {
        flush();
        views.push(view);
      }
      continue;
    }
    flush();
    const view = itemView(ctx, id, size, room);
    if (view) views.push(view);
  }
  flush();
  return views;
}

/** @param {Context} ctx @param {string} id @param {Size} size @param {{width: number, height: number}} [room] */
function itemView(ctx, id, size, room) {
  const place = ctx.places.get(id);
  if (place) return placeView(ctx, place, size === "full" && room && isPlain(ctx, place) ? "small" : size);
  const group = ctx.groups.get(id);
  if (group) return groupView(ctx, group, size);
  const dice = ctx.dice.get(id);
  if (dice) return diceView(ctx, dice, size);
  const track = ctx.tracks.get(id);
  if (track) return trackView(ctx, track);
  const map = ctx.maps.get(id);
  if (map && room) return mapView(ctx, map, room);
  return null;
}
