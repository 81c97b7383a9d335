// Keys of the board room; the board itself has its own.

import { fragmentOf } from "../place.js";
import { sumAsBoard } from "./new-game.js";
import { useEffect, useRef } from "../vendor/htm-preact.js";

/** @import { Table } from "./table.js" */

const MARKS = /** @type {const} */ (["off", "best", "all"]);

/**
 * @param {Table} table
 * @param {{ newGame: () => void, disabled: boolean }} actions
 */
export function useKeys(table, actions) {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      const { target } = event;
      const isTyping = target instanceof Element && target.closest("input, textarea, select, [role=menu]");
      if (latest.current.disabled || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const isButton = target instanceof Element && target.closest("button, a, summary");
      const { state } = table;
      /** @type {Record<string, () => void>} */
      const keys = {
        ArrowLeft: () => table.walk("back"),
        ArrowRight: () => table.walk("forward"),
        ArrowUp: () => table.walk("up"),
        ArrowDown: () => table.walk("down"),
        Home: () => table.walk("first"),
        End: () => table.walk("last"),
        h: () => void table.showHint(),
        a: () => table.wish({ marks: MARKS[(MARKS.indexOf(state.marks) + 1) % MARKS.length] }),
        p: () => table.wish({ parts: !state.parts }),
        n: () => latest.current.newGame(),
        "/": () => {
          const field = document.querySelector(".move-field");
          if (field instanceof HTMLElement) field.focus();
        },
      };
      if (!isButton) keys[" "] = () => table.wish({ thinking: !state.thinking });
      const action = keys[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    const pasted = async (/** @type {ClipboardEvent} */ event) => {
      const { target } = event;
      if (latest.current.disabled || (target instanceof Element && target.closest("input, textarea"))) return;
      const text = event.clipboardData?.getData("text") ?? "";
      if (text.trim() === "") return;
      const link = fragmentOf(text);
      if (link) {
        location.hash = link;
        return;
      }
      try {
        const game = table.state.view?.game ?? "clobber";
        const { games } = await table.api.read(game.startsWith("clobber") ? sumAsBoard(text) : text, game);
        if (games.length > 0) await table.begin(games[0]);
      } catch (error) {
        table.fail(error);
      }
    };
    document.addEventListener("keydown", pressed);
    document.addEventListener("paste", pasted);
    return () => {
      document.removeEventListener("keydown", pressed);
      document.removeEventListener("paste", pasted);
    };
  }, []);
}
