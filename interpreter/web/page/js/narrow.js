/**
 * Which options are left, and what on the table stands for them. Pure functions over a decision; nothing here draws.
 *
 * An option lists the ids that it touches. A click on a thing keeps the options that touch it; typed text keeps the options
 * whose label has it. A thing that every remaining option touches tells nothing more: it is context, not a mark.
 */

const RESERVED = new Set(["u", "h", "l", "d", "r", "s", "m"]);
const KEYS = [..."123456789", ..."abcdefghijklmnopqrstuvwxyz"].filter((key) => !RESERVED.has(key));

/** Kinds of options that are buttons beside the prompt, never lines of the list. */
const BUTTONS = new Set(["pass", "enough"]);

/** @param {Decision | null} decision @returns {Option[]} */
export function listed(decision) {
  const beside = buttons(decision);
  return (decision?.options ?? []).filter((option) => !beside.includes(option) && option.kind !== "free");
}

/** @param {Decision | null} decision @param {string} kind @returns {Option[]} */
export function ofKind(decision, kind) {
  return (decision?.options ?? []).filter((option) => option.kind === kind);
}

/** @param {Decision | null} decision @returns {Option[]} */
export function buttons(decision) {
  const options = decision?.options ?? [];
  const last = options[options.length - 1];
  // A last line that names nothing, after lines that all name something, is the rules' own way to say "done".
  const isDone = options.length > 1 && isBare(last) && options.slice(0, -1).every((option) => !isBare(option));
  return options.filter((option) => BUTTONS.has(option.kind) || (isDone && option === last && option.kind === "option"));
}

/** @param {Option} option */
function isBare(option) {
  return option.values.length === 0 && option.touches.length === 0;
}

/** Letters without accents, lower case. @param {string} text */
export function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * @param {Option[]} options @param {string[]} chosen ids that were clicked @param {string} filter typed text
 */
export function narrow(options, chosen, filter) {
  const words = plain(filter).split(/\s+/).filter(Boolean);
  let left = options.filter((option) => words.every((word) => plain(option.label).includes(word)));
  for (const [at, id] of chosen.entries()) left = withThing(left, id, chosen.slice(0, at));
  return left;
}

/**
 * The options that a click on a thing keeps: those that it leads; if it leads none, those that touch it at all. A house that
 * is sown from stands for that choice alone, also when other choices would drop a seed into it.
 * @param {Option[]} options @param {string} id @param {string[]} before
 */
function withThing(options, id, before) {
  const leads = options.filter((option) => option.touches.find((one) => !before.includes(one)) === id);
  return leads.length ? leads : options.filter((option) => option.touches.includes(id));
}

/**
 * The keys of the options that are left: 1 to 9, then letters without those that have a meaning of their own.
 * @param {Option[]} options @returns {Map<number, string>}
 */
export function keysOf(options) {
  return new Map(options.slice(0, KEYS.length).map((option, at) => [option.index, KEYS[at]]));
}

/**
 * @typedef {{options: Option[], first: boolean}} Mark
 * What each id stands for: the options that a click on it would keep, and whether it leads them.
 * @param {Option[]} options @param {string[]} chosen @returns {{marks: Map<string, Mark>, context: Set<string>}}
 */
export function marksOf(options, chosen) {
  /** @type {Map<string, Mark>} */
  const marks = new Map();
  for (const option of options) {
    const open = option.touches.filter((id) => !chosen.includes(id));
    for (const id of open) {
      const mark = marks.get(id) ?? { options: [], first: false };
      if (!mark.options.includes(option)) mark.options.push(option);
      marks.set(id, mark);
    }
  }
  const shared = splitContext(marks, options, chosen);
  setLeads(marks, options, chosen);
  return { marks, context: shared };
}

/** @param {Map<string, Mark>} marks @param {Option[]} options @param {string[]} chosen */
function splitContext(marks, options, chosen) {
  const context = new Set(chosen);
  if (options.length < 2) return context;
  const shared = [...marks].filter(([, mark]) => mark.options.length === options.length).map(([id]) => id);
  if (shared.length === marks.size) return context;
  for (const id of shared) {
    marks.delete(id);
    // What no option names, and all of them would change in the same way (the worker that goes), is no context.
    if (options[0].values.some((value) => value.id === id)) context.add(id);
  }
  return context;
}

/** The first thing of an option that tells it apart leads it. @param {Map<string, Mark>} marks @param {Option[]} options @param {string[]} chosen */
function setLeads(marks, options, chosen) {
  /** @type {Map<string, Option[]>} */
  const leads = new Map();
  for (const option of options) {
    const lead = option.touches.find((id) => marks.has(id) && !chosen.includes(id));
    if (lead !== undefined) leads.set(lead, [...(leads.get(lead) ?? []), option]);
  }
  for (const [id, led] of leads) marks.set(id, { options: led, first: true });
}

/**
 * Lists of more than twelve are grouped by what the scene says, else by the first value.
 * @param {Option[]} options @returns {{name: string | null, options: Option[]}[]}
 */
export function groups(options) {
  if (options.length <= 12) return [{ name: null, options }];
  /** @type {Map<string, Option[]>} */
  const found = new Map();
  for (const option of options) {
    const name = option.group ?? option.values[0]?.name ?? "";
    found.set(name, [...(found.get(name) ?? []), option]);
  }
  if (found.size < 2 || found.size > options.length * 0.7) return [{ name: null, options }];
  return [...found].map(([name, members]) => ({ name, options: members }));
}
