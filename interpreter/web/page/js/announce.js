/** What a screen reader hears without asking: the question and what the others did, politely. */

/** @param {string} text */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region || !text) return;
  region.textContent = "";
  // An empty moment between two texts makes readers speak the second one even if it is the same.
  setTimeout(() => (region.textContent = text), 40);
}
