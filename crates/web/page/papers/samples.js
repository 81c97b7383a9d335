// What stands behind a number: what each seed brought, and the command that repeats it.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { CopyLine } from "../runs/copy-line.js";
import { timeText } from "../runs/links.js";
import { strings } from "../strings.js";
import { rounded } from "./rounding.js";

/** @import { PaperCell, PaperSample, PaperSamples } from "../runs/types.js" */

/** @param {{ cell: PaperCell, digits: number, command: string, ask: (cell: string) => Promise<PaperSamples> }} props */
export function Samples({ cell, digits, command, ask }) {
  const [samples, setSamples] = useState(/** @type {PaperSample[] | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    ask(cell.name).then((answer) => setSamples(answer.samples), (refused) => setError(refused.message));
  }, [cell.name, cell.seeds]);
  const words = strings.papers;
  if (error) return html`<p role="alert">${error}</p>`;
  if (!samples) return html`<p class="dim">${words.loading}</p>`;
  const games = samples.some((sample) => sample.games !== null);
  const live = samples.some((sample) => sample.live !== null);
  return html`<div class="samples"><table class="t num">
      <thead><tr><th class="r">${words.sample.seed}</th><th class="r">${words.sample.value}</th>${games && html`<th class="r">${words.sample.games}</th>`}${live && html`<th class="r">${words.column.live}</th>`}<th class="r">${words.sample.time}</th></tr></thead>
      <tbody>${samples.map((sample) => html`<tr><td class="r">${sample.seed}</td><td class="r"><b>${rounded(sample.value, digits)}</b>${sample.dead && html` <span class="dim">${words.sample.dead}</span>`}</td>
        ${games && html`<td class="r">${sample.games !== null && words.sample.won(sample.wins ?? 0, sample.games)}</td>`}
        ${live && html`<td class="r">${sample.live === null ? "" : `${Math.round(100 * sample.live)} %`}</td>`}<td class="r">${timeText(sample.seconds)}</td></tr>`)}</tbody>
    </table>
    <p class="dim">${words.sample.note}</p><${CopyLine} label=${words.command} command=${command} /></div>`;
}
