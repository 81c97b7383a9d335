// A chart of lines: caption with unit and current value, horizontal grid, bands, labels at the ends of lines,
// values under the pointer or the arrow keys.

import { html, useEffect, useMemo, useRef, useState } from "../vendor/htm-preact.js";
import { apart, fitted, nearest, thinned, widthOf, withRoom } from "./layout.js";
import { Legend } from "./legend.js";
import { shown, short, tickLabels } from "./numbers.js";
import { linearAxis, logAxis, rightAxis } from "./scale.js";
import { strings } from "../strings.js";

/** @typedef {"linear" | "logarithmic" | "share"} Scale */
/**
 * A line: `style` is the number of its colour and dash, `open` says that it is still growing.
 * @typedef {{ name: string, points: [number, number][], band?: [number, number][], band_of?: string, style: number, open?: boolean }} Series
 */
/** @typedef {{ title: string, unit: string, right: string, scale: Scale, series: Series[] }} LineChartData */

const HEIGHT = 176;
const TOP = 10;
const BOTTOM = 26;
/** A label at the end of a line is no wider. */
const WIDEST_LABEL = 96;
/** How much wider they are than plain text, because they are bold. */
const BOLD = 1.15;
/** More points than this are not drawn of one line. */
const MOST_POINTS = 600;

/** @param {{ data: LineChartData, legend?: boolean }} props */
export function LineChart({ data, legend = true }) {
  const [figure, width] = useWidth(320);
  const [hidden, setHidden] = useState(/** @type {Set<string>} */ (new Set()));
  const [log, setLog] = useState(data.scale === "logarithmic");
  const [at, setAt] = useState(/** @type {number | null} */ (null));
  const series = data.series.filter((line) => !hidden.has(line.name));
  const canLog = data.scale !== "share" && data.series.every((line) => line.points.every((point) => point[1] > 0));
  const plot = useMemo(() => layout(series, width, data, log && canLog), [data, hidden, width, log]);
  const many = data.series.length > 1;
  const first = series[0];
  const now = first?.points[first.points.length - 1]?.[1];
  return html`<figure class="chart" ref=${figure}>
    <figcaption>
      <span class="chart-title">${data.title}</span><span class="chart-unit">${data.unit}${log && canLog && data.scale === "linear" ? `, ${strings.charts.logScale}` : ""}</span>
      ${canLog && html`<button type="button" class="chart-log" aria-pressed=${log} title=${strings.charts.logarithmic} onClick=${() => setLog(!log)}>log</button>`}
      ${now !== undefined && html`<b class="num" title=${many ? first.name : strings.charts.lastValue}>${shown(now, data.scale)}</b>`}
    </figcaption>
    ${drawing(plot, data, at, setAt)}
    ${at !== null && tip(plot, data, at)}
    ${legend && many && html`<${Legend} entries=${data.series} hidden=${hidden} toggle=${(/** @type {string} */ name) => setHidden(toggled(hidden, name))} />`}
  </figure>`;
}

/**
 * @param {Set<string>} names
 * @param {string} name
 */
export function toggled(names, name) {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}

/**
 * The width of an element, followed as it changes.
 * @param {number} first
 * @returns {[import("../vendor/htm-preact.js").Ref<any>, number]}
 */
export function useWidth(first) {
  const element = useRef(/** @type {any} */ (null));
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const observer = new ResizeObserver((entries) => {
      const style = getComputedStyle(entries[0].target);
      const inner = entries[0].target.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      if (inner > 0) setWidth(Math.round(inner));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

/** @typedef {ReturnType<typeof layout>} Plot */

/**
 * @param {Series[]} series
 * @param {number} width
 * @param {LineChartData} data
 * @param {boolean} log
 */
function layout(series, width, data, log) {
  const points = series.flatMap((line) => line.points);
  const bands = series.flatMap((line) => line.band ?? []).flat();
  const ups = [...points.map((point) => point[1]), ...bands].filter((up) => !log || up > 0);
  const [low, high] = extent(ups);
  const share = data.scale === "share";
  const up = log ? logAxis(low, high) : linearAxis(low, high, share ? { limit: [0, 1] } : {});
  const rights = points.map((point) => point[0]);
  const [from, to] = extent(rights);
  const whole = rights.every(Number.isInteger);
  const labels = tickLabels(up, share);
  const left = Math.max(30, Math.ceil(Math.max(...labels.map(widthOf))) + 8);
  // Labels at the ends need room, which a narrow chart does not have.
  const named = series.length > 1 && series.length <= 6 && width >= 260;
  const widest = named ? Math.min(WIDEST_LABEL, BOLD * Math.max(...series.map((line) => widthOf(line.name))) + 10) : 0;
  const end = width - Math.max(widthOf(data.right) + 22, widest);
  const axis = rightAxis(Math.min(from, whole && from <= 0.3 * to ? 0 : from), to, { most: Math.max(2, Math.min(6, Math.floor((end - left) / 36))), whole });
  const bottom = HEIGHT - BOTTOM;
  const x = (/** @type {number} */ right) => left + axis.place(right) * (end - left);
  const y = (/** @type {number} */ number) => bottom - Math.max(0, Math.min(1, up.place(number))) * (bottom - TOP);
  const ends = series.map((line) => y(line.points[line.points.length - 1]?.[1] ?? up.low));
  return { series, width, left, end, bottom, axis, up, labels, x, y, named, labelsAt: named ? apart(ends, 12, TOP, bottom) : ends };
}

/**
 * @param {number[]} numbers
 * @returns {[number, number]}
 */
function extent(numbers) {
  let [low, high] = [Infinity, -Infinity];
  for (const number of numbers) {
    if (number < low) low = number;
    if (number > high) high = number;
  }
  return low <= high ? [low, high] : [0, 1];
}

/**
 * @param {Plot} plot
 * @param {LineChartData} data
 * @param {number | null} at
 * @param {(at: number | null) => void} setAt
 */
function drawing(plot, data, at, setAt) {
  const { series, width, left, end, bottom, axis, up, labels, x, y } = plot;
  const rightLabels = tickLabels(axis);
  const room = withRoom(axis.ticks.map(x), rightLabels);
  const move = (/** @type {PointerEvent} */ event) => {
    const box = /** @type {SVGElement} */ (event.currentTarget).getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * width;
    setAt(snapped(series, axis.low + ((place - left) / (end - left)) * (axis.high - axis.low)));
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") setAt(null);
    if (!step) return;
    event.preventDefault();
    const points = series[0]?.points ?? [];
    const here = at === null ? (step > 0 ? -1 : points.length) : nearest(points, at);
    setAt(points[Math.max(0, Math.min(points.length - 1, here + step))]?.[0] ?? null);
  };
  return html`<svg class="plot" width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" tabindex="0" aria-label=${spoken(data)}
      onPointerMove=${move} onPointerDown=${move} onPointerLeave=${() => setAt(null)} onKeyDown=${press} onBlur=${() => setAt(null)}>
    ${up.ticks.map((tick, index) => html`<path class="gl" d=${`M${left} ${y(tick)}H${end}`} /><text x=${left - 6} y=${y(tick) + 3.5} text-anchor="end">${labels[index]}</text>`)}
    <path class="ax" d=${`M${left} ${bottom}H${end}`} />
    ${axis.ticks.map((tick, index) => html`<path class="ax" d=${`M${x(tick)} ${bottom}v4`} />${room[index] && html`<text x=${x(tick)} y=${bottom + 15} text-anchor="middle">${rightLabels[index]}</text>`}`)}
    <text class="plot-right" x=${width} y=${bottom + 15} text-anchor="end">${data.right}</text>
    ${series.map((line) => line.band && line.band.length > 1 && html`<path class=${`band b${line.style}`} d=${band(line, plot)} />`)}
    ${[...series].reverse().map((line) => stroke(line, plot))}
    ${plot.named && series.map((line, index) => html`<text class=${`end t${line.style}`} x=${Math.min(end, x(line.points[line.points.length - 1][0])) + 7} y=${plot.labelsAt[index] + 3.5}>${fitted(line.name, (width - end - 6) / BOLD)}</text>`)}
    ${at !== null && html`<path class="rule" d=${`M${x(at)} ${TOP}V${bottom}`} />${series.map((line) => {
      const point = line.points[nearest(line.points, at)];
      return point && point[0] === at && html`<circle class=${`dot d${line.style}`} cx=${x(point[0])} cy=${y(point[1])} r="3.4" />`;
    })}`}
  </svg>`;
}

/**
 * @param {Series} line
 * @param {Plot} plot
 */
function stroke(line, { x, y }) {
  const kept = thinned(line.points, MOST_POINTS).map((index) => line.points[index]);
  const last = line.points[line.points.length - 1];
  const path = kept.map(([right, up], index) => `${index ? "L" : "M"}${x(right).toFixed(1)} ${y(up).toFixed(1)}`).join("");
  // A line of one point could not be seen, and the end of one that grows is marked.
  const dot = last && (line.points.length === 1 || line.open);
  return html`<path class=${`curve s${line.style}`} d=${path} />${dot && html`<circle class=${`dot d${line.style}`} cx=${x(last[0])} cy=${y(last[1])} r="3.2" />`}`;
}

/**
 * @param {Series} line
 * @param {Plot} plot
 */
function band(line, { x, y }) {
  const rights = line.points.map((point) => x(point[0]).toFixed(1));
  const bounds = line.band ?? [];
  const above = bounds.map((bound, index) => `${rights[index]} ${y(bound[1]).toFixed(1)}`);
  const below = bounds.map((bound, index) => `${rights[index]} ${y(bound[0]).toFixed(1)}`).reverse();
  return `M${[...above, ...below].join("L")}Z`;
}

/**
 * The point of any line that is nearest to a place.
 * @param {Series[]} series
 * @param {number} right
 * @returns {number | null}
 */
function snapped(series, right) {
  const places = series.map((line) => line.points[nearest(line.points, right)]?.[0]).filter((place) => place !== undefined);
  if (places.length === 0) return null;
  return places.reduce((best, place) => (Math.abs(place - right) < Math.abs(best - right) ? place : best));
}

/**
 * @param {Plot} plot
 * @param {LineChartData} data
 * @param {number} at
 */
function tip({ series, width, x }, data, at) {
  const rows = series.flatMap((line) => {
    const index = nearest(line.points, at);
    const point = line.points[index];
    return point && point[0] === at ? [{ line, up: point[1], bounds: line.band?.[index] }] : [];
  });
  rows.sort((a, b) => b.up - a.up);
  const place = x(at);
  const side = place > width / 2 ? { right: `${width - place + 10}px` } : { left: `${place + 10}px` };
  return html`<div class="chart-tip num" style=${side} aria-live="polite">
    <div class="dim">${data.right} ${short(at)}</div>
    ${rows.map(({ line, up, bounds }) => html`<div><i class=${`key k${line.style}`}></i>${line.name && html`<span>${line.name}</span>`}<b>${shown(up, data.scale)}</b>${bounds && bounds[0] < bounds[1] && html`<span class="dim">${shown(bounds[0], data.scale)} – ${shown(bounds[1], data.scale)}</span>`}</div>`)}
  </div>`;
}

/** @param {LineChartData} data */
function spoken(data) {
  const lines = data.series.filter((line) => line.points.length > 0).map((line) => {
    const [begin, end] = [line.points[0], line.points[line.points.length - 1]];
    return strings.charts.fromTo(line.name, shown(begin[1], data.scale), shown(end[1], data.scale));
  });
  return `${data.title}, ${data.unit}. ${lines.join(" ")}`;
}
