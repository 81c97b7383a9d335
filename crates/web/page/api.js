// The server: requests, and jobs whose answers come over one event stream per tab.

import { Store } from "./store.js";
import { strings } from "./strings.js";

/** @import { RecordName } from "./board/fragment.js" */
/** @import { GamePage, GameRow } from "./runs/types.js" */
/** @import { BoardText, Hello, View, Puzzle } from "./types.js" */

/** A sentence of the server, or about it. */
export class ServerError extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 where the server was not reached
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Work that the server does for this tab.
 * @template T
 * @typedef {{ done: Promise<T>, accepted: Promise<unknown>, cancel: () => void }} Job
 */

/**
 * How the server is: there, gone, or locked (it wants the token of its address).
 * @typedef {{ link: 'connecting' | 'there' | 'gone' | 'locked', losses: number, jobs: number, waiting: number, threads: number }} Link
 * `losses` counts how often the stream broke.
 */

const TAB = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
/** How long to wait before the stream is opened again. */
const AGAIN = 1000;

class Api {
  constructor() {
    /** @type {Store<Link>} */
    this.link = new Store({ link: "connecting", losses: 0, jobs: 0, waiting: 0, threads: 0 });
    /** @type {Map<string, { told: (progress: any) => void, done: (result: any) => void, failed: (error: Error) => void }>} */
    this.jobs = new Map();
    /** @type {Set<(run: string) => void>} */
    this.runWatchers = new Set();
    this.count = 0;
    /** @type {Promise<Hello> | null} */
    this.greeting = null;
    this.opened = this.open();
  }

  /** Opens the event stream; it is opened again whenever it breaks. Resolves when it is there for the first time. */
  open() {
    /** @type {(value?: unknown) => void} */
    let ready = () => {};
    const opened = new Promise((resolve) => (ready = resolve));
    const connect = () => {
      const stream = new EventSource(`/api/events?tab=${TAB}`);
      stream.onopen = () => {
        ready();
        this.link.set({ link: "there" });
      };
      stream.onerror = () => {
        stream.close();
        this.lost();
        this.link.set({ link: "connecting", losses: this.link.state.losses + 1 });
        void this.whyGone().then((link) => this.link.state.link !== "there" && this.link.set({ link }));
        setTimeout(connect, AGAIN);
      };
      stream.addEventListener("job", (event) => this.told(JSON.parse(event.data)));
      stream.addEventListener("status", (event) => this.link.set(JSON.parse(event.data)));
      stream.addEventListener("run", (event) => {
        for (const watcher of this.runWatchers) watcher(JSON.parse(event.data).id);
      });
    };
    connect();
    return opened;
  }

  /** @returns {Promise<Link["link"]>} */
  async whyGone() {
    try {
      const response = await fetch("/api/hello");
      return response.status === 401 || response.status === 403 ? "locked" : "connecting";
    } catch {
      return "gone";
    }
  }

  /** Ends the jobs of a stream that broke: their answers would not come. */
  lost() {
    const jobs = [...this.jobs.values()];
    // The server may still work on them.
    for (const id of this.jobs.keys()) void fetch(`/api/jobs/${encodeURIComponent(id)}?tab=${TAB}`, { method: "DELETE" }).catch(() => {});
    this.jobs.clear();
    for (const job of jobs) job.failed(new ServerError(strings.server.gone, 0));
  }

  /** @param {any} event */
  told(event) {
    const job = this.jobs.get(event.id);
    if (!job || event.state) return;
    if (event.progress) {
      job.told(event.progress);
      return;
    }
    this.jobs.delete(event.id);
    if (event.error) job.failed(new ServerError(event.error, 400));
    else job.done(event);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async request(method, path, body) {
    let response;
    try {
      response = await fetch(path, {
        method,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch {
      throw new ServerError(strings.server.gone, 0);
    }
    const text = await response.text();
    let answer = null;
    try {
      answer = text === "" ? null : JSON.parse(text);
    } catch {
      throw new ServerError(strings.server.odd(response.status), response.status);
    }
    if (!response.ok) throw new ServerError(answer?.error ?? strings.server.odd(response.status), response.status);
    return answer;
  }

  /** @param {string} path */
  get(path) {
    return this.request("GET", path);
  }

  /**
   * @param {string} path
   * @param {unknown} body
   */
  post(path, body) {
    return this.request("POST", path, body);
  }

  /** @returns {Promise<Hello>} */
  hello() {
    this.greeting ??= this.get("/api/hello").catch((error) => {
      this.greeting = null;
      throw error;
    });
    return /** @type {Promise<Hello>} */ (this.greeting);
  }

  /**
   * @param {BoardText} board
   * @returns {Promise<View>}
   */
  position(board) {
    return this.post("/api/position", board);
  }

  /**
   * @param {string} text
   * @param {string} game what a bare position is meant for
   * @returns {Promise<{ games: (BoardText & { players?: string[] })[] }>}
   */
  read(text, game) {
    return this.post("/api/read", { text, game });
  }

  /**
   * @param {BoardText} board
   * @param {string} format
   * @returns {Promise<{ text: string, file: string, mime: string }>}
   */
  export(board, format) {
    return this.post("/api/export", { ...board, format });
  }

  /**
   * A game of a run's records.
   * @param {RecordName} record
   * @returns {Promise<GameRow | null>}
   */
  async recorded({ run, set, place }) {
    const query = new URLSearchParams({ set, from: String(place), count: "1" });
    const page = /** @type {GamePage} */ (await this.get(`/api/runs/${encodeURIComponent(run)}/games?${query}`));
    return page.games[0] ?? null;
  }

  /** @returns {Promise<Puzzle[]>} */
  puzzles() {
    return this.get("/api/puzzles");
  }

  /**
   * Starts a job about a board.
   * @template T
   * @param {BoardText} board
   * @param {string} command
   * @param {object} args
   * @param {(progress: any) => void} [told]
   * @returns {Job<T>}
   */
  job(board, command, args, told = () => {}) {
    const id = `${command}-${++this.count}`;
    let cancelled = false;
    const done = new Promise((resolve, reject) => {
      this.jobs.set(id, { told: (progress) => !cancelled && told(progress), done: resolve, failed: reject });
    });
    const post = async () => {
      if (!cancelled) await this.post("/api/jobs", { ...board, ...args, tab: TAB, id, command });
    };
    // Where the stream is there, the request goes out before anything is drawn.
    const posted = this.link.state.link === "there" ? post() : this.opened.then(post);
    posted.catch((error) => {
      const job = this.jobs.get(id);
      this.jobs.delete(id);
      job?.failed(error);
    });
    done.catch(() => {}); // whoever waits hears of it; nobody has to
    const cancel = () => {
      if (cancelled || !this.jobs.has(id)) return;
      cancelled = true;
      const stop = () => this.request("DELETE", `/api/jobs/${encodeURIComponent(id)}?tab=${TAB}`);
      // The job may have ended meanwhile, which is as good.
      posted.then(stop).catch(() => {});
    };
    return { done: /** @type {Promise<T>} */ (done), accepted: posted.catch(() => {}), cancel };
  }

  /**
   * Calls back with the identifier of each run whose folder has changed.
   * @param {(run: string) => void} watcher
   * @returns {() => void} which ends it
   */
  watchRuns(watcher) {
    this.runWatchers.add(watcher);
    return () => void this.runWatchers.delete(watcher);
  }
}

/** @typedef {Api} ApiType */
export const api = new Api();
