/** The top line of a table: menu, game, the path of the decision, the state of the line, and the tools. */

import { h } from "./dom.js";
import { seatTitle } from "./players.js";
import { seatSign, symbol } from "./signs.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./table.js").Table} Table */

/** @param {Context} ctx @param {Table} table @returns {HTMLElement[]} */
export function headerViews(ctx, table) {
  const undo = ctx.position.undo;
  const canUndo = Boolean(undo && undo.to !== null && undo.to !== undefined) && ctx.position.live;
  return [
    h("button", { class: "menu", type: "button", title: t("menu"), "aria-label": t("menu"), data: { focus: "menu" }, on: { click: () => table.openMenu() } }, symbol("menu")),
    h("span", { class: "title" }, ctx.scene.title),
    h("div", { class: "path" }, path(ctx)),
    h("span", { class: table.online ? "state" : "state off", title: t(table.online ? "line.saved" : "line.off") }, h("span", null, t(table.online ? "line.saved" : "line.off"))),
    h(
      "div",
      { class: "tools" },
      tool("book", t("rules"), "R", "plain rulesbutton", () => table.openRules()),
      ctx.scene.score_sheet ? tool("star", t("score.sheet"), "S", "plain scorebutton", () => table.openScores()) : null,
      ctx.position.hints === false ? null : tool("bulb", t("hint"), "H", "hintbutton", () => table.hint(), !ctx.mine || ctx.busy),
      tool("undo", t("undo"), "U", "undobutton", () => table.undo(), !canUndo || ctx.busy, undo?.why ?? null),
    ),
  ];
}

/** @param {string} sign @param {string} text @param {string} key @param {string} cls @param {() => void} call @param {boolean} [off] @param {string | null} [why] */
function tool(sign, text, key, cls, call, off = false, why = null) {
  // A grey button stays reachable, so that it can say why it does nothing.
  return h(
    "button",
    { class: `button ${cls}`, type: "button", "aria-disabled": off ? "true" : null, title: off && why ? why : `${text} (${key})`, "aria-label": off && why ? `${text}: ${why}` : text, data: { focus: `tool-${key}` }, on: { click: () => (off ? undefined : call()) } },
    symbol(sign),
    h("span", { class: "tooltext" }, text),
    h("kbd", { "aria-hidden": "true" }, key),
  );
}

/**
 * "Turn of Robin" says again what the sign and "Your turn" say; "Robin places a worker" says more, and so does any name of a
 * phase inside that turn. @param {string} text @param {string[]} path @param {Seat | undefined} seat
 */
function saysTurn(text, path, seat) {
  if (!seat || !text.includes(seat.name)) return false;
  const others = text.replace(seat.name, " ").split(" ").filter(Boolean).length;
  return others < 3 && path.find((one) => one.includes(seat.name)) === text;
}

/** @param {Context} ctx */
function path(ctx) {
  const status = ctx.scene.status;
  const turn = status.decides ?? status.turn;
  const seat = turn === null || turn === undefined ? undefined : ctx.scene.seats.find((one) => one.seat === turn);
  /** @type {(Node | string | null)[]} */
  const parts = [];
  for (const text of status.path.filter((one) => !saysTurn(one, status.path, seat))) {
    if (parts.length) parts.push(h("span", { class: "gap" }, "›"));
    parts.push(h(parts.length ? "span" : "b", null, text));
  }
  if (!seat || ctx.position.over) return parts;
  const words = seat.seat === ctx.scene.player ? t("your.turn") : t("turn.of", { name: seatTitle(ctx, seat) });
  return [seatSign(seat), h("b", { class: "whose" }, words), parts.length ? h("span", { class: "gap" }, "›") : null, ...parts];
}
