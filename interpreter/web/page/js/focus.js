/** Keeps the keyboard where it was while the page is drawn anew: elements that can hold the focus carry a name. */

/** @param {HTMLElement} root @param {() => void} draw */
export function keepFocus(root, draw) {
  const active = document.activeElement;
  const name = active instanceof HTMLElement && root.contains(active) ? active.dataset.focus : undefined;
  const caret = active instanceof HTMLInputElement && active.type === "search" ? active.selectionStart : null;
  const scrolls = [...root.querySelectorAll(".optionlist, .left, .board, .tray, .sheet")].map((element) => /** @type {[Element, number, number]} */ ([element, element.scrollTop, element.scrollLeft]));
  const classesOf = scrolls.map(([element]) => element.className.split(" ")[0]);
  draw();
  for (const [at, [, top, left]] of scrolls.entries()) {
    const again = root.querySelector(`.${classesOf[at]}`);
    if (!(again instanceof HTMLElement)) continue;
    if (again.dataset.led) delete again.dataset.led; // the drawing has led the eye to what can be taken
    else {
      again.scrollTop = top;
      again.scrollLeft = left;
    }
  }
  if (name === undefined) return;
  const again = root.querySelector(`[data-focus="${CSS.escape(name)}"]`);
  if (again instanceof HTMLElement && again !== document.activeElement) {
    again.focus({ preventScroll: true });
    if (again instanceof HTMLInputElement && caret !== null) again.setSelectionRange(caret, caret);
  }
}
