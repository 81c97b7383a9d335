// How hard a puzzle is, and how it went.

import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";

/** @import { Fate } from "./progress.js" */

/** @param {{ level: number }} props */
export function Level({ level }) {
  return html`<span class="level" role="img" aria-label=${`${strings.puzzles.level} ${level}`}>${[1, 2, 3, 4, 5].map((step) => html`<i class=${step <= level ? "on" : ""}></i>`)}</span>`;
}

/** @param {{ fate: Fate | null }} props */
export function State({ fate }) {
  return html`<span class=${`fate ${fate ?? "open"}`}>${strings.puzzles.states[fate ?? "open"]}</span>`;
}
