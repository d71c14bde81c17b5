/**
 * A network: nodes as plates that list what lies on them, edges as streets with one space per capacity.
 *
 * Plates are laid out first, each as large as its content needs. Then the positions of the scene are spread until no two
 * plates overlap, and the drawing is scaled to the board as a whole; on a narrow screen plates are drawn in their short form.
 */

import { markedClass } from "./context.js";
import { figure } from "./counters.js";
import { chips } from "./field_chips.js";
import { s } from "./dom.js";
import { inkOn } from "./look.js";
import { keyBadge } from "./map_grid.js";
import { fitText, lineUp, mini, rows, standingMinis, textWidth } from "./map_pieces.js";
import { hasSymbol, signShape, symbolAt } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {{node: MapNode, width: number, height: number, x: number, y: number, parts: Part[], title: string, number: string, symbol: string | null}} Plate */
/** @typedef {{width: number, height: number, draw: (x: number, y: number) => SVGElement}} Part */

const GAP = 16;
const LARGEST = 1.35; // how far plates grow where there is room

/**
 * @param {Context} ctx @param {GameMap} map @param {{width: number, height: number}} room
 * @returns {{view: [number, number, number, number], content: SVGElement[]}}
 */
export function networkDrawing(ctx, map, room) {
  const plates = (folded(ctx, map, room) ?? upright(ctx, map)).map((node) => plateOf(ctx, node));
  spread(map, plates, room, ctx.compact ? 9 : GAP);
  const byNode = new Map(plates.map((plate) => [plate.node.id, plate]));
  const streets = map.edges.map((edge) => street(ctx, edge, byNode));
  const view = bounds(plates);
  return { view, content: [...streets, ...plates.map((plate) => drawPlate(ctx, plate))] };
}

/**
 * A line of more spaces than fit side by side goes to and fro in rows, as the tracks of board games do.
 * @param {Context} ctx @param {GameMap} map @param {{width: number, height: number}} room @returns {MapNode[] | null}
 */
function folded(ctx, map, room) {
  const fit = Math.max(3, Math.floor(room.width / (ctx.compact ? 92 : 112)));
  const isLine = map.nodes.every((node) => Math.abs(node.y - map.nodes[0].y) < 1e-6);
  if (!isLine || map.nodes.length <= fit) return null;
  const lines = Math.ceil(map.nodes.length / fit);
  const across = Math.ceil(map.nodes.length / lines);
  return [...map.nodes].sort((a, b) => a.x - b.x).map((node, at) => {
    const [line, step] = [Math.floor(at / across), at % across];
    return { ...node, x: line % 2 ? across - 1 - step : step, y: line };
  });
}

/** On a phone a map that is much wider than high stands on end. @param {Context} ctx @param {GameMap} map @returns {MapNode[]} */
function upright(ctx, map) {
  const span = (/** @type {number[]} */ all) => Math.max(...all) - Math.min(...all);
  const isFlat = span(map.nodes.map((node) => node.x)) > 3 * span(map.nodes.map((node) => node.y));
  return ctx.compact && isFlat ? map.nodes.map((node) => ({ ...node, x: node.y, y: node.x })) : map.nodes;
}

/** @param {Context} ctx @param {MapNode} node @returns {Plate} */
function plateOf(ctx, node) {
  const size = ctx.compact ? 16 : 12.5;
  const field = node.figure === undefined ? node.fields.find((one) => typeof one.value === "number" && one.index === undefined && (one.value !== 0 || one.id !== undefined)) : node.fields[node.figure];
  const number = field ? figure(field.value) : "";
  const sign = field?.symbol && hasSymbol(field.symbol) ? field.symbol : null;
  const told = chips(ctx, node.fields.filter((one) => one !== field && one.value !== 0), ctx.compact ? 12.5 : 10.5, ctx.compact ? 92 : 104);
  const parts = [...(told ? [told] : []), ...placeParts(ctx, node), ...noteParts(ctx, node)];
  const within = Math.max(0, ...parts.map((part) => part.width)) + 12;
  const title = fitText(nameOn(ctx, node, within, size), size, ctx.compact ? 96 : 114);
  const titleWidth = textWidth(title, size) + (number ? textWidth(number, size) + (sign ? 14 : 0) + 12 : 0);
  const width = Math.max(44, titleWidth + 18, ...parts.map((part) => part.width + 12));
  const height = (ctx.compact ? 27 : 24) + parts.reduce((sum, part) => sum + part.height + 4, 0) + (parts.length ? 3 : 0);
  return { node, width, height, x: 0, y: 0, parts, title, number, symbol: sign };
}

/** The whole name where the plate is wide enough for it anyhow, else the short one. @param {Context} ctx @param {MapNode} node @param {number} within @param {number} size */
function nameOn(ctx, node, within, size) {
  const short = node.short ?? node.name;
  return !ctx.compact && textWidth(node.name, size) <= within ? node.name : short;
}

/** @param {Context} ctx @param {MapNode} node @returns {Part[]} */
function noteParts(ctx, node) {
  if (!node.note || ctx.compact) return [];
  const words = node.note.split(" ");
  const lines = [""];
  for (const word of words) {
    if (textWidth(`${lines[lines.length - 1]} ${word}`, 11) > 96 && lines[lines.length - 1]) lines.push(word);
    else lines[lines.length - 1] = `${lines[lines.length - 1]} ${word}`.trim();
  }
  const shown = lines.slice(0, 3);
  return [{
    width: Math.max(...shown.map((line) => textWidth(line, 11))), height: shown.length * 12,
    draw: (x, y) => s("g", null, shown.map((line, at) => s("text", { class: "platenote", x, y: y - shown.length * 6 + 10 + at * 12 }, line))),
  }];
}

/**
 * The places of a node. What belongs to nobody stands in the middle; with two seats one of them stands at each side of it, with
 * more they stand in a row below, each underlined in its colour.
 * @param {Context} ctx @param {MapNode} node @returns {Part[]}
 */
function placeParts(ctx, node) {
  const places = node.places.flatMap((id) => ctx.places.get(id) ?? []);
  const neutral = places.filter((place) => place.owner === null);
  const owned = places.filter((place) => place.owner !== null);
  const r = ctx.compact ? 8.5 : 8;
  const parts = neutral.filter((place) => place.pieces.length || ctx.marks.has(place.id) || (hasSpaces(place) && places.length === 1)).map((place) => wordsPart(ctx, place) ?? placePart(ctx, place, r));
  if (node.standing.length) {
    const minis = standingMinis(ctx, node.standing, r + 2);
    parts.push({ width: minis.reduce((sum, one) => sum + one.width + 2, 0), height: 2 * r + 4, draw: (x, y) => lineUp(minis, x, y) });
  }
  if (!owned.length) return parts;
  const columns = seatColumns(ctx, owned, r);
  if (columns.length === 2 && !ctx.compact) return [beside([columns[0], ...(parts.length ? [stacked(parts)] : []), columns[1]])];
  return [...(ctx.compact ? [] : parts), beside(columns)];
}

/** A piece that only says something (a printed rule) is read as words on the plate; one of a heap of goods is none. @param {Context} ctx @param {Place} place @returns {Part | null} */
function wordsPart(ctx, place) {
  const [id, more] = place.pieces;
  const piece = id === undefined || more !== undefined ? undefined : ctx.pieces.get(id);
  if (!piece || piece.face_down || !["card", "tile"].includes(piece.look) || piece.figure !== null || piece.letter || piece.owner !== null || (place.sort !== "slot" && piece.label)) return null;
  const lines = wrapped(piece.name ?? piece.label ?? piece.kind_name, 62, 4);
  return {
    width: Math.max(...lines.map((line) => textWidth(line, 11))), height: lines.length * 12.5,
    draw: (x, y) => s("g", { class: markedClass(ctx, piece.id, "mpiece"), data: { id: piece.id, piece: piece.id } }, s("rect", { class: "mplacering", x: x - 32, y: y - lines.length * 6.5, width: 64, height: lines.length * 13, rx: 4 }), lines.map((line, at) => s("text", { class: "platenote", x, y: y - lines.length * 6.25 + 10 + at * 12.5 }, line))),
  };
}

/** @param {string} text @param {number} width @param {number} most */
function wrapped(text, width, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && textWidth(`${last} ${word}`, 11) > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1]}…`] : lines;
}

/** Parts beside each other, on one base line. @param {Part[]} parts @param {number} [gap] @returns {Part} */
function beside(parts, gap = 8) {
  const width = parts.reduce((sum, one) => sum + one.width + gap, -gap);
  const height = Math.max(...parts.map((one) => one.height));
  const draw = (/** @type {number} */ x, /** @type {number} */ y) => {
    let left = x - width / 2;
    const holder = s("g");
    for (const one of parts) {
      holder.append(one.draw(left + one.width / 2, y + height / 2 - one.height / 2));
      left += one.width + gap;
    }
    return holder;
  };
  return { width, height, draw };
}

/** Parts one below the other. @param {Part[]} parts @returns {Part} */
function stacked(parts) {
  const height = parts.reduce((sum, one) => sum + one.height + 3, -3);
  const width = Math.max(...parts.map((one) => one.width));
  const draw = (/** @type {number} */ x, /** @type {number} */ y) => {
    let top = y - height / 2;
    const holder = s("g");
    for (const one of parts) {
      holder.append(one.draw(x, top + one.height / 2));
      top += one.height + 3;
    }
    return holder;
  };
  return { width, height, draw };
}

/** @param {Place} place */
function hasSpaces(place) {
  return place.capacity !== null && place.capacity <= 4;
}

/** @param {Context} ctx @param {Place} place @param {number} r @returns {Part} */
function placePart(ctx, place, r) {
  const filled = rows(ctx, place.pieces, r, ctx.compact ? 74 : 96);
  const free = hasSpaces(place) ? Math.max(0, (place.capacity ?? 0) - place.pieces.length) : 0;
  const space = r * 2 + 2;
  const width = filled.width + free * space;
  const height = Math.max(filled.height, free || !place.pieces.length ? r * 2 : 0);
  const draw = (/** @type {number} */ x, /** @type {number} */ y) => {
    const left = x - width / 2;
    const frees = Array.from({ length: free }, (_, at) => s("rect", { class: "free", x: left + filled.width + 2 + at * space, y: y - r + 1, width: r * 2 - 2, height: r * 2 - 2, rx: 3 }));
    return s(
      "g",
      { class: markedClass(ctx, place.id, "mplace"), data: { id: place.id, place: place.id } },
      s("title", null, place.name),
      s("rect", { class: "mplacering", x: left - 3, y: y - height / 2 - 2, width: Math.max(width, r * 2) + 6, height: height + 4, rx: 5 }),
      filled.draw(left + filled.width / 2, y),
      ...frees,
      keyBadge(ctx, place.id, width / 2, -height / 2, false) ? s("g", { transform: `translate(${x} ${y})` }, keyBadge(ctx, place.id, width / 2 + 4, -height / 2, false)) : null,
    );
  };
  return { width: Math.max(width, r * 2), height, draw };
}

/** One column per seat. @param {Context} ctx @param {Place[]} places @param {number} r @returns {Part[]} */
function seatColumns(ctx, places, r) {
  const seats = [...new Set(places.map((place) => place.owner))];
  return seats.map((seat) => column(ctx, places.filter((place) => place.owner === seat), r, seat === null ? undefined : ctx.seats.get(seat)));
}

/**
 * The places of one seat: those with the same index beside each other, in the order of the index from bottom to top. The
 * first family shows its free spaces; of the others only what holds something or can be taken is drawn.
 * @param {Context} ctx @param {Place[]} places @param {number} r @param {Seat | undefined} seat @returns {Part}
 */
function column(ctx, places, r, seat) {
  const levels = levelsOf(ctx, places);
  const rowsOf = levels.map((level) => beside(level.map((place) => cell(ctx, place, r, seat)), ctx.compact ? 1 : 8));
  const inner = ctx.compact ? beside(rowsOf, 2) : stacked([...rowsOf].reverse());
  const height = inner.height + 5;
  const draw = (/** @type {number} */ x, /** @type {number} */ y) =>
    s("g", null, inner.draw(x, y - 2.5), s("rect", { x: x - inner.width / 2, y: y + height / 2 - 2.5, width: inner.width, height: 2.5, rx: 1, fill: seat?.colour ?? "#777" }));
  return { width: inner.width, height, draw };
}

/** @param {Context} ctx @param {Place[]} places @returns {Place[][]} */
function levelsOf(ctx, places) {
  const main = places.reduce((best, place) => (familySize(places, place) > familySize(places, best) ? place : best), places[0]);
  /** @type {Map<string, Place[]>} */
  const levels = new Map();
  for (const place of places) {
    const isMain = stem(place) === stem(main);
    if (!isMain && !place.pieces.length && !ctx.marks.has(place.id)) continue;
    const key = place.id.slice(stem(place).length);
    levels.set(key, isMain ? [place, ...(levels.get(key) ?? [])] : [...(levels.get(key) ?? []), place]);
  }
  return [...levels.values()];
}

/** @param {Place} place */
function stem(place) {
  return place.id.replace(/\[.*$/, "");
}

/** @param {Place[]} places @param {Place} one */
function familySize(places, one) {
  return places.filter((place) => stem(place) === stem(one)).length;
}

/** @param {Context} ctx @param {Place} place @param {number} r @param {Seat | undefined} seat @returns {Part} */
function cell(ctx, place, r, seat) {
  const inside = rows(ctx, place.pieces, r - 1, 60);
  const width = Math.max(ctx.compact ? r * 1.7 : place.pieces.length ? r * 1.8 : r * 3.8, inside.width);
  const height = Math.max(r * 1.9, inside.height);
  const draw = (/** @type {number} */ x, /** @type {number} */ y) =>
    s(
      "g",
      { class: markedClass(ctx, place.id, "mplace"), data: { id: place.id, place: place.id } },
      s("title", null, `${seat ? `${seat.name}: ` : ""}${place.name}${place.index ? ` ${place.index}` : ""}`),
      place.pieces.length ? null : s("rect", { class: "free", x: x - width / 2, y: y - height / 2, width, height, rx: 3 }),
      s("rect", { class: "mplacering", x: x - width / 2 - 1, y: y - height / 2 - 1, width: width + 2, height: height + 2, rx: 4 }),
      inside.draw(x, y),
      s("g", { transform: `translate(${x} ${y})` }, keyBadge(ctx, place.id, width / 2, -height / 2, false)),
    );
  return { width, height, draw };
}

/**
 * Puts the plates where the scene says, stretched to the board by at most its stretch, and so far apart that none overlaps.
 * @param {GameMap} map @param {Plate[]} plates @param {{width: number, height: number}} room @param {number} gap
 */
function spread(map, plates, room, gap) {
  const xs = plates.map((plate) => plate.node.x);
  const ys = plates.map((plate) => plate.node.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const spanX = Math.max(...xs) - left || 1;
  const spanY = Math.max(...ys) - top || 1;
  const shape = spanX / spanY;
  const most = Math.max(1.5, map.stretch ?? 1);
  const aspect = Math.min(Math.max(room.width / room.height, shape / most), shape * most);
  let height = Math.max(1, Math.min(room.height - 90, (room.width - 120) / aspect) / LARGEST);
  for (const [at, a] of plates.entries()) {
    for (const b of plates.slice(at + 1)) {
      const dx = (Math.abs(a.node.x - b.node.x) / spanX) * aspect;
      const dy = Math.abs(a.node.y - b.node.y) / spanY;
      const byX = dx > 1e-9 ? ((a.width + b.width) / 2 + gap) / dx : Infinity;
      const byY = dy > 1e-9 ? ((a.height + b.height) / 2 + gap) / dy : Infinity;
      height = Math.max(height, Math.min(byX, byY, 4000));
    }
  }
  for (const plate of plates) {
    plate.x = ((plate.node.x - left) / spanX) * height * aspect;
    plate.y = ((plate.node.y - top) / spanY) * height;
  }
}

/** @param {Plate[]} plates @returns {[number, number, number, number]} */
function bounds(plates) {
  const left = Math.min(...plates.map((plate) => plate.x - plate.width / 2)) - 6;
  const top = Math.min(...plates.map((plate) => plate.y - plate.height / 2)) - 15; // the number of an option is as far out
  const right = Math.max(...plates.map((plate) => plate.x + plate.width / 2)) + 19;
  const bottom = Math.max(...plates.map((plate) => plate.y + plate.height / 2)) + 6;
  return [left, top, right - left, bottom - top];
}

/** @param {Context} ctx @param {Plate} plate */
function drawPlate(ctx, plate) {
  const { node, width, height, title, number } = plate;
  const size = ctx.compact ? 16 : 12.5;
  const owner = node.owner === null ? undefined : ctx.seats.get(node.owner);
  const wide = Boolean(number);
  let y = -height / 2 + (ctx.compact ? 27 : 24);
  const parts = plate.parts.map((part) => {
    const drawn = part.draw(0, y + part.height / 2);
    y += part.height + 4;
    return drawn;
  });
  const numberEnd = width / 2 - 8;
  return s(
    "g",
    { class: markedClass(ctx, node.id, "node platenode", { changed: node.changed || ctx.changed.has(node.id), owned: owner }), data: { id: node.id, node: node.id }, transform: `translate(${plate.x} ${plate.y})`, style: { "--owner": owner?.colour } },
    s("title", null, [node.name, ...node.fields.map((field) => `${field.name} ${figure(field.value)}`)].join(" · ")),
    s("rect", { class: "plate", x: -width / 2, y: -height / 2, width, height, rx: 8, style: { "--ground-tint": node.tint ?? undefined } }),
    s("text", { class: "platename", x: wide ? -width / 2 + 8 : 0, y: -height / 2 + 16, "font-size": size, "text-anchor": wide ? "start" : "middle" }, title),
    wide ? s("text", { class: "platenumber", x: numberEnd - (plate.symbol ? 13 : 0), y: -height / 2 + 16, "font-size": size, "text-anchor": "end" }, number) : null,
    wide && plate.symbol ? symbolAt(plate.symbol, numberEnd - 5, -height / 2 + 12, 11) : null,
    ...parts,
    keyBadge(ctx, node.id, width / 2 + (wide ? 6 : -4), -height / 2 + (wide ? -2 : 2), false), // beside the figure, not on it
    s("circle", { class: "freshdot", cx: -width / 2 + 2, cy: -height / 2 + 2, r: 4.5 }),
  );
}

/** The visible part of a line between two plates. @param {Plate} a @param {Plate} b */
function visible(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const out = (/** @type {Plate} */ plate) => Math.min(dx ? plate.width / 2 / Math.abs(dx) : Infinity, dy ? plate.height / 2 / Math.abs(dy) : Infinity);
  const from = Math.min(out(a), 0.49);
  const to = Math.max(1 - out(b), 0.51);
  return { x1: a.x + dx * from, y1: a.y + dy * from, x2: a.x + dx * to, y2: a.y + dy * to };
}

/** @param {Context} ctx @param {MapEdge} edge @param {Map<string, Plate>} plates */
function street(ctx, edge, plates) {
  const [a, b] = edge.ends.map((id) => plates.get(id));
  if (!a || !b) return s("g");
  const bend = (edge.lane ?? 0) * 26;
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const aside = { x: (-(b.y - a.y) / far) * bend, y: ((b.x - a.x) / far) * bend };
  const seen = visible(a, b);
  for (const end of /** @type {const} */ (["1", "2"])) {
    seen[`x${end}`] += aside.x;
    seen[`y${end}`] += aside.y;
  }
  const pieces = edge.places.flatMap((id) => ctx.places.get(id)?.pieces ?? []);
  const ghost = ctx.ghosts.get(edge.id);
  const owned = edge.owner ?? ghost ?? null;
  const owner = owned === null ? undefined : ctx.seats.get(owned);
  const capacity = Math.max(edge.capacity ?? 0, pieces.length, edge.owner !== null && !pieces.length ? 1 : 0);
  const roomy = capacity > 0;
  const line = (/** @type {string} */ cls) => s("line", { class: cls, x1: a.x + aside.x, y1: a.y + aside.y, x2: b.x + aside.x, y2: b.y + aside.y });
  const middle = { x: (seen.x1 + seen.x2) / 2, y: (seen.y1 + seen.y2) / 2 };
  return s(
    "g",
    { class: markedClass(ctx, edge.id, "street", { owned: owner, thin: !roomy, ghosted: ghost !== undefined && edge.owner === null, changed: edge.changed || ctx.changed.has(edge.id) }), data: { id: edge.id }, style: { "--owner": owner?.colour } },
    s("title", null, [edge.name ?? "", ...edge.fields.map((field) => `${field.name} ${figure(field.value)}`)].join(" · ")),
    line("streetedge"),
    line("streetfill"),
    line("streethit"),
    ...spaces(ctx, edge, seen, capacity, pieces, owner),
    owner || pieces.length ? null : streetFigure(edge, middle),
    edge.standing.length ? lineUp(standingMinis(ctx, edge.standing, 9), middle.x, middle.y) : null,
    keyBadge(ctx, edge.id, 0, 0, true) ? s("g", { transform: `translate(${middle.x} ${middle.y})` }, keyBadge(ctx, edge.id, 0, 0, true)) : null,
    ctx.whyId === edge.id ? s("g", { class: "lockbadge", transform: `translate(${middle.x} ${middle.y})` }, s("circle", { r: 11 }), symbolAt("lock", 0, 0, 12, "inkno")) : null,
    edge.changed || ctx.changed.has(edge.id) ? s("circle", { class: "freshdot", cx: middle.x, cy: middle.y - 12, r: 4.5 }) : null,
  );
}

/** What a way costs: the numbers of an edge, but for that of its spaces, which are drawn. @param {MapEdge} edge @param {{x: number, y: number}} at */
function streetFigure(edge, at) {
  const numbers = edge.fields.filter((field) => typeof field.value === "number" && (field.id ? field.value !== 0 : field.value !== edge.capacity));
  if (!numbers.length) return null;
  const text = numbers.slice(0, 2).map((field) => figure(field.value)).join(" · ");
  const width = textWidth(text, 11) + 8;
  return s("g", { class: "streetfigure", transform: `translate(${at.x} ${at.y})` }, s("rect", { x: -width / 2, y: -8.5, width, height: 17, rx: 5 }), s("text", { y: 4, "font-size": 11 }, text));
}

/**
 * Spaces of a street along its visible part: filled by pieces, by the owner's sign, or dashed.
 * @param {Context} ctx @param {MapEdge} edge @param {{x1: number, y1: number, x2: number, y2: number}} seen @param {number} capacity
 * @param {string[]} pieces @param {Seat | undefined} owner
 */
function spaces(ctx, edge, seen, capacity, pieces, owner) {
  const length = Math.hypot(seen.x2 - seen.x1, seen.y2 - seen.y1);
  const shown = Math.min(capacity, 8);
  const size = Math.min(20, Math.max(9, (length - 6) / Math.max(1, shown) - 3));
  const angle = (Math.atan2(seen.y2 - seen.y1, seen.x2 - seen.x1) * 180) / Math.PI;
  return Array.from({ length: shown }, (_, at) => {
    const part = (at + 0.5) / shown;
    const squeeze = Math.min(1, (shown * (size + 5)) / length);
    const share = 0.5 + (part - 0.5) * squeeze;
    const x = seen.x1 + (seen.x2 - seen.x1) * share;
    const y = seen.y1 + (seen.y2 - seen.y1) * share;
    const piece = pieces[at] === undefined ? undefined : ctx.pieces.get(pieces[at]);
    if (piece) return mini(ctx, piece, size / 2).draw(x, y);
    if (edge.owner !== null && owner && !pieces.length) return s("g", { transform: `translate(${x} ${y})` }, s("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: 3, fill: owner.colour }), signShape(owner.sign, 0, 0, size, inkOn(owner.colour)));
    return s("rect", { class: "free", x: -size / 2, y: -size * 0.3, width: size, height: size * 0.6, rx: 2, transform: `translate(${x} ${y}) rotate(${angle})` });
  });
}
