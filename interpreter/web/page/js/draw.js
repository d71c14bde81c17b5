/** The skeleton of a table and what goes into each of its parts. The same parts serve all widths; the style sheet moves them. */

import { downloadRecord, fork, share } from "./afterwards.js";
import { areasIn, areaView } from "./areas.js";
import { numberBoard } from "./number_board.js";
import { classes, h, must } from "./dom.js";
import { headerViews } from "./header.js";
import { lighten, lightOptions } from "./lighten.js";
import { logViews } from "./log.js";
import { mapView } from "./map.js";
import { partInUse, shownOf } from "./map_part.js";
import { padViews } from "./pad.js";
import { optionViews } from "./options.js";
import { playerViews } from "./players.js";
import { promptView } from "./prompt.js";
import { seatSign, symbol } from "./signs.js";
import { wireSheet } from "./sheet.js";
import { wireTips } from "./tips.js";
import { fitTray, trayViews } from "./tray.js";
import { travel } from "./motion.js";
import { whyBox, whyPopover } from "./why.js";
import { wireZoom } from "./zoom.js";
import { t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("./table.js").Table} Table */

const FITS = [1.4, 1.2, 1, 0.92, 0.84]; // how large things on a board without a map are drawn

/** @param {HTMLElement} root @param {Table} table */
export function skeleton(root, table) {
  const made = h(
    "div",
    { class: "table" },
    h("header", { class: "head" }),
    h("aside", { class: "left", tabindex: "0", "aria-label": t("players.and.parts") }, h("div", { class: "players" }), h("div", { class: "panel parts" })),
    h("main", { class: "main" }, h("div", { class: "banners" }), h("div", { class: "promptslot" }), h("div", { class: "panel boardwrap" }, h("div", { class: "board", tabindex: "0", role: "region", "aria-label": t("tab.board") }), h("div", { class: "legend" })), h("div", { class: "panel tray", tabindex: "0", role: "region", "aria-label": t("tab.hand") })),
    h("aside", { class: "right", "aria-label": t("options.and.log") }, h("div", { class: "righttabs" }), h("div", { class: "panel options" }), h("div", { class: "panel logpanel" })),
    h("nav", { class: "tabs", "aria-label": t("parts") }),
    h("div", { class: "popoverslot" }),
  );
  root.replaceChildren(made);
  made.addEventListener("click", (event) => clicked(event, table));
  made.addEventListener("pointerover", (event) => hovered(event, table));
  wireTips(made, table);
  wireZoom(must(made, ".board"), table);
  wireSheet(made, table);
  const part = (/** @type {string} */ name) => must(made, name);
  return {
    table: made, head: part(".head"), players: part(".players"), parts: part(".parts"), banners: part(".banners"), prompt: part(".promptslot"), board: part(".board"), legend: part(".legend"),
    tray: part(".tray"), righttabs: part(".righttabs"), options: part(".options"), log: part(".logpanel"), tabs: part(".tabs"), popover: part(".popoverslot"), left: part(".left"),
  };
}

/** Ids of the things under a click, innermost first; none inside a button or a field. @param {Event} event */
function idsOf(event) {
  const target = event.target;
  if (!(target instanceof Element) || target.closest("button, input, a, summary, dialog")) return [];
  const ids = [];
  for (let at = target.closest("[data-id]"); at; at = at.parentElement?.closest("[data-id]") ?? null) ids.push(/** @type {HTMLElement} */ (at).dataset.id ?? "");
  return ids.filter(Boolean);
}

/** @param {Event} event @param {Table} table */
function clicked(event, table) {
  travel.land();
  const tab = event.target instanceof Element ? event.target.closest(".boardtab") : null;
  if (tab instanceof HTMLElement) {
    table.boardOf = Number(tab.dataset.board);
    return table.draw();
  }
  if (event.target instanceof Element && event.target.closest(".wholeboard")) {
    table.seen.whole = !table.seen.whole;
    return table.draw();
  }
  const ids = idsOf(event);
  if (ids.length) table.touch(ids);
  else if (event.target instanceof Element && !event.target.closest("button, input, a, .why, summary")) table.hideWhy();
}

/** @param {Event} event @param {Table} table */
function hovered(event, table) {
  const target = event.target;
  if (!(target instanceof Element) || target.closest(".options")) return;
  const ctx = table.context();
  const id = idsOf(event).map((one) => ctx?.standIn.get(one) ?? one).find((one) => ctx?.marks.has(one));
  if (!ctx) return;
  const options = id === undefined ? [] : (ctx.marks.get(id)?.options ?? []);
  lighten(table.parts.table, ctx, options.length === 1 ? options[0] : null);
  if (options.length > 1) lightOptions(table.parts.table, options);
}

/** @param {Table} table @param {Context | null} ctx */
export function drawTable(table, ctx) {
  const parts = table.parts;
  if (!ctx) return;
  if (table.curtain !== null) return drawCurtain(table, ctx, table.curtain);
  parts.table.className = classes("table", { dim: ctx.mine, past: !ctx.position.live, off: !table.online, [`tab-${table.tab}`]: true, [`right-${table.rightTab}`]: true, [`sheet-${table.sheet}`]: true, [ctx.width]: true, handled: mainTray(ctx), numbers: isOfNumbers(ctx), many: ctx.marks.size > 40 });
  Object.assign(parts.table.dataset, { state: ctx.position.over ? "over" : !ctx.position.live ? "past" : ctx.mine ? "mine" : "waiting", number: String(ctx.position.number), busy: String(ctx.busy) });
  parts.head.replaceChildren(...headerViews(ctx, table));
  parts.players.replaceChildren(...playerViews(ctx));
  parts.parts.replaceChildren(...areasIn(ctx, "left").flatMap((area) => areaView(ctx, area, "small") ?? []));
  parts.banners.replaceChildren(...banners(ctx, table));
  parts.prompt.replaceChildren(promptView(ctx, table));
  parts.options.replaceChildren(...[...hintBox(table), ...(ctx.compact && table.why ? [whyBox(ctx, table)] : []), ...optionViews(ctx, table)].filter((part) => part !== null));
  parts.tray.replaceChildren(...trayViews(ctx));
  parts.tray.hidden = !parts.tray.childElementCount;
  if (!ctx.compact) fitTray(parts.tray);
  parts.legend.replaceChildren(...legend(ctx)); // before the board, which fits itself into what is left
  drawBoard(ctx, table);
  parts.log.replaceChildren(...logViews(ctx, table));
  parts.righttabs.replaceChildren(...rightTabs(table, ctx));
  parts.tabs.replaceChildren(...tabs(ctx, table));
  const list = parts.log.querySelector(".loglist");
  if (list) list.scrollTop = list.scrollHeight;
  parts.popover.replaceChildren();
  if (table.why && !ctx.compact) whyPopover(ctx, table, parts.popover);
}

/** @param {Context} ctx */
function mainTray(ctx) {
  return areasIn(ctx, "tray").some((area) => area.main);
}

/** Neither a map nor places on the board: what is played on are numbers. @param {Context} ctx */
function isOfNumbers(ctx) {
  return !ctx.scene.maps.length && !areasIn(ctx, "board").some((area) => area.items.some((id) => ctx.places.has(id) || ctx.groups.has(id)));
}

/** @param {Context} ctx @param {Table} table */
function drawBoard(ctx, table) {
  const board = table.parts.board;
  const areas = areasIn(ctx, "board");
  const room = { width: Math.max(300, board.clientWidth - 24), height: Math.max(240, board.clientHeight - 24) };
  const only = areas.length === 1 && areas[0].items.length === 1 ? ctx.maps.get(areas[0].items[0]) : undefined;
  want(board, ctx.compact && only ? shownOf(ctx, only) : null, room.width);
  if (only) board.replaceChildren(mapView(ctx, only, ctx.compact ? { ...room, height: Math.max(240, board.clientHeight - 24) } : room));
  else board.replaceChildren(...areas.flatMap((area) => areaView(ctx, area, ctx.compact ? "small" : "full", room) ?? []), ...(isOfNumbers(ctx) ? numberBoard(ctx) : []), ...padViews(ctx));
  board.classList.toggle("loosely", !only && !ctx.scene.maps.length);
  if (!only) fit(board, ctx.compact ? [1] : ctx.scene.maps.length ? FITS.slice(2) : FITS);
  const shown = `${table.shown?.number} ${table.shown?.step}`;
  // Once for each position: somebody who has scrolled elsewhere stays there while things are pointed at.
  const first = !only && board.dataset.shown !== shown && !fits(board) ? board.querySelector(".may") : null;
  if (first) {
    first.scrollIntoView({ block: "nearest" });
    board.dataset.led = "yes";
  }
  board.dataset.shown = shown;
  board.style.setProperty("--zoom", String(table.zoom));
}

/**
 * On a phone a map is as wide as the screen, and the sheet gets what is left: a cell of a board of eight is then large enough
 * for a finger. @param {HTMLElement} board @param {GameMap | null} map @param {number} width
 */
function want(board, map, width) {
  const wrap = /** @type {HTMLElement} */ (board.parentElement);
  const [across, down] = map?.box ?? [1, 1];
  const shape = !map || map.sort === "network" ? 1 : (down + 1.15) / (across + 1.15);
  wrap.classList.toggle("sized", map !== null);
  wrap.style.setProperty("--want", `${Math.round(width * Math.min(1.1, shape)) + 24}px`);
}

/** @param {HTMLElement} board */
function fits(board) {
  return board.scrollHeight <= board.clientHeight + 1 && board.scrollWidth <= board.clientWidth + 1;
}

/**
 * Draws what lies on the board as large as it finds room, within reason. Where there is none, cards are no higher than what
 * is written on them; words must stay readable, so what is still too large scrolls.
 * @param {HTMLElement} board @param {number[]} shares
 */
function fit(board, shares) {
  for (const isTight of [false, true]) {
    board.classList.toggle("tight", isTight);
    for (const share of shares) {
      board.style.setProperty("--fit", String(share));
      if (fits(board)) return;
    }
  }
}

/** @param {Context} ctx @returns {HTMLElement[]} */
function legend(ctx) {
  const tints = ctx.scene.maps.flatMap((map) => map.legend).map((one) => h("span", null, h("i", { class: "tint", style: { background: one.tint } }), symbol(one.sign), one.name));
  const fresh = ctx.mine && ctx.changed.size ? [h("span", null, h("i"), t("legend.new"))] : [];
  const may = ctx.mine && ctx.marks.size ? [h("span", null, h("i", { class: "may" }), t("legend.may"))] : [];
  const part = ctx.scene.maps.find((map) => partInUse(ctx, map));
  return [...tints, ...fresh, ...may, ...(part ? [wholeButton(ctx, part)] : [])];
}

/** Shows all of a large board, or again what is in use of it. @param {Context} ctx @param {GameMap} map */
function wholeButton(ctx, map) {
  return h("button", { type: "button", class: "wholeboard", data: { focus: "whole board" }, "aria-pressed": String(ctx.seen.whole) }, t("map.whole", { n: map.nodes.length }));
}

/** @param {Context} ctx @param {Table} table @returns {HTMLElement[]} */
function banners(ctx, table) {
  const views = [];
  if (!table.online) views.push(h("div", { class: "banner offline", role: "alert" }, t("line.trying")));
  if (!ctx.position.live && table.live) {
    views.push(
      h(
        "div",
        { class: "banner replay" },
        t("replay.at", { step: ctx.position.step, n: table.live.steps }),
        h("span", { class: "grow" }),
        h("button", { class: "button small", type: "button", on: { click: () => share(table) } }, t("share.moment")),
        h("button", { class: "button small", type: "button", on: { click: () => fork(table) } }, t("fork.here")),
        h("button", { class: "button small", type: "button", data: { focus: "live" }, on: { click: () => table.backToLive() } }, t("replay.live")),
      ),
    );
  }
  if (table.fault) views.push(faultBanner(table));
  if (table.findings.length || table.watchWords) views.push(findings(table));
  return views;
}

/** @param {Table} table */
function faultBanner(table) {
  const fault = table.fault;
  const where = [fault.rule, ...(fault.cites ?? []), fault.place ?? null, fault.step === undefined ? null : t("fault.step", { step: fault.step })].filter(Boolean).join(" · ");
  return h("div", { class: "banner fault", role: "alert" }, h("div", null, h("div", null, fault.words ?? t("fault")), where ? h("div", { class: "hint" }, where) : null, fault.text ? h("pre", { lang: "en" }, fault.text) : null), h("span", { class: "grow" }), h("button", { class: "button small", type: "button", on: { click: () => downloadRecord(table) } }, t("record.download")));
}

/** What the checker says of rules that are being written: it speaks of words of the rules language, and speaks English. @param {Table} table */
function findings(table) {
  return h("div", { class: "banner findings", role: "status" }, h("div", null, table.watchWords ? h("div", null, table.watchWords) : null, table.findings.length ? h("div", null, t("findings")) : null, table.findings.map((finding) => h("pre", { lang: "en" }, finding.text ?? finding.words ?? String(finding)))));
}

/** @param {Table} table */
function hintBox(table) {
  const hint = table.choice.hint;
  if (!hint) return [];
  return [h("div", { class: "hintbox" }, symbol("bulb"), h("span", null, hint.sentence))];
}

/** @param {Table} table @param {Context} ctx */
function rightTabs(table, ctx) {
  return ["options", "log", "parts"].map((name) =>
    h("button", { type: "button", "aria-pressed": String(table.rightTab === name), data: { focus: `right-${name}` }, on: { click: () => table.showRight(name) } }, t(name === "parts" ? "tab.parts" : name), name === "options" && ctx.mine ? ` · ${ctx.left.length}` : ""),
  );
}

/** Tabs of the narrow screen. @param {Context} ctx @param {Table} table */
function tabs(ctx, table) {
  const hand = table.parts.tray.querySelectorAll(".piece:not(.hollow)").length;
  const fresh = ctx.scene.log.some((line) => line.new);
  const all = [
    ["board", "flag", t("tab.board"), false],
    ...(table.parts.tray.childElementCount ? [["hand", "book", hand ? t("tab.hand.n", { n: hand }) : t("tab.hand"), false]] : []),
    ...(table.parts.parts.childElementCount ? [["parts", "bag", t("tab.parts"), false]] : []),
    ["players", "eye", t("tab.players"), false],
    ["log", "menu", t("tab.log"), fresh && ctx.mine],
  ];
  return all.map(([name, sign, text, dot]) =>
    h("button", { type: "button", class: classes("", { fresh: dot }), "aria-pressed": String(table.tab === name), data: { focus: `tab-${name}` }, on: { click: () => table.showTab(String(name)) } }, symbol(String(sign)), h("span", null, String(text))),
  );
}

/** Between two people at one screen: nothing is shown until the other says so. @param {Table} table @param {Context} ctx @param {number} seat */
function drawCurtain(table, ctx, seat) {
  const who = ctx.seats.get(seat);
  const parts = table.parts;
  for (const part of [parts.players, parts.parts, parts.options, parts.log, parts.board, parts.legend, parts.tray, parts.popover]) part.replaceChildren();
  parts.prompt.replaceChildren(h("section", { class: "panel prompt curtain", style: { "--seat": who?.colour } }, h("h1", null, seatSign(who), t("curtain", { name: who?.name ?? "" })), h("button", { class: "button take", type: "button", data: { focus: "curtain" }, on: { click: () => table.liftCurtain() } }, t("curtain.lift", { name: who?.name ?? "" }))));
}

/** Three grey columns while a table is fetched. @param {HTMLElement} root */
export function loadingSkeleton(root) {
  root.replaceChildren(h("div", { class: "table loading", "aria-busy": "true" }, h("header", { class: "head" }), h("div", { class: "left" }, h("div", { class: "panel bone" })), h("main", { class: "main" }, h("div", { class: "panel bone short" }), h("div", { class: "panel bone" })), h("div", { class: "right" }, h("div", { class: "panel bone" }))));
}
