// All tables of a reproduction: the sum of verdicts, filters by paper and verdict, and a list to jump by.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { strings } from "../strings.js";
import { anchor, TablePanel } from "./table-panel.js";
import { counts, VerdictBar, VERDICTS } from "./verdicts.js";

/** @import { Papers, PaperTable, VerdictName } from "../runs/types.js" */
/** @import { AskSamples } from "./table-panel.js" */

/** Tables are long, so without a filter only the first are drawn at once. */
const AT_ONCE = 4;

/**
 * `first` is the table to begin with, `link` its address, where there are addresses.
 * @param {{ papers: Papers, alone?: boolean, sources?: unknown, first?: string, link?: (table: string) => string, ask?: AskSamples }} props
 */
export function PapersView({ papers, alone = false, sources, first = "", link, ask }) {
  const [paper, setPaper] = useState("");
  const [verdict, setVerdict] = useState(/** @type {VerdictName | ""} */ (""));
  const [most, setMost] = useState(AT_ONCE);
  const [begin, setBegin] = useState(first);
  useEffect(() => {
    setBegin(first);
    setMost(AT_ONCE);
  }, [first]);
  const names = [...new Set(papers.tables.map((table) => table.paper))];
  const has = (/** @type {PaperTable} */ table) => verdict === "" || table.cells.some((cell) => cell.verdict === verdict);
  const wanted = papers.tables.filter((table) => (paper === "" || table.paper === paper) && has(table));
  const from = Math.max(0, wanted.findIndex((table) => table.table === begin));
  const shown = alone ? wanted : wanted.slice(from, from + most);
  const choose = (/** @type {() => void} */ change) => {
    change();
    setBegin("");
    setMost(AT_ONCE);
  };
  return html`<div class="papers">
    <aside class="panel table runs-list">
      <header><h2>${strings.papers.tables}</h2><span class="note">${wanted.length}</span></header>
      <ul class="paper-list">${wanted.map((table) => html`<li aria-current=${table.table === begin ? "true" : null}><a href=${link?.(table.table) ?? `#${anchor(table.table)}`} onClick=${() => {
        if (alone) return;
        setBegin(table.table);
        setMost(AT_ONCE);
        scrollTo({ top: 0 });
      }}><span class="n">${table.table}</span><${Mini} table=${table} /><span class="s">${table.title}</span></a></li>`)}</ul>
    </aside>
    <div class="col">
      <section class="panel table"><div class="runhead">
        <div class="bar"><h1 class="title">${strings.papers.title}<small>${papers.id === "" && papers.summary.cells === 0 ? strings.papers.printedOnly : `${papers.name}, ${strings.papers.scale(papers.scale)}`}</small></h1><span class="grow"></span>${sources}</div>
        ${papers.summary.cells > 0 && html`<${VerdictBar} summary=${papers.summary} />`}
        <div class="bar no-print">
          <div class="seg" role="group" aria-label=${strings.papers.allPapers}>${["", ...names].map((name) => html`<button type="button" aria-pressed=${paper === name} onClick=${() => choose(() => setPaper(name))}>${name || strings.papers.allPapers}</button>`)}</div>
          ${papers.summary.cells > 0 && html`<div class="seg" role="group" aria-label=${strings.papers.allVerdicts}>${["", ...VERDICTS].map((name) => html`<button type="button" aria-pressed=${verdict === name} onClick=${() => choose(() => setVerdict(/** @type {VerdictName} */ (name)))}>${name === "" ? strings.papers.allVerdicts : html`<i class=${`verdict-key v-${name}`}></i>${strings.papers.verdict[/** @type {VerdictName} */ (name)]}`}</button>`)}</div>`}
        </div>
        ${papers.summary.cells > 0 && html`<p class="dim fine-print">${strings.papers.interval}</p>`}
      </div></section>
      ${shown.length === 0 && html`<p class="panel body dim">${strings.papers.nothing}</p>`}
      ${shown.map((table) => html`<${TablePanel} key=${table.table} table=${table} verdict=${verdict} ask=${ask} />`)}
      ${!alone && from + most < wanted.length && html`<button type="button" class="btn" onClick=${() => setMost(most + 2 * AT_ONCE)}>${strings.papers.showAll} ${wanted[from + most].table} …</button>`}
    </div>
  </div>`;
}

/** The verdicts of a table as a thin bar. @param {{ table: PaperTable }} props */
function Mini({ table }) {
  const some = counts(table.summary).filter(([, count]) => count > 0);
  return html`<span class="mini" aria-hidden="true">${some.map(([verdict, count]) => html`<i class=${`v-${verdict}`} style=${{ flexGrow: count }}></i>`)}</span>`;
}
