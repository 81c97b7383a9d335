// The two seats beside the board, and the actions below it.

import { Icon } from "../icons.js";
import { strings } from "../strings.js";
import { html, useState } from "../vendor/htm-preact.js";
import { SeatSelect } from "./agents.js";
import { playerOf } from "./recorded.js";
import { StoneIcon } from "./stones.js";
import { PACES, PERSON } from "./table.js";

/** @import { Table, TableState } from "./table.js" */
/** @import { Hello, View } from "../types.js" */

/**
 * @param {{ table: Table, state: TableState, view: View, side: string, hello: Hello | null }} props
 */
export function Seat({ table, state, view, side, hello }) {
  const words = strings.seats;
  const who = table.seat(side);
  const isTurn = view.to_move === side && !view.over && !table.hasResigned();
  const index = "xotsdp".indexOf(side);
  const won = view.over ? view.winner === side : table.hasResigned() && state.resigned?.side !== side;
  return html`<div class="seat"><${StoneIcon} side=${side} /><span class="who">${side}</span>${state.recorded && html`<b class="player" title=${playerOf(state.recorded, side)}>${playerOf(state.recorded, side)}</b>`}
    ${view.for_two ? html`<${SeatSelect} game=${view.game} side=${side} who=${who} hello=${hello} sit=${(/** @type {string} */ who) => table.sit(side, who)} />` : html`<span class="what">${words.person}</span>`}
    <span class="grow"></span><span class="count num" title=${words.stones}>${view.counts[index] ?? ""}</span>
    ${isTurn && html`<span class="turn">${state.choosing && who !== PERSON ? words.thinks(side) : words.toMove(side)}</span>`}${won && html`<span class="turn won">${words.won(side)}</span>`}</div>`;
}

/**
 * @param {{ table: Table, state: TableState, view: View, edit: () => void }} props
 */
export function Actions({ table, state, view, edit }) {
  const words = strings.actions;
  const [text, setText] = useState("");
  const path = table.tree.path(state.node);
  const line = table.tree.line(state.node);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    // The field itself: the state may be a key behind it.
    const field = /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("input");
    if (await table.playText(field?.value ?? "")) setText("");
  };
  // Escape gives the keys back to the board.
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    setText("");
    /** @type {HTMLElement} */ (event.currentTarget).blur();
  };
  const atStart = path.length === 1;
  const atEnd = path.length === line.length;
  const isPass = view.legal.length === 1 && view.legal[0].to === null;
  const agents = view.for_two && table.areBothAgents();
  const one = view.for_two && (table.seat("x") !== PERSON || table.seat("o") !== PERSON);
  const step = (/** @type {'first' | 'back' | 'forward' | 'last'} */ where, /** @type {boolean} */ off) => html`<button class="btn icon" aria-label=${words[where]} title=${words[where]} disabled=${off} onClick=${() => table.walk(where)}><${Icon} name=${where} /></button>`;
  return html`<div class="actions">${step("first", atStart)}${step("back", atStart)}${step("forward", atEnd)}${step("last", atEnd)}
    <span class="num dim plies">${path.length - 1} / ${line.length - 1}</span>
    <form class="move-form" onSubmit=${submit}><input class="field mono move-field" aria-label=${words.moveField} placeholder=${view.legal[0]?.move ?? "–"} value=${text} autocomplete="off" autocapitalize="none" spellcheck=${false} onKeyDown=${leave} onInput=${(/** @type {Event} */ event) => setText(/** @type {HTMLInputElement} */ (event.target).value)} /></form>
    ${isPass && !view.over && html`<button class="btn strong" onClick=${() => table.play(view.legal[0].move)}>${words.pass}</button>`}
    <span class="grow"></span>
    ${(agents || (one && state.paused)) && html`<button class="btn" onClick=${() => table.pause(!state.paused)}>${state.paused ? words.goOn : words.pause}</button>`}
    ${agents && html`<label class="pace"><span class="vh">${words.pace}</span><select class="field" value=${state.pace} onChange=${(/** @type {Event} */ event) => table.wish({ pace: Number(/** @type {HTMLSelectElement} */ (event.target).value) })}>${PACES.map((wait, i) => html`<option value=${i}>${words.paces(wait)}</option>`)}</select></label>`}
    <button class="btn quiet" onClick=${edit}>${words.edit}</button>
    ${view.for_two && html`<button class="btn quiet" disabled=${view.over || table.hasResigned()} onClick=${() => table.showHint()}>${words.hint}</button>`}
    <button class="btn quiet" disabled=${atStart && !table.hasResigned()} onClick=${() => table.takeBack()}>${words.takeBack}</button>
    ${view.for_two && html`<button class="btn quiet" disabled=${view.over || table.hasResigned()} onClick=${() => table.resign()}>${words.resign}</button>`}
  </div>`;
}
