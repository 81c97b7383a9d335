// Answers of the server that are asked for again when a run changes.

import { useEffect, useRef, useState } from "../vendor/htm-preact.js";

/** @import { RoomApi } from "./types.js" */

/** A run that writes often is not asked for more often than this, in milliseconds. */
const AT_MOST = 1000;

/**
 * What the server answers to these paths, and asks again whenever `concerns` says so of a run that changed.
 * @param {RoomApi} api
 * @param {string[]} paths
 * @param {(run: string) => boolean} concerns
 * @returns {{ answers: any[] | null, error: string, again: () => void }}
 */
export function useAnswers(api, paths, concerns) {
  const [state, setState] = useState(/** @type {{ of: string, answers: any[] | null, error: string }} */ ({ of: "", answers: null, error: "" }));
  const [count, setCount] = useState(0);
  const last = useRef(0);
  const wanted = useRef(concerns);
  wanted.current = concerns;
  const of = paths.join(" ");
  useEffect(() => {
    let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    const stop = api.watchRuns((run) => {
      if (!wanted.current(run) || timer !== undefined) return;
      const wait = Math.max(0, AT_MOST - (Date.now() - last.current));
      timer = setTimeout(() => {
        timer = undefined;
        setCount((n) => n + 1);
      }, wait);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [api]);
  useEffect(() => {
    let over = false;
    last.current = Date.now();
    Promise.all(paths.map((path) => api.get(path))).then(
      (answers) => !over && setState({ of, answers, error: "" }),
      (error) => !over && setState({ of, answers: null, error: error.message }),
    );
    return () => void (over = true);
  }, [of, count]);
  const again = () => setCount((n) => n + 1);
  // What belongs to other paths is not shown in the meantime.
  return state.of === of ? { answers: state.answers, error: state.error, again } : { answers: null, error: "", again };
}
