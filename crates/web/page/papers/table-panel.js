// One table of a paper: heat maps, curves, and every number beside ours.

import { html, useState } from "../vendor/htm-preact.js";
import { HeatMap } from "../charts/heat-map.js";
import { LineChart } from "../charts/line-chart.js";
import { single } from "../runs/compare.js";
import { CopyButton, CopyLine } from "../runs/copy-line.js";
import { digitsOf, parameters, rounded } from "./rounding.js";
import { Samples } from "./samples.js";
import { strings } from "../strings.js";
import { Verdict, VerdictBar } from "./verdicts.js";

/** @import { PaperCell, PaperClaim, PaperReading, PaperSamples, PaperTable, VerdictName } from "../runs/types.js" */

/** Asks for what stands behind a number of a table. @typedef {(table: string, cell: string) => Promise<PaperSamples>} AskSamples */

/** @param {{ table: PaperTable, verdict: VerdictName | "", ask?: AskSamples }} props without a server nobody can be asked */
export function TablePanel({ table, verdict, ask }) {
  const cells = table.cells.filter((cell) => verdict === "" || cell.verdict === verdict);
  const seeds = Math.max(...table.cells.map((cell) => cell.seeds));
  return html`<section class="panel table paper-table" id=${anchor(table.table)}>
    <header><h2>${table.table}</h2><span class="paper-title">${table.title}</span>${seeds > 0 && html`<span class="note">${strings.papers.seeds(seeds)}</span>`}</header>
    <div class="body">
      ${table.remarks.map((remark) => html`<p class="dim">${remark}</p>`)}
      ${table.default_reading && html`<p>${strings.papers.defaultReading(table.default_reading.name)} ${table.default_reading.about} <span class="dim">${strings.papers.againstIt} ${table.default_reading.against}</span></p>`}
      ${table.test && table.test.compared > 0 && html`<p class="dim">${strings.papers.test(table.test)}</p>`}
      ${table.summary.cells > 0 && (table.printed ? html`<${VerdictBar} summary=${table.summary} />` : html`<p class="dim">${strings.papers.noNumbers}</p>`)}
    </div>
    ${verdict === "" && table.readings.length > 0 && html`<${Readings} readings=${table.readings} />`}
    ${verdict === "" && table.claims.length > 0 && html`<${Claims} claims=${table.claims} />`}
    ${verdict === "" && table.grid && html`<div class="heats scroll">${heatMaps(table).map((data) => html`<${HeatMap} data=${data} />`)}</div>`}
    ${verdict === "" && table.charts.length > 0 && html`<div class="charts">${table.charts.map((chart) => html`<${LineChart} data=${single(chart, false)} />`)}</div>`}
    <${Cells} cells=${cells} all=${table.cells} command=${table.command} ask=${ask && ((/** @type {string} */ cell) => ask(table.table, cell))} />
    <${CopyLine} label=${strings.papers.command} command=${table.command} />
  </section>`;
}

/** @param {{ readings: PaperReading[] }} props */
function Readings({ readings }) {
  return html`<div class="body readings"><h3 class="h">${strings.papers.readings}</h3>
    ${readings.map((reading) => html`<section key=${reading.name}>
      <p><b>${reading.name}</b> ${reading.about} <span class="dim">${reading.summary.cells > 0 ? strings.papers.seeds(reading.seeds) : strings.papers.notRun}</span></p>
      ${reading.summary.cells > 0 && html`<${VerdictBar} summary=${reading.summary} />`}
      ${reading.against && html`<p class="dim">${strings.papers.against(reading.against)}</p>`}
    </section>`)}
  </div>`;
}

/** What a paper says in words, and whether it holds. @param {{ claims: PaperClaim[] }} props */
export function Claims({ claims }) {
  const column = strings.papers.claimColumn;
  const number = (/** @type {number | null} */ value) => (value === null ? "" : value.toFixed(1));
  return html`<div class="scroll"><table class="t num readings">
    <caption>${strings.papers.claims}</caption>
    <thead><tr><th>${column.claim}</th><th>${column.section}</th><th class="r">${column.better}</th><th class="r">${column.worse}</th><th class="r">${column.difference}</th><th class="r">${column.seeds}</th><th>${column.finding}</th></tr></thead>
    <tbody>${claims.map((claim) => html`<tr key=${claim.claim}>
      <td>${claim.claim}</td><td>${claim.section}</td><td class="r">${number(claim.better)}</td><td class="r">${number(claim.worse)}</td>
      <td class="r dim">${claim.low === null ? "" : `${number(claim.low)} – ${number(claim.high)}`}</td><td class="r">${claim.seeds.join(", ")}</td><td><b>${strings.papers.finding[claim.finding]}</b></td>
    </tr>`)}</tbody>
  </table></div>`;
}

/** @param {string} table */
export function anchor(table) {
  return table.replaceAll("/", "-");
}

/** @param {{ cells: PaperCell[], all: PaperCell[], command: string, ask?: (cell: string) => Promise<PaperSamples> }} props */
function Cells({ cells, all, command, ask }) {
  const [opened, open] = useState("");
  const digits = digitsOf(all);
  const ran = all.some((cell) => cell.seeds > 0);
  const interval = ran && all.some((cell) => cell.low !== null && cell.high !== null);
  const range = all.some((cell) => cell.lowest !== null && cell.lowest !== cell.highest);
  const dead = all.some((cell) => cell.dead);
  const exploded = all.some((cell) => cell.exploded);
  const live = all.some((cell) => cell.live !== null);
  return html`<div class="scroll"><table class="t num cells">
    <thead><tr><th>${strings.papers.column.cell}</th><th class="r">${strings.papers.column.paper}</th>${ran && html`<th class="r">${strings.papers.column.ours}</th>`}${interval && html`<th class="r">${strings.papers.column.interval}</th>`}${range && html`<th class="r opt">${strings.papers.column.range}</th>`}${ran && html`<th class="r opt">${strings.papers.column.seeds}</th>`}${live && html`<th class="r opt">${strings.papers.column.live}</th>`}${dead && html`<th class="r">${strings.papers.column.dead}</th>`}${exploded && html`<th class="r">${strings.papers.column.exploded}</th>`}<th>${strings.papers.column.verdict}</th><th class="opt"></th></tr></thead>
    <tbody>${cells.map((cell) => html`<tr key=${cell.name} class=${cell.name === opened ? "on" : ""}>
      <td>${ask && cell.seeds > 0 ? html`<button type="button" class="behind" aria-expanded=${cell.name === opened ? "true" : "false"} title=${strings.papers.behind} onClick=${() => open(cell.name === opened ? "" : cell.name)}>${name(cell.name)}</button>` : name(cell.name)}</td><td class="r">${rounded(cell.paper, digits)}</td>
      ${ran && html`<td class="r"><b>${rounded(cell.ours, digits)}</b></td>`}
      ${interval && html`<td class="r dim">${between(cell.low, cell.high, digits)}</td>`}
      ${range && html`<td class="r dim opt">${between(cell.lowest, cell.highest, digits, cell.median)}</td>`}
      ${ran && html`<td class="r opt">${cell.seeds || ""}</td>`}
      ${live && html`<td class="r opt">${cell.live === null ? "" : `${Math.round(100 * cell.live)} %`}</td>`}
      ${dead && html`<td class="r">${cell.dead || ""}</td>`}
      ${exploded && html`<td class="r">${cell.exploded || ""}</td>`}
      <td class="verdict-cell"><${Verdict} verdict=${cell.verdict} why=${cell.why} />${cell.why && html`<span class="dim why">${cell.why}</span>`}</td>
      <td class="r opt"><${CopyButton} text=${commandOf(command, cell)} spoken=${strings.papers.cellCommandOf(cell.name)} /></td>
    </tr>${ask && cell.name === opened && html`<tr key=${`behind ${cell.name}`} class="behind-row"><td colspan="20"><${Samples} cell=${cell} digits=${digits} command=${commandOf(command, cell)} ask=${ask} /></td></tr>`}`)}</tbody>
  </table></div>`;
}

/**
 * The command that repeats one number of a table. Without a folder, in which it would be found and not repeated.
 * @param {string} command
 * @param {PaperCell} cell
 */
export function commandOf(command, cell) {
  return `${command.replace(/ --out .*$/, "")} --cell '${cell.name.replaceAll("'", "'\\''")}'`;
}

/** @param {string} text */
function name(text) {
  return parameters(text).map(([key, value]) => html`<span class="parameter">${key && html`<span class="dim">${key} </span>`}${value}</span>`);
}

/**
 * @param {number | null} low
 * @param {number | null} high
 * @param {number} digits
 * @param {number | null} [middle]
 */
function between(low, high, digits, middle = null) {
  if (low === null || high === null) return "";
  const [from, to] = [rounded(low, digits), rounded(high, digits)];
  if (from === to) return from;
  return middle === null ? `${from} – ${to}` : `${from} – ${rounded(middle, digits)} – ${to}`;
}

/**
 * The paper's grid and ours, side by side, and how far seeds are apart.
 * @param {PaperTable} table
 * @returns {import("../charts/heat-map.js").HeatMapData[]}
 */
export function heatMaps(table) {
  const grid = table.grid;
  if (grid === null) return [];
  const map = (/** @type {string} */ title, /** @type {(cell: PaperCell) => number | null} */ of) => {
    const fields = grid.fields.map((place) => {
      const cell = place === null ? null : table.cells[place];
      const number = cell && of(cell);
      if (!cell || typeof number !== "number") return null;
      return { number, share: number / (cell.unit ?? number), title: `${cell.name}: ${strings.papers.verdict[cell.verdict]}`, mark: title === strings.papers.ours ? `m-${cell.verdict}` : "" };
    });
    return { title, down: grid.down, right: grid.right, rows: grid.rows, columns: grid.columns, fields };
  };
  const number = (/** @type {unknown} */ value) => (typeof value === "number" ? value : null);
  const maps = [map(strings.papers.paper, (cell) => number(cell.paper)), map(strings.papers.ours, (cell) => number(cell.ours)), map(strings.papers.spread, (cell) => (cell.seeds > 1 && cell.highest !== null && cell.lowest !== null ? cell.highest - cell.lowest : null))];
  return maps.filter((data) => data.fields.some((field) => field !== null));
}
