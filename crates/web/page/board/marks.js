// Marks of moves on the board. Exact ones are solid, estimated ones are hatched with a dashed edge: never alike.

import { large, percent, signed } from "../format.js";
import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";
import { bestMoves } from "./known.js";

/** @import { Geometry } from "./geometry.js" */
/** @import { Exact, Estimate, Known } from "./known.js" */
/** @import { Legal, View } from "../types.js" */

/**
 * @typedef {{ legal: Legal, exact: Exact | null, estimate: Estimate | null, best: boolean, few: boolean }} Mark
 * `few`: one of the few best.
 */

/** Where more moves have marks, most are drawn as dots, so that the stones are seen. */
const CROWD = 60;
/** How many moves "best" shows. */
const FEW = 3;

/**
 * @param {View} view
 * @param {Known} known
 * @param {'off' | 'best' | 'all'} which
 * @returns {Mark[]}
 */
export function marksOf(view, known, which) {
  if (which === "off") return [];
  const best = new Set(bestMoves(known));
  const few = new Set([...new Set([...best, ...known.order])].slice(0, FEW));
  const marks = [];
  for (const legal of view.legal) {
    const move = known.moves.get(legal.move);
    if (legal.to === null || !move || (!move.exact && !move.estimate) || (which === "best" && !few.has(legal.move))) continue;
    marks.push({ legal, exact: move.exact, estimate: move.estimate, best: best.has(legal.move), few: few.has(legal.move) });
  }
  // Estimates below, exact ones above, the best on top.
  return marks.sort((a, b) => Number(!!a.exact) - Number(!!b.exact) || Number(a.best) - Number(b.best));
}

/**
 * The letter or score of a proof.
 * @param {Exact} exact
 */
export function exactText({ outcome, score }) {
  return score === null ? strings.analysis.letters[outcome] : signed(score);
}

/**
 * w, l or d: the colour of a result.
 * @param {Exact} exact
 */
export function exactClass({ outcome }) {
  return outcome[0];
}

/**
 * In a crowd only the few best moves are written out, and those of the cell that is looked at; the others are dots.
 * @param {Mark[]} marks
 * @param {number | null} cell
 * @returns {Set<string>} the moves that are dots
 */
export function dots(marks, cell) {
  if (marks.length <= CROWD) return new Set();
  const isDot = (/** @type {Mark} */ { legal: { from, to }, few }) => !few && (cell === null || (from !== cell && to !== cell));
  return new Set(marks.filter(isDot).map(({ legal }) => legal.move));
}

/**
 * @param {{ marks: Mark[], view: View, geometry: Geometry, cell: number | null }} props `cell` is looked at
 */
export function Marks({ marks, view, geometry, cell }) {
  const both = new Set(view.legal.filter(({ from, to }) => from !== null && view.legal.some((back) => back.from === to && back.to === from)).map(({ move }) => move));
  const small = dots(marks, cell);
  // What is written out lies above the dots.
  const order = [...marks].sort((a, b) => Number(small.has(b.legal.move)) - Number(small.has(a.legal.move)));
  return order.map((mark) => {
    const { legal } = mark;
    const title = strings.analysis.markTitle(legal, view, mark.exact, mark.estimate);
    const to = /** @type {number} */ (legal.to);
    if (legal.from === null) {
      return html`<g key=${legal.move} class="mark" data-move=${legal.move}><title>${title}</title><g transform=${`translate(${geometry.x(to)} ${geometry.y(to)})`}>${placed(mark)}</g></g>`;
    }
    const [dx, dy] = [geometry.x(to) - geometry.x(legal.from), geometry.y(to) - geometry.y(legal.from)];
    // Where both directions are moves each mark goes towards its own target.
    const along = both.has(legal.move) ? 0.7 : 0.5;
    const place = `translate(${geometry.x(legal.from) + along * dx} ${geometry.y(legal.from) + along * dy})`;
    return html`<g key=${legal.move} class="mark" data-move=${legal.move}><title>${title}</title><g transform=${both.has(legal.move) ? `${place} scale(.72)` : place}>${small.has(legal.move) ? dot(mark) : mark.exact ? exactOnEdge(mark.exact, mark.best, dx, dy) : estimateOnEdge(/** @type {Estimate} */ (mark.estimate), dx, dy)}</g></g>`;
  });
}

/**
 * A mark without words: solid where it is exact, hatched with a dashed edge where it is estimated.
 * @param {Mark} mark
 */
function dot({ exact, estimate }) {
  if (exact) return html`<circle class="m-halo" r="4.6" /><circle class=${`m-${exactClass(exact)}`} r="4.6" />`;
  const side = estimate && estimate.win >= 0.5 ? "w" : "l";
  return hatchedBox(12, 12, side);
}

/**
 * A disc with its tip towards the stone taken.
 * @param {Exact} exact
 * @param {boolean} best
 * @param {number} dx
 * @param {number} dy
 */
function exactOnEdge(exact, best, dx, dy) {
  const r = best ? 11.5 : 9.6;
  const tip = `M${0.62 * r} ${-0.72 * r}L${r + 5} 0L${0.62 * r} ${0.72 * r}Z`;
  const turn = `rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`;
  const kind = `m-${exactClass(exact)}`;
  return html`<g transform=${turn}><circle class="m-halo" r=${r} /><path d=${tip} class="m-halo" /><path d=${tip} class=${kind} /></g><circle class=${kind} r=${r} /><text class="m-t" y="4">${exactText(exact)}</text>`;
}

/**
 * @param {Estimate} estimate
 * @param {number} dx
 * @param {number} dy
 */
function estimateOnEdge(estimate, dx, dy) {
  const side = estimate.win >= 0.5 ? "w" : "l";
  const flat = Math.abs(dx) > Math.abs(dy);
  const tip = flat
    ? `M${17.5 * Math.sign(dx)} -4.5L${22.5 * Math.sign(dx)} 0L${17.5 * Math.sign(dx)} 4.5`
    : `M4.5 ${10.5 * Math.sign(dy)}L0 ${15.5 * Math.sign(dy)}L-4.5 ${10.5 * Math.sign(dy)}`;
  return html`<path class="m-halo" d=${`${tip}Z`} />${hatchedBox(35, 21, side)}<path d=${`${tip}Z`} class="e-box" /><path d=${tip} class=${`e-line tip e-${side}`} />
    <text class="e-t" y=".2">${percent(estimate.win)}</text><text class="e-v" y="7.6">${large(estimate.work)}</text>`;
}

/**
 * A mark on an empty cell, where a disc would be placed.
 * @param {Mark} mark
 */
function placed({ exact, estimate, best }) {
  if (exact) {
    const r = best ? 15.5 : 13;
    return html`<circle class="m-halo" r=${r} /><circle class=${`m-${exactClass(exact)}`} r=${r} /><text class="m-t big" y="4.6">${exactText(exact)}</text>`;
  }
  if (!estimate) return null;
  const side = estimate.win >= 0.5 ? "w" : "l";
  const first = estimate.discs === null ? percent(estimate.win) : signed(estimate.discs, 1);
  const second = estimate.discs === null ? large(estimate.work) : percent(estimate.win);
  return html`${hatchedBox(42, 27, side)}<text class="e-t big" y="-.4">${first}</text><text class="e-v big" y="9.2">${second}</text>`;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {string} side
 */
function hatchedBox(width, height, side) {
  const box = { x: -width / 2, y: -height / 2, width, height, rx: 4.5 };
  return html`<rect class="m-halo" ...${box} /><rect class="e-box" ...${box} /><rect fill=${`url(#h${side})`} class="e-hatch" ...${box} /><rect class=${`e-line e-${side}`} ...${box} />`;
}

/** Moves to which the network gives less are not drawn. */
const LEAST_SHARE = 0.005;

/**
 * The network's policy without search: an estimate, so hatched; the wider, the likelier.
 * @param {{ policy: { move: string, share: number }[], view: View, geometry: Geometry }} props
 */
export function HeatMap({ policy, view, geometry }) {
  const most = Math.max(...policy.map(({ share }) => share), 1e-9);
  return policy.map(({ move, share }) => {
    const legal = view.legal.find((each) => each.move === move);
    if (!legal || legal.to === null || share < LEAST_SHARE) return null;
    const strength = Math.sqrt(share / most);
    const title = html`<title>${strings.analysis.policyTitle(move, share)}</title>`;
    if (legal.from === null) {
      const size = 16 + 40 * strength;
      return html`<g class="policy-mark">${title}<rect x=${geometry.x(legal.to) - size / 2} y=${geometry.y(legal.to) - size / 2} width=${size} height=${size} rx="4" fill="url(#hx)" class="policy-box" /></g>`;
    }
    const [x1, y1, x2, y2] = [geometry.x(legal.from), geometry.y(legal.from), geometry.x(legal.to), geometry.y(legal.to)];
    const [length, width] = [Math.hypot(x2 - x1, y2 - y1), 8 + 26 * strength];
    const turn = `translate(${x1} ${y1}) rotate(${(Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI})`;
    return html`<g class="policy-mark" transform=${turn}>${title}<path d=${`M20 ${-width / 4}L${length - 20} ${-width / 2}V${width / 2}L20 ${width / 4}Z`} fill="url(#hx)" class="policy-box" /></g>`;
  });
}

/**
 * The shares of the policy in numbers, in place of the marks, which would cover it.
 * @param {{ policy: { move: string, share: number }[], view: View, geometry: Geometry }} props
 */
export function PolicyShares({ policy, view, geometry }) {
  return policy.map(({ move, share }) => {
    const legal = view.legal.find((each) => each.move === move);
    if (!legal || legal.to === null || share < LEAST_SHARE) return null;
    const from = legal.from ?? legal.to;
    const [x, y] = [(geometry.x(from) + geometry.x(legal.to)) / 2, (geometry.y(from) + geometry.y(legal.to)) / 2];
    return html`<text class="policy-share" x=${x} y=${y + 3.6}>${percent(share)}</text>`;
  });
}
