/**
 * What drawing functions read: the scene with its things by id, the options that are left, and what is marked. Built once for
 * each drawing; drawing code asks it and decides nothing itself.
 */

import { classes } from "./dom.js";
import { nothingSeen } from "./map_part.js";
import { keysOf, listed, marksOf, narrow, ofKind } from "./narrow.js";

/**
 * @typedef {{
 *   position: Position, scene: Scene, mine: boolean, busy: boolean, compact: boolean, width: string,
 *   options: Option[], left: Option[], free: Option[], keys: Map<number, string>, marks: Map<string, import("./narrow.js").Mark>,
 *   context: Set<string>, picked: Set<string>, changed: Set<string>, sure: Option | null, hinted: Option | null,
 *   deltas: Map<string, number>, becomes: Map<string, any>, ghosts: Map<string, number | null>,
 *   seats: Map<number, Seat>, places: Map<string, Place>, pieces: Map<string, Piece>, counters: Map<string, Counter>,
 *   dice: Map<string, Dice>, groups: Map<string, Group>, tracks: Map<string, Track>, maps: Map<string, GameMap>, names: Map<string, string>, whyId: string | null,
 *   cursor: string | null, standIn: Map<string, string>, board: number | null, seen: import("./map_part.js").Seen,
 * }} Context
 *
 * @typedef {{chosen: string[], filter: string, sure: number | null, lit: number | null, hint: any, cursor: string | null, whyId: string | null, busy: boolean}} Choice
 */

/** @param {{id: string}[] | undefined} things @returns {Map<string, any>} */
function byId(things) {
  return new Map((things ?? []).map((thing) => [thing.id, thing]));
}

/** @param {Position} position @param {Choice} choice @param {string} width @returns {Context} */
export function contextOf(position, choice, width) {
  const scene = position.scene;
  const decision = scene.decision;
  const mine = Boolean(decision && position.live && !position.over && scene.player !== null && decision.player === scene.player);
  const options = mine ? listed(decision) : [];
  const left = narrow(options, choice.chosen, choice.filter);
  const free = mine ? ofKind(decision, "free") : [];
  const { marks, context } = marksOf(left, choice.chosen);
  const sure = left.length === 1 ? left[0] : (left.find((option) => option.index === choice.sure) ?? null);
  const shown = left.find((option) => option.index === choice.lit) ?? sure;
  /** @type {Context} */
  const made = {
    position, scene, mine, busy: choice.busy, compact: width === "phone", width,
    options, left, free, keys: keysOf([...left, ...free]), marks, context,
    picked: new Set((decision?.picked ?? []).flatMap((pick) => (pick.id ? [pick.id] : []))),
    changed: new Set(mine || !decision ? (scene.changes?.ids ?? []) : []),
    sure, hinted: options.find((option) => option.index === choice.hint?.option) ?? null,
    deltas: new Map((scene.changes?.counters ?? []).map((change) => [change.id, Number(change.to) - Number(change.from)])),
    becomes: new Map((shown?.preview?.counters ?? []).map((change) => [change.id, change.to])),
    ghosts: ghostsOf(shown, scene.player),
    seats: new Map(scene.seats.map((seat) => [seat.seat, seat])),
    places: byId(scene.places), pieces: byId(scene.pieces), counters: byId(scene.counters),
    dice: byId(scene.dice), groups: byId(scene.groups), tracks: byId(scene.tracks), maps: byId(scene.maps), names: new Map(),
    whyId: choice.whyId, cursor: choice.cursor, standIn: new Map(), board: null, seen: nothingSeen(),
  };
  made.standIn = standIns(made);
  return made;
}

/**
 * Of equal pieces in one place the rules offer one. The others look the same and are marked as well: each stands for that one.
 * @param {Context} ctx @returns {Map<string, string>}
 */
function standIns(ctx) {
  const found = new Map();
  const open = (/** @type {string} */ id) => !ctx.marks.has(id) && !ctx.picked.has(id) && !ctx.context.has(id);
  for (const place of ctx.scene.places) {
    const marked = place.sort === "pile" ? [] : place.pieces.filter((id) => ctx.marks.has(id));
    if (!marked.length || marked.length === place.pieces.length) continue;
    const byLook = new Map(marked.map((id) => [lookOf(ctx, id), id]));
    for (const id of place.pieces.filter(open)) {
      const twin = byLook.get(lookOf(ctx, id));
      if (twin !== undefined && lookOf(ctx, id)) found.set(id, twin);
    }
  }
  return found;
}

/** Everything that can be seen of a piece, or nothing if it lies face down or carries something. @param {Context} ctx @param {string} id */
function lookOf(ctx, id) {
  const piece = ctx.pieces.get(id);
  if (!piece || piece.face_down || piece.carries.some((place) => ctx.places.get(place)?.count)) return "";
  return JSON.stringify([piece.kind, piece.name, piece.owner, piece.figure, piece.label, piece.fields.map((field) => field.value), piece.sides?.turned]);
}

/** Nodes and edges that would get an owner, and places that would get a piece. @param {Option | null} option @param {number | null} me */
function ghostsOf(option, me) {
  /** @type {Map<string, number | null>} */
  const ghosts = new Map();
  for (const change of option?.preview?.owners ?? []) ghosts.set(change.id, change.seat);
  for (const move of option?.preview?.moves ?? []) if (move.to) ghosts.set(move.to, me);
  return ghosts;
}

/**
 * The classes that show what can be done with a thing.
 * @param {Context} ctx @param {string} id @param {string} fixed @param {Record<string, any>} [more]
 */
export function markedClass(ctx, id, fixed, more = {}) {
  const mark = ctx.marks.get(ctx.standIn.get(id) ?? id);
  return classes(fixed, {
    may: mark?.first, maybe: mark && !mark.first, chosen: ctx.context.has(id), picked: ctx.picked.has(id), changed: ctx.changed.has(id),
    sure: ctx.sure !== null && mark?.options.includes(ctx.sure), hinted: ctx.hinted?.touches.includes(id), refused: ctx.whyId === id,
    cursor: ctx.cursor === id, ...more,
  });
}

/** The key on a thing that stands for exactly one option. @param {Context} ctx @param {string} id @returns {string | null} */
export function badgeOf(ctx, id) {
  const mark = ctx.marks.get(id);
  if (!mark || mark.options.length !== 1 || !mark.first) return null;
  return ctx.keys.get(mark.options[0].index) ?? null;
}

/** The number of options behind a thing, for its description. @param {Context} ctx @param {string} id */
export function optionsAt(ctx, id) {
  return ctx.marks.get(id)?.options ?? [];
}

/** What a thing is called. @param {Context} ctx @param {string} id @returns {string} */
export function nameOf(ctx, id) {
  const piece = ctx.pieces.get(id);
  if (piece) return piece.name ?? piece.kind_name;
  const place = ctx.places.get(id) ?? ctx.counters.get(id) ?? ctx.dice.get(id) ?? ctx.tracks.get(id);
  if (place) return place.name ?? id;
  for (const map of ctx.scene.maps) {
    const found = map.nodes.find((node) => node.id === id) ?? map.edges.find((edge) => edge.id === id);
    if (found) return found.name ?? id;
  }
  for (const dice of ctx.scene.dice) if (dice.dice.some((die) => die.id === id)) return dice.name;
  for (const counter of ctx.scene.counters) {
    const item = counter.items?.find((one) => one.id === id);
    if (item) return `${counter.name} ${item.name}`;
  }
  return ctx.scene.seats.find((seat) => seat.id === id)?.name ?? ctx.groups.get(id)?.name ?? id;
}

/** What sort of thing an id stands for. @param {Context} ctx @param {string} id */
export function kindOf(ctx, id) {
  if (ctx.pieces.has(id)) return "piece";
  if (ctx.places.has(id)) return "place";
  if (ctx.counters.has(id)) return "counter";
  for (const map of ctx.scene.maps) {
    if (map.nodes.some((node) => node.id === id)) return "node";
    if (map.edges.some((edge) => edge.id === id)) return "edge";
  }
  return "thing";
}
