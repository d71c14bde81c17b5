/**
 * The part of a large board that is in use. Games that grow from a middle are written on a board that has room for all they may
 * come to, and most of it stays empty. What lies there, what can be chosen and some space around both are drawn; a button
 * shows the whole board.
 */

/** @typedef {import("./context.js").Context} Context */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Frame */
/**
 * What a reader has seen of the boards, by their ids: the spaces that were in use, and those that could be chosen last. A part
 * only grows while somebody looks, so the board does not jump whenever a piece leaves its edge.
 * @typedef {{whole: boolean, used: Map<string, Set<string>>, offered: Map<string, Set<string>>}} Seen
 */

const FEWEST = 150; // spaces: of a smaller board everything is drawn
const AROUND = 2.2; // spaces that are left around what is in use
const GAIN = 1.3; // how much larger everything must get for it

/** @returns {Seen} */
export function nothingSeen() {
  return { whole: false, used: new Map(), offered: new Map() };
}

/** What is drawn of a board. @param {Context} ctx @param {GameMap} map @returns {GameMap} */
export function shownOf(ctx, map) {
  return (ctx.seen.whole ? null : partInUse(ctx, map)) ?? map;
}

/** The part of a board that is in use; null if that is no smaller than the board. @param {Context} ctx @param {GameMap} map @returns {GameMap | null} */
export function partInUse(ctx, map) {
  const isLaidOut = map.sort !== "network" && !map.own && !ctx.scene.maps.some((other) => other.on === map.id);
  if (!isLaidOut || map.nodes.length < FEWEST) return null;
  const used = ctx.seen.used.get(map.id) ?? new Set();
  for (const node of map.nodes) if (isUsed(ctx, node)) used.add(node.id);
  for (const edge of map.edges) if (isThingUsed(ctx, edge)) for (const end of edge.ends) used.add(end);
  ctx.seen.used.set(map.id, used);
  if (ctx.mine) ctx.seen.offered.set(map.id, offeredOn(ctx, map));
  if (!used.size) return null;
  const offered = ctx.seen.offered.get(map.id) ?? new Set();
  const step = stepOf(map);
  const kept = map.nodes.filter((node) => used.has(node.id));
  const around = joined(frameOf(kept, AROUND * step), frameOf(map.nodes.filter((node) => offered.has(node.id)), 0.6 * step));
  const nodes = map.nodes.filter((node) => node.x >= around.left && node.x <= around.right && node.y >= around.top && node.y <= around.bottom);
  const [whole, part] = [frameOf(map.nodes, step / 2), frameOf(nodes, step / 2)];
  const [across, down] = [part.right - part.left, part.bottom - part.top];
  if (Math.min((whole.right - whole.left) / across, (whole.bottom - whole.top) / down) < GAIN) return null;
  const drawn = new Set(nodes.map((node) => node.id));
  return { ...map, nodes, edges: map.edges.filter((edge) => edge.ends.every((end) => drawn.has(end))), box: [across / step - 1, down / step - 1] };
}

/** Something lies or stands there, or is true of it. @param {Context} ctx @param {MapNode} node */
function isUsed(ctx, node) {
  return Boolean(node.ground || node.sign || node.tint) || isThingUsed(ctx, node);
}

/** @param {Context} ctx @param {MapNode | MapEdge} thing */
function isThingUsed(ctx, thing) {
  const isTold = (thing.fields ?? []).some((field) => field.id && field.value && field.value !== "?"); // what is printed has no id
  return isTold || thing.owner !== null || thing.standing.length > 0 || thing.places.some((id) => ctx.places.get(id)?.pieces.length);
}

/** The spaces that the options of a decision touch, whatever has been clicked so far. @param {Context} ctx @param {GameMap} map @returns {Set<string>} */
function offeredOn(ctx, map) {
  const touched = new Set(ctx.options.flatMap((option) => option.touches));
  const ends = map.edges.filter((edge) => touched.has(edge.id)).flatMap((edge) => edge.ends);
  return new Set([...map.nodes.map((node) => node.id).filter((id) => touched.has(id)), ...ends]);
}

/** How far neighbours lie from one another. @param {GameMap} map */
function stepOf(map) {
  const [first, ...others] = map.nodes;
  return Math.min(...others.map((node) => Math.hypot(node.x - first.x, node.y - first.y)).filter((far) => far > 0));
}

/** @param {MapNode[]} nodes @param {number} around @returns {Frame} */
function frameOf(nodes, around) {
  const [xs, ys] = [nodes.map((node) => node.x), nodes.map((node) => node.y)];
  return { left: Math.min(...xs) - around, top: Math.min(...ys) - around, right: Math.max(...xs) + around, bottom: Math.max(...ys) + around };
}

/** @param {Frame} one @param {Frame} other @returns {Frame} */
function joined(one, other) {
  return { left: Math.min(one.left, other.left), top: Math.min(one.top, other.top), right: Math.max(one.right, other.right), bottom: Math.max(one.bottom, other.bottom) };
}
