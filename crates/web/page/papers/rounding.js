// Printed numbers keep their digits, ours get as many, and both stand under each other.

/** @import { PaperCell } from "../runs/types.js" */

/**
 * How many digits behind the point a column of numbers needs: those that the paper prints, and where it prints
 * nothing as many as the size of the numbers asks for.
 * @param {PaperCell[]} cells
 */
export function digitsOf(cells) {
  const printed = cells.flatMap((cell) => (typeof cell.paper === "number" ? [decimals(cell.paper)] : []));
  if (printed.length > 0) return Math.min(6, Math.max(...printed));
  const largest = Math.max(0, ...cells.flatMap((cell) => (typeof cell.ours === "number" ? [Math.abs(cell.ours)] : [])));
  return largest >= 100 ? 0 : largest >= 1 ? 2 : 4;
}

/** @param {number} number */
function decimals(number) {
  const text = String(number);
  if (text.includes("e-")) return Number(text.split("e-")[1]);
  return text.split(".")[1]?.length ?? 0;
}

/**
 * A number of a table.
 * @param {number | string | null} value
 * @param {number} digits
 */
export function rounded(value, digits) {
  if (value === null) return "–";
  if (typeof value === "string") return value.replaceAll("_", " ");
  const [whole, rest] = Math.abs(value).toFixed(digits).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? `.${rest}` : "");
  return (value < 0 && Number(text.replaceAll(",", "")) !== 0 ? "−" : "") + text;
}

/**
 * The parameters of a number's name, `learning_rate=0.1 target=100` as pairs; words without a key stand alone.
 * @param {string} name
 * @returns {[string, string][]}
 */
export function parameters(name) {
  return name.split(" ").map((word) => {
    const at = word.indexOf("=");
    return at < 0 ? ["", word.replaceAll("_", " ")] : [word.slice(0, at).replaceAll("_", " "), word.slice(at + 1)];
  });
}
