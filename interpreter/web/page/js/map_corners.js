/**
 * Corners and sides of the spaces of a board, drawn over them: what stands where spaces meet, and what runs between them.
 * Empty ones are not seen, and can be pointed at all the same.
 */

import { markedClass } from "./context.js";
import { s } from "./dom.js";
import { figure } from "./counters.js";
import { edgeOf, inkOn } from "./look.js";
import { keyBadge } from "./map_grid.js";
import { lineUp, mini, rows, standingMinis } from "./map_pieces.js";
import { signShape } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {{x: number, y: number}} Point */

const CORNER = 13; // radius of what stands on a corner
const REACH = 17; // radius within which a corner is meant

/** @param {Context} ctx @param {GameMap} board @param {(node: MapNode) => Point} at @returns {SVGElement[]} */
export function cornerDrawing(ctx, board, at) {
  return ctx.scene.maps.filter((map) => map.on === board.id).flatMap((map) => {
    const points = new Map(map.nodes.map((node) => [node.id, at(node)]));
    const sides = map.edges.flatMap((edge) => side(ctx, edge, edge.ends.map((id) => points.get(id))));
    return [...sides, ...map.nodes.map((node) => corner(ctx, node, at(node)))];
  });
}

/** @param {Context} ctx @param {string} id @param {number | null} owner @returns {{seat: Seat | undefined, ghost: boolean}} */
function holder(ctx, id, owner) {
  const foreseen = ctx.ghosts.get(id);
  const seat = owner ?? foreseen ?? null;
  return { seat: seat === null ? undefined : ctx.seats.get(seat), ghost: owner === null && seat !== null };
}

/** What is true of an edge now: flags that are set, numbers, words. What is printed on it has no id. @param {MapEdge} edge */
export function toldOf(edge) {
  return (edge.fields ?? []).filter((field) => field.id && field.value && field.value !== "?");
}

/** @param {Context} ctx @param {MapEdge} edge @param {(Point | undefined)[]} ends @returns {SVGElement[]} */
export function side(ctx, edge, [a, b]) {
  if (!a || !b) return [];
  const told = toldOf(edge);
  const figures = told.filter((field) => field.value !== true).map((field) => figure(field.value)).join(" · ");
  // As far as the corners, which are pointed at by themselves.
  const part = (/** @type {number} */ share) => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });
  const [from, to, middle] = [part(0.2), part(0.8), part(0.5)];
  const { seat, ghost } = holder(ctx, edge.id, edge.owner);
  const pieces = (edge.places ?? []).flatMap((id) => ctx.places.get(id)?.pieces ?? []);
  const line = (/** @type {string} */ name) => s("line", { class: name, x1: from.x, y1: from.y, x2: to.x, y2: to.y });
  const key = keyBadge(ctx, edge.id, 0, 0, true);
  return [s(
    "g",
    { class: markedClass(ctx, edge.id, "mapside", { owned: seat, told: told.length, ghosted: ghost, changed: edge.changed || ctx.changed.has(edge.id) }), data: { id: edge.id }, style: { "--owner": seat?.colour, "--owner-edge": seat ? edgeOf(seat.colour) : undefined } },
    s("title", null, [edge.name ?? "", ...told.map((field) => (field.value === true ? field.name : `${field.name} ${figure(field.value)}`))].join(" · ")),
    line("sidehit"), line("sideedge"), line("sidefill"),
    seat ? s("g", { transform: `translate(${middle.x} ${middle.y})` }, s("circle", { r: 8, fill: seat.colour, stroke: edgeOf(seat.colour) }), signShape(seat.sign, 0, 0, 13, inkOn(seat.colour))) : null,
    figures && !seat && !pieces.length ? s("g", { class: "sidefigure", transform: `translate(${middle.x} ${middle.y})` }, s("rect", { x: -5 - 3.6 * figures.length, y: -10, width: 10 + 7.2 * figures.length, height: 20, rx: 6 }), s("text", { y: 4.5, "font-size": 12 }, figures)) : null,
    pieces.length ? rows(ctx, pieces, 8, 40).draw(middle.x, middle.y) : null,
    edge.standing?.length ? lineUp(standingMinis(ctx, edge.standing, 8), middle.x, middle.y) : null,
    key ? s("g", { transform: `translate(${middle.x} ${middle.y}) scale(.8)` }, key) : null,
    s("circle", { class: "freshdot", cx: middle.x, cy: middle.y - 11, r: 4 }),
  )];
}

/** @param {Context} ctx @param {MapNode} node @param {Point} at */
function corner(ctx, node, at) {
  const { seat, ghost } = holder(ctx, node.id, node.owner);
  const pieces = node.places.flatMap((id) => ctx.places.get(id)?.pieces ?? []);
  const [only] = pieces.length === 1 ? pieces.flatMap((id) => ctx.pieces.get(id) ?? []) : [];
  const key = keyBadge(ctx, node.id, 0, 0, true);
  return s(
    "g",
    { class: markedClass(ctx, node.id, "node cornernode", { ghosted: ghost, changed: node.changed || ctx.changed.has(node.id) }), data: { id: node.id, node: node.id }, transform: `translate(${at.x} ${at.y})` },
    s("title", null, node.name),
    s("circle", { class: "cornerhit", r: REACH }),
    s("circle", { class: "cornerring", r: CORNER }),
    seat ? s("g", { class: "ownerdisc", data: ghost ? {} : { piece: `owner:${node.id}` } }, s("circle", { r: CORNER, fill: seat.colour, stroke: edgeOf(seat.colour), "stroke-width": 1.5 }), signShape(seat.sign, 0, 0, CORNER * 1.4, inkOn(seat.colour))) : null,
    only ? mini(ctx, only, CORNER).draw(0, 0) : pieces.length ? rows(ctx, pieces, 8, 40).draw(0, 0) : null,
    node.standing.length ? lineUp(standingMinis(ctx, node.standing, 9), 0, seat || pieces.length ? -CORNER : 0) : null,
    key ? s("g", { transform: `scale(.8)${seat && !ghost || pieces.length ? ` translate(${CORNER} ${-CORNER})` : ""}` }, key) : null,
    s("circle", { class: "freshdot", cx: CORNER * 0.8, cy: -CORNER * 0.8, r: 4 }),
  );
}
