// The address of a board: `#clobber/xox|oxo/x/a1a2.b1b2/~2` is game, position, side to move, moves and where we
// stand. Everything is in the fragment, which browsers do not send to servers. A recorded game also says where its record
// is, `&RUN:SET:PLACE`.

import { Tree } from "./tree.js";

/** Which game of which set of a run. @typedef {{ run: string, set: string, place: number }} RecordName */

/** What is seen at an address without a board. */
export const FIRST_BOARD = "clobber/4x5";

/**
 * @param {Tree} tree
 * @param {number} node
 * @param {Record<string, string>} [seats] of which those of a run's network are written: they are in no list to choose from
 * @param {RecordName | null} [record]
 * @returns {string} without `#`
 */
export function writeFragment(tree, node, seats = {}, record = null) {
  const { game, position, to_move } = tree.root;
  const fields = [game, position.replaceAll("#", "%23"), to_move ?? ""];
  const moves = tree.text();
  if (moves !== "") {
    fields.push(moves);
    const order = tree.order();
    if (order.indexOf(node) !== tree.line(0).length - 1 || order.length !== tree.line(0).length) fields.push(`~${order.indexOf(node)}`);
  }
  while (fields[fields.length - 1] === "") fields.pop();
  for (const [side, who] of Object.entries(seats)) if (who.startsWith("run:")) fields.push(`@${side}=${who}`);
  if (record) fields.push(recordField(record));
  return fields.join("/");
}

/**
 * The link of a board, from its text alone.
 * @param {{ game: string, position: string, to_move?: string, moves?: string[] }} board
 */
export function boardFragment({ moves, ...root }) {
  const tree = new Tree(root);
  const order = tree.read((moves ?? []).join("."));
  return writeFragment(tree, order[order.length - 1]);
}

/** @param {RecordName} record */
export function recordField({ run, set, place }) {
  return `&${run}:${set}:${place}`;
}

/**
 * @param {string} fragment without `#`
 * @returns {{ tree: Tree, node: number, seats: Record<string, string> | null, record: RecordName | null }} seats where the address names agents, `@o=AGENT`
 */
export function readFragment(fragment) {
  const text = decode(fragment) || FIRST_BOARD;
  const [game, position = "4x5", ...fields] = text.split("/");
  let to_move;
  let moves = "";
  let stand = null;
  /** @type {Record<string, string> | null} */
  let seats = null;
  /** @type {RecordName | null} */
  let record = null;
  for (const field of fields) {
    const [, run, set, place] = /^&(.+):([^:]*):([0-9]+)$/.exec(field) ?? [];
    if (run) {
      record = { run, set, place: Number(place) };
      continue;
    }
    const seat = /^@([xo])=(.+)$/.exec(field);
    if (seat) {
      seats = { ...(seats ?? {}), [seat[1]]: seat[2] };
      continue;
    }
    if (field.startsWith("~")) stand = Number.parseInt(field.slice(1), 10);
    else if (/^[xotsdp]$/.test(field)) to_move = field;
    else if (field !== "") moves = field;
  }
  // Othello's transcripts have no dots.
  if (game.startsWith("othello")) moves = moves.replace(/([a-z][0-9]+)(?=[a-z])/g, "$1.");
  const tree = new Tree(to_move === undefined ? { game, position } : { game, position, to_move });
  const order = tree.read(moves);
  const end = tree.line(0);
  return { tree, node: (stand === null ? undefined : order[stand]) ?? end[end.length - 1].id, seats, record };
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone per cent sign
  }
}
