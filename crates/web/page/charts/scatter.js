// Scores over the values of one parameter: a dot for each rung of a trial, the larger and darker the longer it has learned.

import { html } from "../vendor/htm-preact.js";
import { useWidth } from "./line-chart.js";
import { fitted, widthOf } from "./layout.js";
import { grouped, percent, tickLabels } from "./numbers.js";
import { linearAxis, logAxis, rightAxis } from "./scale.js";
import { strings } from "../strings.js";

/** @typedef {{ trial: number, learned: number, unit: string, score: number | null, place: number, value: string, best: boolean }} Dot */
/** @typedef {{ title: string, note: string, logarithmic: boolean, choices: string[], dots: Dot[] }} ScatterData */

const HEIGHT = 176;
const TOP = 10;
const BOTTOM = 26;
/** Dead networks stand below the axis of scores. */
const DEAD = 14;

/** @param {{ data: ScatterData }} props */
export function Scatter({ data }) {
  const [figure, width] = useWidth(320);
  const scores = data.dots.flatMap((dot) => (dot.score === null ? [] : [dot.score]));
  const up = linearAxis(Math.min(...scores), Math.max(...scores));
  const dead = scores.length < data.dots.length;
  const bottom = HEIGHT - BOTTOM - (dead ? DEAD : 0);
  const labels = tickLabels(up);
  const left = Math.max(30, ...labels.map((label) => widthOf(label) + 8));
  const end = width - 12;
  const places = data.dots.map((dot) => dot.place);
  const axis = across(data, Math.min(...places), Math.max(...places), Math.floor((end - left) / 56));
  const x = (/** @type {number} */ place) => left + axis.place(place) * (end - left);
  const y = (/** @type {number | null} */ score) => (score === null ? bottom + DEAD : bottom - up.place(score) * (bottom - TOP));
  const names = data.choices.length > 0 ? data.choices.map((choice) => fitted(choice, (end - left) / data.choices.length)) : tickLabels(axis);
  const lengths = [...new Set(data.dots.map((dot) => dot.learned))].sort((a, b) => a - b);
  // Longer runs are drawn last, on top of the others; choices stand beside each other.
  const dots = [...data.dots].sort((a, b) => a.learned - b.learned || a.trial - b.trial);
  const aside = (/** @type {Dot} */ dot) => (data.choices.length > 0 ? ((dot.trial * 7) % 17) - 8 : 0);
  return html`<figure class="chart" ref=${figure}>
    <figcaption><span class="chart-title">${data.title}</span><span class="chart-unit">${data.note}</span></figcaption>
    <svg class="plot" width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${`${data.title}, ${data.note}`}>
      ${up.ticks.map((tick, index) => html`<path class="gl" d=${`M${left} ${y(tick)}H${end}`} /><text x=${left - 6} y=${y(tick) + 3.5} text-anchor="end">${labels[index]}</text>`)}
      ${dead && html`<text x=${left - 6} y=${bottom + DEAD + 3.5} text-anchor="end">${strings.charts.dead}</text>`}
      ${axis.ticks.map((tick, index) => html`<path class="ax" d=${`M${x(tick)} ${HEIGHT - BOTTOM}v4`} /><text x=${x(tick)} y=${HEIGHT - BOTTOM + 15} text-anchor="middle">${names[index]}</text>`)}
      <path class="ax" d=${`M${left} ${HEIGHT - BOTTOM}H${end}`} />
      ${dots.map((dot) => {
        const level = lengths.indexOf(dot.learned) / Math.max(1, lengths.length - 1);
        return html`<circle class=${dot.best ? "trial best" : "trial"} cx=${x(dot.place) + aside(dot)} cy=${y(dot.score)} r=${2 + 2 * level} opacity=${0.35 + 0.6 * level}><title>${`trial ${dot.trial}, ${dot.value}, ${grouped(dot.learned)} ${dot.unit}: ${dot.score === null ? strings.charts.dead : dot.score.toFixed(4)}`}</title></circle>`;
      })}
    </svg>
  </figure>`;
}

/**
 * @param {ScatterData} data
 * @param {number} low
 * @param {number} high
 * @param {number} most
 * @returns {import("./scale.js").Axis}
 */
function across(data, low, high, most) {
  const ticks = Math.max(2, Math.min(6, most));
  if (data.logarithmic) return logAxis(low, high, { most: ticks });
  if (data.choices.length === 0) return rightAxis(low, high, { most: ticks, whole: false });
  const count = data.choices.length;
  return { low: -0.5, high: count - 0.5, step: 1, logarithmic: false, ticks: data.choices.map((_, index) => index), place: (place) => (place + 0.5) / count };
}

/** @param {number} share */
export function explainedText(share) {
  return percent(share, 0);
}
