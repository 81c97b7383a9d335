// Configurations: that of one run, or where several differ.

import { html } from "../vendor/htm-preact.js";
import { differences } from "./compare.js";
import { strings } from "../strings.js";

/** @import { RunDetail } from "./types.js" */

/** @param {{ runs: RunDetail[], names: string[] }} props */
export function SettingsPanel({ runs, names }) {
  if (runs.length === 1) {
    if (runs[0].settings.length === 0) return null;
    return html`<details class="panel table settings"><summary>${strings.runs.configuration}</summary><dl>${runs[0].settings.map((setting) => html`<div><dt class="mono">${setting.key}</dt><dd class="mono">${setting.value}</dd></div>`)}</dl></details>`;
  }
  const rows = differences(runs);
  return html`<section class="panel table settings">
    <header><h2>${strings.runs.differences}</h2></header>
    ${rows.length === 0 && html`<p class="body dim">${strings.runs.same}</p>`}
    ${rows.length > 0 && html`<div class="scroll"><table class="t">
      <thead><tr><th>${strings.runs.key}</th>${names.map((name, place) => html`<th><i class=${`key k${place % 8}`}></i> ${name}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr><td class="mono">${row.key}</td>${row.values.map((value) => html`<td class="mono">${value ?? strings.runs.notSet}</td>`)}</tr>`)}</tbody>
    </table></div>`}
  </section>`;
}
