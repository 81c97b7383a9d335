// A form that starts a run from a configuration.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { strings } from "../strings.js";

/** @import { RoomApi } from "./types.js" */

const EXAMPLE = `# A small network learns Clobber on 4x4 by playing itself.
game = "clobber"
board = "4x4"
games = 20000
block = 1000
evaluation = 2000
evaluation_agent = "random"

[network]
encoder = "shapes"
hidden = [64, 32]
activation = "leaky-relu"
output = "tanh"

[opponent]
agent = "itself"
network = "both"

[learning]
method = "adam"
objective = "cross-entropy"
batch = 128
rate = 0.002
passes = 3
random_plies = 4
random_moves = 0.3
after_random = true
exact = 16
`;

/** @param {{ api: RoomApi, began: (id: string) => void }} props */
export function StartForm({ api, began }) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("clobber-4x4");
  const [config, setConfig] = useState(EXAMPLE);
  const [error, setError] = useState("");
  // It opens below a long list: one should see that it did.
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  useEffect(() => {
    if (!open) return;
    form.current?.scrollIntoView({ block: "nearest" });
    form.current?.querySelector("input")?.focus({ preventScroll: true });
  }, [open]);
  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const { id } = await api.post("/api/runs", { name, config });
      setOpen(false);
      setError("");
      began(id);
    } catch (refused) {
      setError(/** @type {Error} */ (refused).message);
    }
  };
  if (!open) return html`<div class="body no-print"><button type="button" class="btn start-run" onClick=${() => setOpen(true)}>${strings.runs.start}</button></div>`;
  return html`<form ref=${form} class="body start-form" onSubmit=${begin}>
    <h3>${strings.runs.startTitle}</h3>
    <label>${strings.runs.name}<input class="field" value=${name} pattern="[a-z0-9][a-z0-9-]*" required onInput=${(/** @type {any} */ event) => setName(event.currentTarget.value)} /></label>
    <label>${strings.runs.config}<textarea class="field mono" rows="14" spellcheck="false" value=${config} onInput=${(/** @type {any} */ event) => setConfig(event.currentTarget.value)}></textarea></label>
    ${error && html`<p class="remark" role="alert">${error}</p>`}
    <div class="bar"><button type="submit" class="btn strong">${strings.runs.begin}</button><button type="button" class="btn quiet" onClick=${() => setOpen(false)}>${strings.runs.cancel}</button></div>
  </form>`;
}
