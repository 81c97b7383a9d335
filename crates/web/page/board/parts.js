// Parts of a position: outlined, each with its own dash and texture, and a badge with its value beside it.

import { valueName } from "../format.js";
import { html } from "../vendor/htm-preact.js";
import { outline } from "./outline.js";

/** @import { Geometry } from "./geometry.js" */

/**
 * @typedef {{ letter: string, cells: number[], label: string | null, badge?: number | null }} Part
 * `badge` is the cell of the badge; without it an empty cell beside the part is looked for.
 */

const STYLES = "abcde";
/** Longer values are cut on the board, where a badge must not cover a stone; the panel has all of them. */
const LONGEST = 6;

/**
 * The letter of a part: A … Z, then numbers.
 * @param {number} index
 */
export function partLetter(index) {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}

/**
 * The style of a part's outline and texture.
 * @param {number} index
 */
export function partStyle(index) {
  return STYLES[index % STYLES.length];
}

/**
 * @param {{ parts: Part[], geometry: Geometry, lit: number | null }} props
 */
export function PartOutlines({ parts, geometry, lit }) {
  return parts.map(({ cells }, index) => {
    const style = partStyle(index);
    const dim = lit !== null && lit !== index ? " dimmed" : "";
    if (geometry.graph) {
      return html`<g class=${`part${dim}`}>${cells.map((cell) => html`<circle cx=${geometry.x(cell)} cy=${geometry.y(cell)} r="28" class=${`comp ${style}`} />`)}</g>`;
    }
    const corner = (/** @type {number} */ col, /** @type {number} */ row) => /** @type {[number, number]} */ ([geometry.x(0) - 30 + 60 * col, geometry.y(0) - 30 + 60 * row]);
    const path = outline(cells, geometry.cols, corner);
    return html`<g class=${`part${dim}`}><path d=${path} fill=${`url(#t${style})`} class="tex" fill-rule="evenodd" /><path d=${path} class=${`comp ${style}`} /></g>`;
  });
}

/**
 * Where badges go: into an empty cell beside the part, each into one of its own if possible, else two into one; none
 * where there is no such cell.
 * @param {Part[]} parts
 * @param {string} stones
 * @param {Geometry} geometry
 * @returns {(number | null)[]}
 */
export function badgeCells(parts, stones, geometry) {
  /** @type {Map<number, number>} */
  const taken = new Map();
  return parts.map(({ cells, badge }) => {
    if (badge !== undefined) return badge;
    const counts = new Map();
    for (const cell of cells) {
      for (const near of geometry.neighbours(cell)) {
        if (stones[near] === "." && (taken.get(near) ?? 0) < 2) counts.set(near, (counts.get(near) ?? 0) + 1);
      }
    }
    const others = (/** @type {number} */ cell) => taken.get(cell) ?? 0;
    const [best] = [...counts].sort(([a, n], [b, m]) => others(a) - others(b) || m - n || a - b);
    if (!best) return null;
    taken.set(best[0], others(best[0]) + 1);
    return best[0];
  });
}

/**
 * @param {{ parts: Part[], stones: string, geometry: Geometry, lit: number | null }} props
 */
export function PartBadges({ parts, stones, geometry, lit }) {
  const cells = badgeCells(parts, stones, geometry);
  return parts.map(({ letter, label }, index) => {
    const cell = cells[index];
    if (cell === null) return null;
    const whole = label === null ? "" : valueName(label);
    const text = whole.length > LONGEST ? whole.slice(0, LONGEST - 1) + "…" : whole;
    const width = text === "" ? 14 + 5 * letter.length : text.length > 1 ? 20 + 6.4 * text.length : 30;
    const shared = cells.filter((other) => other === cell).length === 2;
    const [x, y] = [geometry.x(cell), geometry.y(cell) + (shared ? (cells.indexOf(cell) === index ? -11 : 11) : 0)];
    const dim = lit !== null && lit !== index ? " dimmed" : "";
    return html`<g class=${`badge${dim}`}><title>${letter} ${whole}</title><rect x=${x - width / 2} y=${y - 9} width=${width} height="18" rx="4" />
      <text x=${x} y=${y + 4.2}><tspan class="id">${letter}</tspan>${text && html`<tspan class=${text.length > 3 ? "val long" : "val"} dx="4">${text}</tspan>`}</text></g>`;
  });
}
