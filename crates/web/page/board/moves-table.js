// The table of moves: what is proved first, then what is estimated, and where the network disagrees.

import { large, percent, signed, valueName } from "../format.js";
import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";
import { bestMoves } from "./known.js";
import { exactClass, exactText } from "./marks.js";

/** @import { Known, KnownMove } from "./known.js" */
/** @import { View } from "../types.js" */

/** The network disagrees with a proof where it gives the wrong side more than this chance. */
const DISAGREES = 0.5;

/**
 * @param {{ view: View, known: Known, hide: boolean, heat: boolean, setHeat: (on: boolean) => void, play: (move: string) => void, hover: (move: string | null) => void }} props
 */
export function MovesTable({ view, known, hide, heat, setHeat, play, hover }) {
  const words = strings.analysis;
  if (view.over || !view.for_two) return null;
  const order = [...known.order, ...view.legal.map(({ move }) => move).filter((move) => !known.moves.has(move))];
  const best = new Set(bestMoves(known));
  const share = new Map((known.opinion?.policy ?? []).map((each) => [each.move, each.share]));
  const showsLeaves = known.after.size > 0;
  const showsShare = share.size > 0;
  const showsFlags = !hide && [...known.moves.values()].some(disagrees);
  return html`<section class=${`panel table o4${hide ? " hidden-answers" : ""}`}><header><h2>${words.movesOf(view.to_move)}</h2>
    ${showsShare && !hide && html`<button class="switch small" role="switch" aria-checked=${heat ? "true" : "false"} onClick=${() => setHeat(!heat)}><i></i>${words.heat}</button>`}
    <span class="note only-wide">${words.law}</span></header>
    <div class="table-scroll moves" tabindex="0" role="region" aria-label=${words.movesOf(view.to_move)}><table class=${showsFlags ? "t num flags" : "t num"}><thead><tr><th>${words.move}</th><th>${words.exact}</th>${showsLeaves && html`<th class="opt">${words.leaves}</th>`}<th class="estimate-head">${words.estimateFor(view.to_move)}</th>${showsShare && html`<th class="r opt">${words.policy}</th>`}<th class="r">${words.work(known)}</th></tr></thead>
    <tbody>${order.map((move) => {
      const judged = known.moves.get(move);
      const isBest = best.has(move) && !hide;
      return html`<tr key=${move} class=${`${isBest ? "best" : ""}${judged?.exact ? " known" : ""}`} onClick=${() => play(move)} onPointerEnter=${() => hover(move)} onPointerLeave=${() => hover(null)}>
        <td class="mv"><button class="mv-button">${move}</button></td>
        <td>${hide ? "" : judged?.exact ? html`<span class=${`mk ${exactClass(judged.exact)}${judged.exact.score === null ? "" : " wide"}`} role="img" aria-label=${words.exactLabel(judged.exact)}>${exactText(judged.exact)}</span>` : judged?.bounds ? html`<span class="dim">${words.between(judged.bounds)}</span>` : html`<span class="dim">${words.openMove}</span>`}</td>
        ${showsLeaves && html`<td class="opt">${!hide && html`<span class="val">${shorten(valueName(known.after.get(move) ?? ""))}</span>`}</td>`}
        <td>${!hide && judged?.estimate && html`<${EstimateBar} judged=${judged} />`}</td>
        ${showsShare && html`<td class="r opt">${!hide && share.has(move) && percent(share.get(move) ?? 0)}</td>`}
        <td class="r">${!hide && judged?.estimate && large(judged.estimate.work)}</td>
      </tr>`;
    })}</tbody></table></div></section>`;
}

/** @param {{ judged: KnownMove }} props */
function EstimateBar({ judged }) {
  const { estimate } = judged;
  if (!estimate) return null;
  const { win, discs } = estimate;
  return html`<div class=${`ebar${discs === null ? "" : " with-discs"}`}><span>${percent(win)}</span>${discs !== null && html`<span class="discs">${signed(discs, 1)}</span>`}
    <span class="track"><i class=${`hatch ${win >= 0.5 ? "hatch-w" : "hatch-l"}`} style=${{ width: `${Math.max(2, Math.round(win * 100))}%` }}></i></span>
    ${disagrees(judged) && html`<span class="flag"><span class="only-wide">${strings.analysis.disagrees(estimate.by)}</span></span>`}</div>`;
}

/** @param {KnownMove} move */
function disagrees({ exact, estimate }) {
  if (!exact || !estimate) return false;
  return (exact.outcome === "win" && estimate.win < 1 - DISAGREES) || (exact.outcome === "loss" && estimate.win > DISAGREES);
}

/** @param {string} value */
function shorten(value) {
  return value.length > 14 ? value.slice(0, 13) + "…" : value;
}
