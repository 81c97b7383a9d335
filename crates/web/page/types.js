// What the server answers (see ../README.md) and what the page makes of it. Types only.

/**
 * A position of a game, and moves from there.
 * @typedef {{ game: string, position: string, to_move?: string, moves?: string[] }} BoardText
 */

/**
 * A legal move: numbers of cells; `from` is null where a disc is placed, both for a pass.
 * @typedef {{ move: string, from: number | null, to: number | null }} Legal
 */

/** @typedef {{ rows: number, cols: number }} GridShape */
/** @typedef {{ vertices: { name: string, x: number, y: number }[], edges: [number, number][] }} GraphShape */

/**
 * Everything that the page draws of a position.
 * @typedef {{
 *   game: string, sides: number, for_two: boolean,
 *   start: { position: string, to_move: string }, moves: string[],
 *   position: string, to_move: string,
 *   board: GridShape | GraphShape, stones: string, legal: Legal[],
 *   over: boolean, winner: string | null, score: number | null,
 *   counts: number[], remark: string | null,
 *   parts: number[][] | null,
 *   discs: { mobility: number[], stable: number[], regions: number[][] } | null,
 *   line: { move: string | null, stones: string, to_move: string }[],
 * }} View
 */

/** @typedef {{ game: string, summary: string, example: string, for_two: boolean, sides: number }} GameLine */
/** @typedef {{ spec: string, label: string, game: string | null }} Offered */
/**
 * What the server tells of itself.
 * @typedef {{ version: string, public: boolean, threads: number, games: GameLine[], agents: Offered[], most_seconds: number }} Hello
 */

/** @typedef {'win' | 'loss' | 'draw'} Outcome */

/**
 * What is known of a position or a move, for the side to move (`score` and `discs` are those of x less those of o).
 * @typedef {{
 *   grade: 'proved' | 'bounded' | 'estimated' | 'unknown', proved: Outcome | null, winner: string | null,
 *   score: number | null, at_least: number | null, at_most: number | null,
 *   win: number | null, discs: number | null, by: string | null, work: number | null,
 * }} Judgement
 */

/** @typedef {Judgement & { move: string, pv: string[] }} JudgedMove */
/** @typedef {Judgement & { move: string | null, nodes: number, simulations: number, seconds: number, moves: JudgedMove[] }} AnalysisLine */

/** @typedef {{ left: [number, number][], right: [number, number][], mast: number, temperature: number }} ThermographData */
/**
 * @typedef {{
 *   position?: string, value: string | null, atomic_weight: string | null, temperature: number | null,
 *   canonical?: string | null, latex?: string | null, cgsuite?: string | null, cells?: number[], thermograph?: ThermographData | null,
 * }} Component
 */
/** @typedef {Component & { outcome: string | null, components: Component[], proved: boolean, seconds: number }} Valued */

/** @typedef {{ by: string, value: number, policy: { move: string, share: number }[] }} NetworkOpinion */

/**
 * @typedef {{
 *   ply: number, side: string, move: string, before: Judgement, after: Judgement, better: string[],
 *   mistake: 'proved' | 'probable' | null, chance_lost: number | null, discs_lost: number | null,
 * }} ReviewedMove
 */
/** @typedef {{ accuracy: { kept: number, moves: number, proved_mistakes: number, probable_mistakes: number }[], moves: ReviewedMove[], mistakes: number[] }} Review */

/** @typedef {{ move: string, evaluation: { proved?: Outcome, expected?: number } | null, effort: number, seconds: number, remark?: string }} Chosen */

/** @typedef {{ game: string, position: string, to_move: string, solution: string, moves: number, left: number, nodes: number, simulations: number, level: number }} Puzzle */

export {};
