// Scales: from numbers to places on an axis, with round ticks.

/** The most ticks of an axis. */
export const MOST_TICKS = 6;

/**
 * A round step (1, 2 or 5 times a power of ten) of which at most `most - 1` cover this length.
 * @param {number} length
 * @param {number} [most]
 */
export function roundStep(length, most = MOST_TICKS) {
  if (!(length > 0)) return 1;
  const rough = length / (most - 1);
  const power = 10 ** Math.floor(Math.log10(rough) + 1e-9);
  for (const factor of [1, 2, 5, 10]) {
    if (factor * power >= rough * (1 - 1e-9)) return clean(factor * power);
  }
  return clean(10 * power);
}

/**
 * A number without the dust of floating point.
 * @param {number} number
 */
export function clean(number) {
  return Number(number.toPrecision(12));
}

/**
 * The round numbers from `low` to `high`, both included.
 * @param {number} low
 * @param {number} high
 * @param {number} step
 */
export function multiples(low, high, step) {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => clean((first + index) * step));
}

/**
 * An axis: its ends, its ticks, and where a number stands between 0 and 1.
 * @typedef {{ low: number, high: number, ticks: number[], place: (number: number) => number, step: number, logarithmic: boolean }} Axis
 */

/**
 * An axis that ends at ticks.
 * @param {number} low
 * @param {number} high
 * @param {{ most?: number, least?: number, limit?: [number, number] }} [options] the smallest step, and what cannot be left
 * @returns {Axis}
 */
export function linearAxis(low, high, { most = MOST_TICKS, least = 0, limit } = {}) {
  if (!(high > low)) [low, high] = spread(low, limit);
  // A range that begins near zero begins at zero.
  if (low > 0 && low < 0.35 * high) low = 0;
  let step = 1;
  let [from, to] = [low, high];
  // Rounding outwards may need a tick more than there may be.
  for (let fewer = most; fewer > 1; fewer -= 1) {
    step = Math.max(least, roundStep(high - low, fewer));
    from = clean(Math.floor(low / step + 1e-9) * step);
    to = clean(Math.ceil(high / step - 1e-9) * step);
    if (limit) [from, to] = [Math.max(from, limit[0]), Math.min(to, limit[1])];
    if ((to - from) / step <= most - 1 + 1e-9) break;
  }
  return { low: from, high: to, step, logarithmic: false, ticks: multiples(from, to, step), place: (number) => (number - from) / (to - from) };
}

/**
 * @param {number} number
 * @param {[number, number]} [limit]
 * @returns {[number, number]}
 */
function spread(number, limit) {
  if (limit && number >= limit[0] && number <= limit[1]) return limit;
  if (!Number.isFinite(number)) return [0, 1];
  const half = number === 0 ? 1 : Math.abs(number) / 2;
  return [number - half, number + half];
}

/**
 * An axis to the right: it ends where the numbers end, and its ticks are whole where the numbers are.
 * @param {number} low
 * @param {number} high
 * @param {{ most?: number, whole?: boolean }} [options]
 * @returns {Axis}
 */
export function rightAxis(low, high, { most = MOST_TICKS, whole = true } = {}) {
  if (!(high > low)) [low, high] = [Math.min(low, 0), low > 0 ? low : low + 1];
  const step = Math.max(whole ? 1 : 0, roundStep(high - low, most));
  return { low, high, step, logarithmic: false, ticks: multiples(low, high, step), place: (number) => (number - low) / (high - low) };
}

/**
 * An axis with powers of ten at equal distances.
 * @param {number} low
 * @param {number} high
 * @param {{ most?: number }} [options]
 * @returns {Axis}
 */
export function logAxis(low, high, { most = MOST_TICKS } = {}) {
  const good = low > 0 && high > 0 && Number.isFinite(low) && Number.isFinite(high);
  if (!good) [low, high] = [0.1, 1];
  const powers = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
  if (powers[0] === powers[1]) powers[1] += 1;
  const length = powers[1] - powers[0];
  let ticks = [];
  let [from, to] = [10 ** powers[0], 10 ** powers[1]];
  if (length <= 2) {
    // Within two decades also 2 and 5, and ends near the numbers.
    const all = Array.from({ length: length + 1 }, (_, index) => powers[0] + index).flatMap((power) => [1, 2, 5].map((factor) => clean(factor * 10 ** power)));
    from = Math.max(...all.filter((tick) => tick <= low * (1 + 1e-9)));
    to = Math.min(...all.filter((tick) => tick >= high * (1 - 1e-9)), clean(10 ** (powers[1] + 1)));
    if (from === to) to = all[all.indexOf(from) + 1] ?? to * 10;
    ticks = all.filter((tick) => tick >= from && tick <= to);
    if (ticks.length > most) ticks = ticks.filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e9) / 1e9) || tick === from || tick === to);
  } else {
    const step = Math.ceil(length / (most - 1));
    ticks = multiples(powers[0], powers[1], step).map((power) => clean(10 ** power));
  }
  const [bottom, top] = [Math.log10(from), Math.log10(to)];
  return { low: from, high: to, step: 0, logarithmic: true, ticks, place: (number) => (Math.log10(Math.max(number, Number.MIN_VALUE)) - bottom) / (top - bottom) };
}
