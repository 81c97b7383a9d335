// A solve: the answer, or how far it is; what is proved is solid, what is open is not.

import { html } from "../vendor/htm-preact.js";
import { grouped, short } from "../charts/numbers.js";
import { boardLink, timeText } from "./links.js";
import { strings } from "../strings.js";

/** @import { SolveDetail, SolveSession } from "./types.js" */

/** @param {{ solve: SolveDetail, alone: boolean }} props */
export function SolvePanel({ solve, alone }) {
  const { refuted, first_moves: all } = solve;
  return html`<section class="solve">
    <div class="solve-answer">
      ${solve.winner === null ? html`<span class="tag est">${strings.runs.open}</span>` : html`<span class="tag proved">${strings.runs.proved}</span>`}
      <b>${answer(solve)}</b>
      ${!alone && html`<a class="btn" href=${boardLink({ game: solve.game, position: solve.position, to_move: solve.to_move, moves: [] })}>${strings.runs.lookAtBoard}</a>`}
    </div>
    ${solve.winner === null && refuted !== null && all !== null && html`<div class="solve-first">
      <p><b>${strings.runs.firstMoves(refuted, all)}</b> <span class="dim">${strings.runs.firstMovesNote}</span></p>
      <ul class="firsts" aria-hidden="true">${Array.from({ length: all }, (_, index) => html`<li class=${index < refuted ? "done" : ""}></li>`)}</ul>
    </div>`}
    ${solve.sessions.length > 0 && html`<div class="scroll"><table class="t num">
      <thead><tr><th>${strings.runs.session.number}</th><th class="r">${strings.runs.session.time}</th><th class="r">${strings.runs.session.nodes}</th><th class="r">${strings.runs.session.speed}</th><th class="r opt">${strings.runs.session.threads}</th><th class="r opt">${strings.runs.session.memory}</th><th class="r">${strings.runs.session.refuted}</th><th>${strings.runs.session.result}</th></tr></thead>
      <tbody>${solve.sessions.map(row)}</tbody>
    </table></div>`}
  </section>`;
}

/** @param {SolveDetail} solve */
function answer(solve) {
  if (solve.winner === null) return "";
  const words = [solve.winner === "draw" ? strings.runs.draw : strings.runs.wins(solve.winner)];
  if (solve.score) words.push(strings.runs.by(Math.abs(solve.score)));
  if (solve.best) words.push(strings.runs.withMove(solve.best));
  return words.join(" ");
}

/**
 * @param {SolveSession} session
 * @param {number} index
 */
function row(session, index) {
  const refuted = session.first_moves ? strings.runs.refutedOf(session.first_moves_refuted ?? 0, session.first_moves) : "–";
  return html`<tr><td>${index + 1}</td><td class="r">${timeText(session.seconds)}</td><td class="r">${grouped(session.nodes)}</td><td class="r">${short(session.nodes / Math.max(session.seconds, 1e-9))}</td><td class="r opt">${session.threads}</td><td class="r opt">${(session.memory / 2 ** 30).toFixed(1)} GiB</td><td class="r">${refuted}</td><td>${session.proved ? strings.runs.proved : strings.runs.open}</td></tr>`;
}
