/**
 * The page's own words, in the language that the reader chose. A text is looked up by key; `{name}` in it is replaced, and
 * an entry with `one` and `other` is chosen by `n` with the plural rules of the language.
 */

/** @typedef {string | {one: string, other: string}} Entry */

export const LANGUAGES = ["en", "fr"];

/** @type {Record<string, Entry>} */
let entries = {};
let current = "en";
let plural = new Intl.PluralRules("en");

/** The language to begin with: the one kept, else the first of the browser's that the page has. */
export function preferredLanguage() {
  const kept = localStorage.getItem("language");
  if (kept && LANGUAGES.includes(kept)) return kept;
  const asked = navigator.languages.map((name) => name.slice(0, 2));
  return asked.find((name) => LANGUAGES.includes(name)) ?? "en";
}

/** @param {string} language */
export async function loadWords(language) {
  const answer = await fetch(`/page/words/${language}.json`);
  entries = await answer.json();
  current = language;
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

export function language() {
  return current;
}

/** @param {string} key @param {Record<string, string | number>} [values] */
export function t(key, values = {}) {
  const entry = entries[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : entry[plural.select(Number(values.n)) === "one" ? "one" : "other"];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
