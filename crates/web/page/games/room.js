// The room of games: matches and tournaments, their tables, and every game to replay. The address is `#games/ID`.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { useAnswers } from "../runs/loading.js";
import { StateMark } from "../runs/state-mark.js";
import { GameList } from "./game-list.js";
import { StandingsPanel } from "./standings-panel.js";
import { strings } from "../strings.js";

/** @import { RoomApi, RunDetail, RunList, RunSummary } from "../runs/types.js" */

/** @param {{ path: string, api: RoomApi }} props */
export function Room({ path, api }) {
  const { answers, error } = useAnswers(api, ["/api/runs"], () => true);
  const [known, setKnown] = useState(/** @type {RunList | undefined} */ (undefined));
  const list = /** @type {RunList | undefined} */ (answers?.[0]) ?? known;
  useEffect(() => {
    if (answers) setKnown(answers[0]);
  }, [answers]);
  if (!list) return html`<div class="runs-room"><p class="panel body dim">${error || strings.games.loading}</p></div>`;
  const played = list.runs.filter((run) => ["tournament", "match", "alphazero"].includes(run.kind));
  // Self-play comes after what was played for its own sake.
  played.sort((a, b) => Number(a.kind === "alphazero") - Number(b.kind === "alphazero"));
  if (played.length === 0) return html`<div class="runs-room one"><section class="panel body"><p>${strings.games.none}</p><p class="mono">${strings.games.noneExample}</p></section></div>`;
  const wanted = decodeURIComponent(path.split("/")[0]);
  const selected = played.find((run) => run.id === wanted) ?? played[0];
  return html`<div class="runs-room">
    <aside class="panel table runs-list"><header><h2>${strings.games.title}</h2></header><ul class="runlist">${played.map((run) => source(run, run === selected))}</ul></aside>
    <div class="col">${wanted !== "" && wanted !== selected.id && html`<p class="problem" role="alert">${strings.runs.missing(wanted)}</p>`}<${Chosen} key=${selected.id} api=${api} id=${selected.id} /></div>
  </div>`;
}

/**
 * @param {RunSummary} run
 * @param {boolean} selected
 */
function source(run, selected) {
  return html`<li aria-current=${selected ? "true" : null}><a href=${`#games/${encodeURIComponent(run.id)}`}><${StateMark} state=${run.state} share=${run.share} /><span class="n" title=${run.name}>${run.name}</span><span class="k">${strings.runs.kind[run.kind]}</span><span class="s">${[run.game, run.progress].filter(Boolean).join(" · ")}</span></a></li>`;
}

/** @param {{ api: RoomApi, id: string }} props */
function Chosen({ api, id }) {
  const { answers, error } = useAnswers(api, [`/api/runs/${encodeURIComponent(id)}`], (run) => run === id);
  const [known, setKnown] = useState(/** @type {RunDetail | null} */ (null));
  const [filter, setFilter] = useState({ player: "", opponent: "" });
  useEffect(() => {
    if (answers) setKnown(answers[0]);
  }, [answers]);
  const run = /** @type {RunDetail | null} */ (answers?.[0] ?? known);
  if (error) return html`<p class="panel body" role="alert">${error}</p>`;
  if (!run) return html`<p class="panel body dim">${strings.games.loading}</p>`;
  const players = run.standings?.players.map((player) => player.name) ?? [];
  return html`<section class="panel table run">
      <div class="runhead"><div class="bar"><${StateMark} state=${run.state} share=${run.share} /><h1 class="title">${run.name}<small>${run.about}, ${run.progress}</small></h1></div></div>
      ${run.standings && html`<${StandingsPanel} standings=${run.standings} choose=${(/** @type {string} */ player, /** @type {string} */ opponent) => setFilter({ player, opponent })} />`}
    </section>
    ${run.games.length > 0 && html`<section class="panel table"><header><h2>${strings.games.title}</h2></header><${GameList} api=${api} run=${run.id} sets=${run.games} players=${players} changed=${run.changed ?? ""} filter=${filter} setFilter=${setFilter} /></section>`}
    ${run.games.length === 0 && html`<p class="panel body dim">${strings.games.noneOfRun} <a class="btn" href=${`#runs/${encodeURIComponent(id)}`}>${strings.games.toRun}</a></p>`}`;
}
