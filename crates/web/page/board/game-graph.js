// A game as a graph: proved positions solid, estimated ones hatched; mistakes above the moves that made them.

import { Icon } from "../icons.js";
import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";
import { positionKey } from "./known.js";
import { Stone } from "./stones.js";

/** @import { AnalystState } from "./analyst.js" */
/** @import { Judged, Known } from "./known.js" */
/** @import { ReviewedMove, View } from "../types.js" */
/** @import { TreeNode } from "./tree.js" */

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [580, 204, 30, 8, 178];
const MIDDLE = (TOP + BOTTOM) / 2;
/** Mistakes nearer to each other than this say what they are only when we stand there. */
const APART = 240;
/** The widest a ply is drawn, so that short games do not look like towers. */
const WIDEST = 52;

/**
 * How good a position is for x, from −1 to 1, and whether that is proved. Null: nothing is known.
 * @param {Judged | undefined} known
 * @param {string} to_move
 * @param {number} cells
 * @returns {{ height: number, proved: boolean } | null}
 */
export function heightOf(known, to_move, cells) {
  const sign = to_move === "x" ? 1 : -1;
  if (known?.exact) {
    const { outcome, score } = known.exact;
    if (score === null) return { height: sign * { win: 1, draw: 0, loss: -1 }[outcome], proved: true };
    return { height: sign * scale(score, cells), proved: true };
  }
  if (!known?.estimate) return null;
  const { win, discs } = known.estimate;
  return { height: sign * (discs === null ? 2 * win - 1 : scale(discs, cells)), proved: false };
}

/**
 * Scores in discs: a quarter of the board is half the height.
 * @param {number} score
 * @param {number} cells
 */
function scale(score, cells) {
  const share = Math.min(1, Math.abs(score) / cells);
  return Math.sign(score) * Math.sqrt(share);
}

/**
 * @param {{
 *   line: TreeNode[], node: number, end: View, cache: Map<string, Known>, analyst: AnalystState, hide: boolean,
 *   go: (node: number) => void, sweep: () => void, stopSweep: () => void,
 * }} props
 */
export function GameGraph({ line, node, end, cache, analyst, hide, go, sweep, stopSweep }) {
  const words = strings.game;
  const plies = Math.min(line.length, end.line.length);
  const here = line.findIndex(({ id }) => id === node);
  const cells = end.stones.length;
  const step = Math.min(WIDEST, (WIDTH - LEFT - 6) / Math.max(plies, 1));
  const width = Math.max(2, step * 0.66);
  const centre = (/** @type {number} */ ply) => LEFT + (ply + 0.5) * step;
  const moves = line.slice(1).map(({ move }) => move).join(".");
  const review = analyst.review && analyst.reviewed === moves ? analyst.review : null;
  const mistakes = review ? review.moves.filter(({ mistake }) => mistake !== null) : [];
  const bars = end.line.slice(0, plies).map(({ stones, to_move }, ply) => {
    if (hide && ply >= here) return null;
    if (end.over && ply === end.line.length - 1) return finalHeight(end, cells);
    return heightOf(cache.get(positionKey(end, stones, to_move)), to_move, cells);
  });
  const every = Math.max(1, Math.ceil(plies / 14));
  const nextMistake = () => {
    const next = mistakes.find(({ ply }) => ply > here) ?? mistakes[0];
    if (next) go(line[next.ply].id);
  };
  const proved = mistakes.filter(({ mistake }) => mistake === "proved").length;
  return html`<section class="panel o5"><header><h2>${words.title}</h2>
      <span class="note">${analyst.reviewing ? words.sweeping(analyst.reviewing) : review ? words.mistakes(proved, mistakes.length - proved) : words.plies(plies - 1)}</span>
      ${mistakes.length > 0 && !hide && html`<button class="btn quiet low" onClick=${nextMistake}>${words.next} <${Icon} name="next" /></button>`}
      ${end.for_two && plies > 1 && !hide && html`<button class="btn low" onClick=${analyst.reviewing ? stopSweep : sweep}>${analyst.reviewing ? words.stop : words.sweep}</button>`}
    </header><div class="body"><svg class="plot gamegraph" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${words.graphLabel(bars)}>
      ${[0, 0.25, 0.75, 1].map((share) => html`<path class="gl" d=${`M${LEFT} ${TOP + share * (BOTTOM - TOP)}H${WIDTH - 6}`} />`)}
      <g transform="translate(16 15) scale(.3)"><${Stone} side="x" /></g><g transform="translate(16 171) scale(.3)"><${Stone} side="o" /></g>
      ${bars.map((bar, ply) => bar && html`<${Bar} key=${ply} bar=${bar} x=${centre(ply) - width / 2} width=${width} />`)}
      <path class="zero" d=${`M${LEFT} ${MIDDLE}H${WIDTH - 6}`} />
      ${here >= 0 && html`<rect class="here" x=${centre(here) - step / 2 + 1} y=${TOP - 4} width=${step - 2} height=${BOTTOM - TOP + 8} rx="4" />`}
      ${bars.map((_, ply) => ply % every === 0 || ply === here ? html`<text x=${centre(ply)} y="198" text-anchor="middle" class=${ply === here ? "lab" : ply === plies - 1 || here % every === 0 || Math.abs(ply - here) * step > 16 ? "" : "crowded"}>${ply}</text>` : null)}
      ${!hide && mistakes.map((mistake) => html`<${Mistake} key=${mistake.ply} mistake=${mistake} x=${centre(mistake.ply)} shows=${mistake.ply === here || mistakes.every((other) => other === mistake || other.side !== mistake.side || Math.abs(other.ply - mistake.ply) * step > APART)} />`)}
      ${line.slice(0, plies).map(({ id }, ply) => html`<rect key=${`h${id}`} class="ply-hit" x=${centre(ply) - step / 2} y="0" width=${step} height=${HEIGHT} onClick=${() => go(id)}><title>${words.plyTitle(ply, line[ply].move)}</title></rect>`)}
    </svg>${review && html`<p class="cap">${words.accuracy(review)}</p>`}</div></section>`;
}

/**
 * @param {View} end
 * @param {number} cells
 */
function finalHeight({ winner, score }, cells) {
  if (score !== null) return { height: scale(score, cells), proved: true };
  return { height: winner === "x" ? 1 : winner === "o" ? -1 : 0, proved: true };
}

/** @param {{ bar: { height: number, proved: boolean }, x: number, width: number }} props */
function Bar({ bar: { height, proved }, x, width }) {
  const size = Math.max(1.5, Math.abs(height) * (MIDDLE - TOP));
  const y = height > 0 ? MIDDLE - size : MIDDLE;
  const side = height > 0 ? "x" : "o";
  const box = { x, y, width, height: size };
  if (proved) return html`<rect ...${box} rx="1.5" class=${`bar-${side}`} />`;
  return html`<rect ...${box} fill=${`url(#h${side})`} /><rect ...${box} class="bar-guess" />`;
}

/** @param {{ mistake: ReviewedMove, x: number, shows: boolean }} props */
function Mistake({ mistake, x, shows }) {
  const isProved = mistake.mistake === "proved";
  // On the side away from the bar that follows.
  const y = mistake.side === "x" ? 59 : 123;
  const diamond = `M${x} ${y - 8}l8 8l-8 8l-8-8z`;
  const atRight = x < WIDTH / 2;
  const tx = atRight ? x + 13 : x - 13;
  const anchor = atRight ? "start" : "end";
  const words = strings.game;
  return html`<g>${isProved ? html`<path d=${diamond} class="mistake" />` : html`<path d=${diamond} class="mistake-guess" /><path d=${diamond} fill="url(#hl)" class="e-hatch" />`}
    <text x=${x} y=${y + 3.8} text-anchor="middle" class=${isProved ? "q on" : "q"}>?</text>
    ${shows && html`<text class="word strong" x=${tx} y=${y - 3} text-anchor=${anchor}>${mistake.ply} ${mistake.side} ${mistake.move}</text><text class="word" x=${tx} y=${y + 11} text-anchor=${anchor}>${words.mistake(mistake)}</text>`}</g>`;
}
