/**
 * The tray: what is mine, under the board. Everything in it finds room without scrolling as far as that can be read: cards
 * become a little slimmer, then those of one place lie over each other, so that of each at least its corner is seen: first
 * what is not played from, then the hand.
 */

import { areasIn, itemViews } from "./areas.js";

/** @typedef {import("./context.js").Context} Context */

const SLIMMEST = 12; // pixels that a card may lose
/** Which cards are laid over each other, and how many pixels of each are seen: the figure of a hand last. @type {["small" | "full", number][]} */
const PASSES = [["small", 26], ["full", 38], ["full", 38], ["full", 31], ["full", 31]];

/** What is played from stands large: hands, and whatever can be taken now. The rest of the tray is smaller. @param {Context} ctx */
export function trayViews(ctx) {
  const ids = areasIn(ctx, "tray").flatMap((area) => area.items);
  const rank = (/** @type {string} */ id) => {
    const place = ctx.places.get(id);
    if (!place) return 1;
    const played = place.sort === "hand" || place.pieces.some((piece) => ctx.marks.has(piece));
    return place.pieces.length ? (played ? 0 : place.sort === "pile" ? 2 : 1) : 3;
  };
  const shown = ids.filter((id) => rank(id) < 3 || ctx.marks.has(id) || (ids.length === 1 && ctx.places.get(id)?.sort === "hand"));
  const order = shown.map((id, at) => ({ id, at, rank: rank(id) })).sort((a, b) => a.rank - b.rank || a.at - b.at);
  return order.flatMap(({ id, rank: own }, at) => itemViews(ctx, [id], own === 0 || at === 0 || ctx.compact ? "full" : "small"));
}

/** Makes room in the tray as it has been drawn. @param {HTMLElement} tray */
export function fitTray(tray) {
  tray.style.removeProperty("--slim");
  const over = () => tray.scrollWidth - tray.clientWidth;
  const cards = tray.querySelectorAll(".place > .content > .card").length;
  if (!cards || over() <= 1) return;
  tray.style.setProperty("--slim", `${Math.min(SLIMMEST, Math.ceil(over() / cards))}px`);
  // A place is at most as wide as the tray, so of one that is wider only a part is missed at first.
  for (const [size, corner] of PASSES) {
    for (const row of tray.querySelectorAll(".place > .content")) {
      const missing = over();
      if (missing <= 1) return;
      fan(row, missing, size, corner);
    }
  }
}

/** Lays the cards of a place over each other, to win so many pixels. @param {Element} row @param {number} missing @param {"small" | "full"} size @param {number} corner */
function fan(row, missing, size, corner) {
  const cards = /** @type {HTMLElement[]} */ ([...row.children].filter((card) => card.classList.contains("card") && card.classList.contains(size)));
  if (cards.length < 3) return;
  const gap = 8;
  const most = cards[0].offsetWidth + gap - corner;
  const before = parseFloat(cards[0].style.getPropertyValue("--overlap")) || 0;
  const overlap = Math.min(most, before + Math.ceil(missing / (cards.length - 1)));
  for (const card of cards) {
    card.classList.add("fanned");
    card.style.setProperty("--overlap", `${overlap}px`);
  }
}

/**
 * On a narrow screen the board and the tray are not seen together: where everything that can be taken lies in the tray, a new
 * question opens it. Whoever reads something else is left there. @param {Context} ctx @param {string} tab
 */
export function tabFor(ctx, tab) {
  if (tab !== "board" && tab !== "hand") return tab;
  const mine = new Set(areasIn(ctx, "tray").flatMap((area) => area.items).flatMap((id) => [id, ...insides(ctx, id)]));
  const marked = [...ctx.marks.keys()];
  return marked.length && marked.every((id) => mine.has(id)) ? "hand" : "board";
}

/** Pieces of a place, places and pieces of a group. @param {Context} ctx @param {string} id @returns {string[]} */
function insides(ctx, id) {
  const members = (ctx.groups.get(id)?.rows ?? []).flatMap((row) => row.places);
  return [...(ctx.places.get(id)?.pieces ?? []), ...members.flatMap((member) => [member, ...insides(ctx, member)])];
}
