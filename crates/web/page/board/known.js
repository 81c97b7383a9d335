// What is known of positions. Proofs stay for as long as the tab lives; estimates are replaced by better ones.

/** @import { AnalysisLine, Judgement, JudgedMove, NetworkOpinion, Outcome, Valued, View } from "../types.js" */

/**
 * A proof, for the side to move; `score` is that of the side to move too, null where the game has none.
 * @typedef {{ outcome: Outcome, score: number | null }} Exact
 */
/**
 * An estimate, for the side to move: its chance, its expected score in discs, who says so and after how much work.
 * @typedef {{ win: number, discs: number | null, by: string, work: number }} Estimate
 */
/** @typedef {{ exact: Exact | null, bounds: [number, number] | null, estimate: Estimate | null }} Judged */
/** @typedef {Judged & { move: string, pv: string[] }} KnownMove */
/**
 * @typedef {Judged & {
 *   moves: Map<string, KnownMove>, order: string[], best: string | null, complete: boolean,
 *   values: Valued | null, opinion: NetworkOpinion | null, after: Map<string, string>,
 * }} Known
 * `complete`: every move is proved. `after`: values of the positions that moves lead to.
 */

/**
 * The name of a position in the cache.
 * @param {View} view
 */
export function keyOf(view) {
  return positionKey(view, view.stones, view.to_move);
}

/**
 * The name in the cache of a position on the same board.
 * @param {View} view
 * @param {string} stones
 * @param {string} to_move
 */
export function positionKey({ game, board }, stones, to_move) {
  const shape = "vertices" in board ? board.edges.join(" ") : board.cols;
  return `${game} ${shape} ${stones} ${to_move}`;
}

/** @returns {Known} */
export function nothingKnown() {
  return { exact: null, bounds: null, estimate: null, moves: new Map(), order: [], best: null, complete: false, values: null, opinion: null, after: new Map() };
}

/**
 * @param {Judgement} line
 * @param {number} sign 1 if x is to move, −1 if o is
 * @param {Judged | undefined} [old]
 * @returns {Judged}
 */
export function judged(line, sign, old) {
  const exact = line.proved === null ? null : { outcome: line.proved, score: line.score === null ? null : sign * line.score };
  const at_least = sign > 0 ? line.at_least : line.at_most;
  const at_most = sign > 0 ? line.at_most : line.at_least;
  const estimate = line.win === null ? null : { win: line.win, discs: line.discs === null ? null : sign * line.discs, by: line.by ?? "", work: line.work ?? 0 };
  return {
    exact: exact ?? old?.exact ?? null,
    bounds: at_least === null || at_most === null ? (old?.bounds ?? null) : [sign * at_least, sign * at_most],
    estimate: estimate ?? old?.estimate ?? null,
  };
}

/**
 * What is known after an analysis has told more. Proofs and the last estimates of before are kept.
 * @param {Known} old
 * @param {AnalysisLine} line
 * @param {View} view
 * @returns {Known}
 */
export function learn(old, line, view) {
  const sign = view.to_move === "x" ? 1 : -1;
  const moves = new Map(old.moves);
  for (const each of line.moves) {
    const before = moves.get(each.move);
    moves.set(each.move, { ...judged(each, sign, before), move: each.move, pv: each.pv.length > 0 ? each.pv : (before?.pv ?? []) });
  }
  // Open moves stay in the order of the analysis, which knows more than their chances: the work behind them.
  const told = new Map(line.moves.map(({ move }, index) => [move, index]));
  const place = (/** @type {string} */ move) => told.get(move) ?? line.moves.length;
  const order = [...moves.keys()].sort((a, b) => rank(get(moves, b)) - rank(get(moves, a)) || place(a) - place(b));
  const complete = view.legal.length > 0 && view.legal.every(({ move }) => moves.get(move)?.exact);
  const whole = judged(line, sign, old);
  // A won move proves the position, whatever the head of the line says.
  const best = order[0] ?? null;
  const found = best === null ? null : (moves.get(best)?.exact ?? null);
  const exact = whole.exact ?? (found && (found.outcome === "win" || complete) ? found : null);
  return { ...old, ...whole, exact, moves, order, best: line.move ?? best, complete };
}

/**
 * @param {Map<string, KnownMove>} moves
 * @param {string} move
 * @returns {KnownMove}
 */
function get(moves, move) {
  return /** @type {KnownMove} */ (moves.get(move));
}

/**
 * Won moves first, then open ones, then draws and losses.
 * @param {KnownMove} move
 */
function rank({ exact }) {
  if (exact === null) return 0;
  const score = (exact.score ?? 0) / 1000;
  return { win: 3, draw: -1, loss: -2 }[exact.outcome] + score;
}

/**
 * The moves that are as good as any, where that is proved; else the one of the best estimate.
 * @param {Known} known
 * @returns {string[]}
 */
export function bestMoves(known) {
  const moves = [...known.moves.values()];
  const top = known.order[0] === undefined ? undefined : known.moves.get(known.order[0]);
  if (!top) return [];
  if (!top.exact) return [top.move];
  if (top.exact.outcome !== "win" && !known.complete) return [];
  if (top.exact.outcome === "loss" && top.exact.score === null) return []; // all moves are as bad
  return moves.filter(({ exact }) => exact?.outcome === top.exact?.outcome && exact?.score === top.exact?.score).map(({ move }) => move);
}
