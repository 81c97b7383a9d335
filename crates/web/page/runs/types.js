// What the server tells of runs, games and papers. A test keeps these equal to the structures of src/runs,
// src/games.rs and src/papers.rs. Types only.

/** @typedef {"running" | "finished" | "interrupted"} RunState */
/** @typedef {"solve" | "train" | "alphazero" | "tune" | "tournament" | "reproduce" | "match"} RunKind */

/** @typedef {{ folders: number, can_start: boolean, runs: RunSummary[] }} RunList */

/** @typedef {{ id: string, name: string, kind: RunKind, game: string, state: RunState, progress: string, share: number | null, changed: string | null }} RunSummary */

/**
 * @typedef {RunSummary & {
 *   about: string, facts: Fact[], charts: Chart[], settings: Setting[], command: string, resume: string | null, ours: boolean,
 *   left: number | null, remarks: string[], networks: NetworkFile[], games: GameSet[],
 *   solve: SolveDetail | null, tuning: TuningDetail | null, standings: Standings | null, verdicts: Summary | null,
 * }} RunDetail
 */

/** @typedef {{ name: string, value: string }} Fact */
/** @typedef {{ key: string, value: string }} Setting */
/** @typedef {{ name: string, title: string, step: number | null }} NetworkFile */

/** @typedef {{ title: string, unit: string, right: string, scale: "linear" | "logarithmic" | "share", lines: ChartLine[] }} Chart */
/** @typedef {{ name: string, points: [number, number][], band: [number, number][], band_of: string }} ChartLine */

/**
 * @typedef {{
 *   game: string, position: string, to_move: string, winner: string | null, score: number | null, best: string | null,
 *   refuted: number | null, first_moves: number | null, nodes: number, seconds: number, sessions: SolveSession[],
 * }} SolveDetail
 */
/** @typedef {{ session: number, seconds: number, nodes: number, threads: number, memory: number, first_moves_refuted?: number, first_moves?: number, proved: boolean }} SolveSession */

/** @typedef {{ parameters: ParameterDetail[], best: number | null, score: number | null, unit: string, rungs: TrialRung[] }} TuningDetail */
/**
 * @typedef {{
 *   key: string, explained: number, chance: number, correlation: number | null, best: string, good: string,
 *   logarithmic: boolean, choices: string[],
 * }} ParameterDetail
 */
/** @typedef {{ trial: number, learned: number, score: number | null, places: number[], values: string[] }} TrialRung */

/** @typedef {{ players: Standing[], cross: Counts[][], games: number, of: number, black_wins: number, white_wins: number, draws: number }} Standings */
/**
 * @typedef {{
 *   rank: number, name: string, agent: string, elo: number | null, elo_error: number | null, elo_low: number | null, elo_high: number | null,
 *   points: number, games: number, wins: number, draws: number, losses: number, forfeits: number,
 * }} Standing
 */
/** @typedef {{ wins: number, draws: number, losses: number }} Counts */

/** @typedef {{ set: string, title: string, step: number | null }} GameSet */
/** @typedef {{ set: string, total: number, from: number, games: GameRow[], remark: string | null }} GamePage */
/**
 * @typedef {{
 *   place: number, index: number, game: string, position: string, to_move: string, moves: string[], opening: number, black: string, white: string,
 *   winner: "x" | "o" | "draw" | null, score: number | null, reason: string, thoughts: GameThought[],
 * }} GameRow
 */
/** @typedef {{ proved: string | null, expected: number | null, effort: number, seconds: number }} GameThought */

/** @typedef {{ cells: number, agree: number, differ: number, under: number, doubtful: number, open: number, unprinted: number }} Summary */
/** @typedef {{ id: string, name: string, scale: number, summary: Summary, tables: PaperTable[] }} Papers */
/**
 * @typedef {{
 *   paper: string, table: string, title: string, remarks: string[], printed: boolean, summary: Summary, command: string,
 *   test: TableTest | null, default_reading: PaperReading | null, claims: PaperClaim[], readings: PaperReading[], cells: PaperCell[], grid: PaperGrid | null, charts: Chart[],
 * }} PaperTable
 */
/** @typedef {{ compared: number, outside: number, expected: number, chance: number, ranks: number | null, row_ranks: number | null, column_ranks: number | null }} TableTest */
/** @typedef {{ claim: string, section: string, better: number | null, worse: number | null, low: number | null, high: number | null, seeds: number[], finding: "holds" | "contradicted" | "open" }} PaperClaim */
/** @typedef {{ name: string, about: string, against: string, summary: Summary, seeds: number }} PaperReading */
/** @typedef {"agrees" | "differs" | "reading" | "doubtful" | "open" | "unprinted" | "waiting"} VerdictName */
/**
 * @typedef {{
 *   name: string, verdict: VerdictName, why: string | null, paper: number | string | null, ours: number | string | null,
 *   low: number | null, high: number | null, lowest: number | null, highest: number | null, median: number | null, seeds: number, games: number | null,
 *   dead: number | null, exploded: number | null, live: number | null, seconds: number, unit: number | null,
 * }} PaperCell
 */
/** @typedef {{ seed: number, value: number | string | null, wins: number | null, games: number | null, dead: boolean | null, live: number | null, seconds: number }} PaperSample */
/** @typedef {{ samples: PaperSample[] }} PaperSamples */
/** @typedef {{ down: string, right: string, rows: string[], columns: string[], fields: (number | null)[] }} PaperGrid */

/**
 * What the rooms need of the server.
 * @typedef {{
 *   get: (path: string) => Promise<any>, post: (path: string, body: unknown) => Promise<any>,
 *   watchRuns: (watcher: (run: string) => void) => () => void,
 * }} RoomApi
 */

export {};
