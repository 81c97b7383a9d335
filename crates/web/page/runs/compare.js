// Two or more runs over each other: their curves on common axes, and where their configurations differ.

/** @import { Chart, RunDetail } from "./types.js" */
/** @import { LineChartData, Series } from "../charts/line-chart.js" */

/**
 * The charts of a run, a style for each line.
 * @param {RunDetail} run
 * @returns {LineChartData[]}
 */
export function chartsOf(run) {
  return run.charts.map((chart) => single(chart, run.state === "running"));
}

/**
 * @param {Chart} chart
 * @param {boolean} open
 * @returns {LineChartData}
 */
export function single(chart, open) {
  const series = chart.lines.map((line, style) => ({ ...line, style: style % 8, open }));
  return { title: chart.title, unit: chart.unit, right: chart.right, scale: chart.scale, series };
}

/**
 * The charts of several runs over each other: one colour for each run. A chart with several lines becomes one chart for
 * each of them.
 * @param {RunDetail[]} runs
 * @param {string[]} names
 * @returns {LineChartData[]}
 */
export function overlaid(runs, names) {
  /** @type {Map<string, LineChartData>} */
  const charts = new Map();
  runs.forEach((run, place) => {
    for (const chart of run.charts) {
      for (const line of chart.lines) {
        const title = line.name === "" ? chart.title : `${chart.title}: ${line.name}`;
        const known = charts.get(`${title} ${chart.right}`) ?? { title, unit: chart.unit, right: chart.right, scale: chart.scale, series: /** @type {Series[]} */ ([]) };
        known.series.push({ ...line, name: names[place], style: place % 8, open: run.state === "running" });
        charts.set(`${title} ${chart.right}`, known);
      }
    }
  });
  // What only one run has comes last.
  return [...charts.values()].sort((a, b) => Number(b.series.length > 1) - Number(a.series.length > 1));
}

/**
 * Runs that differ in nothing but their seeds as one line: the mean, with a band from the lowest to the highest.
 * @param {LineChartData} chart
 * @param {string} name
 * @returns {LineChartData}
 */
export function together(chart, name) {
  /** @type {Map<number, number[]>} */
  const ups = new Map();
  for (const line of chart.series) {
    for (const [right, up] of line.points) ups.set(right, [...(ups.get(right) ?? []), up]);
  }
  // Where a run has ended already the mean would jump.
  const common = [...ups].filter(([, numbers]) => numbers.length === chart.series.length).sort((a, b) => a[0] - b[0]);
  const points = common.map(([right, numbers]) => /** @type {[number, number]} */ ([right, numbers.reduce((sum, up) => sum + up, 0) / numbers.length]));
  const band = common.map(([, numbers]) => /** @type {[number, number]} */ ([Math.min(...numbers), Math.max(...numbers)]));
  return { ...chart, series: [{ name, points, band, style: 0 }] };
}

/**
 * Whether runs differ in their seeds alone.
 * @param {RunDetail[]} runs
 */
export function areSeeds(runs) {
  return runs.length > 1 && differences(runs).every((row) => row.key === "seed") && new Set(runs.map((run) => run.kind)).size === 1;
}

/**
 * The keys in which configurations differ, with the value of each run; null where it is not set.
 * @param {RunDetail[]} runs
 * @returns {{ key: string, values: (string | null)[] }[]}
 */
export function differences(runs) {
  const settings = runs.map((run) => new Map(run.settings.map(({ key, value }) => [key, value])));
  const keys = [...new Set(settings.flatMap((map) => [...map.keys()]))];
  const rows = keys.map((key) => ({ key, values: settings.map((map) => map.get(key) ?? null) }));
  return rows.filter(({ values }) => values.some((value) => value !== values[0]));
}

/**
 * Names that tell runs apart, as short as can be: without the beginning that all have in common.
 * @param {string[]} names
 * @returns {string[]}
 */
export function shortNames(names) {
  if (names.length < 2) return names;
  const words = names.map((name) => name.split(/(?<=[-/_ ])/));
  let common = 0;
  while (words.every((list) => list.length > common + 1 && list[common] === words[0][common])) common += 1;
  return words.map((list) => list.slice(common).join(""));
}
