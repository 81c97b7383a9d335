// The mark of a run's state: an open ring works, a disc with a tick is finished, a square was interrupted.

import { html } from "../vendor/htm-preact.js";

/** @param {{ state: import("./types.js").RunState, share?: number | null }} props */
export function StateMark({ state, share = null }) {
  if (state === "running") {
    const done = 34 * Math.max(0.08, share ?? 0.68);
    return html`<svg class="mark" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><circle class="mark-rest" cx="7" cy="7" r="5.4" /><circle class="mark-ring" cx="7" cy="7" r="5.4" stroke-dasharray=${`${done} 34`} transform="rotate(-90 7 7)" /><circle class="mark-dot spin" cx="7" cy="7" r="2" /></svg>`;
  }
  if (state === "finished") {
    return html`<svg class="mark" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><circle class="mark-disc" cx="7" cy="7" r="6.2" /><path class="mark-tick" d="M4.2 7.2 6.2 9.2 9.8 5.2" /></svg>`;
  }
  return html`<svg class="mark" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><rect class="mark-square" x="2" y="2" width="10" height="10" rx="2" /></svg>`;
}
