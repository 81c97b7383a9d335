// The outline of a set of cells of a grid: its border, a little inside, with round corners.

const INSET = 4;
const ROUND = 9;

/** @typedef {[number, number]} Point */

/**
 * Closed paths around the cells, in whole cells: the inside lies on the right hand.
 * @param {number[]} cells
 * @param {number} cols
 * @returns {Point[][]}
 */
export function borders(cells, cols) {
  const inside = new Set(cells);
  const has = (/** @type {number} */ col, /** @type {number} */ row) => col >= 0 && col < cols && inside.has(row * cols + col);
  /** Border edges by where they begin. @type {Map<string, Point[]>} */
  const edges = new Map();
  const add = (/** @type {Point} */ from, /** @type {Point} */ to) => {
    const key = from.join();
    edges.set(key, [...(edges.get(key) ?? []), to]);
  };
  for (const cell of cells) {
    const [col, row] = [cell % cols, Math.floor(cell / cols)];
    if (!has(col, row - 1)) add([col, row], [col + 1, row]);
    if (!has(col + 1, row)) add([col + 1, row], [col + 1, row + 1]);
    if (!has(col, row + 1)) add([col + 1, row + 1], [col, row + 1]);
    if (!has(col - 1, row)) add([col, row + 1], [col, row]);
  }
  const loops = [];
  while (edges.size > 0) {
    const [first] = edges.keys();
    /** @type {Point[]} */
    const loop = [];
    let at = /** @type {Point} */ (first.split(",").map(Number));
    let [dx, dy] = [0, 0];
    do {
      const key = at.join();
      const ways = edges.get(key) ?? [];
      // Where cells touch at a corner only, turning right keeps them apart.
      const right = ways.findIndex(([x, y]) => x - at[0] === -dy && y - at[1] === dx);
      const [to] = ways.splice(Math.max(right, 0), 1);
      if (ways.length === 0) edges.delete(key);
      const [nx, ny] = [to[0] - at[0], to[1] - at[1]];
      if (nx !== dx || ny !== dy) loop.push(at);
      [dx, dy] = [nx, ny];
      at = to;
    } while (edges.has(at.join()) && at.join() !== first);
    // The first point is a corner only if the last edge turns there.
    const [a, b, c] = [loop[loop.length - 1], loop[0], loop[1]];
    if (a && c && ((a[0] === b[0] && b[0] === c[0]) || (a[1] === b[1] && b[1] === c[1]))) loop.shift();
    loops.push(loop);
  }
  return loops;
}

/**
 * @param {number[]} cells
 * @param {number} cols
 * @param {(col: number, row: number) => Point} corner where the corner of cells lies
 * @returns {string} an SVG path
 */
export function outline(cells, cols, corner) {
  const path = borders(cells, cols).map((loop) => {
    const inner = loop.map((point, i) => {
      const [before, after] = [loop[(i + loop.length - 1) % loop.length], loop[(i + 1) % loop.length]];
      const [ax, ay] = [Math.sign(point[0] - before[0]), Math.sign(point[1] - before[1])];
      const [bx, by] = [Math.sign(after[0] - point[0]), Math.sign(after[1] - point[1])];
      const [x, y] = corner(point[0], point[1]);
      // The inside is to the right of both edges.
      return { x: x - INSET * (ay + by), y: y + INSET * (ax + bx), ax, ay, bx, by };
    });
    const corners = inner.map(({ x, y, ax, ay, bx, by }, i) => `${i === 0 ? "M" : "L"}${x - ROUND * ax} ${y - ROUND * ay}Q${x} ${y} ${x + ROUND * bx} ${y + ROUND * by}`);
    return corners.join("") + "Z";
  });
  return path.join("");
}
