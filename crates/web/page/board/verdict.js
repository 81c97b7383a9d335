// Who wins: the proof on the left, the estimate on the right, and what is being thought below.

import { duration, large, percent } from "../format.js";
import { StartIcon, StopIcon } from "../icons.js";
import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";
import { bestMoves } from "./known.js";

/** @import { AnalystState } from "./analyst.js" */
/** @import { Known } from "./known.js" */
/** @import { TableState } from "./table.js" */
/** @import { View } from "../types.js" */

/**
 * @param {{ view: View, known: Known, state: TableState, analyst: AnalystState, think: (on: boolean) => void }} props
 */
export function Verdict({ view, known, state, analyst, think }) {
  const words = strings.analysis;
  const { resigned, hide, judgement } = state;
  if (view.over || resigned?.node === state.node) {
    const kind = view.winner === "draw" ? "d" : "w";
    const title = !view.over && resigned ? strings.board.resigned(resigned.side) : words.over(view);
    return html`<section class="panel o3"><div class="verdict"><div class=${`exact ${kind}`}><h2>${title}</h2><p>${view.over ? words.overNote(view) : words.resignedNote}</p>${judgement && html`<p class="judgement">${judgement}</p>`}</div></div></section>`;
  }
  if (!view.for_two) {
    return html`<section class="panel o3"><div class="verdict"><div class="exact d"><h2>${strings.board.toMove(view)}</h2><p>${words.notForTwo}</p></div></div></section>`;
  }
  if (hide) {
    return html`<section class="panel o3"><div class="verdict"><div class="exact open"><h2>${words.hidden}</h2><p class="judgement">${judgement ?? words.hiddenNote}</p></div>
      <div class="guess"><p class="big">${words.hiddenThinks(known)}</p></div></div><${EngineLine} known=${known} analyst=${analyst} state=${state} think=${think} hide /></section>`;
  }
  const { exact, estimate, bounds } = known;
  const best = bestMoves(known);
  const proved = [...known.moves.values()].filter((move) => move.exact).length;
  return html`<section class="panel o3"><div class="verdict">
    <div class=${`exact ${exact ? exact.outcome[0] : "open"}`}>
      <h2>${exact ? words.proved(view, exact) : bounds ? words.bounded(view, bounds) : words.open}</h2>
      <p>${words.keeps(exact, best, view)} ${words.movesProved(proved, view.legal.length)}</p>
    </div>
    <div class="guess">${estimate
      ? html`<p class="big">${words.probably(view, estimate)}</p><p>${words.estimateBy(estimate, known.order.find((move) => move === preferred(known)) ?? null)}</p>
        <div class="vbar" role="img" aria-label=${words.barLabel(view, estimate.win)}><i style=${{ width: percent(estimate.win).replace("\u202f", "") }}></i></div>`
      : html`<p class="big">${exact ? words.noEstimateNeeded : words.noEstimate}</p>`}</div>
  </div><${EngineLine} known=${known} analyst=${analyst} state=${state} think=${think} /></section>`;
}

/**
 * The move of the highest estimate among those that were looked at in earnest: one visit says little beside thousands.
 * @param {Known} known
 */
function preferred(known) {
  const least = Math.max(...[...known.moves.values()].map(({ estimate }) => estimate?.work ?? 0)) / 10;
  let [best, most] = [/** @type {string | null} */ (null), -1];
  for (const { move, estimate } of known.moves.values()) {
    if (estimate && estimate.work >= least && estimate.win > most) [best, most] = [move, estimate.win];
  }
  return best;
}

/**
 * @param {{ known: Known, analyst: AnalystState, state: TableState, think: (on: boolean) => void, hide?: boolean }} props
 */
function EngineLine({ known, analyst, state, think, hide = false }) {
  const words = strings.analysis;
  const { running, nodes, simulations, seconds, pv, error } = analyst;
  const work = nodes + simulations;
  const rate = running && seconds > 0.3 ? work / seconds : null;
  const title = error ? error : running ? words.thinking : known.complete ? words.allProved : state.thinking ? words.ended : words.stopped;
  return html`<div class="engine">
    <span class=${running ? "spin" : known.complete ? "spin done" : "spin off"}></span>
    <span class="engine-what"><b>${title}</b>${running && !hide && pv.length > 0 && html` <span class="mono pv">${pv.slice(0, 6).join(" ")}</span>`}</span>
    ${rate !== null && html`<span class="num"><b>${large(rate)}</b> ${words.perSecond}</span>`}
    ${work > 0 && html`<span class="num opt"><b>${large(work)}</b> ${words.searched}</span>`}
    ${seconds > 0 && html`<span class="num opt">${duration(seconds)}</span>`}
    <span class="grow"></span>
    ${!known.complete && html`<button class="btn" onClick=${() => think(!state.thinking || !running)}>${state.thinking && running ? html`<${StopIcon} />${words.stop}` : html`<${StartIcon} />${words.start}`}</button>`}
  </div>`;
}
