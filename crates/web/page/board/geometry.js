// Where cells lie. The unit is a sixtieth of a cell of a grid; graphs use the same size of stones.

/** @import { View } from "../types.js" */

/**
 * @typedef {{
 *   graph: boolean, rows: number, cols: number, cells: number, width: number, height: number,
 *   x: (cell: number) => number, y: (cell: number) => number, name: (cell: number) => string,
 *   at: (x: number, y: number) => number | null,
 *   step: (cell: number, dx: number, dy: number) => number,
 *   neighbours: (cell: number) => number[], edges: [number, number][],
 * }} Geometry
 */

export const CELL = 60;
const [LEFT, TOP, RIGHT, BOTTOM] = [18, 6, 8, 18];

/**
 * The name of a column: a … z, aa, ab, …
 * @param {number} col
 */
export function columnName(col) {
  let name = "";
  for (let rest = col + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(97 + ((rest - 1) % 26)) + name;
  return name;
}

/**
 * @param {View["board"]} board
 * @returns {Geometry}
 */
export function geometryOf(board) {
  return "vertices" in board ? graphGeometry(board) : gridGeometry(board.rows, board.cols);
}

/**
 * @param {number} rows
 * @param {number} cols
 * @returns {Geometry}
 */
export function gridGeometry(rows, cols) {
  const [row, col] = [(/** @type {number} */ cell) => Math.floor(cell / cols), (/** @type {number} */ cell) => cell % cols];
  return {
    graph: false,
    rows,
    cols,
    cells: rows * cols,
    width: LEFT + cols * CELL + RIGHT,
    height: TOP + rows * CELL + BOTTOM,
    x: (cell) => LEFT + (col(cell) + 0.5) * CELL,
    y: (cell) => TOP + (row(cell) + 0.5) * CELL,
    name: (cell) => columnName(col(cell)) + (row(cell) + 1),
    at: (x, y) => {
      const [c, r] = [Math.floor((x - LEFT) / CELL), Math.floor((y - TOP) / CELL)];
      return c >= 0 && c < cols && r >= 0 && r < rows ? r * cols + c : null;
    },
    step: (cell, dx, dy) => {
      const [c, r] = [col(cell) + dx, row(cell) + dy];
      return c >= 0 && c < cols && r >= 0 && r < rows ? r * cols + c : cell;
    },
    neighbours: (cell) => {
      const around = [];
      if (row(cell) > 0) around.push(cell - cols);
      if (col(cell) > 0) around.push(cell - 1);
      if (row(cell) < rows - 1) around.push(cell + cols);
      if (col(cell) < cols - 1) around.push(cell + 1);
      return around;
    },
    edges: [],
  };
}

/**
 * @param {import("../types.js").GraphShape} graph
 * @returns {Geometry}
 */
function graphGeometry({ vertices, edges }) {
  const margin = 40;
  let nearest = 1;
  for (const [i, a] of vertices.entries()) {
    for (const b of vertices.slice(i + 1)) nearest = Math.min(nearest, Math.hypot(a.x - b.x, a.y - b.y));
  }
  const scale = Math.min(900, Math.max(180, (1.35 * CELL) / Math.max(nearest, 0.01)));
  const [right, bottom] = [Math.max(...vertices.map(({ x }) => x)), Math.max(...vertices.map(({ y }) => y))];
  const x = (/** @type {number} */ cell) => margin + vertices[cell].x * scale;
  const y = (/** @type {number} */ cell) => margin + vertices[cell].y * scale;
  /** @type {number[][]} */
  const around = vertices.map(() => []);
  for (const [a, b] of edges) {
    around[a].push(b);
    around[b].push(a);
  }
  const all = vertices.map((_, cell) => cell);
  return {
    graph: true,
    rows: 1,
    cols: vertices.length,
    cells: vertices.length,
    width: 2 * margin + right * scale,
    height: 2 * margin + bottom * scale,
    x,
    y,
    name: (cell) => vertices[cell].name,
    at: (px, py) => all.find((cell) => Math.hypot(x(cell) - px, y(cell) - py) <= CELL / 2) ?? null,
    step: (cell, dx, dy) => {
      // The nearest vertex in that direction; sideways counts double.
      const cost = (/** @type {number} */ other) => {
        const [along, across] = [(x(other) - x(cell)) * dx + (y(other) - y(cell)) * dy, Math.abs((x(other) - x(cell)) * dy) + Math.abs((y(other) - y(cell)) * dx)];
        return along > 1 ? along + 2 * across : Infinity;
      };
      const best = all.reduce((best, other) => (cost(other) < cost(best) ? other : best), cell);
      return cost(best) < Infinity ? best : cell;
    },
    neighbours: (cell) => around[cell],
    edges,
  };
}

/**
 * Where the last move came from and went.
 * @param {View} view
 * @param {Geometry} geometry
 */
export function lastOf(view, geometry) {
  const move = view.moves[view.moves.length - 1];
  if (move === undefined || move === "pass") return null;
  const names = new Map(Array.from({ length: geometry.cells }, (_, cell) => [geometry.name(cell), cell]));
  const whole = names.get(move);
  if (whole !== undefined) return { from: null, to: whole };
  for (let cut = 1; cut < move.length; cut += 1) {
    const [from, to] = [names.get(move.slice(0, cut).replace(/-$/, "")), names.get(move.slice(cut))];
    if (from !== undefined && to !== undefined) return { from, to };
  }
  return null;
}
