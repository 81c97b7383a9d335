// Othello: discs, mobility, stable discs, parity of the empty regions, and the best line.

import { signed } from "../format.js";
import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";
import { StoneIcon } from "./stones.js";

/** @import { Known } from "./known.js" */
/** @import { View } from "../types.js" */

/**
 * @param {{ view: View, known: Known, hide: boolean, playLine: (moves: string[]) => void }} props
 */
export function Discs({ view, known, hide, playLine }) {
  const words = strings.discs;
  if (!view.discs) return null;
  const { mobility, stable, regions } = view.discs;
  const stableOf = ["x", "o"].map((side) => stable.filter((cell) => view.stones[cell] === side).length);
  const odd = regions.filter((region) => region.length % 2 === 1).length;
  const best = known.order[0] === undefined ? undefined : known.moves.get(known.order[0]);
  const row = (/** @type {string} */ name, /** @type {number[]} */ pair) => {
    const total = pair[0] + pair[1];
    return html`<tr><th scope="row">${name}</th><td class="num">${pair[0]}</td><td class="balance">${total > 0 && html`<span class="side-bar" role="img" aria-label=${`${name}: ${pair[0]}, ${pair[1]}`}><i style=${{ width: `${(100 * pair[0]) / total}%` }}></i></span>`}</td><td class="num">${pair[1]}</td></tr>`;
  };
  return html`<section class="panel o6"><header><h2>${words.title}</h2><span class="note">${words.regions(regions.length, odd)}</span></header><div class="body">
    <table class="discs"><thead><tr><td></td><th scope="col"><${StoneIcon} side="x" size=${16} /></th><td></td><th scope="col"><${StoneIcon} side="o" size=${16} /></th></tr></thead>
      <tbody>${row(words.discs, view.counts)}${row(words.mobility, mobility)}${row(words.stable, stableOf)}</tbody></table>
    <p class="cap">${words.parity(regions, view.to_move)}</p>
    ${!hide && best && best.pv.length > 0 && html`<h3 class="h">${best.exact ? words.bestLine : words.likelyLine} ${best.exact?.score != null && signed(best.exact.score)}</h3>
      <p class=${`best-line mono${best.exact ? "" : " guessed"}`}>${best.pv.map((move, i) => html`<button class="mv-button" onClick=${() => playLine(best.pv.slice(0, i + 1))}>${move}</button> `)}</p>`}
  </div></section>`;
}
