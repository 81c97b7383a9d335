// A graph as a list: every vertex with its stone, its neighbours, and the moves from it.

import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";
import { geometryOf } from "./geometry.js";

/** @import { View } from "../types.js" */

/** @param {{ view: View, act: (move: string) => void }} props */
export function Neighbours({ view, act }) {
  const words = strings.board;
  const geometry = geometryOf(view.board);
  const cells = Array.from({ length: geometry.cells }, (_, cell) => cell);
  return html`<details class="panel neighbours o5"><summary>${words.neighbours}</summary><table class="t"><thead><tr>${words.neighbourHead.map((name) => html`<th>${name}</th>`)}</tr></thead>
    <tbody>${cells.map((cell) => html`<tr key=${cell}><td>${geometry.name(cell)}</td><td>${view.stones[cell]}</td><td>${geometry.neighbours(cell).map((near) => words.neighbour(geometry.name(near), view.stones[near])).join(", ")}</td>
      <td>${view.legal.filter(({ from }) => from === cell).map(({ move }) => html`<button class="mv-button" onClick=${() => act(move)}>${move}</button> `)}</td></tr>`)}</tbody></table></details>`;
}
