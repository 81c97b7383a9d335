// The editor: brushes, size and side to move. What is edited becomes the root of a new game.

import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";
import { LETTERS, StoneIcon } from "./stones.js";

/** @import { BoardText, View } from "../types.js" */

/** @typedef {{ board: View["board"], stones: string, to_move: string, brush: string, sides: number }} Draft */

/** The most cells of a board. */
export const MOST_CELLS = 128;

/**
 * @param {View} view
 * @returns {Draft}
 */
export function draftOf(view) {
  return { board: view.board, stones: view.stones, to_move: view.to_move, brush: "x", sides: view.sides };
}

/**
 * @param {Draft} draft
 * @param {number} cell
 * @returns {Draft}
 */
export function paint(draft, cell) {
  return { ...draft, stones: draft.stones.slice(0, cell) + draft.brush + draft.stones.slice(cell + 1) };
}

/**
 * Another size; what lies on both boards stays.
 * @param {Draft} draft
 * @param {number} rows
 * @param {number} cols
 * @returns {Draft}
 */
export function resize(draft, rows, cols) {
  if ("vertices" in draft.board || rows < 1 || cols < 1 || rows * cols > MOST_CELLS) return draft;
  const old = draft.board;
  let stones = "";
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) stones += row < old.rows && col < old.cols ? draft.stones[row * old.cols + col] : ".";
  }
  return { ...draft, board: { rows, cols }, stones };
}

/**
 * @param {Draft} draft
 * @param {string} game
 * @returns {BoardText}
 */
export function draftBoard({ board, stones, to_move }, game) {
  if ("vertices" in board) {
    const vertices = board.vertices.map(({ name }, cell) => `${name}=${stones[cell]}`);
    const edges = board.edges.map(([a, b]) => `${board.vertices[a].name}-${board.vertices[b].name}`);
    return { game, position: [...vertices, ...edges].join(","), to_move };
  }
  const rows = Array.from({ length: board.rows }, (_, row) => stones.slice(row * board.cols, (row + 1) * board.cols));
  return { game, position: rows.join("|"), to_move };
}

/**
 * @param {{ draft: Draft, set: (draft: Draft) => void, done: () => void, cancel: () => void }} props
 */
export function EditorBar({ draft, set, done, cancel }) {
  const words = strings.editor;
  const sides = [...LETTERS.slice(0, draft.sides)];
  const brushes = [...sides, ".", ...("vertices" in draft.board ? [] : ["#"])];
  const number = (/** @type {string} */ label, /** @type {number} */ value, /** @type {(value: number) => void} */ change) => html`<label class="size">${label}<input class="field num" type="number" min="1" max=${MOST_CELLS} value=${value} onChange=${(/** @type {Event} */ event) => change(Number(/** @type {HTMLInputElement} */ (event.target).value))} /></label>`;
  const { board } = draft;
  return html`<div class="actions editor">
    <div class="seg" role="group" aria-label=${words.brush}>${brushes.map((brush) => html`<button aria-pressed=${draft.brush === brush ? "true" : "false"} aria-label=${words.brushes[brush] ?? brush} title=${words.brushes[brush] ?? brush} onClick=${() => set({ ...draft, brush })}>${brush === "." || brush === "#" ? html`<span class=${`brush ${brush === "#" ? "hole-brush" : "empty-brush"}`}></span>` : html`<${StoneIcon} side=${brush} size=${18} />`}</button>`)}</div>
    ${!("vertices" in board) && html`${number(words.rows, board.rows, (rows) => set(resize(draft, rows, board.cols)))}${number(words.cols, board.cols, (cols) => set(resize(draft, board.rows, cols)))}`}
    <div class="seg" role="group" aria-label=${words.toMove}>${sides.map((side) => html`<button aria-pressed=${draft.to_move === side ? "true" : "false"} onClick=${() => set({ ...draft, to_move: side })}>${words.moves(side)}</button>`)}</div>
    <button class="btn quiet" onClick=${() => set({ ...draft, stones: draft.stones.replace(/[^#]/g, ".") })}>${words.clear}</button>
    <span class="grow"></span><button class="btn" onClick=${cancel}>${words.cancel}</button><button class="btn strong" onClick=${done}>${words.done}</button></div>`;
}
