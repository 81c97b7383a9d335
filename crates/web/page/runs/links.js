// Addresses of other rooms, and times in words.

import { recordField } from "../board/fragment.js";

/** @import { GameRow } from "./types.js" */

/**
 * The address of a board: game, position, side to move, moves and where we stand.
 * @param {{ game: string, position: string, to_move: string, moves: string[] }} board
 * @param {number} [ply]
 */
export function boardLink({ game, position, to_move, moves }, ply) {
  const fields = [game, position.replaceAll("#", "%23"), to_move];
  if (moves.length > 0) fields.push(moves.join("."), `~${ply ?? moves.length}`);
  return `#${fields.join("/")}`;
}

/**
 * The address of a recorded game, after its opening.
 * @param {string} run
 * @param {string} set
 * @param {GameRow} game
 */
export function replayLink(run, set, game) {
  return `${boardLink(game, game.opening)}/${recordField({ run, set, place: game.place })}`;
}

/**
 * The address of a board at which the network of a run plays the second side.
 * @param {{ id: string, game: string }} run
 * @param {{ name: string }} network
 */
export function playLink(run, network) {
  const [game, board = ""] = run.game.split(" ");
  return `#${game}/${board}/x/@o=run:${run.id}:${network.name}`;
}

/**
 * Seconds as people say them.
 * @param {number} seconds
 */
export function timeText(seconds) {
  const minutes = Math.round(seconds / 60);
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
