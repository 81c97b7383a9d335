// The room of papers. The address is `#papers/RUN` or `#papers/RUN/TABLE`, `#papers` shows the largest results, or the tables as printed.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { useAnswers } from "../runs/loading.js";
import { PapersView } from "./papers-view.js";
import { strings } from "../strings.js";

/** @import { Papers, RoomApi, RunSummary } from "../runs/types.js" */

/** @param {{ path: string, api: RoomApi }} props */
export function Room({ path, api }) {
  const { answers: list } = useAnswers(api, ["/api/papers"], () => false);
  const runs = /** @type {RunSummary[] | undefined} */ (list?.[0].runs);
  const wanted = decodeURIComponent(path.split("/")[0]);
  const id = runs === undefined ? null : (runs.find((run) => run.id === wanted)?.id ?? (wanted === "printed" ? "printed" : (runs[0]?.id ?? "printed")));
  if (runs === undefined || id === null) return html`<div class="papers-room"><p class="panel body dim">${strings.papers.loading}</p></div>`;
  const sources = html`<select class="field" aria-label=${strings.papers.results} value=${id} onChange=${(/** @type {any} */ event) => (location.hash = `#papers/${event.currentTarget.value}`)}>${[...runs.map((run) => [run.id, run.name]), ["printed", strings.papers.printedOnly]].map(([key, text]) => html`<option value=${key} selected=${key === id}>${text}</option>`)}</select>`;
  return html`<div class="papers-room"><${Chosen} key=${id} api=${api} id=${id} table=${path.split("/").slice(1).map(decodeURIComponent).join("/")} sources=${sources} /></div>`;
}

/** @param {{ api: RoomApi, id: string, table: string, sources: unknown }} props */
function Chosen({ api, id, table, sources }) {
  const { answers, error } = useAnswers(api, [`/api/papers/${encodeURIComponent(id)}`], (run) => run === id);
  const [known, setKnown] = useState(/** @type {Papers | null} */ (null));
  useEffect(() => {
    if (answers) setKnown(answers[0]);
  }, [answers]);
  const papers = /** @type {Papers | null} */ (answers?.[0] ?? known);
  if (error) return html`<p class="panel body" role="alert">${error}</p>`;
  if (!papers) return html`<p class="panel body dim">${strings.papers.loading}</p>`;
  const ask = (/** @type {string} */ table, /** @type {string} */ cell) => api.get(`/api/papers/${encodeURIComponent(id)}/samples?${new URLSearchParams({ table, cell })}`);
  return html`<${PapersView} papers=${papers} sources=${sources} first=${table} ask=${ask} link=${(/** @type {string} */ name) => `#papers/${encodeURIComponent(id)}/${name}`} />`;
}
