// The board room: the board with its seats on the left, what is known on the right.

import { Menu } from "../dialog.js";
import { Icon } from "../icons.js";
import { useStore } from "../store.js";
import { strings } from "../strings.js";
import { html, useEffect, useLayoutEffect, useMemo, useState } from "../vendor/htm-preact.js";
import { isClobber } from "./analyst.js";
import { Board } from "./board.js";
import { copies, copyText } from "./copy.js";
import { Discs } from "./discs.js";
import { draftBoard, draftOf, EditorBar, paint } from "./editor.js";
import { GameGraph } from "./game-graph.js";
import { geometryOf, lastOf } from "./geometry.js";
import { useKeys } from "./keys.js";
import { marksOf } from "./marks.js";
import { MovesTable } from "./moves-table.js";
import { Neighbours } from "./neighbours.js";
import { NewGame } from "./new-game.js";
import { partLetter } from "./parts.js";
import { Recorded } from "./recorded.js";
import { Actions, Seat } from "./seats.js";
import { Sketch } from "./sketch.js";
import { LETTERS } from "./stones.js";
import { Table } from "./table.js";
import { Values } from "./values.js";
import { Variations } from "./variations.js";
import { Verdict } from "./verdict.js";
import { place } from "../place.js";

/** @import { ApiType } from "../api.js" */
/** @import { Draft } from "./editor.js" */
/** @import { Known } from "./known.js" */
/** @import { Part } from "./parts.js" */
/** @import { TableState } from "./table.js" */
/** @import { Hello, View } from "../types.js" */

/** The table outlives visits to other rooms. @type {Table | null} */
let theTable = null;

/**
 * Asks for the board of an address, before the room is drawn.
 * @param {ApiType} api
 * @param {string} path
 */
export function openBoard(api, path) {
  theTable ??= new Table(api);
  void theTable.open(path);
}

/** @param {{ path: string, api: ApiType, hello: Hello | null }} props */
export function BoardRoom({ path, api, hello }) {
  const table = (theTable ??= new Table(api));
  useLayoutEffect(() => void table.open(path), [path]);
  useEffect(() => {
    // The way back to an address that was written here does not change the path.
    const moved = () => {
      const { room, path } = place();
      if (room === "board") void table.open(path);
    };
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  useEffect(() => () => table.leave(), []);
  const state = useStore(table);
  const { view } = state;
  useEffect(() => {
    if (view) document.title = `${strings.board.title(view)} ${strings.board.size(view)} · ${strings.shell.name}`;
  }, [view]);
  if (!view && state.error) return html`<div class="board-room"><p class="problem" role="alert">${state.error}</p></div>`;
  if (!view) return html`<${Sketch} text=${table.tree.board(state.node)} />`;
  return html`<${Room} table=${table} state=${state} view=${view} api=${api} hello=${hello} />`;
}

/** @param {{ table: Table, state: TableState, view: View, api: ApiType, hello: Hello | null }} props */
function Room({ table, state, view, api, hello }) {
  const analyst = useStore(table.analyst);
  const known = table.analyst.known(view);
  const [dialog, open] = useState(/** @type {'new' | null} */ (null));
  const [draft, setDraft] = useState(/** @type {Draft | null} */ (null));
  const [lit, light] = useState(/** @type {number | null} */ (null));
  const [hovered, hover] = useState(/** @type {string | null} */ (null));
  const [note, setNote] = useState("");
  // What was wrong before is not the dialog's, nor is the dialog's the board's.
  const show = (/** @type {'new' | null} */ which) => {
    table.set({ error: null });
    open(which);
  };
  useKeys(table, { newGame: () => show("new"), disabled: dialog !== null || draft !== null });
  useEffect(() => {
    if (note === "") return;
    const timer = setTimeout(() => setNote(""), 3500);
    return () => clearTimeout(timer);
  }, [note]);
  const words = strings.board;
  const copy = (/** @type {string} */ text) => void copyText(text).then(() => setNote(strings.copy.copied(text.length < 30 ? text : `${text.slice(0, 29)}…`)));
  const edit = () => {
    table.set({ editing: true, selected: null });
    table.think();
    setDraft(draftOf(view));
  };
  const stopEditing = () => {
    setDraft(null);
    table.set({ editing: false });
    table.think();
  };
  const doneEditing = async () => {
    if (draft && (await table.begin(draftBoard(draft, view.game)))) stopEditing();
  };
  const sides = [...LETTERS.slice(0, view.sides)];
  const [first, ...others] = sides;
  const board = table.tree.board(state.node);
  const line = table.tree.line(state.node);
  const judge = (/** @type {number} */ id) => {
    const { parent, move } = table.tree.node(id);
    const before = parent === null ? undefined : table.views.get(parent);
    return before && move !== null && !state.hide ? (table.analyst.known(before).moves.get(move) ?? null) : null;
  };
  const end = table.lineEnd() ?? view;
  // The seats count the stones of what is being edited.
  const seated = draft ? { ...view, over: false, to_move: draft.to_move, counts: sides.map((side) => draft.stones.split(side).length - 1) } : view;
  return html`<div class="board-room"><div class="col">
    <${TopBar} table=${table} state=${state} view=${view} newGame=${() => show("new")} items=${copies({ api, board, view, said: setNote, fail: (error) => table.fail(error) })} share=${() => void copyText(location.href).then(() => setNote(words.shared))} />
    ${state.error && dialog === null && html`<p class="problem" role="alert"><span>${state.error}</span><button class="btn icon quiet" aria-label=${words.dismiss} onClick=${() => table.set({ error: null })}><${Icon} name="close" /></button></p>`}
    <section class="panel table-panel o2" aria-label=${words.label(view)}>
      ${others.reverse().map((side) => html`<${Seat} key=${side} table=${table} state=${state} view=${seated} side=${side} hello=${hello} />`)}
      <div class="boardwrap"><${Position} table=${table} state=${state} view=${view} known=${known} draft=${draft} setDraft=${setDraft} lit=${lit} light=${light} hovered=${hovered} /></div>
      <${Seat} table=${table} state=${state} view=${seated} side=${first} hello=${hello} />
      ${draft ? html`<${EditorBar} draft=${draft} set=${setDraft} done=${doneEditing} cancel=${stopEditing} />` : html`<${Actions} table=${table} state=${state} view=${view} edit=${edit} />`}
    </section>
    ${state.recorded && !draft && html`<${Recorded} game=${state.recorded} path=${table.tree.path(state.node)} />`}
    ${"vertices" in view.board && html`<${Neighbours} view=${view} act=${(/** @type {string} */ move) => table.play(move)} />`}
    <${GameGraph} line=${line} node=${state.node} end=${end} cache=${table.analyst.cache} analyst=${analyst} hide=${state.hide} go=${(/** @type {number} */ id) => void table.go(id)} sweep=${() => void table.sweep()} stopSweep=${() => table.analyst.stopReview()} />
  </div>${draft ? html`<div class="col"><section class="panel o3"><div class="verdict"><div class="exact open"><h2>${strings.editor.title}</h2><p>${strings.editor.note}</p></div></div></section></div>` : html`<div class="col">
    <${Verdict} view=${view} known=${known} state=${state} analyst=${analyst} think=${(/** @type {boolean} */ thinking) => {
      if (thinking) table.analyst.stop();
      table.wish({ thinking });
    }} />
    <${MovesTable} view=${view} known=${known} hide=${state.hide} heat=${state.heat} setHeat=${(/** @type {boolean} */ heat) => table.wish({ heat })} play=${(/** @type {string} */ move) => table.play(move)} hover=${hover} />
    ${isClobber(view) && html`<${Values} view=${view} values=${known.values} hide=${state.hide} lit=${lit} light=${light} copy=${copy} longer=${() => table.analyst.evaluate(board, view, 60)} thinking=${state.thinking} />`}
    <${Discs} view=${view} known=${known} hide=${state.hide} playLine=${(/** @type {string[]} */ moves) => void table.playText(moves.join(""))} />
    <${Variations} tree=${table.tree} node=${state.node} judge=${judge} go=${(/** @type {number} */ id) => void table.go(id)} remove=${(/** @type {number} */ id) => table.remove(id)} promote=${(/** @type {number} */ id) => table.promote(id)} />
  </div>`}
  ${dialog === "new" && html`<${NewGame} hello=${hello} view=${view} api=${api} begin=${table.begin.bind(table)} close=${() => show(null)} error=${state.error} />`}
  <p class="vh" aria-live="polite">${liveWords(state, view, known)}</p>
  <p class=${note ? "toast on" : "toast"} role="status">${note}</p></div>`;
}

/**
 * What a screen reader says: what happened, and what is proved.
 * @param {TableState} state
 * @param {View} view
 * @param {Known} known
 */
function liveWords(state, view, known) {
  if (state.hide) return [state.said, state.judgement].filter(Boolean).join("; ");
  return known.exact && !view.over ? `${state.said}; ${strings.analysis.proved(view, known.exact)}` : state.said;
}

/**
 * @param {{ table: Table, state: TableState, view: View, newGame: () => void, items: { name: string, run: () => void }[], share: () => void }} props
 */
function TopBar({ table, state, view, newGame, items, share }) {
  const words = strings.board;
  const pressed = (/** @type {boolean} */ on) => (on ? "true" : "false");
  const toggle = (/** @type {'parts' | 'hide'} */ what, /** @type {string} */ label) => html`<button class="switch" role="switch" aria-checked=${pressed(state[what])} onClick=${() => table.wish({ [what]: !state[what] })}><i></i>${label}</button>`;
  return html`<div class="bar"><h1 class="title">${words.title(view)} ${words.size(view)}</h1>
    <button class="btn" onClick=${newGame}>${words.newGame}</button>
    <div class="tools">${view.for_two && html`<div class="seg" role="group" aria-label=${words.marks}>${/** @type {const} */ (["off", "best", "all"]).map((which) => html`<button aria-pressed=${pressed(state.marks === which)} onClick=${() => table.wish({ marks: which })}>${words.mark[which]}</button>`)}</div>
    ${toggle("parts", isClobber(view) || view.game === "clobber:cannibal" ? words.parts : words.regions)}${toggle("hide", words.hide)}`}
    <span class="pair"><${Menu} label=${words.copy} items=${items} /><button class="btn icon" aria-label=${words.share} title=${words.share} onClick=${share}><${Icon} name="share" /></button></span></div></div>`;
}

/**
 * @param {{ table: Table, state: TableState, view: View, known: Known, draft: Draft | null, setDraft: (draft: Draft) => void, lit: number | null, light: (part: number | null) => void, hovered: string | null }} props
 */
function Position({ table, state, view, known, draft, setDraft, lit, light, hovered }) {
  const shape = draft?.board ?? view.board;
  const shapeKey = "vertices" in shape ? JSON.stringify(shape) : `${shape.rows}x${shape.cols}`;
  const geometry = useMemo(() => geometryOf(shape), [shapeKey]);
  if (draft) {
    const nothing = { legal: [], marks: [], parts: [], selected: null, last: null, hint: null, policy: null, stable: [], lit: null };
    return html`<${Board} ...${nothing} view=${view} geometry=${geometry} stones=${draft.stones} label=${strings.board.label(view)} painting light=${() => {}} act=${(/** @type {number} */ cell) => setDraft(paint(draft, cell))} play=${() => {}} />`;
  }
  const isAgents = table.isAgentsTurn();
  const shows = !state.hide && view.for_two && !view.over;
  const hint = view.legal.find(({ move }) => move === (hovered ?? state.hint)) ?? null;
  return html`<${Board} view=${view} geometry=${geometry} stones=${view.stones} label=${strings.board.label(view)} legal=${view.over || isAgents || table.hasResigned() ? [] : view.legal} selected=${state.selected}
    marks=${shows ? marksOf(view, known, state.marks) : []} parts=${state.parts ? partsOf(view, known, state.hide) : []} lit=${lit} light=${light}
    last=${lastOf(view, geometry)} hint=${hint} policy=${shows && state.heat ? (known.opinion?.policy ?? null) : null} stable=${state.parts ? (view.discs?.stable ?? []) : []}
    painting=${false} act=${(/** @type {number} */ cell) => table.act(cell)} play=${(/** @type {string} */ move) => void table.play(move)} />`;
}

/**
 * @param {View} view
 * @param {Known} known
 * @param {boolean} hide
 * @returns {Part[]}
 */
function partsOf(view, known, hide) {
  if (view.over) return [];
  if (view.discs) return regionsOf(view, view.discs.regions);
  const parts = view.parts ?? [];
  const values = known.values?.components ?? [];
  // A single part needs no outline, unless there is a value to show.
  if (parts.length === 1 && (!view.stones.includes(".") || !values[0]?.value)) return [];
  const label = (/** @type {number[]} */ cells) => values.find((part) => part.cells?.[0] === cells[0])?.value ?? null;
  // The panel names parts in the order of the values, so the board does, too.
  const order = (/** @type {number[]} */ cells) => values.findIndex((part) => part.cells?.[0] === cells[0]);
  return [...parts].sort((a, b) => order(a) - order(b) || a[0] - b[0]).map((cells, index) => ({ letter: partLetter(index), cells, label: hide ? null : label(cells) }));
}

/**
 * Empty regions of Othello, with their number of cells, which says who has the last move there.
 * @param {View} view
 * @param {number[][]} regions
 * @returns {Part[]}
 */
function regionsOf(view, regions) {
  if (regions.length < 2) return [];
  const legal = new Set(view.legal.map(({ to }) => to));
  return regions.map((cells) => ({ letter: strings.discs.region(cells.length), cells, label: null, badge: cells.find((cell) => !legal.has(cell)) ?? null }));
}
