/** Colours worked out from data: which ink stands on a tint, and softer tints of it. Pure functions on #rrggbb. */

/** @param {string} colour @returns {[number, number, number]} */
function parts(colour) {
  const full = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour);
  if (!full) return [120, 120, 120];
  return [parseInt(full[1], 16), parseInt(full[2], 16), parseInt(full[3], 16)];
}

/** Relative luminance as WCAG defines it. @param {string} colour */
export function luminance(colour) {
  const [r, g, b] = parts(colour).map((part) => {
    const value = part / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white, whichever reads better on the colour. @param {string | null | undefined} colour */
export function inkOn(colour) {
  if (!colour) return "#1d1b17";
  return luminance(colour) > 0.22 ? "#1d1b17" : "#ffffff";
}

/** A darker edge for a colour that touches the board; that of a black piece is light where the board is dark. @param {string} colour */
export function edgeOf(colour) {
  if (luminance(colour) < 0.06) return "var(--black-edge)";
  const factor = luminance(colour) > 0.35 ? 0.66 : 0.8;
  return `#${parts(colour).map((part) => Math.round(part * factor).toString(16).padStart(2, "0")).join("")}`;
}
