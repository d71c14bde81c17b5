/**
 * Boards that each player has: the scene gives one map with everybody's things, and each of them says on whose board it is.
 * The board of one seat is drawn at a time: the reader's own, or that of whoever decides; buttons above it show the others.
 */

import { h } from "./dom.js";
import { seatSign } from "./signs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */

/** The seat whose board is shown. @param {Context} ctx */
function shownSeat(ctx) {
  return ctx.board ?? ctx.scene.player ?? ctx.scene.status.decides ?? ctx.scene.seats[0]?.seat ?? 0;
}

/** What lies on the board of one seat, drawn as if it were the only one. @param {Context} ctx @param {GameMap} map @returns {GameMap} */
export function ownBoard(ctx, map) {
  const seat = shownSeat(ctx);
  const colour = ctx.seats.get(seat)?.colour;
  const nodes = map.nodes.map((one) => {
    const node = { ...one, changed: one.changed || one.changed_on?.includes(seat) };
    const fields = node.fields.filter((field) => field.of === undefined || field.of === seat);
    const places = node.places.filter((id) => [undefined, seat].includes(ctx.places.get(id)?.of));
    if (node.ground) return { ...node, fields, places };
    const land = fields.find((field) => field.ground);
    const flag = fields.find((field) => field.of === seat && field.value === true && field.index === undefined);
    // A space that is only said to be taken is filled with the colour of its player.
    if (!land && flag) return { ...node, places, fields: fields.filter((field) => field !== flag), tint: colour, note: flag.name };
    return { ...node, fields: fields.filter((field) => field !== land), places, ...(land ? { tint: land.ground, ground: String(land.value) } : {}) };
  });
  return { ...map, nodes };
}

/** A button for the board of each seat. @param {Context} ctx */
export function boardTabs(ctx) {
  if (ctx.scene.seats.length < 2) return null;
  const seat = shownSeat(ctx);
  return h("div", { class: "boardtabs", role: "group", "aria-label": t("boards") }, ctx.scene.seats.map((one) => h(
    "button",
    { type: "button", class: "boardtab", data: { board: String(one.seat), focus: `board ${one.seat}` }, "aria-pressed": String(one.seat === seat), style: { "--seat": one.colour } },
    seatSign(one), h("span", null, one.is_me ? t("you") : one.name),
  )));
}
