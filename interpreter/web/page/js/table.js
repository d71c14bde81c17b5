/**
 * One table: what the server last said, what the reader has clicked so far, and the drawing of both. Every change of either
 * draws the page anew from the scene; the focus stays where it was, and pieces travel from where they lay.
 */

import { announce } from "./announce.js";
import { ApiError, call } from "./api.js";
import { contextOf, kindOf, nameOf } from "./context.js";
import { drawTable, skeleton } from "./draw.js";
import { keepFocus } from "./focus.js";
import { lighten } from "./lighten.js";
import { Live } from "./live.js";
import { nothingSeen } from "./map_part.js";
import { openKeys, openMenu, openRulesPanel, openScorePanel, openWhyPanel, toast } from "./panels.js";
import { question } from "./prompt.js";
import { readPosition } from "./reading.js";
import { seatsAt } from "./seats.js";
import { setTitle } from "./title.js";
import { travel } from "./motion.js";
import { hideTip } from "./tips.js";
import { tabFor } from "./tray.js";
import { language, t } from "./words.js";

/** @typedef {import("./context.js").Context} Context */

const NOTHING = { chosen: [], filter: "", sure: null, lit: null, hint: null, cursor: null, whyId: null, busy: false };

/** Wide, middle or phone, by the width of the window. */
export function widthName() {
  return innerWidth <= 700 ? "phone" : innerWidth <= 1240 ? "middle" : "wide";
}

export class Table {
  /** @param {HTMLElement} root @param {string} id @param {number | null} step a moment to look at, from a shared link */
  constructor(root, id, step) {
    this.root = root;
    this.id = id;
    this.wanted = step;
    this.online = true;
    this.logAll = true;
    this.listOpen = false;
    /** @type {Set<string>} */
    this.openGroups = new Set();
    this.tab = "board";
    this.sheet = "half";
    this.rightTab = "options";
    /** @type {Position | null} */
    this.live = null;
    /** @type {Position | null} */
    this.shown = null;
    /** @type {import("./context.js").Choice} */
    this.choice = { ...NOTHING };
    /** @type {{id: string, name: string, reasons: any[]} | null} */
    this.why = null;
    /** @type {any} */
    this.fault = null;
    /** @type {any[]} */
    this.findings = [];
    /** @type {number | null} */
    this.curtain = null;
    this.sending = false; // a choice or an undo is under way: nothing else is sent until it is answered
    this.zoom = 1;
    this.boardOf = /** @type {number | null} */ (null); // the seat whose own board the reader looks at
    this.seen = nothingSeen(); // of large boards
    this.drawn = 0;
    this.parts = skeleton(root, this);
    this.token = seatsAt(id)[0]?.token ?? null;
    this.connect();
  }

  connect() {
    this.line?.close();
    this.line = new Live(this.id, this.token, language(), { message: (message, first) => this.receive(message, first), line: (up) => this.setOnline(up) });
  }

  close() {
    this.line?.close();
    hideTip();
  }

  /** @param {any} message @param {boolean} first of this connection */
  receive(message, first) {
    if (message.type === "position") {
      if (first || !this.isOld(message)) this.show(readPosition(message));
    }
    else if (message.type === "fault") this.setFault(message);
    else if (message.type === "findings") this.setFindings(message);
    else if (message.type === "gone") this.setFault({ words: t("table.gone") });
    else if (message.type === "error" || message.error) toast(message.error?.words ?? message.words ?? t("error.unknown"));
  }

  /** Whether a position was overtaken on its way: an answer and the live connection are two roads. @param {Position} position */
  isOld(position) {
    return this.live !== null && position.me === this.live.me && position.number < this.live.number;
  }

  /** Nothing chosen yet. @returns {import("./context.js").Choice} */
  untouched() {
    return { ...NOTHING, busy: this.sending };
  }

  /** @param {any} fault */
  setFault(fault) {
    this.fault = fault;
    this.draw();
  }

  /** @param {any} message */
  setFindings(message) {
    this.findings = message.findings ?? [];
    this.watchWords = message.replay?.words ?? null;
    this.draw();
  }

  /** @param {boolean} up */
  setOnline(up) {
    if (this.online === up) return;
    this.online = up;
    if (this.shown) this.draw();
    announce(t(up ? "line.saved" : "line.off"));
  }

  /** A new position of the live game. While an earlier moment is shown, it waits. @param {Position} position */
  show(position) {
    const before = this.live;
    this.live = position;
    this.fault = position.fault ?? null;
    if (this.changeSeat(position)) return;
    if (this.wanted !== null) {
      const step = this.wanted;
      this.wanted = null;
      this.shown = position;
      this.goTo(step);
      return;
    }
    if (this.shown && !this.shown.live && before) {
      this.draw();
      return;
    }
    const same = before !== null && before.number === position.number;
    if (!same) {
      this.choice = this.untouched();
      this.boardOf = null; // what can be chosen next is marked on one's own board
      this.tab = tabFor(contextOf(position, this.choice, widthName()), this.tab);
    }
    this.why = same ? this.why : null;
    this.listOpen = same && this.listOpen;
    this.swap(position);
    this.tell(position, before);
  }

  /** Several seats in one browser: the one that decides is shown, behind a curtain if hands are secret. @param {Position} position */
  changeSeat(position) {
    const held = seatsAt(this.id);
    const decides = position.scene.status.decides;
    const other = held.find((one) => one.seat === decides);
    if (held.length < 2 || !other || decides === position.me || position.over) return false;
    const secret = position.scene.places.some((place) => place.owner !== null && ["secret", "open_to_others"].includes(place.visibility));
    if (secret) this.curtain = other.seat;
    this.token = other.token;
    this.live = null;
    this.choice = { ...NOTHING, busy: true }; // what is still shown is over; nothing can be chosen until the other seat's view is here
    this.connect();
    this.draw();
    return true;
  }

  liftCurtain() {
    this.curtain = null;
    this.draw();
  }

  /** @param {Position} position */
  swap(position) {
    const before = this.parts.table.isConnected ? travel.before(this.parts.table) : null;
    this.shown = position;
    this.draw();
    if (before) travel.after(this.parts.table, before, position.scene);
  }

  /** Says what is new to those who listen. @param {Position} position @param {Position | null} before */
  tell(position, before) {
    const ctx = this.context();
    if (!ctx) return;
    setTitle(position, ctx.mine, question(ctx));
    const known = before?.scene.log.length ?? position.scene.log.length;
    const lines = position.scene.log.slice(known).filter((line) => line.seat !== position.me || line.level > 0).slice(-4).map((line) => `${line.seat === null ? "" : `${ctx.seats.get(line.seat)?.name}: `}${line.text}`);
    const words = ctx.mine ? [...lines, `${question(ctx)} ${t("options.n", { n: ctx.options.length })}`] : [...lines, question(ctx)];
    announce(words.join(". "));
  }

  /** @returns {Context | null} */
  context() {
    return this.shown ? { ...contextOf(this.shown, this.choice, widthName()), board: this.boardOf, seen: this.seen } : null;
  }

  draw() {
    const began = performance.now();
    const ctx = this.context();
    keepFocus(this.root, () => drawTable(this, ctx));
    this.drawn = performance.now() - began;
    performance.measure("draw", { start: began, end: began + this.drawn });
  }

  // Choosing ---------------------------------------------------------------------------------------------------------------

  /** A click on a thing: keep its options, take the one that is left, or say why not. @param {string[]} touched ids, innermost first */
  touch(touched) {
    const ctx = this.context();
    const ids = touched.map((id) => ctx?.standIn.get(id) ?? id);
    if (!ctx || ctx.busy || !ctx.scene || !this.shown?.live) return;
    this.hideWhy();
    if (!ctx.mine) return;
    const marked = ids.find((id) => ctx.marks.has(id));
    if (marked !== undefined) {
      const options = ctx.marks.get(marked)?.options ?? [];
      if (ctx.sure && options.length === 1 && options[0] === ctx.sure && ctx.left.length === 1 && (!ctx.compact || this.choice.chosen.length)) this.take(ctx.sure);
      else this.choose(marked);
      return;
    }
    const chosen = ids.find((id) => this.choice.chosen.includes(id));
    if (chosen !== undefined) {
      if (ctx.left.length === 1 && ctx.sure) this.take(ctx.sure);
      else this.unchoose(chosen);
    } else if (ids.length) this.askWhy(ids);
  }

  /** @param {string} id */
  choose(id) {
    this.choice = { ...this.choice, chosen: [...this.choice.chosen, id], whyId: null, cursor: null };
    this.draw();
    const ctx = this.context();
    if (ctx) announce(ctx.sure ? t("one.left", { label: ctx.sure.label }) : t("options.of", { left: ctx.left.length, n: ctx.options.length }));
  }

  /** @param {string} id */
  unchoose(id) {
    this.choice = { ...this.choice, chosen: this.choice.chosen.filter((one) => one !== id), sure: null };
    this.draw();
  }

  clear() {
    this.choice = { ...this.untouched(), hint: this.choice.hint };
    this.hideWhy();
    this.draw();
  }

  /** @param {Option} option */
  select(option) {
    this.choice = { ...this.choice, sure: option.index };
    this.draw();
  }

  /** @param {string} text */
  setFilter(text) {
    this.choice = { ...this.choice, filter: text, sure: null };
    this.draw();
  }

  openList() {
    this.listOpen = true;
    this.draw();
  }

  /** @param {string} name @param {boolean} open */
  keepGroup(name, open) {
    if (open) this.openGroups.add(name);
    else this.openGroups.delete(name);
  }

  /** Shows on the table what an option touches and would change. @param {number | null} index */
  light(index) {
    const ctx = this.context();
    if (!ctx) return;
    lighten(this.parts.table, ctx, ctx.left.find((option) => option.index === index) ?? null);
  }

  /** @param {Option} option */
  async take(option) {
    if (this.choice.busy || !this.live || !this.online) return;
    await this.send("choose", { position: this.live.number, option: option.index, code: option.code });
  }

  async undo() {
    if (!this.live || this.live.undo?.to === null || this.live.undo?.to === undefined) {
      if (this.live?.undo?.why) toast(this.live.undo.why);
      return;
    }
    if (!this.sending) await this.send("undo", { position: this.live.number });
  }

  /** Takes back the last picks of a set. @param {number} picks */
  async takeBack(picks) {
    if (this.live && !this.sending) await this.send("undo", { position: this.live.number, to: this.live.step - picks });
  }

  /** @param {string} what @param {any} body */
  async send(what, body) {
    const token = this.token;
    this.sending = true;
    this.choice = { ...this.choice, busy: true };
    this.draw();
    try {
      const answer = await call(`tables/${this.id}/${what}`, { token, body });
      this.answered();
      if (answer?.type !== "position") this.draw();
      else if (token === this.token && !this.isOld(answer)) this.show(readPosition(answer));
      else this.draw();
    } catch (error) {
      this.answered();
      // Somebody else was quicker: nothing has happened, and the position that came of it is on its way.
      if (error instanceof ApiError && error.status === 409 && error.body?.error?.code === "stale") this.draw();
      else this.refused(error);
    }
  }

  answered() {
    this.sending = false;
    this.choice = { ...this.choice, busy: this.live === null }; // the screen may be on its way to another seat
  }

  /** @param {unknown} error */
  refused(error) {
    this.draw();
    toast(error instanceof ApiError ? error.message : t("error.unknown"));
  }

  // Understanding ----------------------------------------------------------------------------------------------------------

  /** @param {string[]} ids innermost first */
  async askWhy(ids) {
    if (!this.live || !this.shown?.live) return;
    const ctx = this.context();
    if (!ctx) return;
    const known = ids.find((id) => ctx.scene.refused?.by_reason.some((group) => group.things.some((thing) => thing.id === id)));
    const id = known ?? ids[0];
    if (known) return this.showWhy(id, (ctx.scene.refused?.by_reason ?? []).filter((group) => group.things.some((thing) => thing.id === id)));
    try {
      const answer = await call(`tables/${this.id}/why`, { token: this.token, body: { position: this.live.number, target: { kind: kindOf(ctx, id), id, name: nameOf(ctx, id) } } });
      if (answer.kind !== "stale") this.showWhy(id, answer.reasons ?? []);
    } catch (error) {
      this.showWhy(id, []);
    }
  }

  /** @param {string} id @param {any[]} reasons */
  showWhy(id, reasons) {
    this.choice = { ...this.choice, whyId: id };
    this.why = { id, name: "", reasons };
    this.draw();
    const first = reasons[0]?.reason ?? t("why.notoffered");
    announce(first);
  }

  hideWhy() {
    if (!this.why) return;
    this.why = null;
    this.choice = { ...this.choice, whyId: null };
    this.draw();
  }

  async hint() {
    if (!this.live || this.choice.busy) return;
    const { number } = this.live;
    this.choice = { ...this.choice, busy: true };
    this.draw();
    try {
      const hint = await call(`tables/${this.id}/hint`, { token: this.token, body: { position: number } });
      if (this.live?.number !== number) return;
      this.choice = { ...this.choice, busy: this.sending, hint };
      this.draw();
      announce(hint.sentence ?? "");
    } catch (error) {
      if (this.live?.number !== number) return;
      this.choice = { ...this.choice, busy: this.sending };
      this.refused(error);
    }
  }

  /** @param {string} id */
  clauseWords(id) {
    return this.shown?.scene.clauses[id]?.summary ?? id;
  }

  openWhy() {
    openWhyPanel(this);
  }

  /** @param {string} [id] */
  openRules(id) {
    openRulesPanel(this, id ?? null);
  }

  openScores() {
    openScorePanel(this);
  }

  openMenu() {
    openMenu(this);
  }

  openKeys() {
    openKeys();
  }

  /** @param {boolean} everything */
  showLog(everything) {
    this.logAll = everything;
    this.draw();
  }

  /** @param {string} tab */
  showTab(tab) {
    this.tab = tab;
    this.draw();
  }

  /** @param {string} stop one of `sheet.js` */
  showSheet(stop) {
    this.sheet = stop;
    this.draw();
  }

  /** @param {string} tab */
  showRight(tab) {
    this.rightTab = tab;
    this.draw();
  }

  // Looking back -----------------------------------------------------------------------------------------------------------

  /** @param {number} step */
  slide(step) {
    clearTimeout(this.sliding);
    this.sliding = setTimeout(() => this.goTo(step), 60);
  }

  /** The position after so many choices, as this seat saw it. @param {number} step */
  async goTo(step) {
    if (!this.live) return;
    if (step >= this.live.steps) return this.backToLive();
    try {
      const position = readPosition(await call(`tables/${this.id}/history`, { token: this.token, query: { step: Math.max(0, step) } }));
      position.live = false;
      this.choice = this.untouched();
      this.swap(position);
    } catch (error) {
      this.refused(error);
    }
  }

  backToLive() {
    if (!this.live) return;
    this.choice = this.untouched();
    this.swap(this.live);
  }

  /** Plays what happened since my last decision, step by step. */
  async whatHappened() {
    const news = this.live?.scene.log.filter((line) => line.new && line.level === 0).length ?? 0;
    if (!this.live || !news) return;
    for (let step = this.live.steps - news; step < this.live.steps; step += 1) {
      await this.goTo(step);
      await new Promise((done) => setTimeout(done, 700));
    }
    this.backToLive();
  }
}
