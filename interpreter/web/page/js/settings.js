/** The reader's own settings: language and light or dark. Kept in this browser only. */

export function themeName() {
  return localStorage.getItem("theme") ?? "system";
}

/** @param {string} name */
export function switchTheme(name) {
  if (name === "system") localStorage.removeItem("theme");
  else localStorage.setItem("theme", name);
  applyTheme();
}

export function applyTheme() {
  const name = themeName();
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}

/** @param {string} name */
export function switchLanguage(name) {
  localStorage.setItem("language", name);
  dispatchEvent(new CustomEvent("languagechosen", { detail: name }));
}
