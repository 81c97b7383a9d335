// Numbers of charts and tables as people read them.

const NARROW = "\u202f";

/**
 * A number with its thousands apart, 1,234,567.
 * @param {number} number
 * @param {number} [digits] behind the point
 */
export function grouped(number, digits = 0) {
  const [whole, rest] = Math.abs(number).toFixed(digits).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? "." + rest : "");
  return (number < 0 && Number(Math.abs(number).toFixed(digits)) !== 0 ? "−" : "") + text;
}

/**
 * A share as "92.5 %", with as many digits as tell something.
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits) {
  const number = 100 * share;
  const shown = digits ?? (Number.isInteger(clean(number)) ? 0 : 1);
  return grouped(number, shown) + NARROW + "%";
}

/** @param {number} number */
function clean(number) {
  return Number(number.toPrecision(10));
}

/**
 * A number in a sentence or a table: about three digits that tell something.
 * @param {number} number
 */
export function short(number) {
  const size = Math.abs(number);
  if (!Number.isFinite(number)) return "–";
  if (size >= 1e9) return grouped(number / 1e9, size < 1e10 ? 2 : 1) + NARROW + "G";
  if (size >= 1e6) return grouped(number / 1e6, size < 1e7 ? 2 : 1) + NARROW + "M";
  if (size >= 100 || Number.isInteger(number)) return grouped(number);
  if (size >= 10) return grouped(number, 1);
  if (size >= 1) return grouped(number, 2);
  if (size >= 1e-3) return trimmed(grouped(number, 3));
  return number.toExponential(1).replace("-", "−").replace("e−", "e−");
}

/** @param {string} text */
function trimmed(text) {
  return text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/**
 * A value of a chart.
 * @param {number} number
 * @param {"linear" | "logarithmic" | "share"} scale
 */
export function shown(number, scale) {
  return scale === "share" ? percent(number) : short(number);
}

/**
 * The labels of ticks: all with the same unit and as many digits as their step needs.
 * @param {import("./scale.js").Axis} axis
 * @param {boolean} [share]
 * @returns {string[]}
 */
export function tickLabels(axis, share = false) {
  if (share) {
    const digits = decimals(100 * axis.step);
    return axis.ticks.map((tick) => grouped(100 * tick, digits));
  }
  if (axis.logarithmic) return axis.ticks.map(power);
  const most = Math.max(...axis.ticks.map(Math.abs), 0);
  const units = /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]]);
  // A unit that needs many digits behind the point is too large.
  const [unit, mark] = units.find(([size]) => size === 1 || (most >= (size === 1e3 ? 2e4 : size) && decimals(axis.step / size) <= 2)) ?? [1, ""];
  const digits = decimals(axis.step / unit);
  return axis.ticks.map((tick) => (tick === 0 ? "0" : grouped(tick / unit, digits) + (mark ? NARROW + mark : "")));
}

/** @param {number} number */
function decimals(number) {
  for (let digits = 0; digits < 15; digits += 1) {
    const scaled = number * 10 ** digits;
    if (Math.round(scaled) > 0 && Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return 15;
}

/** @param {number} number */
function power(number) {
  if (number >= 1e9) return `${clean(number / 1e9)}${NARROW}G`;
  if (number >= 1e6) return `${clean(number / 1e6)}${NARROW}M`;
  if (number >= 1e3) return `${clean(number / 1e3)}${NARROW}k`;
  if (number >= 1e-3) return String(clean(number));
  return number.toExponential(0).replace("-", "−");
}
