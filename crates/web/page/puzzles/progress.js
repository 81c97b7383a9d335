// Which puzzles were solved or failed, kept in the browser.

/** @typedef {'solved' | 'failed'} Fate */

const KEY = "upstar.puzzles";

/** @returns {Record<string, Fate>} by position and side to move, which stay when the list grows */
export function fates() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // no storage, or something else in it
  }
}

/**
 * The first answer counts: a puzzle that was failed stays so.
 * @param {string} name
 * @param {Fate} fate
 */
export function remember(name, fate) {
  const all = fates();
  all[name] ??= fate;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // it is known until the room is left
  }
  return all;
}
