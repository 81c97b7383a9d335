// Ratings with error bars, the strongest first.

import { html } from "../vendor/htm-preact.js";
import { useWidth } from "./line-chart.js";
import { fitted, widthOf } from "./layout.js";
import { grouped, tickLabels } from "./numbers.js";
import { linearAxis } from "./scale.js";
import { strings } from "../strings.js";

/** @typedef {{ name: string, elo: number | null, elo_low: number | null, elo_high: number | null }} Rated */

const ROW = 26;
const TOP = 6;

/** @param {{ players: Rated[] }} props */
export function Ratings({ players }) {
  const [figure, width] = useWidth(420);
  const numbers = players.flatMap((player) => [player.elo, player.elo_low, player.elo_high]).filter((number) => number !== null);
  const axis = linearAxis(Math.min(...numbers, 0), Math.max(...numbers, 0), { most: Math.max(3, Math.min(6, Math.floor(width / 90))) });
  const left = Math.min(0.34 * width, Math.max(60, ...players.map((player) => widthOf(player.name) + 14)));
  const right = width - 92;
  const x = (/** @type {number} */ elo) => left + axis.place(elo) * (right - left);
  const bottom = TOP + ROW * players.length;
  const labels = tickLabels(axis);
  return html`<figure class="chart ratings" ref=${figure}>
    <svg class="plot" width=${width} height=${bottom + 20} viewBox=${`0 0 ${width} ${bottom + 20}`} role="img" aria-label=${players.map(spoken).join(". ")}>
      ${axis.ticks.map((tick, index) => html`<path class=${tick === 0 ? "zero" : "gl"} d=${`M${x(tick)} ${TOP}V${bottom}`} /><text x=${x(tick)} y=${bottom + 15} text-anchor="middle">${labels[index]}</text>`)}
      ${players.map((player, index) => row(player, TOP + ROW * (index + 0.5), { left, right, width, x }))}
    </svg>
  </figure>`;
}

/**
 * @param {Rated} player
 * @param {number} y
 * @param {{ left: number, right: number, width: number, x: (elo: number) => number }} room
 */
function row(player, y, { left, right, width, x }) {
  const { elo, elo_low: low, elo_high: high } = player;
  const from = low === null ? x(high ?? 0) - 26 : x(low);
  const to = high === null ? x(low ?? 0) + 26 : x(high);
  const bounded = low !== null || high !== null;
  return html`<g>
    <text class="lab" x=${left - 10} y=${y + 3.5} text-anchor="end">${fitted(player.name, left - 12)}</text>
    ${bounded && html`<path class=${elo === null ? "whisker open" : "whisker"} d=${`M${Math.max(left, from)} ${y}H${Math.min(right + 4, to)}`} />`}
    ${low !== null && html`<path class="whisker" d=${`M${x(low)} ${y - 4}v8`} />`}${high !== null && html`<path class="whisker" d=${`M${x(high)} ${y - 4}v8`} />`}
    ${elo !== null && html`<circle class="dot d0" cx=${x(elo)} cy=${y} r="4" />`}
    <text class="num strong" x=${width} y=${y + 3.5} text-anchor="end">${rating(player)}</text>
  </g>`;
}

/** @param {Rated} player */
export function rating({ elo, elo_low: low, elo_high: high }) {
  const signed = (/** @type {number} */ number) => (number > 0 ? "+" : "") + grouped(number);
  if (elo !== null && low !== null) return `${signed(elo)} ± ${grouped(elo - low)}`;
  if (low !== null) return strings.charts.atLeast(signed(low));
  if (high !== null) return strings.charts.atMost(signed(high));
  return strings.charts.noRating;
}

/** @param {Rated} player */
function spoken(player) {
  return `${player.name}: ${strings.charts.rating} ${rating(player)}`;
}
