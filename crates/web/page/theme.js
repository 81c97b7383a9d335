// Light or dark: the system's choice until the button is pressed, then the reader's.

const KEY = "upstar.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** @returns {string | null} */
function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be forbidden
  }
}

function apply() {
  document.documentElement.dataset.theme = kept() ?? (system.matches ? "dark" : "light");
}

/** Exchanges light and dark, and remembers it. */
export function toggleTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // it holds for this tab only
  }
  document.documentElement.dataset.theme = next;
}

system.addEventListener("change", apply);
apply();
