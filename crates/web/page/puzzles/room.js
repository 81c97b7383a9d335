// The puzzle room: "one move keeps the win: find it", judged exactly.

import { sizeName } from "../format.js";
import { strings } from "../strings.js";
import { html, useEffect, useMemo, useState } from "../vendor/htm-preact.js";
import { fates, remember } from "./progress.js";
import { PuzzleBoard } from "./puzzle.js";
import { Level, State } from "./standing.js";

/** @import { ApiType } from "../api.js" */
/** @import { Fate } from "./progress.js" */
/** @import { Puzzle } from "../types.js" */

/** How many puzzles are listed at once. */
const PAGE = 60;

/** @typedef {Puzzle & { number: number, size: string, name: string }} Listed */

/**
 * @param {Puzzle} puzzle
 * @param {number} index
 * @returns {Listed}
 */
function listed(puzzle, index) {
  const rows = puzzle.position.split("|");
  return { ...puzzle, number: index + 1, size: sizeName(rows.length, rows[0].length), name: `${puzzle.game} ${puzzle.position} ${puzzle.to_move}` };
}

/** @param {{ path: string, api: ApiType }} props */
export function Room({ path, api }) {
  const words = strings.puzzles;
  const [puzzles, setPuzzles] = useState(/** @type {Listed[] | null} */ (null));
  const [error, setError] = useState("");
  const [known, setKnown] = useState(fates());
  const [filter, setFilter] = useState({ game: "", size: "", level: "", state: "" });
  const [pages, setPages] = useState(1);
  useEffect(() => {
    api.puzzles().then((all) => setPuzzles(all.map(listed)), (failure) => setError(failure.message));
  }, []);
  const shown = useMemo(() => (puzzles ?? []).filter((puzzle) => fits(puzzle, filter, known)), [puzzles, filter, known]);
  if (error) return html`<div class="plain-room"><p class="problem" role="alert">${error}</p></div>`;
  if (!puzzles) return html`<p class="plain-room dim">${strings.shell.loading}</p>`;
  if (path !== "") {
    const puzzle = puzzles.find(({ number }) => String(number) === path);
    if (!puzzle) return html`<div class="plain-room"><p class="problem" role="alert">${words.missing(path)} <a class="btn" href="#puzzles">${words.list}</a></p></div>`;
    const inList = shown.filter((each) => each.number !== puzzle.number && !known[each.name]);
    const next = inList.find(({ number }) => number > puzzle.number) ?? inList[0];
    return html`<${PuzzleBoard} key=${puzzle.number} puzzle=${puzzle} next=${next?.number ?? null} api=${api} fate=${known[puzzle.name] ?? null} tell=${(/** @type {Fate} */ fate) => setKnown(remember(puzzle.name, fate))} />`;
  }
  return html`<div class="plain-room puzzles"><div class="bar"><h1 class="title">${words.title}</h1><span class="dim">${words.intro}</span><span class="grow"></span><span class="num">${words.count(Object.values(known).filter((fate) => fate === "solved").length, puzzles.length)}</span></div>
    <section class="panel"><div class="filters">
      <${Filter} label=${words.game} value=${filter.game} names=${words.gameName} options=${distinct(puzzles.map(({ game }) => game))} set=${(/** @type {string} */ game) => setFilter({ ...filter, game })} />
      <${Filter} label=${words.size} value=${filter.size} options=${distinct(puzzles.map(({ size }) => size))} set=${(/** @type {string} */ size) => setFilter({ ...filter, size })} />
      <${Filter} label=${words.level} value=${filter.level} options=${distinct(puzzles.map(({ level }) => String(level)))} set=${(/** @type {string} */ level) => setFilter({ ...filter, level })} />
      <${Filter} label=${words.state} value=${filter.state} options=${["open", "solved", "failed"]} names=${(/** @type {'open' | 'solved' | 'failed'} */ state) => words.states[state]} set=${(/** @type {string} */ state) => setFilter({ ...filter, state })} />
      <span class="grow"></span>${shown.length > 0 && html`<a class="btn strong" href=${`#puzzles/${(shown.find(({ name }) => !known[name]) ?? shown[0]).number}`}>${words.next}</a>`}</div>
    ${shown.length === 0 ? html`<p class="body dim">${words.none}</p>` : html`<ul class="puzzle-list">${shown.slice(0, pages * PAGE).map((puzzle) => html`<li key=${puzzle.number}><a href=${`#puzzles/${puzzle.number}`}>
      <${Thumbnail} position=${puzzle.position} /><span class="puzzle-name"><b>${puzzle.number}</b> ${words.gameName(puzzle.game)} ${puzzle.size}</span><${Level} level=${puzzle.level} /><${State} fate=${known[puzzle.name] ?? null} /></a></li>`)}</ul>`}
    ${shown.length > pages * PAGE && html`<p class="more"><button class="btn" onClick=${() => setPages(pages + 1)}>${words.more}</button></p>`}</section></div>`;
}

/**
 * @param {Listed} puzzle
 * @param {{ game: string, size: string, level: string, state: string }} filter
 * @param {Record<string, Fate>} known
 */
function fits(puzzle, { game, size, level, state }, known) {
  return (game === "" || puzzle.game === game) && (size === "" || puzzle.size === size) && (level === "" || String(puzzle.level) === level) && (state === "" || (known[puzzle.name] ?? "open") === state);
}

/** @param {string[]} values */
function distinct(values) {
  return [...new Set(values)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** @param {{ label: string, value: string, options: string[], names?: (option: any) => string, set: (value: string) => void }} props */
function Filter({ label, value, options, names = (option) => option, set }) {
  return html`<label class="filter">${label}<select class="field" value=${value} onChange=${(/** @type {Event} */ event) => set(/** @type {HTMLSelectElement} */ (event.target).value)}><option value="">${strings.puzzles.any}</option>${options.map((option) => html`<option value=${option}>${names(option)}</option>`)}</select></label>`;
}

/** A position in a few points. @param {{ position: string }} props */
function Thumbnail({ position }) {
  const rows = position.split("|");
  const [width, height] = [rows[0].length, rows.length];
  const stones = rows.flatMap((row, y) => [...row].map((stone, x) => (stone === "x" || stone === "o" ? html`<circle cx=${x + 0.5} cy=${y + 0.5} r=".38" class=${`thumb-${stone}`} />` : null)));
  return html`<svg class="thumb" viewBox=${`0 0 ${width} ${height}`} aria-hidden="true"><rect width=${width} height=${height} rx=".2" class="thumb-board" />${stones}</svg>`;
}
