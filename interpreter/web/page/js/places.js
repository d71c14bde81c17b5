/**
 * A place as its declaration says: a pile with its back and count, cards side by side, a hand, named slots, a pool of tokens, a
 * bag. Free spaces of small capacities stay visible as dashed frames.
 */

import { badgeOf, markedClass } from "./context.js";
import { h } from "./dom.js";
import { badge, pieceView, spokenName } from "./pieces.js";
import { symbol } from "./signs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {"full" | "small" | "tiny"} Size */

const GROUP_FROM = 6;
const GROUP_CARDS = 13;
const GROUP_TINY = 4;
const MOST_TINY = 4;
const MOST_FRAMES = 7;

/** @param {Context} ctx @param {Place} place @param {Size} size @returns {HTMLElement} */
export function placeView(ctx, place, size) {
  const count = countOf(place);
  return h(
    "div",
    {
      class: markedClass(ctx, place.id, `place ${place.sort} ${size}`, { isempty: !count, changed: place.changed || ctx.changed.has(place.id) }),
      data: { id: place.id, place: place.id }, role: "group", "aria-label": spoken(ctx, place, count),
    },
    caption(ctx, place, count),
    h("div", inTwoLines(place, size), content(ctx, place, size, count)),
  );
}

/** A market of more than six cards lies in two lines, so that decks find room beside it. @param {Place} place @param {Size} size */
function inTwoLines(place, size) {
  const count = place.pieces.length;
  if (size !== "full" || count < 7 || count > 12) return { class: "content" };
  return { class: "content twolines", style: { "--half": Math.ceil(count / 2) } };
}

/** @param {Place} place */
export function countOf(place) {
  return place.count ?? place.pieces.length;
}

/** @param {Context} ctx @param {Place} place @param {number} count */
function spoken(ctx, place, count) {
  const owner = place.owner === null ? undefined : ctx.seats.get(place.owner);
  return `${owner ? `${owner.name}: ` : ""}${place.name}, ${t("pieces.n", { n: count })}`;
}

/** @param {Context} ctx @param {Place} place @param {number} count */
function caption(ctx, place, count) {
  const own = place.owner !== null && place.owner === ctx.scene.player;
  const seen = own && place.visibility === "secret" ? t("place.secret") : own && place.visibility === "open_to_others" ? t("place.others") : null;
  const showCount = place.sort !== "slot" && !(isPileLike(place) || place.sort === "bag");
  return h(
    "div",
    { class: "caption placename", title: place.help },
    h("span", null, place.name, showCount && count ? ` · ${count}` : ""),
    seen && ctx.width === "wide" ? h("span", { class: "secret" }, symbol("eye"), seen) : null,
    badgeOf(ctx, place.id) ? badge(ctx, place.id) : null,
  );
}

/** @param {Place} place */
function isPileLike(place) {
  return place.sort === "pile" || place.sort === "bag" || place.look === "pile" || place.look === "stack";
}

/** @param {Context} ctx @param {Place} place @param {Size} size @param {number} count */
function content(ctx, place, size, count) {
  if (place.sort === "bag") return [bag(place, count)];
  if (isPileLike(place) && place.sort !== "hand") return [pile(ctx, place, size, count)];
  if (!place.pieces.length && count) return [unseen(ctx, place, count)];
  if (!count && !place.capacity) return [h("span", { class: "hint emptyword" }, t("place.empty"))];
  return [...shownPieces(ctx, place, size), ...freeSpaces(ctx, place, count, size)];
}

/** A closed or open pile. @param {Context} ctx @param {Place} place @param {Size} size @param {number} count */
function pile(ctx, place, size, count) {
  if (!count) return h("div", { class: `piece card ${size} hollow` }, h("span", { class: "hint" }, t("place.empty")));
  const top = place.pieces.length ? ctx.pieces.get(place.pieces[0]) : undefined;
  if (top && !top.face_down) {
    const view = pieceView(ctx, top.id, size);
    return h("div", { class: count > 1 ? "piled" : "" }, view, count > 1 ? h("span", { class: "pilecount open" }, t("pile.top", { n: count })) : null);
  }
  return h("div", { class: `piece back ${size}${count > 1 ? " piled" : ""}` }, h("span", { class: "pilecount" }, count));
}

/** Pieces that the seat can count and not see: a fan of backs, the count, and what is known. @param {Context} ctx @param {Place} place @param {number} count */
function unseen(ctx, place, count) {
  const known = place.pieces.flatMap((id) => (ctx.pieces.get(id)?.face_down ? [] : (ctx.pieces.get(id)?.name ?? [])));
  return h(
    "div",
    { class: "unseenPieces" },
    h("div", { class: "fan", "aria-hidden": "true" }, Array.from({ length: Math.min(count, 8) }, () => h("i", { class: "piece back mini" }))),
    h("b", null, count),
    h("span", { class: "hint" }, t("place.hidden", { n: count })),
    known.length ? h("div", { class: "known hint" }, t("place.known"), " ", h("b", null, known.join(", "))) : null,
  );
}

/** @param {Place} place @param {number} count */
function bag(place, count) {
  return h("div", { class: "bagview", title: place.name }, symbol("bag"), h("b", null, count));
}

/** @param {Context} ctx @param {Place} place @param {Size} size */
function shownPieces(ctx, place, size) {
  const hidden = place.pieces.filter((id) => ctx.pieces.get(id)?.face_down);
  if (hidden.length === place.pieces.length && hidden.length > 0 && place.owner !== ctx.scene.player && !hidden.some((id) => ctx.marks.has(id))) return [unseen(ctx, place, hidden.length)];
  const grouped = place.pieces.length >= groupFrom(ctx, place, size) && place.sort !== "hand" ? groupEqual(ctx, place) : place.pieces.map((id) => [id]);
  if (size === "tiny" && grouped.length > MOST_TINY && !place.pieces.some((id) => ctx.marks.has(id)) && ctx.pieces.get(place.pieces[0])?.look === "card") {
    const rest = grouped.slice(MOST_TINY - 1).flat();
    return [...grouped.slice(0, MOST_TINY - 1).flatMap(([id, ...others]) => [pieceView(ctx, id, size), others.length ? h("span", { class: "times" }, `×${others.length + 1}`) : null]), h("span", { class: "hint", title: rest.map((id) => ctx.pieces.get(id)?.name ?? "?").join(", ") }, `+${rest.length}`)];
  }
  return grouped.map(([id, ...others]) => {
    const view = pieceView(ctx, id, size);
    if (!view || !others.length) return view;
    return h("span", { class: "groupof" }, view, h("span", { class: "times" }, `×${others.length + 1}`));
  });
}

/** From how many pieces on equal ones are drawn as one: cards stay apart longer than tokens. @param {Context} ctx @param {Place} place @param {Size} size */
function groupFrom(ctx, place, size) {
  if (size === "tiny") return GROUP_TINY;
  return ctx.pieces.get(place.pieces[0])?.look === "card" ? GROUP_CARDS : GROUP_FROM;
}

/** Cards that say nothing but a name or a figure need little room. @param {Context} ctx @param {Place} place */
export function isPlain(ctx, place) {
  const pieces = place.pieces.flatMap((id) => ctx.pieces.get(id) ?? []);
  return pieces.length > 1 && place.sort !== "pile" && pieces.every((piece) => !piece.face_down && !piece.lines.length && !piece.label && !piece.drawing && piece.fields.length < 3);
}

/**
 * Equal pieces together: those of one kind, name, owner, with no mark that tells them apart. In a row only neighbours, for
 * there it matters which one lies where.
 * @param {Context} ctx @param {Place} place
 */
function groupEqual(ctx, place) {
  const ids = place.pieces;
  let run = 0;
  let before = "";
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const marked = (/** @type {string} */ id) => Number(ctx.marks.has(id));
  const ordered = place.sort === "row" ? ids : [...ids].sort((a, b) => marked(b) - marked(a) || ids.indexOf(a) - ids.indexOf(b));
  for (const id of ordered) {
    const piece = ctx.pieces.get(id);
    const mark = ctx.marks.get(ctx.standIn.get(id) ?? id)?.options.map((option) => option.index).join() ?? "";
    const key = piece ? [spokenName(ctx, piece), piece.figure, piece.label, piece.letter, mark, ctx.picked.has(id), carriedKey(ctx, piece)].join("|") : id;
    if (place.sort === "row" && key !== before) run += 1;
    before = key;
    const own = `${run} ${key}`;
    found.set(own, [...(found.get(own) ?? []), id]);
  }
  return [...found.values()].sort((a, b) => firstOf(ids, a) - firstOf(ids, b));
}

/** @param {string[]} ids @param {string[]} some */
function firstOf(ids, some) {
  return Math.min(...some.map((id) => ids.indexOf(id)));
}

/** Pieces that carry something are equal only if they carry the same. @param {Context} ctx @param {Piece} piece */
function carriedKey(ctx, piece) {
  return piece.carries.some((id) => ctx.places.get(id)?.count) ? piece.id : "";
}

/** @param {Context} ctx @param {Place} place @param {number} count @param {Size} size */
function freeSpaces(ctx, place, count, size) {
  const first = place.pieces.length ? ctx.pieces.get(place.pieces[0]) : undefined;
  const isCard = first ? first.look === "card" || first.look === "tile" : place.look === "cards";
  const free = place.capacity && place.capacity <= 8 ? place.capacity - count : 0;
  return Array.from({ length: Math.max(0, free) }, () => h("div", { class: `piece hollow ${isCard && size !== "tiny" ? `card ${first?.size === "S" ? "small" : size}` : "token"}` }));
}

/**
 * Places that belong together: slots of a board by name as frames in a row, or a table of rows and columns.
 * @param {Context} ctx @param {Group} group @param {Size} size
 */
export function groupView(ctx, group, size) {
  if (group.lattice) return latticeView(ctx, group, group.lattice, size);
  if (size === "tiny" && isPlainRow(ctx, group)) return plainRow(ctx, group);
  if (isColumns(ctx, group)) return columnsView(ctx, group);
  if (size === "small" && !ctx.compact && isList(ctx, group)) return listView(ctx, group);
  const rows = group.rows.map((row) => groupRow(ctx, group, row, size));
  return h(
    "div",
    { class: `place family ${size}`, role: "group", "aria-label": group.name },
    h("div", { class: "caption placename" }, h("span", null, group.columns.length > 1 ? group.columns.join(" · ") : group.name)),
    h("div", { class: group.columns.length > 1 ? "slotsrows" : group.stacked ? "slotsstack" : "slotsrow", style: { "--per": inEqualLines(rows.length) } }, group.stacked ? rows.reverse() : rows),
  );
}

/**
 * Spaces with two indexes, such as the wall of a player's board: in lines and columns, each with its word at the edge.
 * @param {Context} ctx @param {Group} group @param {{lines: string[], columns: string[]}} lattice @param {Size} size
 */
function latticeView(ctx, group, lattice, size) {
  const across = lattice.columns.length;
  const cells = group.rows.flatMap((row, at) => {
    const place = ctx.places.get(row.places[0]);
    const line = at % across ? [] : [h("span", { class: "latticeword" }, lattice.lines[at / across])];
    return place ? [...line, latticeCell(ctx, place, row.label)] : line;
  });
  const heads = [h("span"), ...lattice.columns.map((word) => h("span", { class: "latticeword", title: word }, word))];
  return h(
    "div",
    { class: `place family lattice ${size === "tiny" ? "close" : ""}`, role: "group", "aria-label": group.name },
    h("div", { class: "caption placename" }, h("span", null, group.name)),
    h("div", { class: "latticecells", style: { "--across": across } }, heads, cells),
  );
}

/** @param {Context} ctx @param {Place} place @param {string} label */
function latticeCell(ctx, place, label) {
  const inside = countOf(place) ? place.pieces.map((id) => pieceView(ctx, id, "tiny")) : h("div", { class: "piece hollow" });
  const filled = place.pieces.map((id) => ctx.pieces.get(id)?.name ?? "?").join(", ");
  return h(
    "div",
    { class: markedClass(ctx, place.id, "slotframe latticecell", { changed: place.changed || ctx.changed.has(place.id) }), data: { id: place.id, place: place.id }, role: "group", "aria-label": `${label}, ${filled || t("place.empty")}`, title: `${label}${filled ? `: ${filled}` : ""}` },
    inside, badge(ctx, place.id),
  );
}

/** How many of so many frames stand in a line, if no line has more than seven and none is left with one. @param {number} count */
function inEqualLines(count) {
  return Math.ceil(count / Math.ceil(count / MOST_FRAMES));
}

/** Cards in numbered spaces of the table, one each: read like a list. @param {Context} ctx @param {Group} group */
function isList(ctx, group) {
  const places = group.rows.flatMap((row) => ctx.places.get(row.places[0]) ?? []);
  const cards = places.flatMap((place) => place.pieces.flatMap((id) => ctx.pieces.get(id) ?? []));
  return group.seat === null && group.columns.length === 1 && places.length > 1 && cards.length > 0 && places.every((place) => place.capacity === 1) && cards.every((piece) => piece.look === "card" && piece.figure === null);
}

/** @param {Context} ctx @param {Group} group */
function listView(ctx, group) {
  const lines = group.rows.flatMap((row) => {
    const place = ctx.places.get(row.places[0]);
    if (!place) return [];
    const inside = countOf(place) ? place.pieces.map((id) => pieceView(ctx, id, "tiny")) : h("div", { class: "piece hollow" });
    return [h("div", { class: markedClass(ctx, place.id, "slotframe listline"), data: { id: place.id, place: place.id } }, h("b", { class: "listlabel" }, row.label), inside, badge(ctx, place.id))];
  });
  return h("div", { class: "place family", role: "group", "aria-label": group.name }, h("div", { class: "caption placename" }, h("span", null, group.name)), h("div", { class: "slotlist" }, lines));
}

/** Columns of a board that fill up with cards. @param {Context} ctx @param {Group} group */
function isColumns(ctx, group) {
  return group.columns.length === 1 && group.rows.length > 1 && group.rows.every((row) => {
    const place = ctx.places.get(row.places[0]);
    return place !== undefined && place.capacity !== null && place.capacity > 1 && place.capacity <= 8 && place.pieces.every((id) => ["card", "tile"].includes(ctx.pieces.get(id)?.look ?? ""));
  });
}

/** Side by side, each card a line, free spaces dashed: the whole board is in sight. @param {Context} ctx @param {Group} group */
function columnsView(ctx, group) {
  const columns = group.rows.flatMap((row) => {
    const place = ctx.places.get(row.places[0]);
    if (!place) return [];
    const free = Array.from({ length: Math.max(0, (place.capacity ?? 0) - countOf(place)) }, () => h("div", { class: "piece hollow" }));
    return [h(
      "div",
      { class: markedClass(ctx, place.id, "slotframe boardcolumn", { changed: place.changed || ctx.changed.has(place.id) }), data: { id: place.id, place: place.id }, role: "group", "aria-label": `${row.label}, ${t("pieces.n", { n: countOf(place) })}` },
      h("span", { class: "slotname", title: place.help }, row.label),
      place.pieces.map((id) => pieceView(ctx, id, "tiny")), free, badge(ctx, place.id),
    )];
  });
  return h("div", { class: "place family columns", role: "group", "aria-label": group.name }, h("div", { class: "caption placename" }, h("span", null, group.name)), h("div", { class: "boardcolumns" }, columns));
}

/** A row of numbered spaces for one token each: no labels, dashed where free. @param {Context} ctx @param {Group} group */
export function isPlainRow(ctx, group) {
  return group.rows.length > 2 && group.rows.every((row) => /^\d+$/.test(row.label) && row.places.length === 1 && ctx.places.get(row.places[0])?.capacity === 1);
}

/** @param {Context} ctx @param {Group} group */
function plainRow(ctx, group) {
  const places = group.rows.flatMap((row) => ctx.places.get(row.places[0]) ?? []);
  const filled = places.filter((place) => countOf(place)).length;
  return h(
    "div",
    { class: "place tiny", role: "group", "aria-label": `${group.name}, ${filled} / ${places.length}` },
    h("div", { class: "caption placename" }, h("span", null, `${group.name} ${filled}/${places.length}`)),
    h("div", { class: "content" }, places.map((place) => h("div", { class: markedClass(ctx, place.id, "slotframe bare"), data: { id: place.id, place: place.id }, title: `${place.name}` }, countOf(place) ? place.pieces.map((id) => pieceView(ctx, id, "tiny")) : h("div", { class: "piece hollow token" }), badge(ctx, place.id)))),
  );
}

/** @param {Context} ctx @param {Group} group @param {{label: string, places: string[]}} row @param {Size} size */
function groupRow(ctx, group, row, size) {
  const places = row.places.flatMap((id) => ctx.places.get(id) ?? []);
  const [only] = places;
  if (places.length === 1 && only) return slotView(ctx, only, size, row.label);
  return h("div", { class: "slotline" }, places.map((place, at) => slotView(ctx, place, size, at ? "" : row.label)));
}

/** @param {Context} ctx @param {Place} place @param {Size} size @param {string} label */
function slotView(ctx, place, size, label) {
  const count = countOf(place);
  const isCard = place.pieces.length ? false : place.look === "cards";
  return h(
    "div",
    {
      class: markedClass(ctx, place.id, `slotframe ${place.sort}`, { isempty: !count, changed: place.changed || ctx.changed.has(place.id) }), data: { id: place.id, place: place.id }, role: "group",
      "aria-label": `${label}, ${t("pieces.n", { n: count })}`,
    },
    label ? h("span", { class: "slotname", title: place.help }, label) : null,
    h("div", { class: "content" }, count ? content(ctx, place, size, count) : h("div", { class: `piece hollow ${isCard ? `card ${size}` : "token"}` })),
    badge(ctx, place.id),
  );
}
