// One puzzle: a board, one move, and the proof of why it is right or wrong.

import { Board } from "../board/board.js";
import { boardFragment } from "../board/fragment.js";
import { geometryOf, lastOf } from "../board/geometry.js";
import { StoneIcon } from "../board/stones.js";
import { Icon } from "../icons.js";
import { strings } from "../strings.js";
import { html, useEffect, useMemo, useRef, useState } from "../vendor/htm-preact.js";
import { Level, State } from "./standing.js";

/** @import { ApiType, Job } from "../api.js" */
/** @import { Fate } from "./progress.js" */
/** @import { Listed } from "./room.js" */
/** @import { BoardText, Legal, View } from "../types.js" */

/**
 * @param {{ puzzle: Listed, next: number | null, api: ApiType, fate: Fate | null, tell: (fate: Fate) => void }} props
 */
export function PuzzleBoard({ puzzle, next, api, fate, tell }) {
  const words = strings.puzzles;
  const [start, setStart] = useState(/** @type {View | null} */ (null));
  const [view, setView] = useState(/** @type {View | null} */ (null));
  const [selected, select] = useState(/** @type {number | null} */ (null));
  const [tried, setTried] = useState(/** @type {string | null} */ (null));
  const [reply, setReply] = useState(/** @type {string | null} */ (null));
  const [shown, show] = useState(false);
  const [error, setError] = useState("");
  const attempts = useRef(0);
  /** @type {BoardText} */
  const board = { game: puzzle.game, position: puzzle.position, to_move: puzzle.to_move };
  useEffect(() => {
    document.title = `${words.name(puzzle.number)} · ${strings.shell.name}`;
    api.position(board).then((first) => {
      setStart(first);
      setView(first);
    }, (failure) => setError(failure.message));
  }, []);
  const geometry = useMemo(() => (view ? geometryOf(view.board) : null), [view?.board && JSON.stringify(view.board)]);
  if (error) return html`<div class="plain-room"><p class="problem" role="alert">${error}</p></div>`;
  if (!view || !start || !geometry) return html`<p class="plain-room dim">${strings.shell.loading}</p>`;

  const play = async (/** @type {string} */ move) => {
    if (tried !== null) return;
    const isRight = move === puzzle.solution;
    setTried(move);
    select(null);
    if (!shown) tell(isRight ? "solved" : "failed");
    // What comes after another try was begun is not for it.
    const attempt = ++attempts.current;
    try {
      const after = await api.position({ ...board, moves: [move] });
      if (attempt !== attempts.current) return;
      setView(after);
      if (isRight) return;
      // Why it fails: the reply with which the opponent wins.
      const job = /** @type {Job<{ move: string | null, winner: string | null }>} */ (api.job({ ...board, moves: [move] }, "solve", { time_limit: 20 }));
      const { move: answer, winner } = await job.done;
      if (answer === null || winner === null || attempt !== attempts.current) return;
      const refuted = await api.position({ ...board, moves: [move, answer] });
      if (attempt !== attempts.current) return;
      setReply(answer);
      setView(refuted);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  const again = () => {
    attempts.current += 1;
    setTried(null);
    setReply(null);
    setView(start);
    show(false);
  };
  const act = (/** @type {number} */ cell) => {
    const legal = (/** @type {(legal: Legal) => boolean} */ fits) => start.legal.find(fits);
    const found = legal(({ from, to }) => to === cell && (from === null || from === selected));
    if (tried !== null) return;
    if (found) void play(found.move);
    else if (cell === selected) select(null);
    else select(legal(({ from }) => from === cell) ? cell : null);
  };
  const isRight = tried === puzzle.solution;
  const other = puzzle.to_move === "x" ? "o" : "x";
  const solution = shown ? (start.legal.find(({ move }) => move === puzzle.solution) ?? null) : null;
  return html`<div class="board-room puzzle-room"><div class="col"><div class="bar"><h1 class="title">${words.name(puzzle.number)}</h1><span class="dim">${words.kind(puzzle.game, puzzle.size, puzzle.level)}</span><span class="grow"></span><a class="btn" href="#puzzles">${words.list}</a></div>
    <section class="panel table-panel"><div class="seat"><${StoneIcon} side=${puzzle.to_move} /><span class="who">${words.task(puzzle.to_move)}</span></div>
      <div class="boardwrap"><${Board} view=${view} geometry=${geometry} stones=${view.stones} legal=${tried === null ? start.legal : []} label=${strings.board.label(view)} selected=${selected} marks=${tried === null ? [] : [mark(start, tried, isRight)]} parts=${[]} lit=${null} light=${() => {}} last=${reply === null ? null : lastOf(view, geometry)} hint=${solution} policy=${null} stable=${[]} painting=${false} act=${act} play=${(/** @type {string} */ move) => void play(move)} /></div></section></div>
    <div class="col"><section class="panel o3"><div class="verdict"><div class=${`exact ${tried === null ? "open" : isRight ? "w" : "l"}`} role="status">
      <h2>${tried === null ? words.choices(puzzle.moves) : isRight ? words.right(tried) : words.wrong(tried)}</h2>
      <p>${tried === null ? words.intro : isRight ? words.rightNote : reply === null ? words.looking : words.refutation(reply, other)}</p>
      ${shown && html`<p>${words.was(puzzle.solution)}</p>`}</div></div>
      <div class="engine"><${Level} level=${puzzle.level} /><${State} fate=${fate} /><span class="grow"></span>
        ${tried !== null && !isRight && html`<button class="btn" onClick=${again}>${words.again}</button>`}
        ${!shown && tried !== null && !isRight && html`<button class="btn" onClick=${() => {
          again();
          show(true);
        }}>${words.solution}</button>`}
        <a class="btn" href=${`#${boardFragment({ ...board, moves: tried === null ? [] : [tried, ...(reply === null ? [] : [reply])] })}`}>${words.open}</a>
        ${next !== null && html`<a class=${isRight ? "btn strong" : "btn"} href=${`#puzzles/${next}`}>${words.next} <${Icon} name="next" /></a>`}</div></section></div></div>`;
}

/**
 * The judged move on the board.
 * @param {View} start
 * @param {string} move
 * @param {boolean} isRight
 * @returns {import("../board/marks.js").Mark}
 */
function mark(start, move, isRight) {
  const legal = start.legal.find((each) => each.move === move) ?? { move, from: null, to: null };
  return { legal, exact: { outcome: isRight ? "win" : "loss", score: null }, estimate: null, best: true, few: true };
}
