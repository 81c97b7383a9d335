// A thermograph: Left's gain to the left, temperature upwards from −1, the mast above.

import { rational } from "../format.js";
import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";

/** @import { ThermographData } from "../types.js" */

const [WIDTH, HEIGHT] = [286, 190];
const [LEFT, RIGHT, TOP, BOTTOM] = [30, 278, 10, 158];
const LOWEST = -1;

/**
 * Round tick values that cover an interval.
 * @param {number} low
 * @param {number} high
 * @returns {number[]}
 */
function ticks(low, high) {
  const step = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100].find((step) => (high - low) / step <= 5) ?? 200;
  const values = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + 1e-9; value += step) values.push(value);
  return values;
}

/** @param {{ thermograph: ThermographData, name: string }} props */
export function Thermograph({ thermograph: { left, right, mast, temperature }, name }) {
  const words = strings.values;
  const values = [...left, ...right].map(([value]) => value).concat(mast);
  const middle = (Math.max(...values) + Math.min(...values)) / 2;
  const half = Math.max(1.25, ((Math.max(...values) - Math.min(...values)) / 2) * 1.2);
  const [low, high] = [middle - half, middle + half];
  const hottest = Math.max(1, Math.ceil(temperature + 0.5));
  const x = (/** @type {number} */ value) => LEFT + ((high - value) / (high - low)) * (RIGHT - LEFT);
  const y = (/** @type {number} */ heat) => BOTTOM - ((heat - LOWEST) / (hottest - LOWEST)) * (BOTTOM - TOP);
  const wall = (/** @type {[number, number][]} */ points) => {
    const sorted = [...points].sort((a, b) => a[1] - b[1]);
    return sorted.map(([value, heat], i) => `${i === 0 ? "M" : "L"}${x(value)} ${y(Math.max(heat, LOWEST))}`).join("") + `L${x(mast)} ${y(temperature)}`;
  };
  const back = [...right].sort((a, b) => b[1] - a[1]).map(([value, heat]) => `L${x(value)} ${y(Math.max(heat, LOWEST))}`).join("");
  const ends = { left: Math.max(...left.map(([value]) => value), mast), right: Math.min(...right.map(([value]) => value), mast) };
  const wide = x(ends.right) - x(ends.left) > 60;
  const isRight = x(mast) < (LEFT + RIGHT) / 2 + 40;
  return html`<svg class="plot" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${words.thermographOf(name, temperature, mast)}>
    ${ticks(LOWEST, hottest).map((heat) => html`<path class=${heat === 0 ? "zero" : "gl"} d=${`M${LEFT} ${y(heat)}H${RIGHT}`} /><text x=${LEFT - 6} y=${y(heat) + 3.5} text-anchor="end">${rational(heat)}</text>`)}
    ${ticks(low, high).map((value) => html`<path class="gl" d=${`M${x(value)} ${TOP}V${BOTTOM}`} /><text x=${x(value)} y="172" text-anchor="middle">${rational(value)}</text>`)}
    <path class="thermo-area" d=${`${wall(left)}${back}Z`} />
    <path class="thermo-wall" d=${wall(left)} /><path class="thermo-wall right" d=${wall(right)} />
    <path class="thermo-mast" d=${`M${x(mast)} ${y(temperature)}V${TOP}`} />
    <circle class="thermo-top" cx=${x(mast)} cy=${y(temperature)} r="4" />
    <text class="lab" x=${x(mast) - 8} y=${TOP + 12} text-anchor="end">${words.mast}</text>
    ${wide && html`<text class="lab" x=${(x(ends.left) + x(mast)) / 2 - 6} y=${(y(LOWEST) + y(temperature)) / 2 - 6} text-anchor="end">${words.leftWall}</text><text class="lab" x=${(x(ends.right) + x(mast)) / 2 + 6} y=${(y(LOWEST) + y(temperature)) / 2 - 6}>${words.rightWall}</text>`}
    <text x=${isRight ? x(mast) + 9 : x(mast) - 9} y=${y(temperature) - 7} text-anchor=${isRight ? "start" : "end"}>${words.temperature(temperature)}</text>
    <text x=${(LEFT + RIGHT) / 2} y="187" text-anchor="middle">${words.axis}</text><text x=${LEFT + 4} y=${TOP + 9}>t</text>
  </svg>`;
}
