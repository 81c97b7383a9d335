// Where we are: the room that the address names, and the rest of the address.

/** The rooms beside the board; any other address is a board's. */
export const ROOM_NAMES = /** @type {const} */ (["games", "runs", "papers", "puzzles"]);

/** @typedef {typeof ROOM_NAMES[number]} RoomName */

/**
 * The fragment of an address of this page, wherever its server was; null if the text is something else.
 * @param {string} text
 */
export function fragmentOf(text) {
  return text.trim().match(/^https?:\/\/[^\s#]+(#\S+)$/)?.[1] ?? null;
}

/** @returns {{ room: RoomName | "board", path: string }} */
export function place() {
  const fragment = location.hash.slice(1);
  const [first, ...path] = fragment.split("/");
  const room = ROOM_NAMES.find((name) => name === first);
  return room ? { room, path: path.join("/") } : { room: "board", path: fragment };
}
