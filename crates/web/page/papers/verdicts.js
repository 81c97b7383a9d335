// Verdicts: their colours, always with the word beside them, and how many of each.

import { html } from "../vendor/htm-preact.js";
import { strings } from "../strings.js";

/** @import { Summary, VerdictName } from "../runs/types.js" */

/** @type {VerdictName[]} */
export const VERDICTS = ["agrees", "reading", "differs", "doubtful", "open", "unprinted"];

/**
 * @param {Summary} summary
 * @returns {[VerdictName, number][]}
 */
export function counts(summary) {
  return [["agrees", summary.agree], ["reading", summary.under], ["differs", summary.differ], ["doubtful", summary.doubtful], ["open", summary.open], ["unprinted", summary.unprinted]];
}

/** @param {{ verdict: VerdictName, why?: string | null }} props */
export function Verdict({ verdict, why }) {
  return html`<span class="verdict-word" title=${why ?? strings.papers.verdictLong[verdict]}><i class=${`verdict-key v-${verdict}`}></i>${strings.papers.verdict[verdict]}</span>`;
}

/** A bar with the shares of verdicts, and their numbers as its key. @param {{ summary: Summary }} props */
export function VerdictBar({ summary }) {
  const some = counts(summary).filter(([, count]) => count > 0);
  return html`<div class="verdict-bar">
    <div class="shares" aria-hidden="true">${some.map(([verdict, count]) => html`<i class=${`v-${verdict}`} style=${{ flexGrow: count }}></i>`)}</div>
    <div class="verdict-counts num"><b>${strings.papers.numbers(summary.cells)}</b>${some.map(([verdict, count]) => html`<span title=${strings.papers.verdictLong[verdict]}><i class=${`verdict-key v-${verdict}`}></i>${strings.papers.count[verdict](count.toLocaleString("en"))}</span>`)}</div>
  </div>`;
}
