// The article: what the documents say and what came of it, drawn with the parts of reports.

import { html, render } from "../vendor/htm-preact.js";
import { HeatMap } from "../charts/heat-map.js";
import { LineChart } from "../charts/line-chart.js";
import { single } from "../runs/compare.js";
import { strings } from "../strings.js";
import { Claims, heatMaps } from "./table-panel.js";
import { VerdictBar } from "./verdicts.js";

/** @import { PaperTable, Summary } from "../runs/types.js" */
/** @typedef {{ heading: string, text: string, finding: string, counts: Summary, figure: PaperTable | null }} ArticleSection */
/** @typedef {{ table: string, finding: string, ruled_out: string }} Remains */
/** @typedef {{ name: string, source: string, about: string, counts: Summary, sections: ArticleSection[], remains: Remains[] }} ArticleDocument */
/** @typedef {{ version: string, made: string, title: string, summary: string[], counts: Summary, documents: ArticleDocument[] }} ArticleData */

/** Learning curves are many; the first pictures of a table are enough here. */
const MOST_CHARTS = 4;

/** @param {{ data: ArticleData }} props */
function Article({ data }) {
  return html`<header class="report-head"><b>Upstar</b><span class="where">${data.version} · ${data.made}</span></header>
    <main class="report article">
      <section class="panel table"><div class="runhead"><h1 class="title">${data.title}</h1></div>
        <div class="body">${data.summary.map((sentence) => html`<p>${sentence}</p>`)}<${VerdictBar} summary=${data.counts} /><p class="dim">${strings.papers.interval}</p></div>
      </section>
      ${data.documents.map((document) => html`<${DocumentView} key=${document.name} document=${document} />`)}
    </main>`;
}

/** @param {{ document: ArticleDocument }} props */
function DocumentView({ document }) {
  return html`<section class="panel table" id=${document.name}>
    <header><h2>${document.name}</h2><span class="paper-title">${document.source}</span></header>
    <div class="body"><p>${document.about}</p>${document.counts.cells > document.counts.unprinted && html`<${VerdictBar} summary=${document.counts} />`}</div>
    ${document.sections.map((section) => html`<${SectionView} key=${section.heading} section=${section} />`)}
    ${document.remains.length > 0 && html`<div class="body"><h3>${strings.papers.remains}</h3>
      <table class="t"><tbody>${document.remains.map((row) => html`<tr key=${row.table}><td>${row.table}</td><td>${row.finding} ${row.ruled_out}</td></tr>`)}</tbody></table></div>`}
  </section>`;
}

/** @param {{ section: ArticleSection }} props */
function SectionView({ section }) {
  const figure = section.figure;
  const charts = figure === null || figure.grid ? [] : figure.charts.slice(0, MOST_CHARTS);
  return html`<div class="body"><h3>${section.heading}</h3><p>${section.text}</p><p><b>${section.finding}</b></p>${section.counts.cells > section.counts.unprinted && html`<${VerdictBar} summary=${section.counts} />`}</div>
    ${figure?.grid && html`<div class="heats scroll">${heatMaps(figure).map((data) => html`<${HeatMap} data=${data} />`)}</div>`}
    ${charts.length > 0 && html`<div class="charts">${charts.map((chart) => html`<${LineChart} data=${single(chart, false)} />`)}</div>`}
    ${figure && figure.claims.length > 0 && html`<${Claims} claims=${figure.claims} />`}
    ${figure && html`<p class="body dim">${figure.table}: ${figure.title}</p>`}`;
}

const data = JSON.parse(/** @type {string} */ (/** @type {HTMLElement} */ (document.getElementById("data")).textContent));
render(html`<${Article} data=${data} />`, /** @type {HTMLElement} */ (document.getElementById("report")));
