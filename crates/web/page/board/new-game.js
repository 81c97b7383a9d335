// A new game: which, how large, who plays; or whatever text somebody has.

import { Dialog } from "../dialog.js";
import { strings } from "../strings.js";
import { html, useState } from "../vendor/htm-preact.js";
import { SeatSelect, agentsFor } from "./agents.js";
import { fragmentOf } from "../place.js";
import { MOST_CELLS } from "./editor.js";
import { StoneIcon } from "./stones.js";
import { PERSON } from "./table.js";

/** @import { ApiType } from "../api.js" */
/** @import { BoardText, Hello, View } from "../types.js" */

const SIZES = { clobber: ["3x4", "4x4", "4x5", "5x5", "5x6", "6x6", "8x8", "10x10"], othello: ["4x4", "4x6", "6x6", "8x8", "10x10"] };

/**
 * @param {{ hello: Hello | null, view: View | null, api: ApiType, begin: (board: BoardText, seats?: Record<string, string>) => Promise<boolean>, close: () => void, error: string | null }} props
 */
export function NewGame({ hello, view, api, begin, close, error }) {
  const words = strings.newGame;
  const games = hello?.games ?? [];
  const [game, setGame] = useState(view?.game ?? "clobber");
  const isClobber = game.startsWith("clobber");
  const shape = view && !("vertices" in view.board) ? view.board : { rows: 4, cols: 5 };
  const [rows, setRows] = useState(shape.rows);
  const [cols, setCols] = useState(shape.cols);
  const [random, setRandom] = useState(false);
  const [seats, setSeats] = useState({ x: PERSON, o: PERSON });
  const [text, setText] = useState("");
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const choose = (/** @type {string} */ next) => {
    setGame(next);
    const still = (/** @type {string} */ who) => (agentsFor(hello, next).some(({ spec }) => spec === who) ? who : PERSON);
    setSeats({ x: still(seats.x), o: still(seats.o) });
    if (next.startsWith("clobber") !== isClobber) {
      setRows(next.startsWith("clobber") ? 4 : 8);
      setCols(next.startsWith("clobber") ? 5 : 8);
    }
  };
  const start = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setProblem(null);
    const link = fragmentOf(text);
    if (link) {
      location.hash = link;
      close();
      return;
    }
    if (text.trim() !== "") {
      try {
        const { games: found } = await api.read(isClobber ? sumAsBoard(text) : text, game);
        if (found.length === 0) setProblem(words.nothingRead);
        else if (await begin(found[0], seats)) close();
      } catch (failure) {
        setProblem(failure instanceof Error ? failure.message : String(failure));
      }
      return;
    }
    const size = `${rows}x${cols}`;
    const position = random ? `random:${size},seed=${Math.floor(Math.random() * 1e9)}` : size;
    if (await begin({ game, position }, seats)) close();
  };
  const number = (/** @type {string} */ label, /** @type {number} */ value, /** @type {(value: number) => void} */ set) => html`<label class="size">${label}<input class="field num" type="number" min="1" max=${MOST_CELLS} required value=${value} onInput=${(/** @type {Event} */ event) => set(Number(/** @type {HTMLInputElement} */ (event.target).value))} /></label>`;
  const sizes = isClobber ? SIZES.clobber : SIZES.othello;
  const summary = games.find((each) => each.game === game)?.summary;
  const isForTwo = games.find((each) => each.game === game)?.for_two ?? true;
  return html`<${Dialog} title=${words.title} close=${close}><form class="form" onSubmit=${start}>
    <label class="row"><span>${words.game}</span><select class="field" value=${game} onChange=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value)}>${games.map((each) => html`<option value=${each.game} title=${each.summary}>${words.names(each.game)}</option>`)}</select></label>
    ${summary && html`<p class="row cap"><span></span><span>${words.summary(summary)}</span></p>`}
    <div class="row"><span>${words.size}</span><span class="sizes">${number(words.rows, rows, setRows)}${number(words.cols, cols, setCols)}</span></div>
    <div class="row"><span></span><span class="chips">${sizes.map((size) => {
      const [r, c] = size.split("x").map(Number);
      return html`<button type="button" class="chip" aria-pressed=${r === rows && c === cols ? "true" : "false"} onClick=${() => {
        setRows(r);
        setCols(c);
      }}>${size.replace("x", "×")}</button>`;
    })}</span></div>
    ${isClobber && html`<label class="row check"><span></span><span><input type="checkbox" checked=${random} onChange=${(/** @type {Event} */ event) => setRandom(/** @type {HTMLInputElement} */ (event.target).checked)} /> ${words.random}</span></label>`}
    ${isForTwo && ["x", "o"].map((side) => html`<div class="row"><span class="seat-name"><${StoneIcon} side=${side} size=${16} /> ${side}</span><${SeatSelect} game=${game} side=${side} who=${seats[/** @type {'x' | 'o'} */ (side)]} hello=${hello} sit=${(/** @type {string} */ who) => setSeats({ ...seats, [side]: who })} /></div>`)}
    <label class="row tall"><span>${words.paste}</span><textarea class="field mono" rows="4" placeholder=${words.pasteExample} spellcheck=${false} value=${text} onInput=${(/** @type {Event} */ event) => setText(/** @type {HTMLTextAreaElement} */ (event.target).value)}></textarea></label>
    ${(problem ?? error) && html`<p class="problem" role="alert">${problem ?? error}</p>`}
    <div class="ends"><button type="button" class="btn" onClick=${close}>${words.cancel}</button><button class="btn strong" type="submit">${text.trim() === "" ? words.start : words.read}</button></div>
  </form></${Dialog}>`;
}

/**
 * A sum of positions, `xxo + xo|ox`, as one board with empty columns between its parts; any other text as it is.
 * @param {string} text
 */
export function sumAsBoard(text) {
  const parts = text.trim().split("+").map((part) => part.trim().split(/[|/\n]/).map((row) => row.trim()));
  if (parts.length < 2 || parts.some((rows) => rows.some((row) => !/^[xo.#]+$/.test(row) || row.length !== rows[0].length))) return text;
  const height = Math.max(...parts.map((rows) => rows.length));
  return Array.from({ length: height }, (_, row) => parts.map((rows) => rows[row] ?? ".".repeat(rows[0].length)).join(".")).join("|");
}
