/**
 * The players: name, score and whose move it is in the heading, then counters as tiles and the places of that seat. Where
 * several players have many places, those of the others are told in a word and a number each, so that everybody is in sight.
 */

import { itemViews } from "./areas.js";
import { markedClass } from "./context.js";
import { change, counterView, figure, isPadded, lineView } from "./counters.js";
import { h } from "./dom.js";
import { isHeap, shortViews } from "./heaps.js";
import { isPlainRow } from "./places.js";
import { seatSign, symbol } from "./signs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */

const MOST_LINES = 14;
const FEW_SEATS = 3; // as many boards of lines and columns are in sight beside one another

/** @param {Context} ctx @returns {HTMLElement[]} */
export function playerViews(ctx) {
  const me = ctx.scene.player;
  const order = [...ctx.scene.seats].sort((a, b) => Number(b.seat === me) - Number(a.seat === me) || a.seat - b.seat);
  return order.map((seat) => playerView(ctx, seat));
}

/** @param {Context} ctx @param {Seat} seat */
function playerView(ctx, seat) {
  const onTracks = new Set(ctx.scene.tracks.flatMap((track) => track.markers.map((marker) => marker.counter)));
  const own = seat.counters.filter((id) => id !== seat.score_counter).flatMap((id) => ctx.counters.get(id) ?? []).filter((counter) => !isPadded(ctx, counter));
  const tracked = own.filter((counter) => onTracks.has(counter.id));
  const counters = own.filter((counter) => ctx.width === "wide" || !tracked.includes(counter)).map((counter) => (tracked.includes(counter) ? lineView(ctx, counter) : counterView(ctx, counter)));
  const tiles = counters.filter((view) => view.classList.contains("tile"));
  const lines = counters.filter((view) => !view.classList.contains("tile"));
  const items = itemsOf(ctx, seat);
  const heaps = items.filter((id) => isHeap(ctx, id));
  const isInSight = (/** @type {string} */ id) => ctx.scene.seats.length <= FEW_SEATS && ctx.groups.get(id)?.lattice !== undefined;
  const short = isCrowded(ctx) && seat.seat !== ctx.scene.player ? items.filter((id) => !isInSight(id)) : itemsOf(ctx, seat, true);
  const others = items.filter((id) => !heaps.includes(id));
  tiles.push(...heaps.flatMap((id) => heapTile(ctx, id)));
  // On a narrow screen the tracks are on another page: there the number itself is shown, behind those that have no track.
  if (ctx.width !== "wide") tiles.push(...tracked.map((counter) => counterView(ctx, counter)).filter((view) => view.classList.contains("tile")));
  return h(
    "section",
    { class: markedClass(ctx, seat.id, "panel player"), style: { "--seat": seat.colour }, data: { seat: seat.seat, id: seat.id }, "aria-label": seatTitle(ctx, seat) },
    heading(ctx, seat),
    tiles.length ? h("div", { class: "tiles" }, tiles) : null,
    lines.length ? h("div", { class: "lines" }, lines) : null,
    ...placeLines(ctx, others.filter((id) => !short.includes(id))),
    ...shortViews(ctx, others.filter((id) => short.includes(id))),
  );
}

/** @param {Context} ctx @param {Seat} seat @param {boolean} [folded] only what the presentation folds */
function itemsOf(ctx, seat, folded = false) {
  const areas = ctx.scene.areas.filter((area) => area.seat === seat.seat && area.column === "seat" && (!folded || area.folded)).sort((a, b) => a.order - b.order);
  return areas.flatMap((area) => area.items);
}

/** More lines of places than a column of the screen holds. @param {Context} ctx */
function isCrowded(ctx) {
  const linesOf = (/** @type {string} */ id) => {
    const group = ctx.groups.get(id);
    if (group) return isPlainRow(ctx, group) ? 1 : (group.lattice?.lines ?? group.rows).length;
    return ctx.places.get(id)?.count ? 1 : 0;
  };
  const lines = ctx.scene.seats.flatMap((seat) => itemsOf(ctx, seat)).reduce((sum, id) => sum + linesOf(id), 0);
  return lines > MOST_LINES;
}

/** Equal tokens in a heap are a number like others: "9 flyers". @param {Context} ctx @param {string} id */
function heapTile(ctx, id) {
  const place = ctx.places.get(id);
  if (!place) return [];
  return [h("div", { class: markedClass(ctx, id, "counter tile", { changed: place.changed }), data: { id, place: id }, title: place.name }, h("span", { class: "value" }, symbol(ctx.pieces.get(place.pieces[0])?.symbol), figure(place.count ?? place.pieces.length)), h("span", { class: "name" }, place.name.toLowerCase()))];
}

/** The places of a seat, one line each; those that are empty and not on offer share one line. @param {Context} ctx @param {string[]} ids */
function placeLines(ctx, ids) {
  const empty = ids.flatMap((id) => ctx.places.get(id) ?? []).filter((place) => !place.count && !place.pieces.length && !ctx.marks.has(place.id) && !place.capacity);
  const lines = itemViews(ctx, ids.filter((id) => !empty.some((place) => place.id === id)), "tiny");
  const rest = empty.length ? [h("div", { class: "hint empties" }, `${t("place.empty")}: `, empty.flatMap((place, at) => [at ? ", " : "", h("span", { data: { id: place.id, place: place.id } }, place.name)]))] : [];
  return [...lines, ...rest];
}

/** What a seat is called: the person's name, else the seat's. @param {Context} ctx @param {Seat} seat */
export function seatTitle(ctx, seat) {
  if (seat.seat === ctx.scene.player) return t("you");
  return ctx.position.seats.find((one) => one.seat === seat.seat)?.name || seat.name;
}

/** @param {Context} ctx @param {Seat} seat */
function heading(ctx, seat) {
  const scored = seat.score_counter ? ctx.counters.get(seat.score_counter) : undefined;
  const person = ctx.position.seats.find((one) => one.seat === seat.seat);
  const title = seatTitle(ctx, seat);
  const own = seat.title ?? seat.name;
  const more = [title === own ? null : own, person?.kind === "bot" ? t("seat.bot", { name: strengthName(person.bot ?? "") }) : null];
  const moves = !ctx.position.over && (ctx.scene.status.decides ?? ctx.scene.status.turn) === seat.seat;
  return h(
    "div",
    { class: "who" },
    seatSign(seat),
    h("span", { class: "name" }, title),
    h("span", { class: "second" }, more.filter(Boolean).join(" · ")),
    moves ? h("span", { class: "tomove" }, t("to.move")) : null,
    person && person.kind !== "bot" && !person.connected && seat.seat !== ctx.scene.player ? h("span", { class: "away" }, t("seat.away")) : null,
    seat.score === null || seat.score === undefined ? null : h("span", { class: "score", title: t("score") }, figure(seat.score), symbol(scored?.symbol ?? "star"), scored ? change(ctx, scored) : null),
  );
}

/** The word for a bot's strength; bots of other kinds are called by what they are. @param {string} bot */
export function strengthName(bot) {
  return ["random", "easy", "medium", "strong"].includes(bot) ? t(`bot.${bot}`) : bot;
}
