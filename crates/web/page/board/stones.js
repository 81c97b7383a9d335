// Stones and the paints of the page's drawings. The paints are defined once for the whole document.

import { html } from "../vendor/htm-preact.js";

/** The letters of the sides, in their order. */
export const LETTERS = "xotsdp";
const RADIUS = 22.5;

/** @type {Record<string, string>} */
const GLYPHS = {
  x: "M-4.6-4.6l9.2 9.2M4.6-4.6l-9.2 9.2",
  o: "M-5.4 0a5.4 5.4 0 1 0 10.8 0a5.4 5.4 0 1 0-10.8 0",
  t: "M0-6l5.6 9.6h-11.2z",
  s: "M-4.8-4.8h9.6v9.6h-9.6z",
  d: "M0-6.4l5.2 6.4l-5.2 6.4l-5.2-6.4z",
  p: "M-5.6 0h11.2M0-5.6v11.2",
};

/**
 * A stone around the origin.
 * @param {{ side: string }} props
 */
export function Stone({ side }) {
  return html`<circle cy="1.6" r=${RADIUS} class="stone-shadow" /><circle r=${RADIUS} fill=${`url(#g${side})`} class=${`stone rim-${side}`} /><path class=${`glyph glyph-${side}`} d=${GLYPHS[side]} />`;
}

/**
 * A stone as an icon in a line of text.
 * @param {{ side: string, size?: number }} props
 */
export function StoneIcon({ side, size = 18 }) {
  return html`<svg class="stone-icon" width=${size} height=${size} viewBox="-25 -25 50 50" role="img" aria-label=${side}><${Stone} side=${side} /></svg>`;
}

/** Gradients, hatchings (estimates only) and the textures of parts. */
export function Paints() {
  const gradient = (/** @type {string} */ side) => html`<radialGradient id=${`g${side}`} cx=".38" cy=".3" r=".88">
    <stop offset="0" class=${`paint-${side}1`} /><stop offset=".57" class=${`paint-${side}2`} /><stop offset="1" class=${`paint-${side}3`} /></radialGradient>`;
  const hatching = (/** @type {string} */ id, /** @type {number} */ gap) => html`<pattern id=${id} width=${gap} height=${gap} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="1.5" height=${gap} class=${`paint-${id}`} /></pattern>`;
  return html`<svg class="paints" width="0" height="0" aria-hidden="true"><defs>
    ${[...LETTERS].map(gradient)}
    ${hatching("hw", 4)}${hatching("hl", 4)}${hatching("hd", 4)}${hatching("hx", 5)}${hatching("ho", 5)}
    <pattern id="ta" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="1" class="paint-part" /></pattern>
    <pattern id="tb" width="6" height="5" patternUnits="userSpaceOnUse"><rect width="6" height="1" y="2" class="paint-part" /></pattern>
    <pattern id="tc" width="9" height="9" patternUnits="userSpaceOnUse"><path d="M4.5 2v5M2 4.5h5" class="paint-part-line" /></pattern>
    <pattern id="td" width="5" height="6" patternUnits="userSpaceOnUse"><rect width="1" height="6" x="2" class="paint-part" /></pattern>
    <pattern id="te" width="9" height="9" patternUnits="userSpaceOnUse"><circle cx="4.5" cy="4.5" r="2.2" class="paint-part-line" /></pattern>
  </defs></svg>`;
}
