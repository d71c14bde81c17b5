/** Places in a word and a number, for players of whom one wants to know how many, not which. */

import { badgeOf, markedClass } from "./context.js";
import { h } from "./dom.js";
import { badge, pieceView } from "./pieces.js";
import { countOf, placeView } from "./places.js";

/** @typedef {import("./context.js").Context} Context */

const MOST_TOKENS = 12;

/** Many equal tokens with a symbol, none of which can be taken apart from the others. @param {Context} ctx @param {string} id */
export function isHeap(ctx, id) {
  const place = ctx.places.get(id);
  const first = place ? ctx.pieces.get(place.pieces[0]) : undefined;
  if (!place || !first?.symbol || place.pieces.length < 2 || first.face_down || !["token", "disc", "pawn"].includes(first.look)) return false;
  return place.pieces.every((one) => ctx.pieces.get(one)?.name === first.name && !ctx.marks.has(one) && !ctx.context.has(one));
}

/** One line after the other, as words flow; what can be taken now is drawn in full. @param {Context} ctx @param {string[]} ids @returns {HTMLElement[]} */
export function shortViews(ctx, ids) {
  const places = ids.flatMap((id) => ctx.places.get(id) ?? ctx.groups.get(id)?.rows.flatMap((row) => row.places.flatMap((one) => ctx.places.get(one) ?? [])) ?? []);
  const marked = places.filter((place) => ctx.marks.has(place.id) || place.pieces.some((id) => ctx.marks.has(id) || ctx.context.has(id)));
  const rest = ids.flatMap((id) => shortView(ctx, id, marked));
  return [...marked.map((place) => placeView(ctx, place, "tiny")), ...(rest.length ? [h("div", { class: "heaps" }, rest)] : [])];
}

/** @param {Context} ctx @param {string} id @param {Place[]} marked @returns {HTMLElement[]} */
function shortView(ctx, id, marked) {
  const place = ctx.places.get(id);
  if (place) return countOf(place) && !marked.includes(place) ? [heap(ctx, place)] : [];
  const group = ctx.groups.get(id);
  const places = (group?.rows ?? []).flatMap((row) => ctx.places.get(row.places[0]) ?? []);
  if (!group || places.some((one) => marked.includes(one))) return [];
  const pieces = places.flatMap((one) => one.pieces);
  const held = places.reduce((sum, one) => sum + countOf(one), 0);
  if (!held) return [];
  const room = places.every((one) => one.capacity) ? places.reduce((sum, one) => sum + (one.capacity ?? 0), 0) : 0;
  return [h("span", { class: "heap", title: names(ctx, pieces), data: { id: places[0].id, place: places[0].id } }, group.name, " ", h("b", null, room ? `${held}/${room}` : held))];
}

/** @param {Context} ctx @param {Place} place */
function heap(ctx, place) {
  const pieces = place.pieces.flatMap((id) => ctx.pieces.get(id) ?? []);
  const tokens = pieces.length && pieces.length <= MOST_TOKENS && pieces.every((piece) => !piece.face_down && ["token", "disc", "pawn"].includes(piece.look));
  const known = pieces.filter((piece) => !piece.face_down).map((piece) => piece.id);
  return h(
    "span",
    { class: markedClass(ctx, place.id, "heap", { changed: place.changed || ctx.changed.has(place.id) }), title: names(ctx, known), data: { id: place.id, place: place.id } },
    place.name, " ", tokens ? h("span", { class: "tokens" }, pieces.map((piece) => pieceView(ctx, piece.id, "tiny"))) : h("b", null, countOf(place)),
    badgeOf(ctx, place.id) ? badge(ctx, place.id) : null,
  );
}

/** @param {Context} ctx @param {string[]} ids */
function names(ctx, ids) {
  return ids.map((id) => ctx.pieces.get(id)?.name ?? "?").join(", ");
}
