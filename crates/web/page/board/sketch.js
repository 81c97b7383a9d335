// A board that is drawn before the server has answered, from the address alone. It knows no rules but Clobber's moves: where it takes
// more to know the stones, the board is empty for a moment.

import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";
import { Board } from "./board.js";
import { columnName, geometryOf } from "./geometry.js";

/** @import { BoardText, View } from "../types.js" */

/**
 * The shape and the stones that a board's text speaks of, null where it is something else than a grid.
 * @param {BoardText} board
 * @returns {{ board: { rows: number, cols: number }, stones: string } | null}
 */
export function sketchOf({ game, position, moves = [] }) {
  const [, rows, cols] = (/^([0-9]{1,3})x([0-9]{1,3})$/.exec(position) ?? []).map(Number);
  const lines = rows ? Array.from({ length: rows }, (_, row) => startLine(game, row, cols)) : position.split("|");
  const shape = { rows: lines.length, cols: lines[0].length };
  if (lines.some((line) => line.length !== shape.cols || !/^[xotsdp.#]+$/.test(line)) || shape.rows * shape.cols > 128) return null;
  const stones = [...lines.join("")];
  if (moves.length > 0 && game !== "clobber") return { board: shape, stones: emptied(stones) };
  const cells = new Map(stones.map((_, cell) => [columnName(cell % shape.cols) + (1 + Math.floor(cell / shape.cols)), cell]));
  for (const move of moves) {
    const [from, to] = (move.match(/[a-z]+[0-9]+/g) ?? []).map((name) => cells.get(name));
    if (from === undefined || to === undefined) return { board: shape, stones: emptied(stones) };
    [stones[from], stones[to]] = [".", stones[from]];
  }
  return { board: shape, stones: stones.join("") };
}

/**
 * A line of the start position of a size.
 * @param {string} game
 * @param {number} row
 * @param {number} cols
 */
function startLine(game, row, cols) {
  return Array.from({ length: cols }, (_, col) => (game !== "clobber" ? "." : "xo"[(row + col) % 2])).join("");
}

/** @param {string[]} stones */
function emptied(stones) {
  return stones.map((stone) => (stone === "#" ? "#" : ".")).join("");
}

/** @param {{ text: BoardText }} props */
export function Sketch({ text }) {
  const sketch = sketchOf(text);
  if (!sketch) return html`<div class="board-room"><p class="dim">${strings.shell.loading}</p></div>`;
  const view = /** @type {View} */ (/** @type {unknown} */ ({ game: text.game, legal: [], moves: [], start: { position: text.position, to_move: "x" }, to_move: text.to_move ?? "x", over: false, ...sketch }));
  const nothing = { legal: [], marks: [], parts: [], selected: null, last: null, hint: null, policy: null, stable: [], lit: null, painting: false };
  const none = () => {};
  return html`<div class="board-room"><div class="col"><div class="bar"><h1 class="title">${strings.board.title(view)} ${strings.board.size(view)}</h1></div>
    <section class="panel table-panel o2" aria-busy="true"><div class="seat"></div>
      <div class="boardwrap"><${Board} ...${nothing} view=${view} geometry=${geometryOf(sketch.board)} stones=${sketch.stones} label=${strings.shell.loading} light=${none} act=${none} play=${none} /></div>
      <div class="seat"></div></section></div><div class="col"></div></div>`;
}
