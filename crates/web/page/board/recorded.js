// A recorded game at the board: who played it, and what they thought of the move that led here.

import { duration, large, percent } from "../format.js";
import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";

/** @import { GameRow } from "../runs/types.js" */
/** @import { TreeNode } from "./tree.js" */

/**
 * What was thought of the last move of a path, null where the path has left the game or nothing was kept.
 * @param {GameRow} game
 * @param {TreeNode[]} path
 */
export function thoughtOf(game, path) {
  const moves = path.slice(1).map(({ move }) => move);
  if (moves.length === 0 || moves.some((move, ply) => move !== game.moves[ply])) return null;
  return game.thoughts[moves.length - 1 - game.opening] ?? null;
}

/** Who played a side. @param {GameRow} game @param {string} side */
export function playerOf(game, side) {
  return side === "x" ? game.black : game.white;
}

/** @param {{ game: GameRow, path: TreeNode[] }} props */
export function Recorded({ game, path }) {
  const words = strings.recorded;
  const last = path[path.length - 1];
  const thought = thoughtOf(game, path);
  const isOpening = path.length > 1 && path.length - 1 <= game.opening;
  return html`<section class="panel o2 recorded"><header><h2>${words.title}</h2><span class="note">${words.result(game)}</span></header>
    <p class="body">${last.move === null || !thought
      ? html`<span class="dim">${last.move === null ? words.start : isOpening ? words.opening : words.nothing}</span>`
      : html`<b class="mono">${last.move}</b> <span>${playerOf(game, last.side ?? "x")}</span>
        ${thought.proved !== null ? html`<span class="tag proved">${words.proved[/** @type {'win' | 'draw' | 'loss'} */ (thought.proved)] ?? thought.proved}</span>` : thought.expected !== null && html`<span class="tag est">${words.expects(percent((1 + thought.expected) / 2))}</span>`}
        <span class="dim num">${[thought.effort > 0 && words.effort(large(thought.effort)), thought.seconds >= 0.05 && duration(thought.seconds)].filter(Boolean).join(" · ")}</span>`}</p></section>`;
}
