// The key of a chart: which line is which; a click hides a line or shows it again.

import { html } from "../vendor/htm-preact.js";

/**
 * @param {{ entries: { name: string, style: number }[], hidden: Set<string>, toggle: (name: string) => void }} props
 */
export function Legend({ entries, hidden, toggle }) {
  return html`<div class="legend">${entries.map(
    (entry) => html`<button type="button" aria-pressed=${!hidden.has(entry.name)} onClick=${() => toggle(entry.name)}><${Key} style=${entry.style} />${entry.name}</button>`,
  )}</div>`;
}

/**
 * A piece of a line.
 * @param {{ style: number }} props
 */
export function Key({ style }) {
  return html`<svg width="22" height="8" aria-hidden="true"><path class=${`curve s${style}`} d="M0 4h22" /></svg>`;
}
