// A grid of numbers with colours, as a table that can be read and copied.

import { html } from "../vendor/htm-preact.js";
import { short } from "./numbers.js";

/** @typedef {{ number: number, share: number, title?: string, mark?: string } | null} Field */
/** @typedef {{ title: string, down: string, right: string, rows: string[], columns: string[], fields: Field[] }} HeatMapData */

/** The steps of the colours, from pale to strong. */
export const STEPS = 7;

/**
 * The step of a share from 0 to 1.
 * @param {number} share
 */
export function stepOf(share) {
  return Math.max(0, Math.min(STEPS - 1, Math.floor(share * STEPS)));
}

/** @param {{ data: HeatMapData }} props */
export function HeatMap({ data }) {
  const { rows, columns } = data;
  return html`<figure class="heat-map">
    <figcaption>${data.title}</figcaption>
    <table>
      <thead>
        <tr><th class="dim corner" rowspan="2">${data.down}</th><th class="dim" colspan=${columns.length}>${data.right}</th></tr>
        <tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
      </thead>
      <tbody>${rows.map((row, index) => html`<tr><th scope="row">${row}</th>${data.fields.slice(index * columns.length, (index + 1) * columns.length).map(cell)}</tr>`)}</tbody>
    </table>
  </figure>`;
}

/** @param {Field} field */
function cell(field) {
  if (field === null) return html`<td class="num none">–</td>`;
  return html`<td class=${`num h${stepOf(field.share)} ${field.mark ?? ""}`} title=${field.title}>${short(field.number)}</td>`;
}
