// The analysis of the position on the board: what runs on the server for it, and what was found out.

import { ServerError } from "../api.js";
import { Store } from "../store.js";
import { judged, keyOf, learn, nothingKnown, positionKey } from "./known.js";

/** @import { ApiType, Job } from "../api.js" */
/** @import { AnalysisLine, BoardText, NetworkOpinion, Review, Valued, View } from "../types.js" */
/** @import { Known } from "./known.js" */

/**
 * @typedef {{
 *   running: boolean, nodes: number, simulations: number, seconds: number, pv: string[], error: string | null,
 *   reviewing: { done: number, of: number } | null, review: Review | null, reviewed: string,
 *   version: number,
 * }} AnalystState
 * `reviewed` is the line of moves that `review` is about; `version` grows with everything learnt.
 */

/** How long an analysis goes on before it wants to be asked again. */
const LONGEST = "600s";
/** How long the values of a position may take without being asked for again. */
const VALUE_TIME = 3;
/** The time for each position of a game that is swept. */
const REVIEW_TIME = 0.5;
/** Positions with more legal moves do not show what each leaves. */
const MOST_LEAVES = 40;

/** @extends {Store<AnalystState>} */
export class Analyst extends Store {
  /** @param {ApiType} api */
  constructor(api) {
    super({ running: false, nodes: 0, simulations: 0, seconds: 0, pv: [], error: null, reviewing: null, review: null, reviewed: "", version: 0 });
    this.api = api;
    /** @type {Map<string, Known>} */
    this.cache = new Map();
    /** @type {Job<any>[]} */
    this.jobs = [];
    /** @type {Job<Review> | null} */
    this.sweep = null;
    this.key = "";
    this.brief = false;
    /** Games for which there is no network. @type {Set<string>} */
    this.speechless = new Set();
  }

  /**
   * @param {View} view
   * @returns {Known}
   */
  known(view) {
    return this.cache.get(keyOf(view)) ?? nothingKnown();
  }

  /**
   * @param {string} key
   * @param {Partial<Known>} more
   */
  keep(key, more) {
    this.cache.set(key, { ...(this.cache.get(key) ?? nothingKnown()), ...more });
    this.set({ version: this.state.version + 1 });
  }

  /** Stops what runs for the position on the board. */
  stop() {
    for (const job of this.jobs) job.cancel();
    this.jobs = [];
    this.key = "";
    if (this.state.running) this.set({ running: false });
  }

  /**
   * Begins to think about a position, and forgets what ran before. What is proved already is not asked again.
   * The server runs two jobs of a tab at a time: one is the analysis, whose exact marks are wanted most, and the quick ones take
   * turns beside it. `brief` asks for the analysis alone, where an agent is about to move.
   * @param {BoardText} board
   * @param {View} view
   * @param {boolean} brief
   */
  think(board, view, brief) {
    const key = keyOf(view);
    if (key === this.key) {
      // The agent that was about to move does not, so there is time for the rest.
      if (this.brief && !brief) this.askBeside(key, board, view);
      this.brief &&= brief;
      return;
    }
    this.stop();
    this.key = key;
    this.brief = brief;
    this.set({ error: null, nodes: 0, simulations: 0, seconds: 0, pv: [] });
    if (!view.for_two || view.over) return;
    const accepted = this.known(view).complete ? Promise.resolve() : this.analyse(key, board, view);
    if (!brief) void accepted.then(() => this.askBeside(key, board, view));
  }

  /**
   * Asks for what is shown beside the analysis, if it is not known: the network's opinion and the values.
   * @param {string} key
   * @param {BoardText} board
   * @param {View} view
   */
  askBeside(key, board, view) {
    if (key !== this.key || !view.for_two || view.over) return;
    const { opinion, values, complete } = this.known(view);
    if (!opinion) void this.askNetwork(key, board);
    if (!isClobber(view)) return;
    if (!values) this.evaluate(board, view, VALUE_TIME);
    else if (complete) void this.leaves(key, board, view);
  }

  /**
   * @param {string} key
   * @param {BoardText} board
   * @param {View} view
   * @returns {Promise<unknown>} until the server has taken it on
   */
  analyse(key, board, view) {
    const told = (/** @type {AnalysisLine} */ line) => {
      if (!line.moves) return; // cancelled before it began
      this.cache.set(key, learn(this.known(view), line, view));
      if (key !== this.key) return;
      const pv = line.moves[0]?.pv ?? [];
      this.set({ nodes: line.nodes, simulations: line.simulations, seconds: line.seconds, pv, version: this.state.version + 1 });
    };
    const job = this.ask(key, board, "analyse", { every: 0.1, time: LONGEST }, told, told, () => {
      this.set({ running: false });
      if (isClobber(view)) void this.leaves(key, board, view);
    });
    this.set({ running: true });
    return job.accepted;
  }

  /**
   * Finds the values of the parts and their sum.
   * @param {BoardText} board
   * @param {View} view
   * @param {number} seconds
   */
  evaluate(board, view, seconds) {
    const key = keyOf(view);
    this.ask(key, board, "value", { detail: true, time_limit: seconds }, (/** @type {Valued & { cancelled?: boolean }} */ values) => {
      if (!values.components || (values.cancelled && values.value === null)) return;
      this.keep(key, { values });
      // Whichever of the analysis and the values comes last goes on with what the moves leave.
      if (key === this.key && !this.state.running) void this.leaves(key, board, view);
    });
  }

  /**
   * The values of what the moves leave, one after another, while nobody moves on.
   * @param {string} key
   * @param {BoardText} board
   * @param {View} view
   */
  async leaves(key, board, view) {
    if (view.legal.length > MOST_LEAVES || !this.known(view).values?.value) return;
    for (const { move } of view.legal) {
      if (key !== this.key) return;
      if (this.known(view).after.has(move)) continue;
      const job = this.api.job({ ...board, moves: [...(board.moves ?? []), move] }, "value", { time_limit: 1 });
      this.jobs.push(job);
      try {
        const { value } = /** @type {Valued} */ (await job.done);
        if (value) this.keep(key, { after: new Map(this.known(view).after).set(move, value) });
      } catch {
        return; // the table does without
      }
    }
  }

  /**
   * What the network thinks without search. There is none for some games; then the table does without.
   * @param {string} key
   * @param {BoardText} board
   */
  async askNetwork(key, board) {
    if (this.speechless.has(board.game)) return;
    const job = /** @type {Job<NetworkOpinion & { cancelled?: boolean }>} */ (this.api.job(board, "network", {}));
    this.jobs.push(job);
    try {
      const opinion = await job.done;
      if (!opinion.cancelled) this.keep(key, { opinion });
    } catch (error) {
      if (error instanceof ServerError && error.status === 400) this.speechless.add(board.game);
    }
  }

  /**
   * Runs a job about the position of this key while it is on the board.
   * @param {string} key
   * @param {BoardText} board
   * @param {string} command
   * @param {object} args
   * @param {(result: any) => void} done
   * @param {(progress: any) => void} [told]
   * @param {() => void} [ended]
   */
  ask(key, board, command, args, done, told, ended = () => {}) {
    const job = this.api.job(board, command, args, told);
    this.jobs.push(job);
    job.done.then(
      (result) => {
        done(result);
        if (key === this.key) ended();
      },
      (error) => {
        if (key !== this.key) return;
        ended();
        this.set({ error: error.message });
      },
    );
    return job;
  }

  /**
   * Sweeps a game from its start to its end for mistakes.
   * @param {BoardText} board the whole game
   * @param {View} end
   */
  review(board, end) {
    this.sweep?.cancel();
    const line = (board.moves ?? []).join(".");
    this.set({ reviewing: { done: 0, of: (board.moves ?? []).length }, error: null });
    const job = this.api.job(board, "review", { time: REVIEW_TIME }, ({ done, of }) => this.set({ reviewing: { done, of } }));
    this.sweep = job;
    job.done.then(
      (result) => {
        const review = /** @type {Review & { cancelled?: boolean }} */ (result);
        if (this.sweep !== job) return;
        if (review.cancelled) {
          this.set({ reviewing: null });
          return;
        }
        this.learnReview(review, end);
        this.set({ reviewing: null, review, reviewed: line, version: this.state.version + 1 });
      },
      (error) => this.set({ reviewing: null, error: error.message }),
    );
  }

  stopReview() {
    this.sweep?.cancel();
    this.sweep = null;
    this.set({ reviewing: null });
  }

  /**
   * What a review found out about positions is known from then on.
   * @param {Review} review
   * @param {View} end
   */
  learnReview(review, end) {
    for (const [ply, move] of review.moves.entries()) {
      const { stones, to_move } = end.line[ply];
      const key = positionKey(end, stones, to_move);
      const old = this.cache.get(key) ?? nothingKnown();
      if (!old.exact) this.cache.set(key, { ...old, ...judged(move.before, move.side === "x" ? 1 : -1, old) });
    }
  }
}

/** @param {View} view */
export function isClobber(view) {
  return view.game === "clobber";
}
