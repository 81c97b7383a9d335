// What happens at the board: the tree of moves, where we stand in it, who sits where, what is selected.

import { Store } from "../store.js";
import { strings } from "../strings.js";
import { Analyst } from "./analyst.js";
import { readFragment, writeFragment } from "./fragment.js";
import { bestMoves } from "./known.js";
import { Tree } from "./tree.js";
import { place } from "../place.js";

/** @import { ApiType, Job } from "../api.js" */
/** @import { GameRow } from "../runs/types.js" */
/** @import { BoardText, Chosen, View } from "../types.js" */
/** @import { RecordName } from "./fragment.js" */

/** Who sits at a side: a person, or an agent by its specification. */
export const PERSON = "person";

/** @typedef {'off' | 'best' | 'all'} Marks */
/**
 * @typedef {{
 *   view: View | null, node: number, version: number, selected: number | null, error: string | null, said: string,
 *   marks: Marks, parts: boolean, hide: boolean, heat: boolean, thinking: boolean,
 *   seats: Record<string, string>, paused: boolean, pace: number, choosing: boolean,
 *   resigned: { node: number, side: string } | null, judgement: string | null, hint: string | null, editing: boolean,
 *   record: RecordName | null, recorded: GameRow | null,
 * }} TableState
 * `said` is for the live region; `judgement` is said of the last move while answers are hidden; `hint` is a move.
 * `record` names the recorded game that is replayed, and `recorded` is that game when it has come.
 */

/** The waits between moves of two agents, in milliseconds. */
export const PACES = [0, 300, 1000, 2500];

/** @extends {Store<TableState>} */
export class Table extends Store {
  /** @param {ApiType} api */
  constructor(api) {
    super({
      view: null, node: 0, version: 0, selected: null, error: null, said: "",
      marks: "all", parts: true, hide: false, heat: false, thinking: true,
      seats: { x: PERSON, o: PERSON }, paused: false, pace: 1, choosing: false,
      resigned: null, judgement: null, hint: null, editing: false, record: null, recorded: null,
    });
    this.api = api;
    this.analyst = new Analyst(api);
    this.tree = new Tree({ game: "clobber", position: "4x5" });
    /** @type {Map<number, View>} */
    this.views = new Map();
    /** @type {Job<Chosen> | null} */
    this.choice = null;
    this.asked = 0;
    /** The fragment that this table itself has written. */
    this.fragment = "";
    /** Whether the board of an address is being asked for. */
    this.isOpening = false;
    // What broke off when the server went is begun again when it is back.
    let isLost = false;
    api.link.watch(() => {
      const { link, losses } = api.link.state;
      if (link === "there" && isLost) this.back();
      isLost = link !== "there" && losses > 0;
    });
  }

  /**
   * Shows what an address says, unless it is shown already.
   * @param {string} fragment
   */
  async open(fragment) {
    if (fragment === this.fragment && (this.state.view || this.isOpening)) return;
    const { tree, node, seats, record } = readFragment(fragment);
    this.fragment = fragment;
    this.reset(tree);
    if (!this.state.view) this.set({ node }); // which is sketched meanwhile
    if (record) void this.recall(record);
    if (seats) this.set({ seats: { x: PERSON, o: PERSON, ...seats }, paused: false });
    this.isOpening = true;
    await this.go(node, { keepAddress: true });
    if (this.fragment === fragment) this.isOpening = false;
  }

  /** @param {Tree} tree */
  reset(tree) {
    this.tree = tree;
    this.views.clear();
    this.analyst.stopReview();
    this.analyst.set({ review: null, reviewed: "" });
    this.stopChoosing();
    this.set({ resigned: null, judgement: null, hint: null, editing: false, selected: null, node: 0, record: null, recorded: null });
  }

  /**
   * Asks who played a recorded game, and what they thought. Where the record is gone, there is still the game.
   * @param {RecordName} record
   */
  async recall(record) {
    this.set({ record });
    try {
      const recorded = await this.api.recorded(record);
      if (this.state.record === record) this.set({ recorded });
    } catch {
      if (this.state.record === record) this.set({ record: null });
    }
  }

  /**
   * Begins another game; the old one stays in the browser's history.
   * @param {BoardText} board
   * @param {Record<string, string>} [seats]
   * @returns {Promise<boolean>} whether the server could read it
   */
  async begin({ moves = [], ...root }, seats) {
    const tree = new Tree(root);
    const order = tree.read(moves.join("."));
    const node = order[order.length - 1];
    let view;
    try {
      view = await this.api.position(tree.board(node));
    } catch (error) {
      this.fail(error);
      return false;
    }
    // A random start shall be the same for whoever opens the link; a size says enough.
    const isSize = /^[0-9]+x[0-9]+$/.test(root.position);
    tree.root = { game: view.game, ...view.start, ...(isSize ? { position: root.position } : {}) };
    this.reset(tree);
    this.views.set(node, view);
    if (seats) this.set({ seats, paused: false });
    this.fragment = "";
    await this.go(node);
    return true;
  }

  /**
   * Goes to a node of the tree.
   * @param {number} node
   * @param {{ keepAddress?: boolean }} [how]
   */
  async go(node, { keepAddress = false } = {}) {
    const asked = ++this.asked;
    this.stopChoosing();
    let view = this.views.get(node);
    if (!view) {
      try {
        view = await this.api.position(this.tree.board(node));
      } catch (error) {
        if (asked !== this.asked) return;
        this.fail(error);
        if (!this.state.view) this.openInstead();
        return;
      }
      if (asked !== this.asked) return;
      this.views.set(node, view);
    }
    this.remember(node, view);
    this.tree.root.to_move ??= view.start.to_move;
    const isFirst = !this.state.view;
    this.set({ view, node, selected: null, hint: null, error: null, said: strings.board.toMove(view) });
    if (!keepAddress) this.writeAddress();
    const goOn = () => {
      if (asked !== this.asked) return;
      this.agentMoves();
      this.think();
    };
    // The server's search would take the cores that the browser needs to draw its first board.
    if (isFirst) afterPaint(goOn);
    else goOn();
  }

  /** An address that cannot be read is answered by the first board, with the reason above it. */
  openInstead() {
    const { error } = this.state;
    const { tree, node } = readFragment("");
    this.reset(tree);
    void this.go(node, { keepAddress: true }).then(() => this.set({ error }));
  }

  /**
   * Names the moves canonically and says who made them.
   * @param {number} node
   * @param {View} view
   */
  remember(node, view) {
    const path = this.tree.path(node);
    for (const [ply, each] of path.entries()) {
      if (ply === 0) continue;
      each.side = view.line[ply - 1]?.to_move ?? each.side;
      each.move = view.moves[ply - 1] ?? each.move;
    }
  }

  writeAddress() {
    const fragment = writeFragment(this.tree, this.state.node, this.state.seats, this.state.record);
    // An answer may come after the room was left.
    if (fragment === this.fragment || place().room !== "board") return;
    // A new game is a new page of the history; moves are not, or the back button would walk through them.
    const isNew = this.fragment === "";
    this.fragment = fragment;
    history[isNew ? "pushState" : "replaceState"](null, "", `#${fragment}`);
    this.set({ version: this.state.version + 1 });
  }

  /** @param {unknown} error */
  fail(error) {
    const message = error instanceof Error ? error.message : String(error);
    this.set({ error: message, said: message });
  }

  /** Thinks about the position if that is wanted. */
  think() {
    const { view, node, thinking, editing } = this.state;
    if (!view || !thinking || editing) this.analyst.stop();
    else this.analyst.think(this.tree.board(node), view, this.isAgentsTurn());
  }

  back() {
    if (!this.state.view) {
      this.fragment = "\n";
      void this.open(location.hash.slice(1));
      return;
    }
    this.analyst.stop();
    this.think();
    this.agentMoves();
  }

  /**
   * Makes a move where we stand.
   * @param {string} move
   */
  async play(move) {
    const { view, node, hide } = this.state;
    if (!view || view.over) return;
    // A person's move is judged, and that is still there to be read after an agent's reply.
    const isPersons = this.seat(view.to_move) === PERSON;
    const judgement = !hide ? null : isPersons ? strings.analysis.judged(move, view, this.analyst.known(view), bestMoves(this.analyst.known(view))) : this.state.judgement;
    if (this.hasResigned()) this.set({ resigned: null });
    const next = this.tree.play(node, move, view.to_move);
    const known = this.tree.next - 1 === next;
    await this.go(next);
    if (this.state.node !== next) {
      if (known) this.tree.remove(next); // it was not legal
      return;
    }
    const after = this.state.view;
    this.set({ judgement, said: after ? strings.board.played(view, move, after) : "" });
  }

  /**
   * A move as somebody typed it: `a1b1`, `a1-b1`, or several such as `f5d6c3`.
   * @param {string} text
   * @returns {Promise<boolean>}
   */
  async playText(text) {
    const { view, node } = this.state;
    const words = text.trim().toLowerCase().replaceAll("-", "");
    if (!view || words === "") return false;
    const legal = view.legal.find(({ move }) => move.replaceAll("-", "") === words);
    if (legal) {
      await this.play(legal.move);
      return true;
    }
    // Several moves in a row, as transcripts write them.
    const cells = words.match(/pass|[a-z]+[0-9]+/g) ?? [];
    const moves = view.legal.some(({ from }) => from !== null) ? pairs(cells) : cells;
    if (moves.length < 2) {
      this.fail(new Error(strings.board.notLegal(text.trim(), view)));
      return false;
    }
    try {
      const board = this.tree.board(node);
      const end = await this.api.position({ ...board, moves: [...(board.moves ?? []), ...moves] });
      let at = node;
      for (const move of end.moves.slice(board.moves?.length ?? 0)) at = this.tree.play(at, move);
      this.views.set(at, end);
      await this.go(at);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /**
   * A cell was clicked, tapped or entered: the first time selects, the second plays.
   * @param {number} cell
   */
  act(cell) {
    const { view, selected } = this.state;
    if (!view || view.over || this.hasResigned() || this.isAgentsTurn()) return;
    const placed = view.legal.find(({ from, to }) => from === null && to === cell);
    const moved = selected === null ? undefined : view.legal.find(({ from, to }) => from === selected && to === cell);
    if (placed || moved) void this.play(/** @type {{ move: string }} */ (placed ?? moved).move);
    else if (cell === selected) this.set({ selected: null, said: strings.board.letGo });
    else if (view.legal.some(({ from }) => from === cell)) this.set({ selected: cell, said: strings.board.selected(view, cell) });
    else this.set({ selected: null });
  }

  /** @param {'first' | 'back' | 'forward' | 'last' | 'up' | 'down'} where */
  walk(where) {
    const { node } = this.state;
    const { parent, children } = this.tree.node(node);
    const line = this.tree.line(node);
    const to = {
      first: 0,
      back: parent ?? node,
      forward: children[0] ?? node,
      last: line[line.length - 1].id,
      up: this.tree.sibling(node, -1),
      down: this.tree.sibling(node, 1),
    }[where];
    this.set({ judgement: null });
    if (where !== "forward" && where !== "last") this.set({ paused: this.areBothAgents() || this.state.paused });
    if (to !== node) void this.go(to);
  }

  /** Takes back to where a person was to move; a resignation is taken back first. */
  takeBack() {
    if (this.hasResigned()) {
      this.set({ resigned: null, said: this.state.view ? strings.board.toMove(this.state.view) : "" });
      this.agentMoves();
      return;
    }
    const path = this.tree.path(this.state.node);
    for (let ply = path.length - 2; ply >= 0; ply -= 1) {
      const side = path[ply + 1].side;
      if (this.seat(side) !== PERSON && ply > 0) continue;
      this.set({ resigned: null, judgement: null });
      void this.go(path[ply].id);
      return;
    }
  }

  /** @param {number} node */
  remove(node) {
    const isOnPath = this.tree.path(this.state.node).some(({ id }) => id === node);
    const parent = this.tree.remove(node);
    if (isOnPath) void this.go(parent);
    else this.writeAddress();
    this.set({ version: this.state.version + 1 });
  }

  /** @param {number} node */
  promote(node) {
    this.tree.promote(node);
    this.writeAddress();
    this.set({ version: this.state.version + 1 });
  }

  resign() {
    const { view, node } = this.state;
    if (!view || view.over) return;
    this.stopChoosing();
    const side = this.seat(view.to_move) === PERSON ? view.to_move : other(view.to_move);
    this.set({ resigned: { node, side }, said: strings.board.resigned(side) });
  }

  /** Whether somebody has resigned where we stand; before it the game can be looked at, and played on otherwise. */
  hasResigned() {
    return this.state.resigned?.node === this.state.node;
  }

  /**
   * @param {string | null} side
   * @returns {string}
   */
  seat(side) {
    return (side === null ? undefined : this.state.seats[side]) ?? PERSON;
  }

  /**
   * @param {string} side
   * @param {string} who
   */
  sit(side, who) {
    this.stopChoosing();
    this.set({ seats: { ...this.state.seats, [side]: who }, paused: false });
    if (this.state.view && this.fragment.includes("/@")) this.writeAddress();
    this.agentMoves();
    this.think();
  }

  areBothAgents() {
    return this.seat("x") !== PERSON && this.seat("o") !== PERSON;
  }

  isAgentsTurn() {
    const { view, paused, node } = this.state;
    if (!view || !view.for_two || view.over || this.hasResigned() || paused) return false;
    return this.seat(view.to_move) !== PERSON && this.tree.node(node).children.length === 0;
  }

  /** @param {boolean} paused */
  pause(paused) {
    this.set({ paused });
    if (paused) this.stopChoosing();
    else this.agentMoves();
    this.think();
  }

  stopChoosing() {
    this.choice?.cancel();
    this.choice = null;
    if (this.state.choosing) this.set({ choosing: false });
  }

  /** Lets the agent move whose turn it is, if it is one's. */
  agentMoves() {
    const { view, node, pace, editing } = this.state;
    if (!view || editing || this.choice || !this.isAgentsTurn()) return;
    const agent = this.seat(view.to_move);
    const job = /** @type {Job<Chosen>} */ (this.api.job(this.tree.board(node), "choose", { agent }));
    this.choice = job;
    this.set({ choosing: true });
    const wait = new Promise((resolve) => setTimeout(resolve, this.areBothAgents() ? PACES[pace] : 0));
    Promise.all([job.done, wait]).then(
      ([{ move }]) => {
        if (this.choice !== job) return;
        this.choice = null;
        this.set({ choosing: false });
        void this.play(move);
      },
      (error) => {
        if (this.choice !== job) return;
        this.choice = null;
        this.set({ choosing: false, paused: true });
        this.fail(error);
      },
    );
  }

  /** Shows one good move: what the analysis says, or what an agent would do. */
  async showHint() {
    const { view, node } = this.state;
    if (!view || view.over || !view.for_two) return;
    const [best] = bestMoves(this.analyst.known(view));
    if (best !== undefined) {
      this.set({ hint: best, said: strings.board.hint(best) });
      return;
    }
    try {
      const { move } = await /** @type {Job<Chosen>} */ (this.api.job(this.tree.board(node), "choose", { agent: "solver:1s" })).done;
      if (this.state.node === node) this.set({ hint: move, said: strings.board.hint(move) });
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Changes what is shown or thought about.
   * @param {Partial<Pick<TableState, 'marks' | 'parts' | 'hide' | 'heat' | 'thinking' | 'pace'>>} wish
   */
  wish(wish) {
    this.set({ ...wish, judgement: null });
    this.think();
  }

  /** Sweeps the line on which we stand. */
  async sweep() {
    const line = this.tree.line(this.state.node);
    const end = line[line.length - 1].id;
    try {
      const view = this.views.get(end) ?? (await this.api.position(this.tree.board(end)));
      this.views.set(end, view);
      this.remember(end, view);
      this.analyst.review(this.tree.board(end), view);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The view of the end of the line on which we stand, for the game's graph, where it is known. */
  lineEnd() {
    const line = this.tree.line(this.state.node);
    for (let ply = line.length - 1; ply >= 0; ply -= 1) {
      const view = this.views.get(line[ply].id);
      if (view) return view;
    }
    return this.state.view;
  }

  /** Leaves the room: nothing runs on for it. */
  leave() {
    this.analyst.stop();
    this.stopChoosing();
  }
}

/**
 * @param {string[]} cells
 * @returns {string[]}
 */
function pairs(cells) {
  const moves = [];
  for (let i = 0; i + 1 < cells.length; i += 2) moves.push(cells[i] + cells[i + 1]);
  return moves;
}

/**
 * Does something when what was drawn is on the screen, or a moment later where nothing is painted, as in a tab behind others.
 * @param {() => void} act
 */
function afterPaint(act) {
  let isDone = false;
  const once = () => {
    if (!isDone) act();
    isDone = true;
  };
  setTimeout(once, 200);
  requestAnimationFrame(() => setTimeout(once));
}

/** @param {string} side */
export function other(side) {
  return side === "x" ? "o" : "x";
}
