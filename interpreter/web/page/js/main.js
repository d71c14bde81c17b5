/** Starts the page: words, colours, then the lobby or the table that the address names. */

import { call } from "./api.js";
import { must } from "./dom.js";
import { loadingSkeleton } from "./draw.js";
import { keyHandler } from "./keys.js";
import { Lobby } from "./lobby.js";
import { closePanels, toast } from "./panels.js";
import { fragment, keepSeat, readFragment } from "./seats.js";
import { applyTheme } from "./settings.js";
import { Table, widthName } from "./table.js";
import { loadWords, preferredLanguage } from "./words.js";

/** @type {Table | null} */
let table = null;
/** @type {Lobby | null} */
let lobby = null;

/** A link to a friend carries the seat in its fragment: keep it, and take it out of the address bar. */
async function takeSeat() {
  const { table: id, seat, step } = readFragment();
  if (!id || !seat) return;
  history.replaceState(null, "", fragment(step === null ? { t: id } : { t: id, step }));
  try {
    const position = await call(`tables/${id}`, { token: seat });
    keepSeat(id, position.me ?? 0, seat);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

async function open() {
  closePanels();
  table?.close();
  lobby?.close();
  table = null;
  lobby = null;
  const root = must(document, "#page");
  await takeSeat();
  const { table: id, step } = readFragment();
  if (id) {
    const bones = setTimeout(() => loadingSkeleton(root), 200);
    root.replaceChildren();
    table = new Table(root, id, step);
    clearTimeout(bones);
  } else lobby = new Lobby(root);
  Object.assign(globalThis, { rulewright: { table, lobby } });
}

async function start() {
  applyTheme();
  await loadWords(preferredLanguage());
  await open();
  addEventListener("hashchange", open);
  addEventListener("keydown", keyHandler(() => table));
  let width = widthName();
  let waiting = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      if (widthName() !== width) width = widthName();
      table?.draw();
    });
  });
  addEventListener("languagechosen", async (event) => {
    await loadWords(/** @type {CustomEvent} */ (event).detail);
    await open();
  });
}

start();
