// The board: an SVG that is a grid for assistive techniques, played by pointer, touch and keyboard.

import { strings } from "../strings.js";
import { html, useLayoutEffect, useRef, useState } from "../vendor/htm-preact.js";
import { CELL } from "./geometry.js";
import { HeatMap, Marks, PolicyShares } from "./marks.js";
import { PartBadges, PartOutlines } from "./parts.js";
import { usePointer } from "./pointer.js";
import { Stone } from "./stones.js";

/** @import { Geometry } from "./geometry.js" */
/** @import { Mark } from "./marks.js" */
/** @import { Part } from "./parts.js" */
/** @import { Legal, View } from "../types.js" */

/**
 * @typedef {{
 *   view: View, geometry: Geometry, stones: string, legal: Legal[], selected: number | null, label: string,
 *   marks: Mark[], parts: Part[], lit: number | null, light: (part: number | null) => void,
 *   last: { from: number | null, to: number } | null, hint: Legal | null,
 *   policy: { move: string, share: number }[] | null, stable: number[],
 *   painting: boolean, act: (cell: number) => void, play: (move: string) => void,
 * }} BoardProps
 * With `painting` a pointer that is drawn over cells acts on each of them.
 */

/** @param {BoardProps} props */
export function Board(props) {
  const { view, geometry, stones, legal, selected, marks, parts, lit, light, last, hint, policy, stable, label } = props;
  const [focus, setFocus] = useState(0);
  const [hovered, hover] = useState(/** @type {number | null} */ (null));
  /** @type {import("../vendor/htm-preact.js").Ref<SVGSVGElement | null>} */
  const svg = useRef(null);
  const pointer = usePointer(svg, props);
  useMovingStone(svg, props);
  const cells = Array.from({ length: geometry.cells }, (_, cell) => cell);
  const targets = new Set(selected === null ? [] : legal.filter(({ from }) => from === selected).map(({ to }) => to));
  const movable = new Set(legal.map(({ from, to }) => from ?? to));
  const at = Math.min(focus, geometry.cells - 1);

  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    let to = at;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) to = geometry.step(at, step[0], step[1]);
    else if (event.key === "Home") to = at - (at % geometry.cols);
    else if (event.key === "End") to = at - (at % geometry.cols) + geometry.cols - 1;
    else if (event.key === "Enter" || event.key === " ") props.act(at);
    else if (event.key === "Escape" && selected !== null) props.act(selected);
    else return;
    event.preventDefault();
    event.stopPropagation();
    setFocus(to);
    const cell = svg.current?.querySelector(`[data-cell="${to}"]`);
    if (cell instanceof SVGElement) cell.focus();
  };

  const enter = (/** @type {number | null} */ cell) => {
    hover(cell);
    light(cell === null ? null : partOf(parts, cell));
  };

  const cellOf = (/** @type {number} */ cell) => html`<g
    key=${cell} role="gridcell" data-cell=${cell} class=${`hit${movable.has(cell) || props.painting ? " can" : ""}`} tabindex=${cell === at ? 0 : -1}
    aria-label=${strings.board.cell(geometry.name(cell), stones[cell], movable.has(cell), targets.has(cell))} aria-selected=${cell === selected ? "true" : "false"}
    onFocus=${() => setFocus(cell)} onPointerEnter=${() => enter(cell)} onPointerLeave=${() => enter(null)}
  >${geometry.graph ? html`<circle cx=${geometry.x(cell)} cy=${geometry.y(cell)} r="29" />` : html`<rect x=${geometry.x(cell) - 30} y=${geometry.y(cell) - 30} width="60" height="60" />`}</g>`;

  const rows = Array.from({ length: geometry.rows }, (_, row) => cells.slice(row * geometry.cols, (row + 1) * geometry.cols));
  return html`<svg ref=${svg} class="board" viewBox=${`0 0 ${geometry.width} ${geometry.height}`} style=${sizes(geometry)}
    role="grid" aria-label=${label} aria-rowcount=${geometry.rows} aria-colcount=${geometry.cols}
    onKeyDown=${onKeyDown} ...${pointer}>
    <g aria-hidden="true">
      ${geometry.graph ? html`<${GraphLines} geometry=${geometry} />` : html`<${GridLines} geometry=${geometry} />`}
      ${cells.filter((cell) => stones[cell] === "#").map((cell) => html`<${Hole} key=${cell} geometry=${geometry} cell=${cell} />`)}
      <${PartOutlines} parts=${parts} geometry=${geometry} lit=${lit} />
      ${last && html`<${LastMove} last=${last} geometry=${geometry} />`}
      ${policy && html`<${HeatMap} policy=${policy} view=${view} geometry=${geometry} />`}
      ${cells.filter((cell) => !".#".includes(stones[cell])).map((cell) => html`<g key=${`s${cell}`} data-stone=${cell} class=${lit !== null && partOf(parts, cell) !== lit ? "dimmed" : ""} transform=${`translate(${geometry.x(cell)} ${geometry.y(cell)})`}><g><${Stone} side=${stones[cell]} /></g></g>`)}
      ${last && html`<circle class=${`last-dot on-${stones[last.to]}`} cx=${geometry.x(last.to)} cy=${geometry.y(last.to)} r="2.8" />`}
      ${stable.map((cell) => html`<path class=${`stable on-${stones[cell]}`} d=${`M${geometry.x(cell) - 9} ${geometry.y(cell) + 13}h18`} />`)}
      ${selected !== null && html`<circle class="sel-gap" cx=${geometry.x(selected)} cy=${geometry.y(selected)} r="25" /><circle class="sel" cx=${geometry.x(selected)} cy=${geometry.y(selected)} r="26.6" />`}
      ${[...targets].map((cell) => cell !== null && html`<path class="target" d=${brackets(geometry.x(cell), geometry.y(cell))} />`)}
      ${hint && html`<${Hint} hint=${hint} geometry=${geometry} />`}
    </g>
    ${rows.map((row, i) => html`<g role="row" aria-rowindex=${i + 1}>${row.map(cellOf)}</g>`)}
    <g aria-hidden="true">
      ${policy ? html`<${PolicyShares} policy=${policy} view=${view} geometry=${geometry} />` : html`<${Marks} marks=${marks} view=${view} geometry=${geometry} cell=${selected ?? hovered} />`}
      <${PartBadges} parts=${parts} stones=${stones} geometry=${geometry} lit=${lit} />
      <g class="ghost"></g>
    </g>
  </svg>`;
}

/**
 * Small boards do not fill the column, and those with many columns scroll sideways.
 * @param {Geometry} geometry
 */
function sizes({ width, height, cols, graph }) {
  return { maxWidth: `${Math.round(width * 1.75)}px`, minWidth: graph ? "0" : `${cols * 26}px`, aspectRatio: `${width} / ${height}` };
}

/**
 * @param {Part[]} parts
 * @param {number} cell
 */
function partOf(parts, cell) {
  const index = parts.findIndex(({ cells }) => cells.includes(cell));
  return index < 0 ? null : index;
}

/** @param {{ geometry: Geometry }} props */
function GridLines({ geometry }) {
  const { rows, cols } = geometry;
  const [left, top] = [geometry.x(0) - CELL / 2, geometry.y(0) - CELL / 2];
  const [across, down] = [cols * CELL, rows * CELL];
  const lines = [];
  for (let col = 0; col <= cols; col += 1) lines.push(`M${left + col * CELL} ${top}v${down}`);
  for (let row = 0; row <= rows; row += 1) lines.push(`M${left} ${top + row * CELL}h${across}`);
  const columns = Array.from({ length: cols }, (_, col) => geometry.name(col).replace(/[0-9]+$/, ""));
  return html`<path class="grid-line" d=${lines.join("")} />
    ${columns.map((name, col) => html`<text class="coord" x=${geometry.x(col)} y=${top + down + 12.5}>${name}</text>`)}
    ${Array.from({ length: rows }, (_, row) => html`<text class="coord" x=${left - 9} y=${geometry.y(row * cols) + 3.4}>${row + 1}</text>`)}`;
}

/** @param {{ geometry: Geometry }} props */
function GraphLines({ geometry }) {
  const lines = geometry.edges.map(([a, b]) => `M${geometry.x(a)} ${geometry.y(a)}L${geometry.x(b)} ${geometry.y(b)}`);
  const cells = Array.from({ length: geometry.cells }, (_, cell) => cell);
  // Names stand outside, away from the middle of the drawing.
  const away = (/** @type {number} */ cell) => {
    const [dx, dy] = [geometry.x(cell) - geometry.width / 2, geometry.y(cell) - geometry.height / 2];
    const length = Math.max(Math.hypot(dx, dy), 1);
    return { x: geometry.x(cell) + (33 * dx) / length, y: geometry.y(cell) + (33 * dy) / length + 3.4 };
  };
  return html`<path class="edge-line" d=${lines.join("")} />
    ${cells.map((cell) => html`<circle class="vertex" cx=${geometry.x(cell)} cy=${geometry.y(cell)} r="9" /><text class="coord" ...${away(cell)}>${geometry.name(cell)}</text>`)}`;
}

/** @param {{ geometry: Geometry, cell: number }} props */
function Hole({ geometry, cell }) {
  const [x, y] = [geometry.x(cell), geometry.y(cell)];
  return geometry.graph ? html`<circle class="hole" cx=${x} cy=${y} r="12" />` : html`<rect class="hole" x=${x - 30} y=${y - 30} width="60" height="60" />`;
}

/** @param {{ last: { from: number | null, to: number }, geometry: Geometry }} props */
function LastMove({ last: { from, to }, geometry }) {
  if (from === null) return null;
  const [x, y, tx, ty] = [geometry.x(from), geometry.y(from), geometry.x(to), geometry.y(to)];
  const length = Math.hypot(tx - x, ty - y);
  const turn = `translate(${x} ${y}) rotate(${(Math.atan2(ty - y, tx - x) * 180) / Math.PI})`;
  return html`<g transform=${turn}><circle class="last" r="6.5" stroke-dasharray="2.4 2.4" /><path class="last" d=${`M9 0H${length - 28}m-5-4.5l5 4.5l-5 4.5`} /></g>`;
}

/** @param {{ hint: Legal, geometry: Geometry }} props */
function Hint({ hint: { from, to }, geometry }) {
  if (to === null) return null;
  return html`${from !== null && html`<circle class="sel-gap" cx=${geometry.x(from)} cy=${geometry.y(from)} r="25" /><circle class="sel hint" cx=${geometry.x(from)} cy=${geometry.y(from)} r="26.6" />`}
    <path class="target hint" d=${brackets(geometry.x(to), geometry.y(to))} />`;
}

/**
 * Four corners around a cell.
 * @param {number} x
 * @param {number} y
 */
function brackets(x, y) {
  return `M${x - 24.5} ${y - 14}q0-10.5 10.5-10.5M${x - 24.5} ${y + 14}q0 10.5 10.5 10.5M${x + 24.5} ${y - 14}q0-10.5-10.5-10.5M${x + 24.5} ${y + 14}q0 10.5-10.5 10.5`;
}

/**
 * Lets the stone of a new move slide from where it came, unless it was dragged there.
 * @param {import("../vendor/htm-preact.js").Ref<SVGSVGElement | null>} svg
 * @param {BoardProps} props
 */
function useMovingStone(svg, { view, geometry, last }) {
  const before = useRef(/** @type {View | null} */ (null));
  useLayoutEffect(() => {
    const old = before.current;
    before.current = view;
    if (!old || !last || last.from === null || view.moves.length !== old.moves.length + 1 || view.start.position !== old.start.position) return;
    if (svg.current?.dataset.dropped === view.moves[view.moves.length - 1]) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [dx, dy] = [geometry.x(last.from) - geometry.x(last.to), geometry.y(last.from) - geometry.y(last.to)];
    const stone = svg.current?.querySelector(`[data-stone="${last.to}"] > g`);
    stone?.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 140, easing: "cubic-bezier(.2, 0, .1, 1)" });
  }, [view]);
}
