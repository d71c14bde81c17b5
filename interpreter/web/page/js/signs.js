/**
 * Signs of seats and simple symbols, drawn as paths. A seat has a colour and a shape, and the shape is cut into everything
 * that belongs to it, so colour is never the only mark.
 */

import { classes, s } from "./dom.js";
import { inkOn } from "./look.js";

/** Shapes on a field of 20 by 20. @type {Record<string, string>} */
const SHAPES = {
  circle: "M10 5.2a4.8 4.8 0 1 0 .01 0z",
  diamond: "M10 3.8 16.2 10 10 16.2 3.8 10z",
  triangle: "M10 4.2 16 15H4z",
  square: "M5.4 5.4h9.2v9.2H5.4z",
  cross: "M8 4h4v4h4v4h-4v4H8v-4H4V8h4z",
  ring: "M10 4.4a5.6 5.6 0 1 0 .01 0zm0 3a2.6 2.6 0 1 1-.01 0z",
};
export const SIGN_ORDER = Object.keys(SHAPES);

/** @param {string} sign @param {number} x @param {number} y @param {number} size @param {string} colour */
export function signShape(sign, x, y, size, colour) {
  const k = size / 20;
  return s("path", { d: SHAPES[sign] ?? SHAPES.circle, fill: colour, "fill-rule": "evenodd", transform: `translate(${x - size / 2} ${y - size / 2}) scale(${k})` });
}

/** The sign of a seat as a small square. @param {{colour: string, sign: string} | undefined} seat @param {string} [size] */
export function seatSign(seat, size = "") {
  const colour = seat?.colour ?? "#777777";
  return s(
    "svg",
    { class: classes(`sign ${size}`), viewBox: "0 0 20 20", "aria-hidden": "true" },
    s("rect", { width: 20, height: 20, rx: 5, fill: colour }),
    signShape(seat?.sign ?? "circle", 10, 10, 20, inkOn(colour)),
  );
}

/** Symbols on a field of 16 by 16. @type {Record<string, string>} */
const SYMBOLS = {
  bolt: "M9 1 3 9h4l-1 6 7-9H8.5z",
  horn: "M1 6v4h2.5l1 4h2L5.6 10 12 13V3L5 6zM13 5.5v5a2.6 2.6 0 0 0 0-5z",
  ladder: "M4 1h1.6v3h4.8V1H12v14h-1.6v-3H5.6v3H4zm1.6 4.6v2h4.8v-2zm0 3.6v1.4h4.8V9.2z",
  flag: "M3 1h1.6v1H13l-2 3.2L13 8.5H4.6V15H3z",
  star: "m8 1 2.1 4.6 5 .6-3.7 3.4 1 5L8 12.1l-4.4 2.5 1-5L.9 6.2l5-.6z",
  heart: "M8 14 2 8a3.7 3.7 0 0 1 6-4.4A3.7 3.7 0 0 1 14 8z",
  coin: "M8 1.5a6.5 6.5 0 1 0 .01 0zm0 2.6a3.9 3.9 0 1 1-.01 0z",
  cube: "m8 1 6 3v8l-6 3-6-3V4zm0 1.8L4.4 4.6 8 6.4l3.6-1.8z",
  person: "M8 1.5a2.7 2.7 0 1 1-.01 0zM3.5 15c0-4 1.5-7 4.5-7s4.5 3 4.5 7z",
  leaf: "M14 2C6 2 2 6 2 13l1.5 1C4 10 6 7 10 6c-3 2-4 4-4.6 6.6C11 13 14 9 14 2z",
  flower: "M8.00 1.00a2.7 2.7 0 1 0 .01 0zM12.09 3.97a2.7 2.7 0 1 0 .01 0zM10.53 8.78a2.7 2.7 0 1 0 .01 0zM5.47 8.78a2.7 2.7 0 1 0 .01 0zM3.91 3.97a2.7 2.7 0 1 0 .01 0zM8 6.2a1.8 1.8 0 1 0 .01 0z",
  grass: "M2 14C3 9 2.500 6 1 4c3 2 4 6 3.600 10zM6.500 14c0-5 .5-8 1.500-12 1 4 1.500 7 1.500 12zM11.400 14C11 10 12 6 15 4c-1.500 2-2 5-1 10z",
  mountain: "m1 13 5-9 2.500 4.500L10 6l5 7z",
  sand: "M3 11a1.200 1.200 0 1 0 .01 0zM7.500 12a1.200 1.200 0 1 0 .01 0zM12.500 10.500a1.200 1.200 0 1 0 .01 0zM5.500 7a1.200 1.200 0 1 0 .01 0zM10 7.500a1.200 1.200 0 1 0 .01 0zM8 3.500a1.200 1.200 0 1 0 .01 0z",
  water: "M8 1c3 4 5 6.500 5 9a5 5 0 0 1-10 0c0-2.500 2-5 5-9z",
  crown: "m2 13-1-9 4 3 3-5 3 5 4-3-1 9z",
  card: "M4 1h8a1.500 1.500 0 0 1 1.500 1.500v11A1.500 1.500 0 0 1 12 15H4a1.500 1.500 0 0 1-1.500-1.500v-11A1.500 1.500 0 0 1 4 1zm.3 1.800v10.400h7.400V2.800z",
  die: "M3.500 1.500h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2zM5 3.800A1.200 1.200 0 1 0 5.010 3.800zM8 6.800a1.200 1.200 0 1 0 .01 0zM11 9.800a1.200 1.200 0 1 0 .01 0z",
  hand: "M4 15 1.500 9.500 3 8.600l1.500 2V3h1.700v5h.6V1.500h1.700V8h.6V2.500h1.700V8.500h.6V4.500H13V11l-1.500 4z",
  bag: "M6 1h4l-1 3c3 1.500 5 4.500 5 7.500C14 14 12 15 8 15s-6-1-6-3.500C2 8.500 4 5.500 7 4z",
  clock: "M8 1.500a6.500 6.500 0 1 0 .01 0zm0 1.700a4.800 4.800 0 1 1-.01 0zM7.300 4.500h1.400v3.200l2.200 1.300-.7 1.200-2.900-1.700z",
  house: "m8 1.500 7 6h-2V15H9.500v-4h-3v4H3V7.500H1z",
  tree: "M8 1 3.500 6.500H6L2.500 11H7v4h2v-4h4.500L10 6.500h2.500z",
  shield: "m8 1 6 2v5c0 3.500-2.500 6-6 7-3.500-1-6-3.500-6-7V3z",
  skull: "M8 1a6 6 0 0 0-6 6c0 2 1 3.500 2.500 4.500V15h7v-3.500C13 10.500 14 9 14 7a6 6 0 0 0-6-6zM5.500 6a1.600 1.600 0 1 1-.01 0zm5 0a1.600 1.600 0 1 1-.01 0z",
  dot: "M8 4a4 4 0 1 0 .01 0z",
  club: "M8 1.200a3 3 0 0 1 2.600 4.500 3 3 0 1 1-1.700 5.100L9.800 15H6.200l.9-4.200a3 3 0 1 1-1.700-5.100A3 3 0 0 1 8 1.200z",
  diamond: "M8 1 13 8 8 15 3 8z",
  spade: "M8 1c2 3 6 5 6 8a2.800 2.800 0 0 1-5.100 1.600L9.800 15H6.200l.9-4.400A2.800 2.800 0 0 1 2 9c0-3 4-5 6-8z",
  lock: "M8 1a3.500 3.500 0 0 0-3.500 3.500V7H3v8h10V7h-1.500V4.500A3.500 3.500 0 0 0 8 1zm0 1.800c1 0 1.700.7 1.700 1.700V7H6.300V4.500c0-1 .7-1.700 1.700-1.700z",
  search: "M6.500 1.500a5 5 0 1 0 3 9l4 4 1.200-1.200-4-4a5 5 0 0 0-4.200-7.800zm0 1.700a3.300 3.300 0 1 1 0 6.600 3.300 3.300 0 0 1 0-6.600z",
  undo: "M6.500 3 2 7l4.500 4V8.300h3.200a2.200 2.200 0 0 1 0 4.400H7v1.800h2.700a4 4 0 0 0 0-8H6.500z",
  bulb: "M8 1a4.800 4.800 0 0 0-2.600 8.800V12h5.200V9.800A4.800 4.800 0 0 0 8 1zM5.800 13h4.400v1H5.800zm.7 1.600h3v.9h-3z",
  book: "M1 3h6v11H1zm8 0h6v11H9zM2.600 4.600v7.800h2.800V4.600zm8 0v7.800h2.800V4.600z",
  menu: "M2 3.500h12v1.700H2zm0 3.700h12v1.700H2zm0 3.700h12v1.700H2z",
  eye: "M8 3C4.500 3 2 5.500 1 8c1 2.500 3.500 5 7 5s6-2.500 7-5c-1-2.500-3.500-5-7-5zm0 2.200a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600z",
  first: "M2 2h2v12H2zm12 0v12L5 8z",
  back: "M12 2v12L3 8z",
  next: "M4 2v12l9-6z",
  last: "M12 2h2v12h-2zM2 2l9 6-9 6z",
  link: "M6.300 10.700 5 9.400l4.400-4.400 1.300 1.300zM2.500 10.200a2.700 2.700 0 0 1 0-3.800l2-2 1.200 1.200-2 2a1 1 0 0 0 1.400 1.400l2-2L8.300 8.200l-2 2a2.700 2.700 0 0 1-3.800 0zm11-4.400a2.700 2.700 0 0 1 0 3.800l-2 2-1.200-1.200 2-2a1 1 0 0 0-1.400-1.400l-2 2-1.200-1.200 2-2a2.700 2.700 0 0 1 3.800 0z",
  check: "m2 8.500 2-2 3 3 5.500-6.500 2 1.800L7 14z",
  cross: "M3 4.500 4.500 3 8 6.500 11.500 3 13 4.500 9.500 8l3.500 3.500-1.500 1.500L8 9.500 4.500 13 3 11.500 6.500 8z",
};

/** @param {string} name */
export function hasSymbol(name) {
  return name in SYMBOLS;
}

/** A symbol as inline picture. @param {string | null | undefined} name */
export function symbol(name) {
  if (!name || !(name in SYMBOLS)) return null;
  return s("svg", { class: "symbol", viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: SYMBOLS[name], "fill-rule": "evenodd" }));
}

/** A symbol inside a larger drawing. @param {string} name @param {number} x @param {number} y @param {number} size @param {string} [cls] @param {string | null} [fill] */
export function symbolAt(name, x, y, size, cls = "mapsymbol", fill = null) {
  const k = size / 16;
  return s("path", { d: SYMBOLS[name] ?? SYMBOLS.dot, class: fill ? "" : cls, fill, "fill-rule": "evenodd", transform: `translate(${x - size / 2} ${y - size / 2}) scale(${k})` });
}
