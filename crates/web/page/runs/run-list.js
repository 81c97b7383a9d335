// The list of runs with their states.

import { html, useState } from "../vendor/htm-preact.js";
import { StateMark } from "./state-mark.js";
import { strings } from "../strings.js";

/** @import { RunKind, RunList, RunSummary } from "./types.js" */

/** @type {Record<string, (kind: RunKind) => boolean>} */
const FILTERS = {
  all: () => true,
  trainings: (kind) => kind === "train" || kind === "alphazero",
  solves: (kind) => kind === "solve",
  others: (kind) => !["train", "alphazero", "solve"].includes(kind),
};

/** @param {{ list: RunList, selected: string, compared: string[], link: (id: string) => string, children?: unknown }} props */
export function RunListPanel({ list, selected, compared, link, children }) {
  const [filter, setFilter] = useState("all");
  const shown = list.runs.filter((run) => FILTERS[filter](run.kind));
  return html`<aside class="panel table runs-list">
    <header><h2>${strings.runs.title}</h2><span class="note">${strings.runs.count(list.runs.length, list.folders)}</span></header>
    <div class="body"><div class="seg" role="group">${Object.keys(FILTERS).map(
      (name) => html`<button type="button" aria-pressed=${filter === name} onClick=${() => setFilter(name)}>${/** @type {Record<string, string>} */ (strings.runs.kinds)[name]}</button>`,
    )}</div></div>
    <ul class="runlist">${shown.map((run) => html`<${Row} run=${run} selected=${run.id === selected} style=${compared.indexOf(run.id)} link=${link} />`)}</ul>
    ${shown.length === 0 && html`<p class="body dim">${list.runs.length === 0 ? strings.runs.none : strings.runs.noneOfKind}</p>`}
    ${children}
  </aside>`;
}

/** @param {{ run: RunSummary, selected: boolean, style: number, link: (id: string) => string }} props */
function Row({ run, selected, style, link }) {
  return html`<li aria-current=${selected ? "true" : null}><a href=${link(run.id)}>
    <${StateMark} state=${run.state} share=${run.share} />
    <span class="n" title=${run.name}>${run.name}</span><span class="k">${strings.runs.kind[run.kind]}${style > 0 && html` <i class=${`key k${style % 8}`}></i>`}</span>
    <span class="s" title=${run.progress}>${strings.runs.state[run.state]} · ${run.progress}</span>
    ${run.state === "running" && run.share !== null && html`<span class="pb"><i style=${{ width: `${Math.round(100 * run.share)}%` }}></i></span>`}
  </a></li>`;
}
