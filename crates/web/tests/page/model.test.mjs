// What needs no browser: the tree of variations, links, outlines, marks, and what is known of a position.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { readFragment, writeFragment } from "../../page/board/fragment.js";
import { columnName, geometryOf, gridGeometry } from "../../page/board/geometry.js";
import { bestMoves, learn, nothingKnown } from "../../page/board/known.js";
import { dots, marksOf } from "../../page/board/marks.js";
import { borders } from "../../page/board/outline.js";
import { badgeCells } from "../../page/board/parts.js";
import { thoughtOf } from "../../page/board/recorded.js";
import { Tree } from "../../page/board/tree.js";
import { layout } from "../../page/board/variations.js";
import { large, percent, rational, signed } from "../../page/format.js";
import { strings } from "../../page/strings.js";

/** A tree of random moves, from a small generator of its own. @param {number} seed */
function randomTree(seed) {
  const tree = new Tree({ game: "clobber", position: "4x5", to_move: "x" });
  let state = seed;
  const next = (/** @type {number} */ below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
  for (let i = 0; i < 30; i += 1) {
    const nodes = [...tree.nodes.keys()];
    tree.play(nodes[next(nodes.length)], `a${1 + next(4)}b${1 + next(4)}`);
  }
  return { tree, next };
}

test("a link holds the whole tree and where we stand", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { tree, next } = randomTree(seed);
    const nodes = [...tree.nodes.keys()];
    const node = nodes[next(nodes.length)];
    const text = writeFragment(tree, node);
    const back = readFragment(text);
    assert.equal(back.tree.text(), tree.text());
    assert.deepEqual(back.tree.moves(back.node), tree.moves(node));
    assert.equal(writeFragment(back.tree, back.node), text);
  }
});

test("links are as the documentation writes them", () => {
  const { tree, node } = readFragment("clobber/xox|oxo/x/a1a2.b1b2/~1");
  assert.deepEqual(tree.board(node), { game: "clobber", position: "xox|oxo", to_move: "x", moves: ["a1a2"] });
  assert.equal(writeFragment(tree, 2), "clobber/xox|oxo/x/a1a2.b1b2");
  assert.equal(readFragment("clobber/x%23o").tree.root.position, "x#o");
  assert.equal(writeFragment(new Tree({ game: "clobber", position: "x#o" }), 0), "clobber/x%23o");
  assert.deepEqual(readFragment("othello/8x8/x/f5d6c3").tree.moves(3), ["f5", "d6", "c3"]);
  assert.equal(readFragment("").tree.root.game, "clobber");
  const { tree: empty, seats } = readFragment("clobber/6x6/x/@o=run:a-run-1f:step-20");
  assert.deepEqual([empty.text(), seats], ["", { o: "run:a-run-1f:step-20" }]);
});

test("variations are removed with what follows, and promoted whole", () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const { tree, next } = randomTree(seed);
    const nodes = [...tree.nodes.keys()].filter((id) => id !== 0);
    const node = nodes[next(nodes.length)];
    const moves = tree.moves(node);
    tree.promote(node);
    assert.deepEqual(tree.line(0).slice(1, moves.length + 1).map(({ move }) => move), moves);
    const parent = tree.remove(node);
    assert(!tree.nodes.has(node));
    for (const { parent: above, id } of tree.nodes.values()) assert(above === null || tree.node(above).children.includes(id));
    assert.deepEqual(tree.moves(parent), moves.slice(0, -1));
  }
});

test("no two moves are drawn at the same place", () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const places = [...layout(randomTree(seed).tree).values()].map(({ ply, row }) => `${ply} ${row}`);
    assert.equal(new Set(places).size, places.length);
  }
});

test("the outline of a part encloses its cells", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const cols = 5;
    const cells = [...Array(25).keys()].filter((cell) => (seed * 2654435761 * (cell + 3)) % 7 < 3.5);
    const loops = borders(cells, cols);
    // Twice the area of all loops, those around holes counted negative, is twice the number of cells.
    const area = loops.flatMap((loop) => loop.map(([x, y], i) => {
      const [u, v] = loop[(i + 1) % loop.length];
      return x * v - u * y;
    })).reduce((sum, part) => sum + part, 0);
    assert.equal(area, 2 * cells.length);
    for (const loop of loops) assert(loop.length >= 4);
  }
});

test("badges lie in empty cells beside their part", () => {
  const geometry = gridGeometry(1, 6);
  const parts = [{ letter: "A", cells: [0, 1, 2], label: "↑" }, { letter: "B", cells: [4, 5], label: "∗" }];
  assert.deepEqual(badgeCells(parts, "xxo.xo", geometry), [3, 3]);
  assert.deepEqual(badgeCells([parts[0]], "xxooxo", geometry), [null]);
});

test("cells have the names of the program", () => {
  assert.deepEqual([0, 25, 26, 27, 127].map(columnName), ["a", "z", "aa", "ab", "dx"]);
  assert.equal(geometryOf({ rows: 4, cols: 5 }).name(7), "c2");
});

/** @param {Partial<import("../../page/types.js").JudgedMove>} judged */
function judged(judged) {
  return { grade: "estimated", proved: null, winner: null, score: null, at_least: null, at_most: null, win: null, discs: null, by: null, work: null, pv: [], move: "", ...judged };
}

test("proofs and the last estimates stay known", () => {
  const view = /** @type {any} */ ({ game: "clobber", to_move: "o", legal: [{ move: "a" }, { move: "b" }], stones: "", board: { rows: 1, cols: 2 } });
  const line = (/** @type {any[]} */ moves) => /** @type {any} */ ({ ...judged({}), nodes: 0, simulations: 0, seconds: 0, move: null, moves });
  let known = learn(nothingKnown(), line([judged({ move: "b", win: 0.6, by: "az", work: 9 }), judged({ move: "a", win: 0.7, by: "az", work: 1 })]), view);
  assert.deepEqual(bestMoves(known), ["b"]);
  assert.equal(known.exact, null);
  known = learn(known, line([judged({ move: "a", proved: "win", winner: "o" })]), view);
  assert.deepEqual(known.exact, { outcome: "win", score: null });
  assert.equal(known.moves.get("a")?.estimate?.win, 0.7);
  assert.equal(known.complete, false);
  known = learn(known, line([judged({ move: "b", proved: "loss", winner: "x" }), judged({ move: "a", win: 0.1 })]), view);
  assert.deepEqual(known.moves.get("a")?.exact, { outcome: "win", score: null });
  assert.equal(known.complete, true);
  assert.deepEqual(bestMoves(known), ["a"]);
});

test("scores and bounds are those of the side to move", () => {
  const view = /** @type {any} */ ({ game: "othello", to_move: "o", legal: [{ move: "a" }], stones: "", board: { rows: 1, cols: 2 } });
  const line = /** @type {any} */ ({ ...judged({ at_least: -6, at_most: 2 }), move: "a", moves: [judged({ move: "a", score: -8, proved: "win" })] });
  const known = learn(nothingKnown(), line, view);
  assert.equal(known.moves.get("a")?.exact?.score, 8);
  assert.deepEqual(known.bounds, [-2, 6]);
});

test("a crowd of marks is dots, but for the best and the cell that is looked at", () => {
  const legal = Array.from({ length: 80 }, (_, place) => ({ move: `m${place}`, from: place, to: place + 1 }));
  const view = /** @type {any} */ ({ game: "clobber", to_move: "x", legal, stones: "", board: { rows: 1, cols: 81 } });
  const moves = legal.map(({ move }, place) => judged({ move, win: 0.9 - place / 100, by: "az", work: 10 }));
  const known = learn(nothingKnown(), /** @type {any} */ ({ ...judged({}), move: "m0", moves }), view);
  const marks = marksOf(view, known, "all");
  const written = (/** @type {number | null} */ cell) => legal.map(({ move }) => move).filter((move) => !dots(marks, cell).has(move));
  assert.deepEqual(written(null), ["m0", "m1", "m2"]);
  assert.deepEqual(written(50), ["m0", "m1", "m2", "m49", "m50"]);
  assert.equal(dots(marks.slice(0, 20), null).size, 0);
  assert.deepEqual(marksOf(view, known, "best").map((mark) => mark.legal.move).sort(), ["m0", "m1", "m2"]);
});

test("thoughts belong to the moves of the recorded game", () => {
  const record = { run: "games-1a2b", set: "", place: 7 };
  const { tree, node, record: read } = readFragment("clobber/3x3/x/a1a2.b1b2(b1c1).c2c3/~2/&games-1a2b::7");
  assert.deepEqual(read, record);
  assert.equal(readFragment(writeFragment(tree, node, {}, record)).record?.place, 7);
  const game = /** @type {any} */ ({ moves: ["a1a2", "b1b2", "c2c3"], opening: 1, thoughts: ["second", "third"] });
  const thoughts = tree.line(0).map(({ id }) => thoughtOf(game, tree.path(id)));
  assert.deepEqual(thoughts, [null, null, "second", "third"]);
  const aside = tree.play(tree.line(0)[1].id, "b1c1");
  assert.equal(thoughtOf(game, tree.path(aside)), null);
});

test("numbers are written as people read them", () => {
  assert.deepEqual([0, 999, 1000, 2_840_000, 123_456_789].map(large), ["0", "999", "1.0\u202fk", "2.8\u202fM", "123\u202fM"]);
  assert.deepEqual([percent(0.624), signed(3), signed(-2.55, 1), signed(-0.01, 1)], ["62\u202f%", "+3", "−2.5", "0.0"]);
  assert.deepEqual([0, -1, 0.5, -1.25, 2.75, 0.375].map(rational), ["0", "−1", "½", "−1¼", "2¾", "3/8"]);
});

test("every word of the page is in one module, and is used", () => {
  const folder = new URL("../../page/", import.meta.url);
  const modules = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js") && !file.startsWith("vendor"));
  assert.deepEqual(modules.filter((file) => file.endsWith("strings.js")), ["strings.js"]);
  const text = modules.map((file) => readFileSync(new URL(file, folder), "utf8")).join("\n");
  for (const [section, words] of Object.entries(strings)) {
    // The buttons of a game's ends are named by their icons.
    const isUsed = (/** @type {string} */ word) => new RegExp(`\\.${word}\\b`).test(text) || (section === "actions" && text.includes(`"${word}"`));
    assert.deepEqual(Object.keys(words).filter((word) => !isUsed(word)), [], section);
  }
});
