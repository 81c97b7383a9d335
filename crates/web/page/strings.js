// All words of the page, so that a translation is one file: a section for each room, and for each panel of the board.
// What words need is passed to them, so that a language may put it where it belongs.

import { duration, large, percent, rational, signed } from "./format.js";

/** @import { Estimate, Exact, Known } from "./board/known.js" */
/** @import { Legal, Review, ReviewedMove, Valued, View } from "./types.js" */

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
function plural(count, one, many) {
  return `${count} ${count === 1 ? one : many}`;
}

/** @type {Record<string, string>} */
const GAMES = {
  clobber: "Clobber",
  "clobber:cannibal": "Cannibal Clobber",
  "clobber:solitaire": "Solitaire Clobber",
  othello: "Othello",
  "othello:anti": "Othello, colours exchanged",
  "othello:parallel": "Othello, parallel start",
  "othello:middle=upper-right": "Othello, right of the middle",
  "othello:reversi": "Reversi",
};

/** @param {string} game */
function gameName(game) {
  const colors = game.match(/^clobber:colors=([0-9]+)$/);
  return colors ? `Clobber with ${colors[1]} colours` : (GAMES[game] ?? game);
}

/** @param {string} stone */
function stoneName(stone) {
  return { ".": "empty", "#": "hole" }[stone] ?? `stone ${stone}`;
}

/**
 * What a move does, in words.
 * @param {View} view
 * @param {string} move
 */
function moveInWords(view, move) {
  const cells = move.match(/[a-z]+[0-9]+/g) ?? [];
  return cells.length === 2 ? `${cells[0]} takes ${cells[1]}` : move === "pass" ? `${view.to_move} passes` : `${view.to_move} plays ${move}`;
}

/** @param {string} by */
function estimator(by) {
  if (by.startsWith("az")) return "Network";
  if (by.startsWith("mcts")) return "Tree search";
  return by === "midgame" ? "Midgame search" : by;
}

/**
 * @param {Exact} exact
 * @param {string} side
 */
function resultInWords({ outcome, score }, side) {
  const other = side === "x" ? "o" : "x";
  const by = score === null || score === 0 ? "" : ` by ${Math.abs(score)}`;
  return outcome === "win" ? `${side} wins${by}` : outcome === "loss" ? `${other} wins${by}` : "Draw";
}

export const strings = {
  shell: {
    name: "Upstar",
    rooms: "Rooms",
    room: { board: "Board", games: "Games", runs: "Runs", papers: "Papers", puzzles: "Puzzles" },
    theme: "Light or dark",
    help: "Keys and help",
    close: "Close",
    skip: "Skip to the content",
    loading: "Loading…",
    broken: "This room cannot be shown",
    /** @param {{ jobs: number, waiting: number, threads: number }} link @param {boolean} isPublic */
    where: ({ jobs, waiting, threads }, isPublic) =>
      [isPublic ? "Public server" : "On this machine", plural(jobs, "job", "jobs") + (waiting > 0 ? ` + ${waiting} waiting` : ""), ...(threads > 0 ? [plural(threads, "thread", "threads")] : [])].join(" · "),
  },
  server: {
    gone: "The server is gone.",
    goneNote: "Start it again with",
    goneCommand: "upstar serve",
    goneRest: "; the board stays as it is, and goes on by itself when the server is back.",
    locked: "The server does not know this tab. Open the address that upstar serve has printed.",
    /** @param {number} status */
    odd: (status) => `The server answered with status ${status}.`,
  },
  board: {
    /** @param {View} view */
    title: (view) => gameName(view.game),
    /** @param {View} view */
    size: (view) => ("vertices" in view.board ? plural(view.board.vertices.length, "vertex", "vertices") : `${view.board.rows}×${view.board.cols}`),
    /** @param {View} view */
    label: (view) => `${gameName(view.game)}, ${"vertices" in view.board ? `graph of ${view.board.vertices.length} vertices` : `${view.board.rows} rows, ${view.board.cols} columns`}, ${view.over ? "game over" : `${view.to_move} to move`}`,
    /** @param {View} view */
    toMove: (view) => (view.over ? overInWords(view) : view.remark ? `${view.remark}` : `${view.to_move} to move`),
    /** @param {string} name @param {string} stone @param {boolean} can @param {boolean} isTarget */
    cell: (name, stone, can, isTarget) => `${name}, ${stoneName(stone)}${isTarget ? ", can be taken" : can ? (stone === "." ? ", can be played" : ", can move") : ""}`,
    /** @param {View} before @param {string} move @param {View} after */
    played: (before, move, after) => `${moveInWords(before, move)}; ${after.over ? overInWords(after) : after.remark ? after.remark : `${after.to_move} to move`}`,
    letGo: "Nothing selected",
    /** @param {View} view @param {number} cell */
    selected: (view, cell) => {
      const targets = view.legal.filter(({ from }) => from === cell).map(({ move }) => move.slice(move.length / 2));
      return `Selected; can take ${targets.join(", ")}`;
    },
    /** @param {string} text @param {View} view */
    notLegal: (text, view) => `${text} is not a legal move here${view.legal.length > 0 ? `; ${view.legal[0].move} is one` : ""}.`,
    /** @param {string} side */
    resigned: (side) => `${side === "x" ? "o" : "x"} wins: ${side} has resigned`,
    /** @param {string} move */
    hint: (move) => `Hint: ${move}`,
    newGame: "New",
    marks: "Marks",
    mark: { off: "Off", best: "Best", all: "All" },
    parts: "Parts",
    regions: "Regions",
    hide: "Hide answers",
    copy: "Copy",
    share: "Share: copy the link",
    shared: "The link is copied: it holds the position and all moves.",
    dismiss: "Dismiss",
    neighbours: "The board as a list",
    /** @param {string} name @param {string} stone */
    neighbour: (name, stone) => `${name} (${stoneName(stone)})`,
    neighbourHead: ["Vertex", "Stone", "Neighbours", "Moves"],
  },
  recorded: {
    title: "Recorded game",
    /** @param {{ black: string, white: string, winner: string | null }} game */
    result: ({ black, white, winner }) => `x ${black}, o ${white} · ${winner === "draw" ? "drawn" : winner === null ? "not finished" : `${winner} won`}`,
    start: "Step forward to see what the players thought.",
    opening: "A move of the opening, which nobody thought about.",
    nothing: "Nothing is recorded about this move.",
    proved: { win: "proved a win", draw: "proved a draw", loss: "proved a loss" },
    /** @param {string} chance */
    expects: (chance) => `expected ${chance}`,
    /** @param {string} effort */
    effort: (effort) => `${effort} searched`,
  },
  seats: {
    person: "Person",
    stones: "Stones",
    /** An agent that is not in the list: the network of a run, `run:ID:NETWORK`. @param {string} spec */
    agent: (spec) => {
      const [, run, network] = spec.match(/^run:(.+?)(?:-[0-9a-f]{8})?:([^:]+)$/) ?? [];
      return run === undefined ? spec : `Network of ${run}${network === "network" ? "" : `, ${network}`}`;
    },
    /** @param {string} side */
    whoPlays: (side) => `Who plays ${side}`,
    /** @param {string} side */
    toMove: (side) => `${side} to move`,
    /** @param {string} side */
    thinks: (side) => `${side} thinks…`,
    /** @param {string} side */
    won: (side) => `${side} has won`,
  },
  actions: {
    first: "First position",
    back: "Back",
    forward: "Forward",
    last: "Last position",
    moveField: "A move, such as a1b1",
    pass: "Pass",
    pause: "Pause",
    goOn: "Go on",
    pace: "Time between moves",
    /** @param {number} wait */
    paces: (wait) => (wait === 0 ? "At once" : `${duration(wait / 1000)} a move`),
    edit: "Edit",
    hint: "Hint",
    takeBack: "Take back",
    resign: "Resign",
  },
  analysis: {
    letters: { win: "W", loss: "L", draw: "D" },
    law: "exact: solid · estimated: hatched",
    open: "Not proved yet",
    hidden: "Answers are hidden",
    hiddenNote: "Play a move: it is judged after the reply.",
    /** @param {Known} known */
    hiddenThinks: (known) => (known.exact ? "The answer is known." : "Thinking about it."),
    notForTwo: "This game is not for two sides; it can be played and edited, but not analysed.",
    noEstimate: "No estimate yet",
    noEstimateNeeded: "No estimate needed",
    /** @param {View} view @param {Exact} exact */
    proved: (view, exact) => `${resultInWords(exact, view.to_move)}, proved`,
    /** @param {View} view @param {[number, number]} bounds */
    bounded: (view, [low, high]) => `${view.to_move}: between ${signed(low)} and ${signed(high)}, proved`,
    /** @param {View} view */
    over: (view) => overInWords(view),
    /** @param {View} view */
    overNote: (view) => (view.score !== null ? `${view.counts[0]} discs of x, ${view.counts[1]} of o.` : view.for_two ? `${view.to_move} cannot move.` : `${plural(view.counts.reduce((a, b) => a + b, 0), "stone is", "stones are")} left.`),
    resignedNote: "Take back goes on with the game.",
    /** @param {Exact | null} exact @param {string[]} best @param {View} view */
    keeps: (exact, best, view) => {
      if (!exact) return "";
      if (exact.outcome === "loss" && exact.score === null) return `Every move of ${view.to_move} loses.`;
      const what = exact.outcome === "win" ? (exact.score === null ? "the win" : "the best score") : exact.outcome === "draw" ? "the draw" : "the best score";
      if (best.length === 1) return `Only ${best[0]} keeps ${what}.`;
      return best.length === 0 ? "" : `${best.slice(0, 3).join(", ")}${best.length > 3 ? ` and ${best.length - 3} more` : ""} keep ${what}.`;
    },
    /** @param {number} proved @param {number} all */
    movesProved: (proved, all) => (proved === all ? (all === 1 ? "The only move is proved." : `All ${all} moves proved.`) : `${proved} of ${plural(all, "move", "moves")} proved.`),
    /** @param {View} view @param {Estimate} estimate */
    probably: (view, { win, discs }) => {
      const ahead = win >= 0.5 ? view.to_move : view.to_move === "x" ? "o" : "x";
      const by = discs === null ? "" : `, ${signed(Math.abs(discs), 1)}`;
      return `${ahead} is probably better, ${percent(Math.max(win, 1 - win))}${by}`;
    },
    /** @param {Estimate} estimate @param {string | null} prefers */
    estimateBy: ({ by, work }, prefers) => `${estimator(by)}, ${by === "midgame" ? plural(work, "ply", "plies") : `${large(work)} ${work === 1 ? "visit" : "visits"}`}${prefers ? `; it prefers ${prefers}` : ""}.`,
    /** @param {View} view @param {number} win */
    barLabel: (view, win) => `estimated ${percent(win)} for ${view.to_move}`,
    thinking: "Thinking",
    allProved: "Everything is proved",
    ended: "Finished for now",
    stopped: "Stopped",
    perSecond: "positions/s",
    searched: "positions",
    stop: "Stop",
    start: "Think",
    /** @param {string} side */
    movesOf: (side) => `Moves of ${side}`,
    move: "Move",
    exact: "Exact",
    leaves: "Leaves",
    /** @param {string} side */
    estimateFor: (side) => `Estimate for ${side}`,
    policy: "Policy",
    /** @param {Known} known */
    work: (known) => (known.estimate?.by === "midgame" ? "Plies" : "Visits"),
    openMove: "open",
    /** @param {[number, number]} bounds */
    between: ([low, high]) => `${signed(low)} … ${signed(high)}`,
    /** @param {string} by */
    disagrees: (by) => `${estimator(by).toLowerCase()} disagrees`,
    heat: "Policy on the board",
    /** @param {Exact} exact */
    exactLabel: ({ outcome, score }) => `${{ win: "wins", loss: "loses", draw: "draws" }[outcome]}${score === null ? "" : ` ${signed(score)}`}, proved`,
    /** @param {Legal} legal @param {View} view @param {Exact | null} exact @param {Estimate | null} estimate */
    markTitle: (legal, view, exact, estimate) => {
      const what = moveInWords(view, legal.move);
      if (exact) return `${what}: ${strings.analysis.exactLabel(exact)}`;
      return estimate ? `${what}: estimated ${percent(estimate.win)}, ${large(estimate.work)} ${estimate.by === "midgame" ? "plies" : "visits"}` : what;
    },
    /** @param {string} move @param {number} share */
    policyTitle: (move, share) => `${move}: the network's policy without search gives ${percent(share)}`,
    /** What is said of a move while answers are hidden. @param {string} move @param {View} view @param {Known} known @param {string[]} best */
    judged: (move, view, known, best) => {
      const own = known.moves.get(move);
      if (!own?.exact || !known.exact) {
        if (!own?.estimate || !known.estimate) return `${move}: nothing is known of it yet.`;
        return `${move}: probably ${percent(own.estimate.win)} for ${view.to_move}; not proved.`;
      }
      if (best.includes(move)) return own.exact.outcome === "loss" ? `${move}: every move lost.` : `${move} was right: ${resultInWords(own.exact, view.to_move)}, proved.`;
      const right = best.length > 0 ? ` ${best.slice(0, 3).join(", ")} ${best.length === 1 ? "was" : "were"} right.` : "";
      if (own.exact.outcome !== known.exact.outcome) return `${move} throws the ${known.exact.outcome === "win" ? "win" : "draw"} away, proved.${right}`;
      if (own.exact.score !== null && known.exact.score !== null && own.exact.score < known.exact.score) return `${move} loses ${known.exact.score - own.exact.score} discs, proved.${right}`;
      return `${move} keeps the result, proved.`;
    },
  },
  values: {
    title: "Sum of parts",
    copy: "Copy",
    part: "Part",
    value: "Value",
    weight: "Atomic weight",
    heat: "Temp.",
    sum: "Sum",
    openValue: "open",
    hidden: "Hidden with the answers.",
    searching: "Looking for the values…",
    notAsked: "The values are looked for while the analysis thinks.",
    notFound: "The value of the sum was not found in time.",
    longer: "Look for a minute",
    thermograph: "Thermograph",
    noThermograph: "There is no thermograph without the value.",
    canonical: "Canonical form",
    infinitesimal: "infinitesimal.",
    mast: "mast",
    leftWall: "Left wall",
    rightWall: "Right wall",
    axis: "value (Left’s gain to the left)",
    /** @param {number} temperature */
    temperature: (temperature) => `temperature ${rational(temperature)}`,
    /** @param {string} name @param {number} temperature @param {number} mast */
    thermographOf: (name, temperature, mast) => `Thermograph of ${name}: temperature ${rational(temperature)}, mast at ${rational(mast)}`,
    /** @param {string} outcome */
    outcome: (outcome) => ({ N: "N: whoever moves wins.", P: "P: whoever moves loses.", L: "L: x wins, whoever moves.", R: "R: o wins, whoever moves." })[outcome] ?? outcome,
    /** @param {string} side */
    whoMoves: (side) => `${side} is ${side === "x" ? "Left" : "Right"} and moves.`,
    /** @param {Valued} values */
    asText: ({ components, value, outcome }) => `${components.map((part) => part.value ?? "?").join(" + ") || "0"} = ${value ?? "?"}${outcome ? ` (${outcome})` : ""}`,
  },
  discs: {
    title: "Discs",
    discs: "Discs",
    mobility: "Mobility",
    stable: "Stable",
    bestLine: "Best line, proved:",
    likelyLine: "Likely line, estimated:",
    /** @param {number} regions @param {number} odd */
    regions: (regions, odd) => `${plural(regions, "region", "regions")}, ${odd} odd`,
    /** @param {number[][]} regions @param {string} side */
    parity: (regions, side) => {
      const empty = regions.reduce((sum, region) => sum + region.length, 0);
      return `${plural(empty, "empty cell", "empty cells")}: ${empty % 2 === 1 ? side : side === "x" ? "o" : "x"} has the last move if nobody passes. Stable discs are underlined on the board.`;
    },
    /** @param {number} cells */
    region: (cells) => `${cells} ${cells % 2 === 1 ? "odd" : "even"}`,
  },
  game: {
    title: "Game",
    sweep: "Find mistakes",
    stop: "Stop",
    next: "Next mistake",
    /** @param {number} plies */
    plies: (plies) => plural(plies, "move", "moves"),
    /** @param {{ done: number, of: number }} progress */
    sweeping: ({ done, of }) => `${done} of ${of} positions`,
    /** @param {number} proved @param {number} probable */
    mistakes: (proved, probable) => (proved + probable === 0 ? "no mistake found" : `${plural(proved, "proved mistake", "proved mistakes")} · ${probable} probable`),
    /** @param {({ proved: boolean } | null)[]} bars */
    graphLabel: (bars) => `Game graph: ${bars.filter((bar) => bar?.proved).length} positions proved, ${bars.filter((bar) => bar && !bar.proved).length} estimated`,
    /** @param {number} ply @param {string | null} move */
    plyTitle: (ply, move) => (move === null ? "Start" : `${ply}. ${move}`),
    /** @param {ReviewedMove} mistake */
    mistake: ({ mistake, before, chance_lost, discs_lost }) => {
      if (mistake === "proved") return discs_lost ? `loses ${plural(Math.round(discs_lost), "disc", "discs")}` : before.proved === "draw" ? "throws the draw away" : "throws the win away";
      return chance_lost === null ? "probably a mistake" : `probably costs ${percent(chance_lost)}`;
    },
    /** @param {Review} review */
    accuracy: ({ accuracy }) => accuracy.map(({ kept, moves }, i) => `${"xo"[i]} kept ${percent(kept)} in ${plural(moves, "move", "moves")}`).join(" · "),
  },
  variations: {
    title: "Variations",
    keys: "← → ply · ↑ ↓ variation",
    start: "start",
    promote: "Promote",
    remove: "Delete",
    /** @param {number} moves */
    treeLabel: (moves) => `Tree of ${plural(moves, "move", "moves")}`,
  },
  editor: {
    title: "Editing",
    note: "Choose a brush and paint the cells. Done begins a new game from this position; Cancel leaves everything as it was.",
    brush: "Brush",
    brushes: /** @type {Record<string, string>} */ ({ x: "Stone x", o: "Stone o", ".": "Empty", "#": "Hole" }),
    rows: "Rows",
    cols: "Columns",
    toMove: "Side to move",
    /** @param {string} side */
    moves: (side) => `${side} moves`,
    clear: "Clear",
    cancel: "Cancel",
    done: "Done",
  },
  newGame: {
    title: "New game",
    game: "Game",
    size: "Size",
    rows: "Rows",
    cols: "Columns",
    random: "Random stones",
    paste: "Or paste",
    pasteExample: "xxo.xo, xox|oxo, xxo + xo, f5d6c3…, a link, GGF, OBF",
    nothingRead: "Nothing was found in the text; right is for example xox|oxo or f5d6c3.",
    cancel: "Cancel",
    start: "Start",
    read: "Read",
    names: gameName,
    /** @param {string} summary */
    summary: (summary) => `${summary[0].toUpperCase()}${summary.slice(1)}.`,
  },
  copy: {
    link: "Link",
    text: "Position as text",
    svg: "Picture, SVG",
    png: "Picture, PNG",
    latex: "LaTeX",
    cgsuite: "CGSuite",
    obf: "OBF",
    ggf: "GGF",
    transcript: "Moves",
    openspiel: "OpenSpiel history",
    noPicture: "The picture could not be drawn.",
    /** @param {string} what */
    copied: (what) => `Copied: ${what}`,
    /** @param {string} file */
    saved: (file) => `Saved as ${file}`,
  },
  help: {
    title: "Keys and help",
    keys: [
      ["← →", "one move back or forward"],
      ["↑ ↓", "another variation"],
      ["Home End", "first or last position"],
      ["Tab, then arrows", "walk over the board; Enter selects and plays, Escape lets go"],
      ["/", "type a move, such as a1b1 or f5d6c3"],
      ["h", "hint"],
      ["a", "marks: off, best, all"],
      ["p", "parts"],
      ["Space", "think or stop"],
      ["n", "new game"],
      ["Ctrl V", "paste a position, a sum, a transcript, a link, OBF or GGF"],
      ["?", "this help"],
    ],
    rules: "Rules",
    /** @param {string} game @param {string} summary */
    rule: (game, summary) => `${gameName(game)}: ${summary}.`,
    law: "What is proved is solid. What is estimated is hatched and has a dashed edge. Blue is good for the side to move, orange is bad.",
    /** @param {string} version */
    version: (version) => `Upstar ${version}. Everything on this page comes from your own machine.`,
  },
  puzzles: {
    title: "Puzzles",
    intro: "One move keeps the win: find it. Every solution is proved, and proved to be the only one.",
    game: "Game",
    size: "Size",
    level: "Level",
    state: "State",
    any: "all",
    states: { open: "open", solved: "solved", failed: "failed" },
    none: "No puzzle is like that.",
    /** @param {number} solved @param {number} all */
    count: (solved, all) => `${solved} of ${all} solved`,
    /** @param {number} number */
    name: (number) => `Puzzle ${number}`,
    /** @param {string} game @param {string} size @param {number} level */
    kind: (game, size, level) => `${gameName(game)} ${size}, level ${level}`,
    gameName,
    /** @param {string} side */
    task: (side) => `${side} moves and wins. One move keeps the win: find it.`,
    /** @param {number} moves */
    choices: (moves) => plural(moves, "legal move", "legal moves"),
    /** @param {string} move */
    right: (move) => `${move} is right.`,
    rightNote: "It is the only move that wins, proved.",
    /** @param {string} move */
    wrong: (move) => `${move} throws the win away.`,
    /** @param {string} move @param {string} side */
    refutation: (move, side) => `${side} answers ${move} and wins, proved.`,
    looking: "Looking for the refutation…",
    again: "Try again",
    solution: "Show the solution",
    /** @param {string} move */
    was: (move) => `${move} keeps the win.`,
    more: "Show more",
    next: "Next puzzle",
    open: "Open on the board",
    list: "All puzzles",
    /** @param {string} text */
    missing: (text) => `There is no puzzle ${text}.`,
  },
  charts: {
    logScale: "log scale",
    logarithmic: "Powers of ten at equal distances",
    lastValue: "Last value",
    rating: "Elo",
    noRating: "no rating",
    /** @param {string} elo */
    atLeast: (elo) => `above ${elo}`,
    /** @param {string} elo */
    atMost: (elo) => `below ${elo}`,
    dead: "dead",
    /** @param {string} name @param {string} begin @param {string} end */
    fromTo: (name, begin, end) => `${name ? name + " f" : "F"}rom ${begin} to ${end}.`,
  },
  runs: {
    title: "Runs",
    /** @param {number} runs @param {number} folders */
    count: (runs, folders) => `${runs} in ${folders === 1 ? "1 folder" : `${folders} folders`}`,
    kinds: { all: "All", trainings: "Trainings", solves: "Solves", others: "Others" },
    kind: { solve: "solve", train: "training", alphazero: "AlphaZero", tune: "tuning", tournament: "tournament", reproduce: "papers", match: "match" },
    state: { running: "Running", finished: "Finished", interrupted: "Interrupted" },
    /** What a run is about may be a question. @param {string} about @param {string} state */
    aboutState: (about, state) => (about.endsWith("?") ? `${about} (${state.toLowerCase()})` : `${about}, ${state.toLowerCase()}`),
    none: "No runs here yet.",
    /** @param {string} id */
    missing: (id) => `There is no run ${id} in the folders of this server; below is another one.`,
    noneOfKind: "None of this kind.",
    howTo: "Runs appear here when there are some in the folders of --runs:",
    loading: "Reading …",
    compare: "Compare",
    compareWith: "Compare with",
    addRun: "Add a run …",
    /** @param {string} name */
    remove: (name) => `Take ${name} out`,
    /** @param {string} title */
    step: (title) => `Play the network: ${title}`,
    playNetwork: "Play the network of",
    stop: "Stop",
    resume: "Resume",
    start: "Start a run",
    startTitle: "Start a training, a tuning or a tournament",
    name: "Name",
    config: "Configuration (TOML)",
    begin: "Start",
    cancel: "Cancel",
    repeat: "Repeat",
    goOn: "Resume",
    copy: "Copy",
    copied: "Copied",
    configuration: "Configuration",
    differences: "What differs",
    same: "The configurations are the same.",
    key: "key",
    notSet: "–",
    games: "Games",
    estimate: "estimate",
    /** @param {string} time */
    left: (time) => `${time} left`,
    proved: "proved",
    open: "open",
    /** @param {string} side */
    wins: (side) => `${side} wins`,
    draw: "a draw",
    /** @param {number} discs */
    by: (discs) => `by ${discs} discs`,
    /** @param {string} move */
    withMove: (move) => `with ${move}`,
    lookAtBoard: "Look at the board",
    /** @param {number} refuted @param {number} all */
    firstMoves: (refuted, all) => `First moves refuted: ${refuted} of ${all}`,
    firstMovesNote: "If all are refuted, the second player wins; if one cannot be, the first player wins.",
    /** @param {number} refuted @param {number} all */
    refutedOf: (refuted, all) => `${refuted} of ${all}`,
    session: { number: "session", time: "time", nodes: "positions", speed: "per second", threads: "threads", memory: "table", refuted: "refuted", result: "result" },
    mattered: "What mattered",
    matteredNote: "how much of the differences in score a parameter explains, and how often chance alone would explain as much",
    parameter: { key: "parameter", explained: "explained", chance: "by chance", correlation: "correlation", best: "best trial", good: "best fifth of trials" },
    scores: "Score of every trial",
    scoresNote: "The larger the dot, the longer the trial has learned; orange is the best.",
    papers: "All numbers side by side",
    /** @param {number} runs */
    meanOf: (runs) => `mean of ${runs} seeds`,
    seedsTogether: "Seeds together",
  },
  games: {
    title: "Games",
    none: "There are no games yet. A tournament or a match with --records leaves some:",
    noneOfRun: "This run has kept no games.",
    toRun: "Look at its curves",
    noneExample: "upstar match clobber 6x6 mcts:1000 mc:50 --games 100 --swap --records games.jsonl",
    loading: "Reading …",
    /** @param {number} games */
    count: (games) => (games === 1 ? "1 game" : `${games.toLocaleString("en")} games`),
    /** @param {number} games @param {number} all */
    ofAll: (games, all) => `${games.toLocaleString("en")} of ${all.toLocaleString("en")} games`,
    ratings: "Ratings",
    ratingsNote: "Elo with 95 % intervals",
    cross: "Against each other",
    crossNote: "share of points of the row against the column",
    /** @param {string} x @param {string} o @param {string} draw */
    sides: (x, o, draw) => `x won ${x}, o won ${o}, drawn ${draw}`,
    column: { rank: "", name: "player", agent: "agent", rating: "rating", points: "points", games: "games", record: "won–drawn–lost", forfeits: "forfeits" },
    list: { number: "game", black: "x", white: "o", result: "won", plies: "moves", reason: "", look: "" },
    anyPlayer: "any player",
    anyOpponent: "any opponent",
    anyWinner: "any result",
    winner: { x: "x won", o: "o won", draw: "drawn" },
    set: "Games of",
    replay: "Replay",
    earlier: "Earlier",
    later: "Later",
    /** @param {number} from @param {number} to @param {number} of */
    range: (from, to, of) => `${from}–${to} of ${of.toLocaleString("en")}`,
    reason: { rules: "", time: "by time", illegal: "by an illegal move", fault: "by a fault", resigned: "resigned", agreed: "agreed", unfinished: "not finished" },
    /** @param {number} plies */
    opening: (plies) => `after ${plies} moves of an opening`,
    noMatch: "No game is like that.",
  },
  papers: {
    title: "The papers' tables, again",
    tables: "Tables",
    loading: "Reading …",
    printedOnly: "As printed; nothing was run here yet",
    results: "Results",
    /** @param {number} scale */
    scale: (scale) => (scale === 1 ? "all games of the papers" : `${Number((100 * scale).toPrecision(3))} % of the papers' games`),
    interval: "The interval says where the printed number should be with a probability of 99 %, so about one number in a hundred differs by chance. For matches it counts the games of both sides as samples; for trainings it is where one more run would end, given the seeds.",
    verdict: { agrees: "agrees", differs: "differs", reading: "agrees under a reading", doubtful: "paper doubtful", open: "open", unprinted: "not printed", waiting: "not run" },
    count: {
      /** @param {string} count */
      agrees: (count) => `${count} agree`,
      /** @param {string} count */
      differs: (count) => `${count} differ`,
      /** @param {string} count */
      reading: (count) => `${count} agree under a reading`,
      /** @param {string} count */
      doubtful: (count) => `${count} doubtful in the paper`,
      /** @param {string} count */
      open: (count) => `${count} open`,
      /** @param {string} count */
      unprinted: (count) => `${count} not printed`,
      /** @param {string} count */
      waiting: (count) => `${count} not run`,
    },
    verdictLong: {
      agrees: "the printed number is where it should be",
      differs: "it is not",
      reading: "it is not, but it is under another reading of the paper, the one that explains most numbers of this table",
      doubtful: "it is not, and there is a reason to doubt what is printed",
      open: "what was run cannot tell",
      unprinted: "the paper prints no number",
      waiting: "not run yet",
    },
    /** @param {number} count */
    numbers: (count) => (count === 1 ? "1 number" : `${count.toLocaleString("en")} numbers`),
    allPapers: "All papers",
    allVerdicts: "All verdicts",
    column: { cell: "number", paper: "paper", ours: "ours", interval: "99 % interval", range: "seeds, lowest – median – highest", seeds: "seeds", verdict: "verdict", games: "games", live: "live", dead: "dead", exploded: "exploded" },
    paper: "paper",
    ours: "ours",
    spread: "highest less lowest seed",
    noNumbers: "The paper prints no numbers here, so there is no verdict.",
    readings: "Other readings of the paper",
    against: (/** @type {string} */ sentence) => `Against it: ${sentence}`,
    notRun: "not run yet",
    /** @param {string} name */
    defaultReading: (name) => `Default reading ${name}:`,
    againstIt: "Against it:",
    claims: "What the paper says in words",
    claimColumn: { claim: "claim", section: "section", better: "said to be better", worse: "the other", difference: "difference, 99 % interval", seeds: "seeds", finding: "finding" },
    finding: { holds: "holds", contradicted: "contradicted", open: "open" },
    remains: "What still differs, and what was ruled out",
    /** @param {import("./runs/types.js").TableTest} test */
    test: ({ compared, outside, expected, chance, ranks }) => `${outside} of ${compared} numbers are outside of their 99 % intervals, where chance would put ${expected.toFixed(1)}${outside > expected ? ` (so many or more: ${chance < 0.001 ? "below 0.1 %" : `${(100 * chance).toPrecision(2)} %`}, if numbers were independent)` : ""}.${ranks === null ? "" : ` Rank correlation with the printed numbers: ${ranks.toFixed(2)}.`}`,
    command: "Repeat",
    behind: "What each seed brought",
    sample: {
      seed: "seed",
      value: "ours",
      games: "games won",
      time: "time",
      dead: "dead network",
      /** @param {number} wins @param {number} games */
      won: (wins, games) => `${wins.toLocaleString("en")} of ${games.toLocaleString("en")}`,
      note: "Experiments keep their counts, not their games. This command plays the same games again, seed by seed:",
    },
    /** @param {string} cell */
    cellCommandOf: (cell) => `Copy the command that repeats ${cell} alone`,
    nothing: "No number is like that.",
    showAll: "Show",
    /** @param {number} seeds */
    seeds: (seeds) => (seeds === 1 ? "1 seed" : `${seeds} seeds`),
  },
};

/** @param {View} view */
function overInWords({ winner, score }) {
  if (winner === null) return "Game over";
  if (winner === "draw") return "Draw";
  return `${winner} has won${score === null || score === 0 ? "" : ` by ${Math.abs(score)}`}`;
}

