/**
 * Elements made by hand. Two small functions build everything on the page; both set text as text and styles through the
 * style object, so that no label of a ruleset is ever read as markup and the content policy can forbid inline style and script.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, any>} Props
 */

/**
 * An HTML element. Props: `class`, `data` (dataset), `style` (custom properties and styles), `on` (listeners); anything
 * else is an attribute. Attributes that are null, undefined or false are left out, `true` is the empty attribute.
 * @param {string} tag @param {Props | null} [props] @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  apply(element, props ?? {});
  append(element, children);
  return element;
}

/**
 * An SVG element, with the same props.
 * @param {string} tag @param {Props | null} [props] @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, props, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  apply(element, props ?? {});
  append(element, children);
  return element;
}

/** @param {HTMLElement | SVGElement} element @param {Props} props */
function apply(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "data") Object.assign(element.dataset, defined(value));
    else if (name === "style") for (const [key, part] of Object.entries(defined(value))) element.style.setProperty(key, String(part));
    else if (name === "on") for (const [event, call] of Object.entries(value)) element.addEventListener(event, call);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Record<string, any>} value */
function defined(value) {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null && part !== undefined && part !== false));
}

/** @param {Element} element @param {(Child | Child[])[]} children */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * A class attribute from names and conditions: `classes("card", {may: true})`.
 * @param {string} fixed @param {Record<string, any>} [conditions]
 */
export function classes(fixed, conditions = {}) {
  const names = Object.entries(conditions).filter(([, holds]) => holds).map(([name]) => name);
  return [fixed, ...names].filter(Boolean).join(" ");
}

/** @param {ParentNode} parent @param {string} selector @returns {HTMLElement} */
export function must(parent, selector) {
  const found = parent.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`the page lacks ${selector}`);
  return found;
}
