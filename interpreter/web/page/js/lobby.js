/** The lobby: tables that wait for me, games with pictures, and the panel that sets up a table. */

import { call } from "./api.js";
import { h } from "./dom.js";
import { settingsRow, toast } from "./panels.js";
import { plain } from "./narrow.js";
import { strengthName } from "./players.js";
import { allSeats, fragment, keepSeat } from "./seats.js";
import { Setup } from "./setup.js";
import { symbol } from "./signs.js";
import { setTitle } from "./title.js";
import { language, t } from "./words.js";

const MOST_SEATS = 200; // of the newest tables that are asked about: the server answers no longer list

export class Lobby {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.view = "games";
    this.filter = "";
    /** @type {any[]} */
    this.games = [];
    /** @type {any[]} */
    this.tables = [];
    /** @type {any[]} */
    this.bots = [];
    /** @type {Setup | null} */
    this.setup = null;
    this.reading = 0; // games that the server has still to read
    this.closed = false;
    setTitle(null, false, "");
    this.load();
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.again);
  }

  async load() {
    try {
      await this.loadGames();
      await this.loadTables();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
    if (this.closed) return;
    this.draw();
    this.timer = setInterval(() => this.refresh(), 5000);
  }

  /** The games that the server knows by now; while it reads others, it is asked again. */
  async loadGames() {
    const answer = await call("games");
    this.games = answer.games;
    this.bots = answer.bots;
    this.reading = answer.reading;
    if (this.reading && !this.closed) this.again = setTimeout(() => this.more(), 400);
  }

  async more() {
    try {
      await this.loadGames();
    } catch {
      this.again = setTimeout(() => this.more(), 3000); // the line is down: nothing is lost
      return;
    }
    if (!this.closed) this.draw();
  }

  async refresh() {
    const before = JSON.stringify(this.tables);
    try {
      await this.loadTables();
    } catch {
      return;
    }
    if (!this.closed && before !== JSON.stringify(this.tables)) this.draw();
  }

  async loadTables() {
    const seats = Object.entries(allSeats()).flatMap(([table, held]) => held.map((one) => ({ table, token: one.token }))).slice(-MOST_SEATS);
    if (!seats.length) return;
    const answer = await call("tables/mine", { body: { seats } });
    /** @type {Map<string, any>} Several seats of mine at one table are one table. */
    const found = new Map();
    for (const one of answer.tables) if (one.my_turn || !found.has(one.table)) found.set(one.table, one);
    this.tables = [...found.values()];
  }

  draw() {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.focus : undefined;
    this.root.replaceChildren(h("div", { class: "lobby" }, this.head(), h("main", { class: "games" }, this.main()), h("aside", { class: "panel setup", "aria-label": t("lobby.setup") }, this.side())));
    if (focused) {
      const again = this.root.querySelector(`[data-focus="${CSS.escape(focused)}"]`);
      if (again instanceof HTMLElement) again.focus({ preventScroll: true });
      if (again instanceof HTMLInputElement) again.setSelectionRange(again.value.length, again.value.length);
    }
  }

  head() {
    const tab = (/** @type {string} */ name) => h("button", { type: "button", "aria-current": this.view === name ? "page" : null, data: { focus: `view-${name}` }, on: { click: () => { this.view = name; this.draw(); } } }, t(`lobby.${name}`));
    return h(
      "header",
      { class: "head" },
      h("span", { class: "logo", "aria-hidden": "true" }, "R"),
      h("span", { class: "title" }, "Rulewright"),
      h("nav", { class: "tabsline", "aria-label": "Rulewright" }, tab("games"), tab("tables"), tab("replays")),
      h("span", { class: "grow" }),
      h("div", { class: "filter" }, symbol("search"), h("input", { type: "search", value: this.filter, placeholder: t("lobby.find"), "aria-label": t("lobby.find"), data: { focus: "find" }, on: { input: (/** @type {Event} */ event) => { this.filter = /** @type {HTMLInputElement} */ (event.target).value; this.draw(); } } })),
      h("label", { class: "me" }, h("span", { class: "unseen" }, t("lobby.name")), h("input", { type: "text", maxlength: 24, value: localStorage.getItem("name") ?? "", placeholder: t("lobby.name"), data: { focus: "name" }, on: { change: (/** @type {Event} */ event) => localStorage.setItem("name", /** @type {HTMLInputElement} */ (event.target).value) } })),
    );
  }

  /** @returns {(Node | null)[]} */
  main() {
    const running = this.tables.filter((table) => !table.finished);
    const finished = this.tables.filter((table) => table.finished);
    if (this.view === "tables") return [this.heading(t("lobby.tables"), running.length), running.length ? h("div", { class: "tablegrid" }, running.map((one) => this.tableCard(one))) : h("p", { class: "none" }, t("lobby.no.tables"))];
    if (this.view === "replays") return [this.heading(t("lobby.replays"), finished.length), finished.length ? h("div", { class: "tablegrid" }, finished.map((one) => this.tableCard(one))) : h("p", { class: "none" }, t("lobby.no.replays"))];
    const waiting = running.filter((table) => table.my_turn);
    const words = plain(this.filter);
    const games = this.games.filter((game) => plain(game.title).includes(words));
    return [
      this.welcome(),
      waiting.length ? this.heading(t("lobby.waiting"), waiting.length) : null,
      waiting.length ? h("div", { class: "tablegrid" }, waiting.slice(0, 4).map((one) => this.tableCard(one))) : null,
      this.heading(t("lobby.games"), games.length),
      h("div", { class: "gamegrid" }, games.map((game) => this.gameCard(game))),
      this.reading ? h("p", { class: "none reading", role: "status" }, t("lobby.reading", { n: this.reading })) : null,
    ];
  }

  /** @param {string} text @param {number} count */
  heading(text, count) {
    return h("h2", { class: "caption" }, `${text} · ${count}`);
  }

  /** One click to a first game. */
  welcome() {
    const first = this.games.find((game) => game.first) ?? null;
    if (!first || this.tables.length) return null;
    return h("section", { class: "panel welcome" }, h("div", null, h("h1", null, t("welcome")), h("p", null, t("welcome.words", { title: first.title }))), h("button", { class: "button take", type: "button", data: { focus: "first" }, on: { click: () => this.playFirst(first) } }, t("welcome.play", { title: first.title })));
  }

  /** @param {any} game */
  async playFirst(game) {
    const players = Math.max(2, Math.min(...playerCounts(game)));
    const easy = this.bots.find((bot) => bot.name === "easy") ?? this.bots[0];
    const seats = Array.from({ length: players }, (_, seat) => (seat ? { kind: "bot", bot: easy?.spec ?? "random" } : { kind: "me", name: localStorage.getItem("name") ?? "" }));
    await this.create({ game: game.name, players, seats, hints: true, undo: true, language: language() });
  }

  /** @param {any} body */
  async create(body) {
    const created = await call("tables", { body }).catch((error) => {
      toast(error.message);
      return null;
    });
    if (!created) return null;
    for (const seat of created.seats) if (seat.token && body.seats[seat.seat]?.kind === "me") keepSeat(created.table, seat.seat, seat.token);
    const links = created.seats.filter((/** @type {any} */ seat) => body.seats[seat.seat]?.kind === "friend");
    if (!links.length) location.hash = fragment({ t: created.table });
    return created;
  }

  /** @param {any} game */
  gameCard(game) {
    return h(
      "button",
      { class: "panel game", type: "button", "aria-pressed": String(this.setup?.game.name === game.name), data: { focus: `game-${game.name}`, game: game.name }, on: { click: () => this.choose(game) } },
      h("span", { class: "picture" }, pictureOf(game)),
      h("span", { class: "words" }, h("span", { class: "name" }, game.title), h("br"), h("span", { class: "facts" }, factsOf(game))),
    );
  }

  /** @param {any} game */
  choose(game) {
    this.setup = new Setup(this, game);
    this.draw();
    if (innerWidth <= 900) this.root.querySelector(".setup")?.scrollIntoView({ behavior: "smooth" });
  }

  side() {
    if (this.setup) return this.setup.views();
    return [h("h2", null, t("lobby.choose")), h("p", { class: "hint" }, t("lobby.choose.words")), settingsRow()];
  }

  /** @param {any} one */
  tableCard(one) {
    const [name] = one.game.split("+");
    const title = this.games.find((game) => game.name === name)?.title ?? name;
    const others = one.seats.filter((/** @type {any} */ other) => other.seat !== one.seat).map((/** @type {any} */ other) => other.name || (other.kind === "bot" ? t("seat.bot", { name: strengthName(other.bot) }) : "")).filter(Boolean).join(", ");
    const state = one.finished ? "over" : one.my_turn ? "your.turn" : "waiting";
    return h(
      "div",
      { class: "panel tablecard", data: { table: one.table } },
      h("div", { class: "words" }, h("div", null, h("b", null, title), others ? ` ${t("lobby.against", { names: others })}` : ""), h("div", { class: "what" }, t(state))),
      h("button", { class: one.my_turn ? "button take" : "button", type: "button", on: { click: () => (location.hash = fragment({ t: one.table })) } }, t(one.finished ? "lobby.look" : one.my_turn ? "your.turn" : "lobby.open")),
    );
  }
}

/** @param {any} game @returns {number[]} */
export function playerCounts(game) {
  return Array.isArray(game.players) ? game.players : [game.players ?? 2];
}

/** @param {any} game */
export function pictureOf(game) {
  const image = h("img", { src: game.picture ?? `/api/games/${encodeURIComponent(game.name)}/picture.svg`, alt: "", loading: "lazy" });
  image.addEventListener("error", () => image.replaceWith(h("span", { class: "initial" }, game.title.slice(0, 1))));
  return image;
}

/** @param {any} game */
function factsOf(game) {
  const counts = playerCounts(game);
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  const minutes = game.length?.minutes ?? null;
  const decisions = game.length?.decisions ?? null;
  const parts = [
    low === high ? t("players.n", { n: low }) : t("players.range", { low, high }),
    minutes ? t("minutes", { text: Array.isArray(minutes) ? minutes.join("–") : String(minutes) }) : decisions ? t("decisions.n", { n: Array.isArray(decisions) ? decisions.join("–") : decisions }) : null,
    game.variants?.length ? t("variants.n", { n: game.variants.length }) : null,
    game.languages?.length > 1 ? game.languages.join(" ") : null,
  ];
  return parts.filter(Boolean).join(" · ");
}
