/**
 * Grids and hexes: cells at the positions that the scene gives, each with its owner's disc, its pieces, its sign and its mark.
 * Size and direction of the hexes follow from the distance of neighbours, so any lattice is drawn as it lies.
 */

import { badgeOf, markedClass } from "./context.js";
import { figure } from "./counters.js";
import { chips } from "./field_chips.js";
import { s } from "./dom.js";
import { edgeOf, inkOn } from "./look.js";
import { cornerDrawing, side, toldOf } from "./map_corners.js";
import { fitText, laidTile, lineUp, mini, rows, standingMinis } from "./map_pieces.js";
import { hasSymbol, signShape, symbolAt } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */

const CELL = 92;

/** @param {GameMap} map @returns {{step: number, box: [number, number, number, number]}} */
function measure(map) {
  let step = Infinity;
  for (const [at, a] of map.nodes.entries()) for (const b of map.nodes.slice(at + 1)) step = Math.min(step, Math.hypot(a.x - b.x, a.y - b.y));
  if (!Number.isFinite(step) || step <= 0) step = 1;
  const xs = map.nodes.map((node) => node.x);
  const ys = map.nodes.map((node) => node.y);
  return { step, box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] };
}

/** @param {Context} ctx @param {GameMap} map @returns {{view: [number, number, number, number], content: SVGElement[]}} */
export function gridDrawing(ctx, map) {
  const { step, box } = measure(map);
  const k = CELL / step;
  const at = (/** @type {MapNode} */ node) => ({ x: (node.x - box[0]) * k, y: (node.y - box[1]) * k });
  const width = (box[2] - box[0]) * k + CELL;
  const height = (box[3] - box[1]) * k + CELL;
  const labels = lineLabels(map, at);
  const left = labels.length ? 30 : 8;
  const bottom = labels.length ? 30 : 8;
  const corners = cornerDrawing(ctx, map, at);
  const board = s("rect", { class: "gridboard", x: -CELL / 2 - 5, y: -CELL / 2 - 5, width: width + 10, height: height + 10, rx: 10 });
  const cells = map.nodes.map((node) => squareCell(ctx, map, node, at(node)));
  return { view: [-CELL / 2 - 5 - left, -CELL / 2 - 9, width + 14 + left, height + 14 + bottom], content: [board, ...cells, ...sides(ctx, map, at, CELL), ...corners, ...labels] };
}

/** Figures of rows at the left and of columns below. @param {GameMap} map @param {(node: MapNode) => {x: number, y: number}} at */
function lineLabels(map, at) {
  const lowest = Math.max(...map.nodes.map((node) => at(node).y));
  /** @type {Map<number, any>} */
  const rowsAt = new Map();
  /** @type {Map<number, any>} */
  const columnsAt = new Map();
  const named = lettered(map);
  for (const node of map.nodes) {
    if (node.row === null || node.row === undefined || node.column === null || node.column === undefined) return [];
    rowsAt.set(Math.round(at(node).y), named?.get(`row ${node.row}`) ?? node.row);
    columnsAt.set(Math.round(at(node).x), named?.get(`column ${node.column}`) ?? node.column);
  }
  return [
    ...[...rowsAt].map(([y, label]) => s("text", { class: "linelabel", x: -CELL / 2 - 20, y: y + 5 }, label)),
    ...[...columnsAt].map(([x, label]) => s("text", { class: "linelabel", x, y: lowest + CELL / 2 + 25 }, label)),
  ];
}

/**
 * Where every cell is called by a letter for its column and a number for its row (`c4`), the lines are called so too.
 * @param {GameMap} map @returns {Map<string, string> | null}
 */
function lettered(map) {
  const found = new Map();
  for (const node of map.nodes) {
    const parts = /^([a-z])(\d+)$/i.exec(node.name ?? "");
    if (!parts) return null;
    for (const [line, word] of [[`column ${node.column}`, parts[1]], [`row ${node.row}`, parts[2]]]) {
      if (found.has(line) && found.get(line) !== word) return null;
      found.set(line, word);
    }
  }
  return found;
}

/**
 * An edge is drawn where its two cells meet, and only where something lies on it, is true of it, or can be chosen. The line
 * on the border says what an edge can be in any game: a wall, a door, a river, a road across.
 * @param {Context} ctx @param {GameMap} map @param {(node: MapNode) => {x: number, y: number}} at @param {number} length of the border
 */
function sides(ctx, map, at, length) {
  const nodes = new Map(map.nodes.map((node) => [node.id, node]));
  return map.edges.flatMap((edge) => {
    const [a, b] = edge.ends.map((id) => nodes.get(id));
    const isMeant = ctx.marks.has(edge.id) || ctx.context.has(edge.id) || ctx.picked.has(edge.id) || ctx.ghosts.has(edge.id) || ctx.whyId === edge.id || ctx.hinted?.touches.includes(edge.id);
    const isUsed = edge.owner !== null || edge.standing.length || toldOf(edge).length || edge.places.some((id) => ctx.places.get(id)?.pieces.length);
    if (!a || !b || !(isMeant || isUsed)) return [];
    const [p, q] = [at(a), at(b)];
    const [middle, far] = [{ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 }, Math.hypot(q.x - p.x, q.y - p.y)];
    const [dx, dy] = [(-(q.y - p.y) / far) * length * 0.72, ((q.x - p.x) / far) * length * 0.72];
    return side(ctx, edge, [{ x: middle.x - dx, y: middle.y - dy }, { x: middle.x + dx, y: middle.y + dy }]);
  });
}

/** @param {Context} ctx @param {GameMap} map @param {MapNode} node @param {{x: number, y: number}} at */
function squareCell(ctx, map, node, at) {
  const half = CELL / 2 - 3;
  const words = cellWords(node, half);
  const dark = map.checkered && node.row !== null && node.column !== null && (Number(node.row) + Number(node.column)) % 2 === 0;
  return s(
    "g",
    { class: markedClass(ctx, node.id, "node cellnode", { changed: node.changed || ctx.changed.has(node.id), dark }), data: { id: node.id, node: node.id }, transform: `translate(${at.x} ${at.y})` },
    s("title", null, titleOf(node)),
    s("rect", { class: "ground", x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 7, style: { "--ground-tint": node.tint ?? undefined } }),
    holderEdge(ctx, node, (inset) => s("rect", { x: -half + inset, y: -half + inset, width: 2 * (half - inset), height: 2 * (half - inset), rx: 5 }), [-half + 11, half - 11]),
    groundMark(node, half),
    ...nodeInside(ctx, node, 36),
    words,
    indexChips(ctx, node, half, words ? 17 : 10),
    keyBadge(ctx, node.id, half - 12, -half + 12, !isOccupied(ctx, node)),
  );
}

/** @param {MapNode} node */
function titleOf(node) {
  return [node.name, ...node.fields.map((field) => (field.value === true ? field.name : `${field.name} ${figure(field.value)}`))].join(" · ");
}

/**
 * Flags that are set and words of the state, small at the head of a cell; the one that an owner's disc shows stands there.
 * @param {MapNode} node @param {number} half
 */
function cellWords(node, half) {
  const onDisc = node.owner !== null && !isHeld(node) ? manOf(node) : null;
  const words = node.fields.filter((field) => field.id && field.index === undefined && (field.value === true || (typeof field.value === "string" && field.value !== "?")))
    .map((field) => (field.value === true ? field.name : String(field.value)));
  if (onDisc !== null) words.splice(words.indexOf(onDisc), 1);
  return words.length ? s("text", { class: "cellword", y: -half + 13, "font-size": 11 }, fitText(words.join(", "), 11, 2 * half - 6)) : null;
}

/** Numbers by an index, such as cubes of several colours, in a line at the head of a cell. @param {Context} ctx @param {MapNode} node @param {number} half @param {number} top what is above them */
function indexChips(ctx, node, half, top) {
  const told = chips(ctx, node.fields.filter((field) => field.index !== undefined), 10.5, 2 * half - 4);
  return told ? told.draw(0, -half + top + told.height / 2) : null;
}

/** The sign of the ground, or the word for it where there is none, small at the foot of the cell. @param {MapNode} node @param {number} half */
function groundMark(node, half) {
  if (!node.ground) return null;
  if (node.sign && hasSymbol(node.sign)) return symbolAt(node.sign, 0, half - 11, 14, "mapsymbol");
  return s("text", { class: "groundword", y: half - 6, "font-size": 11 }, fitText(node.ground, 11, 2 * half - 8));
}

/** Whether who holds a node is shown at its edge: pieces lie on it, and a disc would hide them. @param {MapNode} node */
function isHeld(node) {
  return node.owner !== null && node.places.length > 0;
}

/**
 * The colour of who holds a node along its inner edge, and the sign in a corner.
 * @param {Context} ctx @param {MapNode} node @param {(inset: number) => SVGElement} shape @param {[number, number]} corner
 */
function holderEdge(ctx, node, shape, corner) {
  const seat = isHeld(node) && node.owner !== null ? ctx.seats.get(node.owner) : undefined;
  if (!seat) return null;
  const [x, y] = corner;
  const edge = shape(4.5);
  for (const [name, value] of Object.entries({ class: "holder", fill: "none", stroke: seat.colour, "stroke-width": 6 })) edge.setAttribute(name, String(value));
  return s("g", null, edge, s("circle", { cx: x, cy: y, r: 9, fill: seat.colour, stroke: edgeOf(seat.colour), "stroke-width": 1 }), signShape(seat.sign, x, y, 15, inkOn(seat.colour)));
}

/** @param {Context} ctx @param {MapNode} node */
function isOccupied(ctx, node) {
  return node.owner !== null || ctx.ghosts.has(node.id) || lyingOn(ctx, node).length > 0;
}

/** What lies on a node. A tile that is its ground is drawn as such, unless something can be done with it. @param {Context} ctx @param {MapNode} node */
function lyingOn(ctx, node) {
  const isGround = (/** @type {string} */ id) => id === node.tile && !(ctx.places.get(id)?.pieces ?? []).some((piece) => ctx.marks.has(piece) || ctx.context.has(piece) || ctx.picked.has(piece));
  return node.places.filter((id) => !isGround(id)).flatMap((id) => ctx.places.get(id)?.pieces ?? []);
}

/** The tile with sides that covers a node, and what else lies there. @param {Context} ctx @param {MapNode} node */
function laidOn(ctx, node) {
  const lying = lyingOn(ctx, node);
  const first = lying.map((id) => ctx.pieces.get(id)).find((piece) => piece?.sides && !piece.face_down);
  return { laid: first, others: first ? lying.filter((id) => id !== first.id) : lying };
}

/** Owner's disc, ghost, fields and pieces of a cell. @param {Context} ctx @param {MapNode} node @param {number} r @returns {SVGElement[]} */
function nodeInside(ctx, node, r) {
  /** @type {SVGElement[]} */
  const drawn = [];
  const seat = node.owner === null || isHeld(node) ? undefined : ctx.seats.get(node.owner);
  if (seat) drawn.push(ownerDisc(seat, r, node.id, manOf(node)));
  const ghost = ctx.ghosts.get(node.id);
  const ghostSeat = ghost === undefined || ghost === null ? undefined : ctx.seats.get(ghost);
  if (!seat && ghostSeat) drawn.push(s("g", { class: "ghost" }, ownerDisc(ghostSeat, r, "")));
  const { laid, others: pieces } = laidOn(ctx, node);
  if (laid) drawn.unshift(laidTile(ctx, laid, CELL / 2 - 4));
  if (pieces.length === 1) drawn.push(big(ctx, pieces[0], r));
  else if (pieces.length) drawn.push(rows(ctx, pieces, pieces.length > 4 ? r * 0.3 : r * 0.44, r * 2.2).draw(0, 0));
  if (!drawn.length) drawn.push(...nodeFields(node, r));
  if (node.standing.length) drawn.push(lineUp(standingMinis(ctx, node.standing, drawn.length ? 9 : 18), drawn.length ? -r * 0.95 : 0, drawn.length ? r * 0.95 : 0));
  return drawn;
}

/** @param {Context} ctx @param {string} id @param {number} r */
function big(ctx, id, r) {
  const piece = ctx.pieces.get(id);
  if (!piece) return s("g");
  const isCard = piece.look === "card" || piece.look === "tile";
  const one = mini(ctx, piece, isCard ? r * 0.5 : r * 0.86, true);
  if (!isCard || piece.face_down || piece.figure === null) return one.draw(0, 0);
  // A number alone does not say what lies there.
  return s("g", null, one.draw(0, -r * 0.25), s("text", { class: "piecename", y: r * 0.55, "font-size": 11 }, fitText(piece.title || (piece.name ?? piece.kind_name), 11, 2 * r + 12)));
}

/** What stands on an owned cell, if a field says so: "knight", or the name of a flag that is set. @param {MapNode} node */
function manOf(node) {
  const field = node.fields.find((one) => one.index === undefined && ((typeof one.value === "string" && one.value !== "?") || one.value === true));
  if (!field) return null;
  return field.value === true ? field.name : String(field.value);
}

/** @param {Seat} seat @param {number} r @param {string} id @param {string | null} [man] */
function ownerDisc(seat, r, id, man = null) {
  const ink = inkOn(seat.colour);
  return s(
    "g",
    { class: "ownerdisc", data: id ? { piece: `owner:${id}` } : {} },
    s("circle", { r, fill: seat.colour, stroke: edgeOf(seat.colour), "stroke-width": 1.5 }),
    man ? s("text", { class: "tokentext", y: r * 0.34, "font-size": Math.min(r * 0.5, (r * 2.9) / Math.max(3, man.length)), fill: ink }, man) : null,
    signShape(seat.sign, 0, man ? -r * 0.42 : 0, r * (man ? 0.62 : 0.95), ink),
  );
}

/** The first number of a cell as its figure. @param {MapNode} node @param {number} r */
function nodeFields(node, r) {
  const numbers = node.fields.filter((field) => typeof field.value === "number" && field.value !== 0 && field.index === undefined);
  return numbers.length ? [s("text", { class: "cellfigure", y: 8, "font-size": r * 0.75 }, figure(numbers[0].value))] : [];
}

/** @param {Context} ctx @param {string} id @param {number} x @param {number} y @param {boolean} middle */
export function keyBadge(ctx, id, x, y, middle) {
  const key = badgeOf(ctx, id);
  if (!key) return null;
  const [cx, cy] = middle ? [0, 0] : [x, y];
  return s("g", { class: "mapbadge", transform: `translate(${cx} ${cy})` }, s("rect", { x: -12, y: -12, width: 24, height: 24, rx: 6 }), s("text", { y: 5 }, key));
}

/** @param {Context} ctx @param {GameMap} map @returns {{view: [number, number, number, number], content: SVGElement[]}} */
export function hexDrawing(ctx, map) {
  const { step, box } = measure(map);
  const k = 94 / step;
  const radius = 94 / Math.sqrt(3);
  const pointy = hasLevelNeighbours(map, step);
  const at = (/** @type {MapNode} */ node) => ({ x: (node.x - box[0]) * k, y: (node.y - box[1]) * k });
  const rim = ctx.scene.maps.some((other) => other.on === map.id) ? 10 : 0; // for what stands on the outer corners
  const cells = map.nodes.map((node) => hexCell(ctx, node, at(node), radius, pointy));
  const marginX = (pointy ? 52 : 60) + rim;
  const marginY = (pointy ? 60 : 52) + rim;
  const width = (box[2] - box[0]) * k + 2 * marginX;
  const height = (box[3] - box[1]) * k + 2 * marginY;
  // Marked cells are drawn last, so that no neighbour covers their ring.
  const sorted = cells.sort((a, b) => Number(a.matches(".may, .maybe, .chosen, .sure, .refused")) - Number(b.matches(".may, .maybe, .chosen, .sure, .refused")));
  return { view: [-marginX, -marginY, width, height], content: [...sorted, ...sides(ctx, map, at, radius), ...cornerDrawing(ctx, map, at)] };
}

/** @param {GameMap} map @param {number} step */
function hasLevelNeighbours(map, step) {
  const [first] = map.nodes;
  return map.nodes.some((a) => map.nodes.some((b) => a !== b && Math.abs(a.y - b.y) < step * 0.05 && Math.abs(a.x - b.x) < step * 1.05)) || first === undefined;
}

/** @param {number} radius @param {boolean} pointy */
function hexPath(radius, pointy) {
  const corners = Array.from({ length: 6 }, (_, at) => {
    const angle = (Math.PI / 3) * at + (pointy ? Math.PI / 6 : 0);
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}z`;
}

/** @param {Context} ctx @param {MapNode} node @param {{x: number, y: number}} at @param {number} radius @param {boolean} pointy */
function hexCell(ctx, node, at, radius, pointy) {
  const occupied = isOccupied(ctx, node);
  const sign = node.sign;
  return s(
    "g",
    { class: markedClass(ctx, node.id, "node hexnode", { changed: node.changed || ctx.changed.has(node.id) }), data: { id: node.id, node: node.id }, transform: `translate(${at.x} ${at.y})` },
    s("title", null, titleOf(node)),
    s("path", { class: "ground", d: hexPath(radius - 1, pointy), style: { "--ground-tint": node.tint ?? undefined } }),
    sign && hasSymbol(sign) ? symbolAt(sign, 0, occupied ? radius * 0.68 : 0, occupied ? 13 : 26, "mapsymbol") : node.ground ? s("text", { class: "hexletter", y: occupied ? radius * 0.78 : 6 }, node.ground.slice(0, 1).toUpperCase()) : null,
    holderEdge(ctx, node, (inset) => s("path", { d: hexPath(radius - 1 - inset, pointy) }), [-radius * 0.5, radius * 0.55]),
    ...hexInside(ctx, node),
    hexChips(ctx, node, radius, occupied),
    s("path", { class: "ring", d: hexPath(radius - 3.5, pointy) }),
    keyBadge(ctx, node.id, 0, -radius * 0.72, false),
    s("circle", { class: "freshdot", cx: radius * 0.55, cy: -radius * 0.5, r: 4.5 }),
  );
}

/** What is written on a hex: in the middle where nothing else is, at the head of it otherwise. @param {Context} ctx @param {MapNode} node @param {number} radius @param {boolean} occupied */
function hexChips(ctx, node, radius, occupied) {
  const told = chips(ctx, node.fields.filter((field) => field.value !== 0), 11, 74);
  const crowded = lyingOn(ctx, node).length > 0 || (occupied && !isHeld(node)) || node.standing.length > 0;
  return told ? told.draw(0, crowded ? -radius * 0.52 : 0) : null;
}

/** A number that belongs to nobody is read from afar. @param {Context} ctx @param {string[]} tokens */
function tokenRadius(ctx, tokens) {
  const first = ctx.pieces.get(tokens[0]);
  if (tokens.length === 1 && first?.owner === null && first.figure !== null && first.figure !== undefined) return 19;
  return tokens.length > 3 ? 10 : 13;
}

/** A card with nothing beside it is as large as its hex allows. @param {Context} ctx @param {string} card */
function cardRadius(ctx, card) {
  return [13, 11, 9.5].find((r) => rows(ctx, [card], r, 84).width <= 80) ?? 8.5;
}

/** @param {Context} ctx @param {MapNode} node @returns {SVGElement[]} */
function hexInside(ctx, node) {
  const seat = node.owner === null || isHeld(node) ? undefined : ctx.seats.get(node.owner);
  /** @type {SVGElement[]} */
  const drawn = seat ? [ownerDisc(seat, 30, node.id)] : [];
  const ghost = ctx.ghosts.get(node.id);
  const ghostSeat = ghost === undefined || ghost === null ? undefined : ctx.seats.get(ghost);
  const { laid, others: pieces } = laidOn(ctx, node);
  if (laid) drawn.unshift(laidTile(ctx, laid, 45));
  const cards = pieces.filter((id) => ["card", "tile"].includes(ctx.pieces.get(id)?.look ?? ""));
  const tokens = pieces.filter((id) => !cards.includes(id));
  if (!seat && !laid && !pieces.length && ghostSeat) drawn.push(s("g", { class: "ghost" }, ownerDisc(ghostSeat, 26, "")));
  if (tokens.length) drawn.push(rows(ctx, tokens, tokenRadius(ctx, tokens), 78).draw(0, cards.length ? -8 : 0));
  if (node.standing.length) drawn.push(lineUp(standingMinis(ctx, node.standing, 11), 0, tokens.length ? -26 : 0));
  const isAlone = cards.length === 1 && !drawn.length;
  if (cards.length) drawn.push(rows(ctx, cards.slice(0, 2), isAlone ? cardRadius(ctx, cards[0]) : 8.5, 84).draw(0, tokens.length ? 24 : isAlone ? 0 : 4));
  return drawn;
}

