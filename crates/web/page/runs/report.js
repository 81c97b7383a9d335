// A report: the same parts as the rooms, with the data in the page itself and no server.

import { html, render } from "../vendor/htm-preact.js";
import { PapersView } from "../papers/papers-view.js";
import { RunDetailView } from "./run-detail.js";

/** @import { Papers, RunDetail } from "./types.js" */
/** @typedef {{ version: string, made: string, runs: RunDetail[][], papers: Papers[] }} ReportData */

/** @param {{ data: ReportData }} props */
function Report({ data }) {
  return html`<header class="report-head"><svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><path d="M10 18V5.5M5.2 10 10 5.2 14.8 10" fill="none" stroke="var(--ink)" stroke-width="2.1" stroke-linecap="round" stroke-linejoin="round" /><path d="M16.4 1.2v5.2M14.1 2.5l4.6 2.6M18.7 2.5l-4.6 2.6" stroke="var(--ink)" stroke-width="1.5" stroke-linecap="round" /></svg><b>Upstar</b><span class="where">${data.version} · ${data.made}</span></header>
    <main class="report wide">
      ${data.runs.map((runs) => html`<${RunDetailView} key=${runs[0].id} runs=${runs} alone />`)}
      ${data.papers.map((papers) => html`<${PapersView} key=${papers.id} papers=${papers} alone />`)}
    </main>`;
}

const data = JSON.parse(/** @type {string} */ (/** @type {HTMLElement} */ (document.getElementById("data")).textContent));
render(html`<${Report} data=${data} />`, /** @type {HTMLElement} */ (document.getElementById("report")));
