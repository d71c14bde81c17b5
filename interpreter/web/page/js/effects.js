/**
 * Effects with signs for words, where a card is small: "1 x megaphone, 2 VP" becomes "1", a horn, "2", a star. A word stands for
 * a counter if it begins like its name; the words themselves stay in the tip of the card.
 */

import { h } from "./dom.js";
import { symbol } from "./signs.js";

/** @typedef {import("./context.js").Context} Context */

const ALIKE = 4; // letters

/** @param {Context} ctx @param {string} line @returns {(Node | string)[]} */
export function withSigns(ctx, line) {
  const signs = signsOf(ctx);
  const parts = line.split(/, ?/).map((part) => {
    const found = /^([+−-]?\d+) (?:x |× )?([\p{L}.]+)$/u.exec(part.trim());
    const sign = found ? signs.find(([name]) => isAlike(name, found[2].toLowerCase()))?.[1] : undefined;
    return found && sign ? h("span", { class: "gain" }, found[1], symbol(sign)) : part;
  });
  return parts.flatMap((part, at) => (at && typeof part === "string" && typeof parts[at - 1] === "string" ? [", ", part] : at ? [" ", part] : [part]));
}

/** Names of counters with their signs. @param {Context} ctx @returns {[string, string][]} */
function signsOf(ctx) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const counter of ctx.scene.counters) for (const name of [counter.name, counter.declared ?? ""]) if (counter.symbol && name) found.set(name.toLowerCase(), counter.symbol);
  return [...found];
}

/** @param {string} name @param {string} word */
function isAlike(name, word) {
  return word.length < ALIKE ? name === word : name.slice(0, ALIKE) === word.slice(0, ALIKE);
}
