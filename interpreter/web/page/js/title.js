/** Title and icon of the tab: they change when it is my turn, so that a table in the background calls. */

import { t } from "./words.js";

/** @param {Position | null} position @param {boolean} mine @param {string} words */
export function setTitle(position, mine, words) {
  const icon = document.getElementById("favicon");
  if (icon instanceof HTMLLinkElement) icon.href = mine ? "/page/favicon-turn.svg" : "/page/favicon.svg";
  if (!position) document.title = "Rulewright";
  else document.title = mine ? `● ${t("your.turn")}: ${words} · ${position.title}` : `${position.title} · Rulewright`;
}
