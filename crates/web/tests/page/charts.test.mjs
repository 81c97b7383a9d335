// Ticks, scales and layout of the charts, and how runs are compared.

import assert from "node:assert/strict";
import test from "node:test";
import { apart, nearest, thinned, withRoom } from "../../page/charts/layout.js";
import { grouped, percent, short, tickLabels } from "../../page/charts/numbers.js";
import { linearAxis, logAxis, MOST_TICKS, rightAxis, roundStep } from "../../page/charts/scale.js";
import { stepOf } from "../../page/charts/heat-map.js";
import { areSeeds, differences, overlaid, shortNames, together } from "../../page/runs/compare.js";
import { digitsOf, parameters, rounded } from "../../page/papers/rounding.js";

test("ticks are round, at most six, and cover the numbers", () => {
  assert.equal(roundStep(70), 20);
  assert.deepEqual(linearAxis(0, 0.86).ticks, [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(linearAxis(-1, 0.5).ticks, [-1, -0.5, 0, 0.5]);
  assert.deepEqual(linearAxis(0, 4311).ticks, [0, 1000, 2000, 3000, 4000, 5000]);
  assert.deepEqual(linearAxis(0.93, 1, { limit: [0, 1] }).ticks.at(-1), 1);
  let random = 1;
  const next = () => (random = (random * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 2000; round += 1) {
    const low = (next() - 0.5) * 10 ** (8 * next() - 4);
    const high = low + next() * 10 ** (8 * next() - 4);
    const axis = linearAxis(low, high);
    const text = `${low} to ${high}: ${axis.ticks}`;
    assert.ok(axis.ticks.length >= 2 && axis.ticks.length <= MOST_TICKS, text);
    assert.ok(axis.low <= low + 1e-9 * Math.abs(low) && axis.high >= high - 1e-9 * Math.abs(high), text);
    assert.ok(axis.place(low) >= -1e-6 && axis.place(high) <= 1 + 1e-6, text);
    assert.equal(new Set(tickLabels(axis)).size, axis.ticks.length, text);
  }
});

test("one number, and none at all, have an axis too", () => {
  for (const [low, high] of [[0, 0], [5, 5], [-3, -3], [Infinity, -Infinity], [Number.NaN, Number.NaN]]) {
    const axis = linearAxis(low, high);
    assert.ok(axis.ticks.length >= 2 && axis.ticks.every(Number.isFinite), `${low}: ${axis.ticks}`);
  }
  assert.ok(logAxis(0, 0).ticks.every(Number.isFinite));
});

test("an axis of steps has whole ticks and ends where the steps end", () => {
  const axis = rightAxis(0, 70);
  assert.deepEqual([axis.ticks, axis.high, axis.place(70)], [[0, 20, 40, 60], 70, 1]);
  assert.deepEqual(rightAxis(0, 3).ticks, [0, 1, 2, 3]);
  assert.deepEqual(rightAxis(1, 1).ticks, [0, 1]);
});

test("powers of ten are equally far apart", () => {
  const axis = logAxis(0.002, 30);
  const places = [0.001, 0.01, 0.1, 1, 10, 100].map(axis.place);
  for (let index = 1; index < places.length; index += 1) assert.ok(Math.abs(places[index] - places[index - 1] - 0.2) < 1e-9);
  assert.ok(axis.ticks.length <= MOST_TICKS);
  assert.deepEqual(logAxis(0.06, 0.9).ticks, [0.05, 0.1, 0.2, 0.5, 1]);
  assert.ok(logAxis(1, 1e12).ticks.length <= MOST_TICKS);
});

test("labels do not lie on each other, and stay in their room", () => {
  for (const wanted of [[50, 50, 50], [10, 11, 90], [100, 0, 50, 51, 52], [0], []]) {
    const places = apart(wanted, 12, 0, 120);
    const sorted = [...places].sort((a, b) => a - b);
    sorted.forEach((place, index) => index > 0 && assert.ok(place - sorted[index - 1] >= 12 - 1e-9, String(places)));
    places.forEach((place) => assert.ok(place >= 0 && place <= 120));
  }
  assert.deepEqual(apart([10, 60], 12, 0, 100), [10, 60]);
  assert.deepEqual(withRoom([0, 10, 60], ["0", "1,000", "2,000"]), [true, false, true]);
});

test("the pointer finds the nearest point, as a plain search does", () => {
  const points = /** @type {[number, number][]} */ ([[0, 1], [2, 1], [3, 1], [10, 1]]);
  for (let right = -1; right < 12; right += 0.25) {
    const plain = points.map(([at]) => Math.abs(at - right));
    assert.equal(Math.abs(points[nearest(points, right)][0] - right), Math.min(...plain));
  }
  assert.equal(nearest([], 1), -1);
});

test("a thinned line keeps its ends and its extremes", () => {
  const points = Array.from({ length: 10_000 }, (_, index) => /** @type {[number, number]} */ ([index, Math.sin(index / 7)]));
  points[4321][1] = 99;
  const kept = thinned(points, 600);
  assert.ok(kept.length <= 700 && kept[0] === 0 && kept.at(-1) === 9999 && kept.includes(4321));
  assert.deepEqual(thinned(points.slice(0, 3), 600), [0, 1, 2]);
});

test("numbers are short", () => {
  assert.deepEqual([1_500_000, 97_955, 0.25, -0.125, 0.0025, 100, 0, 12.34].map(short), ["1.50\u202fM", "97,955", "0.25", "−0.125", "0.003", "100", "0", "12.3"]);
  assert.equal(grouped(-1234.5, 1), "−1,234.5");
  assert.deepEqual([percent(0.925), percent(1), percent(0.5, 2)], ["92.5\u202f%", "100\u202f%", "50.00\u202f%"]);
  assert.deepEqual([-1, 0, 0.5, 1, 2].map(stepOf), [0, 0, 3, 6, 6]);
});

/** @param {string} name @param {number[]} ups @param {Record<string, string>} settings */
const run = (name, ups, settings) => /** @type {any} */ ({
  name, kind: "alphazero", state: "finished",
  charts: [{ title: "Loss", unit: "", right: "step", scale: "linear", lines: [{ name: "sum", points: ups.map((up, index) => [index + 1, up]), band: [] }] }],
  settings: Object.entries(settings).map(([key, value]) => ({ key, value })),
});

test("runs over each other have common charts, and their differences are listed", () => {
  const runs = [run("az-base", [3, 2], { seed: "1", rate: "0.1" }), run("az-wide", [4, 2, 1], { seed: "1", width: "64" })];
  const charts = overlaid(runs, ["base", "wide"]);
  assert.deepEqual(charts.map((chart) => [chart.title, chart.series.map((line) => [line.name, line.style, line.points.length])]), [["Loss: sum", [["base", 0, 2], ["wide", 1, 3]]]]);
  assert.deepEqual(differences(runs), [{ key: "rate", values: ["0.1", null] }, { key: "width", values: [null, "64"] }]);
  assert.equal(areSeeds(runs), false);
  assert.deepEqual(shortNames(["runs/az-base", "runs/az-wide"]), ["base", "wide"]);
  assert.deepEqual(shortNames(["a", "a-b"]), ["a", "a-b"]);
});

test("seeds become a mean with a band, as far as all of them go", () => {
  const runs = [run("a-1", [3, 2], { seed: "1" }), run("a-2", [5, 2, 7], { seed: "2" })];
  assert.equal(areSeeds(runs), true);
  const [chart] = overlaid(runs, ["1", "2"]).map((chart) => together(chart, "mean"));
  assert.deepEqual(chart.series[0].points, [[1, 4], [2, 2]]);
  assert.deepEqual(chart.series[0].band, [[3, 5], [2, 2]]);
});

test("ours has as many digits as the paper prints", () => {
  const cell = (/** @type {any} */ paper, /** @type {any} */ ours) => /** @type {any} */ ({ paper, ours });
  assert.equal(digitsOf([cell(0.25, 0.3), cell(0.5, 0.123456)]), 2);
  assert.equal(digitsOf([cell(null, 1234.567)]), 0);
  assert.deepEqual([rounded(35179, 0), rounded(0.123456, 2), rounded(null, 2), rounded("draw", 2), rounded(-0.001, 2)], ["35,179", "0.12", "–", "draw", "0.00"]);
  assert.deepEqual(parameters("learning_rate=0.1 4x4"), [["learning rate", "0.1"], ["", "4x4"]]);
});
