/**
 * One piece as HTML: a card with figure, kind, label and effects; a small token or disc; a back. The scene says which look a
 * piece has; size follows from the place where it lies.
 */

import { badgeOf, markedClass } from "./context.js";
import { figure } from "./counters.js";
import { h, s } from "./dom.js";
import { withSigns } from "./effects.js";
import { edgeOf, inkOn, luminance } from "./look.js";
import { miniMap } from "./minimap.js";
import { seatSign, signShape, symbol, symbolAt } from "./signs.js";
import { sidesInWords, sidesPicture } from "./tile_sides.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */

const LONG_FIELD = 10; // letters of a value that are read as a sentence
const SMALL_LOOKS = new Set(["token", "disc", "pawn"]);

/** @param {Context} ctx @param {string} id @param {"full" | "small" | "tiny"} size @returns {HTMLElement | null} */
export function pieceView(ctx, id, size) {
  const piece = ctx.pieces.get(id);
  if (!piece) return null;
  if (piece.face_down) return back(ctx, piece, size);
  if (SMALL_LOOKS.has(piece.look)) return tokenView(ctx, piece);
  if (size === "tiny") return nameTag(ctx, piece);
  return cardView(ctx, piece, piece.size === "S" && !isInTray(ctx, piece) ? "small" : size);
}

/** My own things that I play from are never small. @param {Context} ctx @param {Piece} piece */
function isInTray(ctx, piece) {
  const place = ctx.places.get(piece.place);
  return place !== undefined && place.owner !== null && place.owner === ctx.scene.player;
}

/** @param {Context} ctx @param {Piece} piece @param {string} look */
function frame(ctx, piece, look) {
  return {
    class: markedClass(ctx, piece.id, `piece ${look}`), data: { id: piece.id, piece: piece.id }, role: "img",
    "aria-label": spokenName(ctx, piece),
    style: piece.tint ? tintOf(piece.tint) : {},
  };
}

/** A pale tint fills a label as it is, a strong one is thinned. @param {string} tint */
function tintOf(tint) {
  const pale = luminance(tint) > 0.5;
  return { "--tint": tint, "--on-tint": inkOn(tint), "--share": pale ? "100%" : null, "--label-ink": pale ? "#1d1b17" : null };
}

/** @param {Context} ctx @param {Piece} piece */
export function spokenName(ctx, piece) {
  if (piece.face_down) return t("piece.hidden", { kind: piece.kind_name });
  const owner = piece.owner === null ? undefined : ctx.seats.get(piece.owner);
  const name = piece.sides ? `${piece.name ?? piece.kind_name}: ${sidesInWords(piece.sides)}` : (piece.name ?? piece.kind_name);
  return owner ? `${name} (${owner.name})` : name;
}

/** @param {Context} ctx @param {string} id */
export function badge(ctx, id) {
  const key = badgeOf(ctx, id);
  return key ? h("span", { class: "badge" }, key) : null;
}

/** @param {Context} ctx @param {Piece} piece @param {string} size */
function back(ctx, piece, size) {
  return h("div", frame(ctx, piece, `back ${size}`), badge(ctx, piece.id));
}

/** A card as a tag with its name, where there is no room for more. @param {Context} ctx @param {Piece} piece */
function nameTag(ctx, piece) {
  const owner = piece.owner === null ? undefined : ctx.seats.get(piece.owner);
  const told = owner && ctx.places.get(piece.place)?.owner === owner.seat;
  return h("div", frame(ctx, piece, "tag"), owner && !told ? seatSign(owner, "small") : letter(piece), h("span", null, tagWords(piece)), badge(ctx, piece.id));
}

/** A card in a word or two. One that is told by two values (suit and rank) needs both. @param {Piece} piece */
function tagWords(piece) {
  const plain = (piece.name ?? "").replace(`${piece.kind_name} `, "");
  if (piece.label && piece.figure && plain.includes(piece.label)) return plain;
  return piece.title ? [piece.title, piece.figure].filter(Boolean).join(" ") : (piece.name ?? piece.kind_name);
}

/** @param {Piece} piece */
function letter(piece) {
  if (!piece.letter) return null;
  return h("span", { class: "letter" }, piece.letter);
}

/** @param {Context} ctx @param {Piece} piece @param {string} size */
function cardView(ctx, piece, size) {
  const hasFigure = piece.figure !== null && piece.figure !== undefined;
  const title = piece.title ?? (hasFigure ? piece.kind_name : (piece.name ?? piece.kind_name));
  const said = [piece.figure, title, piece.label, piece.name, piece.points?.length ? title : null].map((words) => String(words ?? "").toLowerCase());
  // The rank of a playing card is its figure; its word is in the name alone.
  const words = hasFigure && !title ? (piece.name ?? "").toLowerCase().split(" ") : [];
  const isSaid = (/** @type {Field} */ field) => (piece.counts && typeof field.value === "number" ? field.name === piece.counts : said.includes(String(field.value).toLowerCase()) || words.includes(String(field.value).toLowerCase()));
  const extra = piece.fields.filter((field) => !isSaid(field) && !isEmpty(field.value)).slice(0, size === "full" ? 4 : hasFigure && !title ? 2 : 0);
  // Beside the words of a card its numbers count as well, such as what it costs; more than two would take their room.
  const beside = piece.lines.length ? extra.filter((field) => typeof field.value === "number").slice(0, 2) : extra;
  return h(
    "div",
    frame(ctx, piece, `card ${size}${piece.tint && (!piece.label || (size === "small" && piece.letter)) ? " topped" : ""}${piece.drawing ? " drawn" : ""}`),
    h("div", { class: "cardhead" }, letter(piece), hasFigure ? h("b", { class: "figure" }, figure(piece.figure), symbol(piece.counts ? piece.counts_symbol : piece.symbol), piece.counts && !piece.counts_symbol ? h("span", { class: "counts" }, piece.counts) : null) : null, h("span", { class: "cardname" }, title)),
    piece.points?.length && size !== "tiny" ? miniMap(ctx, piece.points) : null,
    piece.sides ? sidesPicture(piece.sides, "cardsides") : null,
    piece.drawing ? h("img", { class: "drawing", src: drawingUrl(ctx, piece.drawing), alt: "" }) : null,
    beside.length ? h("div", { class: "cardfields" }, beside.map((field) => fieldView(ctx, field))) : null,
    piece.lines.length ? h("div", { class: "cardlines", title: piece.lines.join("\n") }, piece.lines.map((line) => h("p", null, size === "small" ? withSigns(ctx, line) : line))) : null,
    piece.label && !(size === "small" && piece.letter) ? h("div", { class: "cardlabel" }, hasFigure && !piece.counts ? null : symbol(piece.symbol), piece.label) : null,
    piece.carries.length ? carried(ctx, piece) : null,
    badge(ctx, piece.id),
  );
}

/** A drawing of the ruleset as a picture: inside an image no script runs and nothing is fetched. @param {Context} ctx @param {string} id */
export function drawingUrl(ctx, id) {
  return `data:image/svg+xml,${encodeURIComponent(ctx.scene.drawings[id] ?? "")}`;
}

/** @param {any} value */
function isEmpty(value) {
  return value === null || value === undefined || value === "" || value === 0 || value === false;
}

/** @param {Context} ctx @param {Field} field */
function fieldView(ctx, field) {
  const sign = symbol(field.symbol);
  const seat = field.seat === undefined ? undefined : ctx.seats.get(field.seat);
  return h("span", { class: String(field.value).length > LONG_FIELD ? "cardfield long" : "cardfield", title: field.name }, sign ? null : h("span", { class: "fieldname" }, field.name), " ", seat ? seatSign(seat, "small") : null, h("b", null, figure(field.value)), sign);
}

/** What lies in the places that a piece carries. @param {Context} ctx @param {Piece} piece */
function carried(ctx, piece) {
  const pieces = piece.carries.flatMap((id) => ctx.places.get(id)?.pieces ?? []);
  const hidden = piece.carries.reduce((sum, id) => sum + Math.max(0, (ctx.places.get(id)?.count ?? 0) - (ctx.places.get(id)?.pieces.length ?? 0)), 0);
  if (!pieces.length && !hidden) return null;
  return h("div", { class: "carried" }, pieces.slice(0, 8).map((id) => pieceView(ctx, id, "tiny")), hidden ? h("span", { class: "hint" }, `+${hidden}`) : null);
}

/** A token: the seat's colour with its sign, or a tint with its letter; a pawn or disc by look. @param {Context} ctx @param {Piece} piece */
export function tokenView(ctx, piece) {
  const owner = piece.owner === null ? undefined : ctx.seats.get(piece.owner);
  const wide = !owner && !piece.letter && !piece.tint && !piece.symbol;
  if (wide) return h("div", frame(ctx, piece, "plainToken"), piece.figure !== null && piece.figure !== undefined ? figure(piece.figure) : (piece.label ?? piece.name ?? piece.kind_name), badge(ctx, piece.id));
  return h("div", frame(ctx, piece, "token"), s("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }, tokenShape(ctx, piece, 11)), badge(ctx, piece.id));
}

/**
 * The drawing of a token around the origin, also used on maps.
 * @param {Context} ctx @param {Piece} piece @param {number} r radius
 */
export function tokenShape(ctx, piece, r) {
  const owner = piece.owner === null ? undefined : ctx.seats.get(piece.owner);
  const colour = owner?.colour ?? piece.tint ?? "#8b8476";
  const shape = piece.look === "pawn" ? pawn(r, colour) : piece.look === "disc" ? disc(r, colour) : s("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r, rx: r * 0.4, fill: colour, stroke: edgeOf(colour), "stroke-width": r * 0.1 });
  const ink = inkOn(colour);
  const middle = piece.look === "pawn" ? r * 0.42 : 0;
  const number = piece.figure !== null && piece.figure !== undefined && piece.figure !== "" ? figure(piece.figure) : null;
  if (owner && piece.letter && !number && !piece.symbol) return s("g", null, shape, ...ownedLetter(owner.sign, piece.letter, r, middle, ink), load(ctx, piece, r));
  const text = owner && !number ? null : (number ?? piece.letter ?? (piece.label ?? piece.name ?? "").slice(0, 1).toUpperCase());
  return s(
    "g",
    null,
    shape,
    load(ctx, piece, r),
    piece.symbol ? symbolAt(piece.symbol, 0, middle, r * 1.2, "", ink) : text ? s("text", { class: "tokentext", y: middle + r * 0.36, "font-size": r * (text.length > 1 ? 0.82 : 1), fill: ink }, text) : owner ? signShape(owner.sign, 0, middle, r * (piece.look === "pawn" ? 1.05 : 1.5), ink) : null,
  );
}

/** The sign of the seat, and the letter of the kind under it. @param {string} sign @param {string} letter @param {number} r @param {number} middle @param {string} ink */
function ownedLetter(sign, letter, r, middle, ink) {
  return [signShape(sign, 0, middle - r * 0.5, r * 0.85, ink), s("text", { class: "tokentext", y: middle + r * 0.68, "font-size": r * 0.95, fill: ink }, letter)];
}

/** What a carrier has in its hold: the name of a single piece that the viewer knows, or how many there are, in a bubble. @param {Context} ctx @param {Piece} piece @param {number} r */
function load(ctx, piece, r) {
  const carried = piece.carries.reduce((sum, id) => sum + (ctx.places.get(id)?.count ?? 0), 0);
  if (!carried) return null;
  const seen = carried === 1 ? piece.carries.flatMap((id) => ctx.places.get(id)?.pieces ?? []).map((id) => ctx.pieces.get(id))[0] : undefined;
  const name = seen && !seen.face_down ? (seen.label ?? seen.name) : null;
  if (name) {
    // A man whose rank only some may see: who may see it reads it on the block itself.
    const size = Math.min(r * 0.6, (r * 3.6) / name.length);
    return s("g", { class: "load", transform: `translate(0 ${r * 0.95})` }, s("rect", { x: -r * 1.2, y: -r * 0.35, width: r * 2.4, height: r * 0.7, rx: r * 0.2 }), s("text", { class: "tokentext", y: size * 0.35, "font-size": size }, name));
  }
  return s("g", { class: "load", transform: `translate(${r * 0.85} ${-r * 0.85})` }, s("circle", { r: r * 0.55 }), s("text", { class: "tokentext", y: r * 0.28, "font-size": r * 0.8 }, carried));
}

/** @param {number} r @param {string} colour */
function disc(r, colour) {
  return s("circle", { r, fill: colour, stroke: edgeOf(colour), "stroke-width": r * 0.1 });
}

/** @param {number} r @param {string} colour */
function pawn(r, colour) {
  const d = `M0 ${-r}a${r * 0.42} ${r * 0.42} 0 1 1 -.01 0zM${-r * 0.78} ${r}c0 ${-r * 0.9} ${r * 0.1} ${-r * 1.25} ${r * 0.78} ${-r * 1.25}s${r * 0.78} ${r * 0.35} ${r * 0.78} ${r * 1.25}z`;
  return s("path", { d, fill: colour, stroke: edgeOf(colour), "stroke-width": r * 0.08, "stroke-linejoin": "round" });
}
