/** Pinch to zoom the board, drag to pan it, double tap to fit: the scroll box of the board does the panning. */

/** @typedef {import("./table.js").Table} Table */

/** @param {HTMLElement} board @param {Table} table */
export function wireZoom(board, table) {
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  let start = 0;
  let from = 1;
  let tapped = 0;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  const set = (/** @type {number} */ zoom) => {
    table.zoom = Math.max(1, Math.min(4, zoom));
    board.style.setProperty("--zoom", String(table.zoom));
    board.classList.toggle("zoomed", table.zoom > 1.01);
  };
  board.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) {
      start = spread();
      from = table.zoom;
    }
    const again = event.timeStamp - tapped < 280 && fingers.size === 1;
    tapped = event.timeStamp;
    if (again) set(1);
  });
  board.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2 && start) set((from * spread()) / start);
  });
  for (const name of ["pointerup", "pointercancel"]) board.addEventListener(name, (event) => fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
  board.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    set(table.zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
  }, { passive: false });
}
