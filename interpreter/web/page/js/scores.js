/** The score sheet as a table: players as columns, lines of the score as rows, total and rank below. */

import { figure } from "./counters.js";
import { h } from "./dom.js";
import { seatTitle } from "./players.js";
import { seatSign } from "./signs.js";
import { t } from "./words.js";

/** @param {import("./context.js").Context} ctx @param {import("./table.js").Table} table @param {ScoreSheet} sheet */
export function scoreTable(ctx, table, sheet) {
  const seats = ctx.scene.seats;
  return h(
    "table",
    { class: "scores" },
    h("thead", null, h("tr", null, h("td", null), seats.map((seat) => h("th", { scope: "col" }, seatSign(seat), h("span", null, seatTitle(ctx, seat)))))),
    h("tbody", null, sheet.rows.map((row) => h("tr", null, h("th", { scope: "row" }, row.name, " ", (row.cites ?? []).slice(0, 2).map((id) => h("button", { class: "clause", type: "button", title: table.clauseWords(id), on: { click: () => table.openRules(id) } }, id))), seats.map((seat) => h("td", null, figure(row.values[seat.seat])))))),
    h(
      "tfoot",
      null,
      h("tr", null, h("th", { scope: "row" }, t("score.total")), seats.map((seat) => h("td", null, h("b", null, figure(sheet.total[seat.seat]))))),
      sheet.rank.some((rank) => rank !== null) ? h("tr", null, h("th", { scope: "row" }, t("score.rank")), seats.map((seat) => h("td", null, sheet.rank[seat.seat] === null ? "" : t("rank", { n: Number(sheet.rank[seat.seat]) })))) : null,
    ),
  );
}
