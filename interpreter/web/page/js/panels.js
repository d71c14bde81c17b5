/** Panels over the table: menu, keys, sharing, why-not, score sheet, rulebook. Native dialogs, so focus and Esc behave. */

import { downloadRecord, fork, share } from "./afterwards.js";
import { call } from "./api.js";
import { nameOf } from "./context.js";
import { classes, h } from "./dom.js";
import { plain } from "./narrow.js";
import { scoreTable } from "./scores.js";
import { switchLanguage, switchTheme, themeName } from "./settings.js";
import { symbol } from "./signs.js";
import { LANGUAGES, language, t } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {string} title @param {(Node | null)[]} content @param {{side?: boolean, name?: string}} [how] @returns {HTMLDialogElement} */
function openPanel(title, content, how = {}) {
  closePanels();
  const opener = document.activeElement;
  const panel = /** @type {HTMLDialogElement} */ (
    h(
      "dialog",
      { class: classes(`sheetpanel ${how.name ?? ""}`, { aside: how.side }), "aria-label": title },
      h("div", { class: "panelhead" }, h("h2", null, title), h("button", { class: "button small", type: "button", "aria-label": t("close"), on: { click: () => panel.close() } }, "✕")),
      h("div", { class: "panelbody" }, content),
    )
  );
  panel.addEventListener("close", () => {
    panel.remove();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  });
  panel.addEventListener("click", (event) => {
    if (event.target === panel && !how.side) panel.close();
  });
  document.body.append(panel);
  if (how.side) panel.show();
  else panel.showModal();
  return panel;
}

export function panelIsOpen() {
  return document.querySelector("dialog:modal") !== null;
}

/** @returns {boolean} whether one was open */
export function closePanels() {
  const open = document.querySelectorAll("dialog");
  for (const panel of open) panel.close();
  return open.length > 0;
}

/** A short message that goes by itself. @param {string} text */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  const note = h("div", { class: "toast", role: "alert" }, text);
  document.body.append(note);
  setTimeout(() => note.remove(), 5000);
}

/** @param {Table} table */
export function openMenu(table) {
  const item = (/** @type {string} */ text, /** @type {() => void} */ act, key = "") =>
    h("button", { class: "menuitem", type: "button", on: { click: () => { closePanels(); act(); } } }, h("span", null, text), key ? h("kbd", null, key) : null);
  const over = table.live?.over;
  openPanel(t("menu"), [
    item(t("menu.lobby"), () => (location.hash = "")),
    item(t("rules"), () => table.openRules(), "R"),
    table.shown?.scene.score_sheet ? item(t("score.sheet"), () => table.openScores(), "S") : null,
    item(t("share.moment"), () => share(table)),
    over || table.live?.owner ? item(t("record.download"), () => downloadRecord(table)) : null,
    over || table.live?.owner ? item(t("fork.here"), () => fork(table)) : null,
    item(t("keys"), () => openKeys(), "?"),
    settingsRow(),
  ], { name: "menupanel" });
}

/** Language and colours. */
export function settingsRow() {
  const languages = h("div", { class: "segments", role: "group", "aria-label": t("language") }, LANGUAGES.map((name) => h("button", { type: "button", lang: name, "aria-pressed": String(name === language()), on: { click: () => switchLanguage(name) } }, name === "fr" ? "Français" : "English")));
  const themes = h("div", { class: "segments", role: "group", "aria-label": t("theme") }, ["system", "light", "dark"].map((name) => h("button", { type: "button", "aria-pressed": String(name === themeName()), on: { click: (/** @type {Event} */ event) => { switchTheme(name); for (const one of /** @type {HTMLElement} */ (event.currentTarget).parentElement?.children ?? []) one.setAttribute("aria-pressed", String(one === event.currentTarget)); } } }, t(`theme.${name}`))));
  return h("div", { class: "settings" }, languages, themes);
}

export function openKeys() {
  const rows = [["1 – 9, a – z", "keys.take"], ["← ↑ → ↓", "keys.arrows"], ["⇧ ← ↑ → ↓", "keys.shift"], ["Enter", "keys.enter"], ["Esc", "keys.escape"], ["/", "keys.filter"], ["B", "keys.board"], ["D", "keys.done"], ["U", "keys.undo"], ["H", "keys.hint"], ["R", "keys.rules"], ["S", "keys.scores"], ["L", "keys.log"], ["M", "keys.menu"], ["?", "keys.help"]];
  openPanel(t("keys"), [h("dl", { class: "keylist" }, rows.flatMap(([key, words]) => [h("dt", null, h("kbd", null, key)), h("dd", null, t(words))]))]);
}

/** @param {string} link */
export function openShare(link) {
  const field = h("input", { type: "text", readonly: true, value: link, "aria-label": t("share.link") });
  openPanel(t("share"), [h("p", null, t("share.words")), h("div", { class: "sharelist" }, h("div", { class: "line" }, field, copyButton(link)))]);
}

/** @param {string} text */
export function copyButton(text) {
  const button = h("button", { class: "button small", type: "button" }, symbol("link"), h("span", null, t("copy")));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.lastChild?.replaceWith(h("span", null, t("copied")));
    } catch {
      const field = button.parentElement?.querySelector("input");
      field?.select();
    }
  });
  return button;
}

/** All refusals of this decision, by reason. @param {Table} table */
export async function openWhyPanel(table) {
  const scene = table.shown?.scene;
  if (!scene || !table.live) return;
  let reasons = scene.refused?.by_reason ?? [];
  if (!reasons.length) {
    try {
      const answer = await call(`tables/${table.id}/why`, { token: table.token, body: { position: table.live.number } });
      reasons = gather(answer.reasons ?? []);
    } catch {
      reasons = [];
    }
  }
  const ctx = table.context();
  if (!ctx) return;
  const groups = reasons.map((group) =>
    h("section", { class: "refusal" }, h("p", { class: "whyreason" }, group.reason), h("div", { class: "things" }, group.things.slice(0, 30).map((thing) => h("span", { class: "chip" }, thing.name || nameOf(ctx, thing.id ?? "")))), group.things.length > 30 ? h("span", { class: "hint" }, t("and.more", { n: group.things.length - 30 })) : null, group.cites.slice(0, 3).map((id) => clauseRow(table, id))),
  );
  const none = groups.length ? null : h("p", { class: "hint" }, t("why.none"));
  const cites = (scene.decision?.cites ?? []).map((id) => clauseRow(table, id));
  openPanel(t("why.title"), [none, ...groups, cites.length ? h("h3", { class: "caption" }, t("why.clauses")) : null, ...cites], { side: true });
}

/** @param {any[]} reasons @returns {Refusal[]} */
function gather(reasons) {
  /** @type {Map<string, Refusal>} */
  const found = new Map();
  for (const one of reasons) {
    const group = found.get(one.reason) ?? /** @type {Refusal} */ ({ reason: one.reason, cites: one.cites ?? [], things: [] });
    if (one.things) group.things.push(...one.things);
    else if (one.what) group.things.push({ id: null, name: one.what });
    found.set(one.reason, group);
  }
  return [...found.values()];
}

/** @param {Table} table @param {string} id */
function clauseRow(table, id) {
  return h("p", { class: "clauseline" }, h("button", { class: "clause", type: "button", on: { click: () => table.openRules(id) } }, id), " ", table.clauseWords(id));
}

/** @param {Table} table */
export function openScorePanel(table) {
  const ctx = table.context();
  const sheet = ctx?.scene.score_sheet;
  if (!ctx || !sheet) return;
  const reason = ctx.position.result?.reason;
  openPanel(t("score.sheet"), [h("p", { class: "hint" }, sheet.final ? (reason ?? t("score.final")) : t("score.running")), h("div", { class: "scrollx" }, scoreTable(ctx, table, sheet))]);
}

/** The clauses in order, those of this decision on top, each with what just happened by it. @param {Table} table @param {string | null} id */
export async function openRulesPanel(table, id) {
  const scene = table.shown?.scene;
  if (!scene) return;
  let clauses;
  try {
    const answer = await call(`games/${encodeURIComponent(scene.game)}/rules`, { token: table.token });
    clauses = answer.clauses ?? answer;
  } catch {
    clauses = Object.entries(scene.clauses).map(([own, clause]) => ({ id: own, ...clause }));
  }
  const cited = new Set(scene.decision?.cites ?? []);
  const recent = scene.log.slice(-60);
  const rows = clauses.map((/** @type {any} */ clause) => ruleRow(clause, cited.has(clause.id), recent.filter((line) => line.cites.includes(clause.id)).slice(-2)));
  const list = h("div", { class: "rulelist" }, rows);
  const find = h("input", { type: "search", placeholder: t("rules.find"), "aria-label": t("rules.find") });
  find.addEventListener("input", () => {
    const words = plain(/** @type {HTMLInputElement} */ (find).value).split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => plain(row.textContent ?? "").includes(word));
  });
  const now = cited.size ? h("p", { class: "hint" }, t("rules.now"), " ", [...cited].map((one) => h("button", { class: "clause", type: "button", on: { click: () => jump(list, one) } }, one))) : null;
  openPanel(t("rules"), [find, now, list], { side: true, name: "rules" });
  if (id) jump(list, id);
  else if (cited.size) jump(list, [...cited][0]);
}

/** @param {any} clause @param {boolean} isNow @param {LogLine[]} lines */
function ruleRow(clause, isNow, lines) {
  return h(
    "article",
    { class: classes("rule", { now: isNow, ruling: clause.sort === "ruling" }), data: { rule: clause.id }, tabindex: "-1" },
    h("div", { class: "rulehead" }, h("span", { class: "clause" }, clause.id), clause.page ? h("span", { class: "hint" }, t("page", { page: pageWords(clause.page) })) : null),
    h("p", null, clause.summary),
    (clause.rulings ?? []).map((/** @type {any} */ ruling) => h("p", { class: "rulingtext" }, typeof ruling === "string" ? ruling : ruling.summary)),
    lines.map((line) => h("p", { class: "ruleused" }, `▸ ${line.text}`)),
  );
}

/** @param {HTMLElement} list @param {string} id */
function jump(list, id) {
  const row = list.querySelector(`[data-rule="${CSS.escape(id)}"]`);
  if (!(row instanceof HTMLElement)) return;
  for (const other of list.querySelectorAll(".found")) other.classList.remove("found");
  row.classList.add("found");
  row.scrollIntoView({ block: "center" });
}

/** Where a clause stands, without the English notes of who wrote it down. @param {string} page */
function pageWords(page) {
  return page.replaceAll("(inferred)", t("page.inferred")).replace(/\bsteps?\b/g, t("page.step"));
}
