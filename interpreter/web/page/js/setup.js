/** The panel that sets up a table: how many play, who sits where, which variants, and what the table allows. */

import { h } from "./dom.js";
import { pictureOf, playerCounts } from "./lobby.js";
import { copyButton, settingsRow } from "./panels.js";
import { fragment } from "./seats.js";
import { seatSign, SIGN_ORDER } from "./signs.js";
import { language, t } from "./words.js";

/** @typedef {import("./lobby.js").Lobby} Lobby */
/** @typedef {{kind: string, name: string, bot: string}} SeatChoice */

const COLOURS = ["#f4b400", "#7a48b8", "#0b7f74", "#c93f56", "#2f6fd0", "#777777"];

/** From the fewest to the most. @param {number[]} ends @returns {number[]} */
function range([low, high]) {
  return Array.from({ length: high - low + 1 }, (_, at) => low + at);
}

export class Setup {
  /** @param {Lobby} lobby @param {any} game */
  constructor(lobby, game) {
    this.lobby = lobby;
    this.game = game;
    /** @type {Set<string>} */
    this.variants = new Set();
    this.hints = true;
    this.undo = true;
    this.busy = false;
    /** @type {any} */
    this.created = null;
    /** @type {SeatChoice[]} */
    this.seats = [];
    this.players = Math.min(...this.counts().filter((count) => count > 1), Math.max(...this.counts()));
    this.fill();
  }

  /** Player counts that the chosen variants allow. @returns {number[]} */
  counts() {
    /** @type {number[][]} */
    const sets = this.chosen().flatMap((variant) => (variant.players === null || variant.players === undefined ? [] : [range(variant.players)]));
    const own = playerCounts(this.game);
    const all = sets.length ? sets.reduce((left, right) => left.filter((count) => right.includes(count))) : own;
    return all.length ? all : own;
  }

  /** @returns {any[]} */
  chosen() {
    return (this.game.variants ?? []).filter((/** @type {any} */ variant) => this.variants.has(variant.name));
  }

  fill() {
    const counts = this.counts();
    if (!counts.includes(this.players)) this.players = counts[0];
    const easy = this.lobby.bots.find((bot) => bot.name === "easy") ?? this.lobby.bots[0];
    while (this.seats.length < this.players) this.seats.push({ kind: this.seats.length ? "bot" : "me", name: "", bot: easy?.spec ?? "random" });
    this.seats.length = this.players;
    if (!this.seats.some((seat) => seat.kind === "me")) this.seats[0].kind = "me";
  }

  views() {
    if (this.created) return this.links();
    return [
      h("div", { class: "intro" }, pictureOf(this.game), h("div", null, h("h2", null, this.game.title), this.game.subtitle ? h("p", { class: "hint" }, this.game.subtitle) : null)),
      h("div", { class: "row" }, h("h3", { class: "caption" }, t("setup.seats")), this.countButtons()),
      h("div", { class: "seatlist" }, this.seats.map((seat, at) => this.seatRow(seat, at))),
      this.game.variants?.length ? h("section", null, h("h3", { class: "caption" }, t("setup.variants")), this.game.variants.map((/** @type {any} */ variant) => this.variantSwitch(variant))) : null,
      h("section", null, this.toggle(t("setup.hints"), this.hints, () => (this.hints = !this.hints), "hints"), this.toggle(t("setup.undo"), this.undo, () => (this.undo = !this.undo), "undo")),
      h("button", { class: "button take open", type: "button", disabled: this.busy, data: { focus: "open" }, on: { click: () => this.open() } }, this.openWords()),
      settingsRow(),
    ];
  }

  openWords() {
    const friends = this.seats.filter((seat) => seat.kind === "friend").length;
    return friends ? t("setup.open.friends", { n: friends }) : t("setup.open");
  }

  countButtons() {
    const counts = this.counts();
    return h("div", { class: "segments", role: "group", "aria-label": t("players.label") }, counts.map((count) => h("button", { type: "button", "aria-pressed": String(count === this.players), data: { focus: `count-${count}` }, on: { click: () => this.change(() => (this.players = count)) } }, count)));
  }

  /** @param {() => void} act */
  change(act) {
    act();
    this.fill();
    this.lobby.draw();
  }

  /** Seats that the game plays by itself. @returns {number[]} */
  automas() {
    return [...(this.game.automas ?? []), ...this.chosen().flatMap((variant) => variant.automas ?? [])];
  }

  /** @param {SeatChoice} seat @param {number} at */
  seatRow(seat, at) {
    if (this.automas().includes(at)) return h("div", { class: "seatrow" }, h("div", { class: "line" }, seatSign({ colour: COLOURS[at % COLOURS.length], sign: SIGN_ORDER[at % SIGN_ORDER.length] }), h("span", { class: "name" }, this.game.seat_names?.[at] ?? t("setup.seat", { n: at + 1 })), h("span", { class: "hint" }, t("variant.solo"))));
    const kinds = ["me", "friend", "bot"];
    const names = this.game.seat_names ?? [];
    return h(
      "div",
      { class: "seatrow" },
      h(
        "div",
        { class: "line" },
        seatSign({ colour: COLOURS[at % COLOURS.length], sign: SIGN_ORDER[at % SIGN_ORDER.length] }),
        h("span", { class: "name" }, names[at] ?? t("setup.seat", { n: at + 1 })),
        h("div", { class: "segments", role: "group", "aria-label": t("setup.seat", { n: at + 1 }) }, kinds.map((kind) => h("button", { type: "button", "aria-pressed": String(seat.kind === kind), data: { focus: `seat-${at}-${kind}` }, on: { click: () => this.change(() => (seat.kind = kind)) } }, t(`seat.kind.${kind}`)))),
      ),
      seat.kind === "bot" ? this.strengths(seat, at) : seat.kind === "friend" ? h("p", { class: "hint" }, t("setup.friend.words")) : null,
    );
  }

  /** @param {SeatChoice} seat @param {number} at */
  strengths(seat, at) {
    const chosen = this.lobby.bots.find((bot) => bot.spec === seat.bot);
    return h(
      "div",
      { class: "line" },
      h("span", { class: "hint" }, chosen?.seconds ? t("bot.seconds", { n: chosen.seconds }) : t("bot.atonce")),
      h("div", { class: "segments", role: "group", "aria-label": t("bot.strength") }, this.lobby.bots.map((bot) => h("button", { type: "button", "aria-pressed": String(bot.spec === seat.bot), data: { focus: `bot-${at}-${bot.name}` }, on: { click: () => this.change(() => (seat.bot = bot.spec)) } }, bot.title ?? t(`bot.${bot.name}`)))),
    );
  }

  /** @param {any} variant */
  variantSwitch(variant) {
    const why = this.whyNot(variant);
    const on = this.variants.has(variant.name);
    return h(
      "button",
      { class: "switch", type: "button", role: "switch", "aria-checked": String(on), disabled: why !== null && !on, data: { focus: `variant-${variant.name}`, variant: variant.name }, on: { click: () => this.change(() => this.flip(variant)) } },
      h("span", { class: "knob" }),
      h("span", { class: "what" }, variant.title ?? variant.name, this.notes(variant, why).map((note) => h("span", { class: "because" }, note))),
    );
  }

  /** @param {any} variant */
  flip(variant) {
    if (this.variants.has(variant.name)) {
      this.variants.delete(variant.name);
      // What needed it goes too.
      for (const other of this.chosen()) if ((other.needs ?? []).includes(variant.name)) this.variants.delete(other.name);
    } else this.variants.add(variant.name);
  }

  /** Why a variant cannot be switched on, in words, or null. @param {any} variant @returns {string | null} */
  whyNot(variant) {
    const title = (/** @type {string} */ name) => (this.game.variants ?? []).find((/** @type {any} */ one) => one.name === name)?.title ?? name;
    const missing = (variant.needs ?? []).find((/** @type {string} */ name) => !this.variants.has(name));
    if (missing) return t("variant.needs", { name: title(missing) });
    const against = this.chosen().find((one) => (variant.excludes ?? []).includes(one.name) || (one.excludes ?? []).includes(variant.name));
    if (against && against !== variant) return t("variant.excludes", { name: title(against.name) });
    return null;
  }

  /** @param {any} variant @param {string | null} why @returns {string[]} */
  notes(variant, why) {
    const players = variant.players;
    const only = players === null || players === undefined ? null : t("variant.players", { text: players[0] === players[1] ? players[0] : players.join("–") });
    const solo = variant.automas?.length ? t("variant.solo") : null;
    return [why, only, solo].filter((note) => note !== null);
  }

  /** @param {string} text @param {boolean} on @param {() => void} flip @param {string} name */
  toggle(text, on, flip, name) {
    return h("button", { class: "switch", type: "button", role: "switch", "aria-checked": String(on), data: { focus: `toggle-${name}` }, on: { click: () => this.change(flip) } }, h("span", { class: "knob" }), h("span", { class: "what" }, text));
  }

  async open() {
    if (this.busy) return;
    this.busy = true;
    this.lobby.draw();
    const me = localStorage.getItem("name") ?? "";
    const seats = this.seats.map((seat, at) => (this.automas().includes(at) ? { kind: "automa" } : seat.kind === "bot" ? { kind: "bot", bot: seat.bot } : { kind: seat.kind, name: seat.kind === "me" ? me : "" }));
    const game = [this.game.name, ...(this.game.variants ?? []).map((/** @type {any} */ one) => one.name).filter((/** @type {string} */ name) => this.variants.has(name))].join("+");
    const created = await this.lobby.create({ game, players: this.players, seats, hints: this.hints, undo: this.undo, language: language() });
    this.busy = false;
    if (created && seats.some((seat) => seat.kind === "friend")) this.created = { ...created, wanted: seats };
    this.lobby.draw();
  }

  /** The links for friends, then the way to the table. */
  links() {
    const links = this.created.seats.filter((/** @type {any} */ seat) => this.created.wanted[seat.seat]?.kind === "friend");
    return [
      h("h2", null, t("setup.links")),
      h("p", { class: "hint" }, t("setup.links.words")),
      h("div", { class: "sharelist" }, links.map((/** @type {any} */ seat) => {
        const link = new URL(seat.link, location.href).href;
        return h("div", { class: "line" }, h("b", null, this.game.seat_names?.[seat.seat] ?? t("setup.seat", { n: seat.seat + 1 })), h("input", { type: "text", readonly: true, value: link, "aria-label": t("share.link"), data: { link: String(seat.seat) } }), copyButton(link));
      })),
      h("button", { class: "button take open", type: "button", data: { focus: "enter" }, on: { click: () => (location.hash = fragment({ t: this.created.table })) } }, t("setup.enter")),
    ];
  }
}

