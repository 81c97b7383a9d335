// A store: one state, replaced by patches, watched by components.

import { useLayoutEffect, useState } from "./vendor/htm-preact.js";

/** @template {object} T */
export class Store {
  /** @param {T} state */
  constructor(state) {
    this.state = state;
    /** @type {Set<() => void>} */
    this.watchers = new Set();
  }

  /**
   * Replaces some fields and tells the watchers.
   * @param {Partial<T>} patch
   */
  set(patch) {
    this.state = { ...this.state, ...patch };
    for (const watcher of [...this.watchers]) watcher();
  }

  /**
   * @param {() => void} watcher
   * @returns {() => void} which ends it
   */
  watch(watcher) {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }
}

/**
 * The state of a store; the component is drawn again when it changes, at most once a frame.
 * @template {object} T
 * @param {Store<T>} store
 * @returns {T}
 */
export function useStore(store) {
  const [, redraw] = useState(0);
  const { state } = store;
  useLayoutEffect(() => {
    // Something may have changed before the watcher was there.
    if (store.state !== state) redraw((n) => n + 1);
    return store.watch(() => redraw((n) => n + 1));
  }, [store]);
  return state;
}
