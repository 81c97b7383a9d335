// Numbers, sizes and values as people read them.

/** @type {Record<string, string>} */
const FRACTIONS = { "1/2": "½", "1/4": "¼", "3/4": "¾" };
/** A thin space between number and unit. */
const NARROW = "\u202f";

/**
 * 2 840 000 as "2.8 M".
 * @param {number} number
 */
export function large(number) {
  const units = ["", "k", "M", "G", "T"];
  let unit = 0;
  while (number >= 1000 && unit < units.length - 1) {
    number /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && number < 100 ? 1 : 0;
  return number.toFixed(digits) + (unit > 0 ? NARROW + units[unit] : "");
}

/**
 * A share from 0 to 1 as "62 %".
 * @param {number} share
 */
export function percent(share) {
  return Math.round(share * 100) + NARROW + "%";
}

/**
 * A number with its sign, "+3", "−2", "0".
 * @param {number} number
 * @param {number} [digits]
 */
export function signed(number, digits = 0) {
  const text = Math.abs(number).toFixed(digits);
  if (Number(text) === 0) return text;
  return (number > 0 ? "+" : "−") + text;
}

/**
 * A small rational such as a temperature: halves, quarters and eighths as fractions, a real minus sign.
 * @param {number} number
 */
export function rational(number) {
  for (const denominator of [1, 2, 4, 8, 16, 32]) {
    const numerator = Math.abs(number) * denominator;
    if (Math.abs(numerator - Math.round(numerator)) > 1e-9) continue;
    const sign = number < 0 ? "−" : "";
    const whole = Math.floor(Math.round(numerator) / denominator);
    const rest = Math.round(numerator) % denominator;
    if (rest === 0) return sign + whole;
    const fraction = FRACTIONS[`${rest}/${denominator}`] ?? `${whole > 0 ? " " : ""}${rest}/${denominator}`;
    return sign + (whole > 0 ? whole : "") + fraction;
  }
  return (number < 0 ? "−" : "") + Math.abs(number).toFixed(2);
}

/**
 * The name of a value with the typographic star and minus; tiny and miny in letters, for few fonts have their signs.
 * @param {string} value
 */
export function valueName(value) {
  return value.replaceAll("*", "∗").replaceAll("-", "−").replace(/⧾_?/g, "tiny-").replace(/⧿_?/g, "miny-");
}

/**
 * @param {number} rows
 * @param {number} cols
 */
export function sizeName(rows, cols) {
  return `${rows}×${cols}`;
}

/**
 * Seconds as "0.4 s", "12 s", "3 min".
 * @param {number} seconds
 */
export function duration(seconds) {
  if (seconds < 10) return seconds.toFixed(1) + NARROW + "s";
  if (seconds < 120) return Math.round(seconds) + NARROW + "s";
  return Math.round(seconds / 60) + NARROW + "min";
}
