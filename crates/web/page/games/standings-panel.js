// A tournament's table: ratings with error bars, standings, and who made how many points against whom.

import { html } from "../vendor/htm-preact.js";
import { grouped, percent } from "../charts/numbers.js";
import { rating, Ratings } from "../charts/ratings.js";
import { stepOf } from "../charts/heat-map.js";
import { strings } from "../strings.js";

/** @import { Counts, Standing, Standings } from "../runs/types.js" */

/** @param {{ standings: Standings, choose?: (player: string, opponent: string) => void }} props */
export function StandingsPanel({ standings, choose }) {
  const { players } = standings;
  const share = (/** @type {number} */ part) => percent(part / Math.max(1, standings.games), 0);
  return html`<section class="standings">
    <p class="section-note dim num">${standings.games < standings.of ? strings.games.ofAll(standings.games, standings.of) : strings.games.count(standings.games)} · ${strings.games.sides(share(standings.black_wins), share(standings.white_wins), share(standings.draws))}</p>
    <div class="section-head"><h3>${strings.games.ratings}</h3><span class="dim">${strings.games.ratingsNote}</span></div>
    <${Ratings} players=${players} />
    <div class="scroll"><table class="t num">
      <thead><tr><th>${strings.games.column.rank}</th><th>${strings.games.column.name}</th><th class="opt">${strings.games.column.agent}</th><th class="r">${strings.games.column.rating}</th><th class="r">${strings.games.column.points}</th><th class="r opt">${strings.games.column.games}</th><th class="r">${strings.games.column.record}</th><th class="r opt">${strings.games.column.forfeits}</th></tr></thead>
      <tbody>${players.map(row)}</tbody>
    </table></div>
    ${players.length > 2 && html`<div class="section-head"><h3>${strings.games.cross}</h3><span class="dim">${strings.games.crossNote}</span></div>
    <div class="scroll heat-map"><table class="cross-table">
      <thead><tr><th></th>${players.map((player) => html`<th scope="col" title=${player.name}>${player.rank}</th>`)}</tr></thead>
      <tbody>${players.map((player, index) => html`<tr><th scope="row">${player.rank} ${player.name}</th>${standings.cross[index].map((counts, other) => cell(counts, player, players[other], choose))}</tr>`)}</tbody>
    </table></div>`}
  </section>`;
}

/** @param {Standing} player */
function row(player) {
  return html`<tr><td class="dim">${player.rank}</td><td><b>${player.name}</b></td><td class="mono opt">${player.agent}</td><td class="r">${rating(player)}</td><td class="r">${grouped(player.points, Number.isInteger(player.points) ? 0 : 1)}</td><td class="r opt">${grouped(player.games)}</td><td class="r">${player.wins}–${player.draws}–${player.losses}</td><td class="r opt">${player.forfeits || ""}</td></tr>`;
}

/**
 * @param {Counts} counts
 * @param {Standing} player
 * @param {Standing} opponent
 * @param {((player: string, opponent: string) => void) | undefined} choose
 */
function cell(counts, player, opponent, choose) {
  const games = counts.wins + counts.draws + counts.losses;
  if (games === 0) return html`<td class="none">${player === opponent ? "" : "–"}</td>`;
  const share = (counts.wins + counts.draws / 2) / games;
  const title = `${player.name} – ${opponent.name}: ${counts.wins}–${counts.draws}–${counts.losses}`;
  const text = percent(share, 0);
  return html`<td class=${`num h${stepOf(share)}`} title=${title}>${choose ? html`<button type="button" onClick=${() => choose(player.name, opponent.name)}>${text}</button>` : text}</td>`;
}
