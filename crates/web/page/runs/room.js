// The room of runs: the list at the left, one run or several over each other at the right.
//
// The address says what is seen: `#runs/ID`, or `#runs/ID/vs/OTHER,OTHER`.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { GameList } from "../games/game-list.js";
import { shortNames } from "./compare.js";
import { playLink } from "./links.js";
import { useAnswers } from "./loading.js";
import { RunDetailView } from "./run-detail.js";
import { RunListPanel } from "./run-list.js";
import { StartForm } from "./start-form.js";
import { strings } from "../strings.js";

/** @import { RoomApi, RunDetail, RunList } from "./types.js" */

/** More runs than this are not told apart. */
const MOST_RUNS = 8;

/** @param {{ path: string, api: RoomApi }} props */
export function Room({ path, api }) {
  const { answers, error, again } = useAnswers(api, ["/api/runs"], () => true);
  const list = /** @type {RunList | undefined} */ (answers?.[0]);
  // A list that was read before is better than none.
  const [known, setKnown] = useState(/** @type {RunList | undefined} */ (undefined));
  useEffect(() => {
    if (list) setKnown(list);
  }, [list]);
  const runs = list ?? known;
  if (!runs) return html`<div class="runs-room wide"><p class="panel body dim">${error || strings.runs.loading}</p></div>`;
  const { selected, compared, missing } = read(path, runs);
  const here = (/** @type {string} */ id) => (location.hash = address([id]));
  return html`<div class="runs-room wide">
    <${RunListPanel} list=${runs} selected=${selected} compared=${compared} link=${(/** @type {string} */ id) => address([id])}>
      ${runs.can_start && html`<${StartForm} api=${api} began=${(/** @type {string} */ id) => (again(), here(id))} />`}
    <//>
    <div class="col">
      ${missing !== "" && selected !== "" && html`<p class="problem" role="alert">${strings.runs.missing(missing)}</p>`}
      ${selected === "" ? html`<section class="panel body"><p>${strings.runs.none} ${strings.runs.howTo}</p><p class="mono">upstar serve --runs DIR</p></section>` : html`<${Chosen} key=${selected} api=${api} list=${runs} ids=${compared} />`}
    </div>
  </div>`;
}

/**
 * @param {string} path
 * @param {RunList} list
 */
function read(path, list) {
  const [first = "", word = "", others = ""] = path.split("/").map(decodeURIComponent);
  const exists = (/** @type {string} */ id) => list.runs.some((run) => run.id === id);
  const selected = exists(first) ? first : (list.runs[0]?.id ?? "");
  const others_ = word === "vs" ? others.split(",").filter((id) => id !== selected && exists(id)) : [];
  return { missing: first !== selected ? first : "", selected, compared: [selected, ...others_].slice(0, MOST_RUNS) };
}

/** @param {string[]} ids */
function address([first, ...others]) {
  return `#runs/${encodeURIComponent(first)}${others.length > 0 ? `/vs/${others.join(",")}` : ""}`;
}

/** @param {{ api: RoomApi, list: RunList, ids: string[] }} props */
function Chosen({ api, list, ids }) {
  const { answers, error, again } = useAnswers(api, ids.map((id) => `/api/runs/${encodeURIComponent(id)}`), (run) => ids.includes(run));
  const [known, setKnown] = useState(/** @type {RunDetail[] | null} */ (null));
  const [said, setSaid] = useState("");
  const [filter, setFilter] = useState({ player: "", opponent: "" });
  useEffect(() => {
    if (answers) setKnown(answers);
  }, [answers]);
  const runs = /** @type {RunDetail[] | null} */ (answers ?? known);
  if (error) return html`<p class="panel body" role="alert">${error}</p>`;
  if (!runs || runs[0].id !== ids[0]) return html`<p class="panel body dim">${strings.runs.loading}</p>`;
  const run = runs[0];
  const ask = async (/** @type {"stop" | "resume"} */ what) => {
    try {
      await api.post(`/api/runs/${encodeURIComponent(run.id)}/${what}`, {});
      setSaid("");
      setTimeout(again, 400);
    } catch (refused) {
      setSaid(/** @type {Error} */ (refused).message);
    }
  };
  const short = shortNames(runs.map((each) => each.name));
  const others = list.runs.filter((other) => !ids.includes(other.id) && comparable(other.kind, run.kind));
  const actions = html`
    ${ids.slice(1).map((id) => html`<a class="chip btn quiet" href=${address(ids.filter((it) => it !== id))} title=${strings.runs.remove(id)}>${short[ids.indexOf(id)]} ×</a>`)}
    ${others.length > 0 && run.charts.length > 0 && ids.length < MOST_RUNS && html`<select class="field" aria-label=${strings.runs.compareWith} value="" onChange=${(/** @type {any} */ event) => (location.hash = address([...ids, event.currentTarget.value]))}><option value="">${ids.length > 1 ? strings.runs.addRun : `${strings.runs.compare} …`}</option>${others.map((other) => html`<option value=${other.id}>${other.name}</option>`)}</select>`}
    ${ids.length === 1 && html`<${Networks} run=${run} />`}
    ${run.ours && html`<button type="button" class="btn" onClick=${() => ask("stop")}>${strings.runs.stop}</button>`}
    ${list.can_start && run.resume && html`<button type="button" class="btn" onClick=${() => ask("resume")}>${strings.runs.resume}</button>`}`;
  const players = run.standings?.players.map((player) => player.name) ?? [];
  const games = ids.length === 1 && run.games.length > 0 && html`<section class="panel table"><header><h2>${strings.runs.games}</h2></header><${GameList} api=${api} run=${run.id} sets=${run.games} players=${players} changed=${run.changed ?? ""} filter=${filter} setFilter=${setFilter} /></section>`;
  return html`${said && html`<p class="panel body" role="alert">${said}</p>`}<${RunDetailView} runs=${runs} actions=${actions} games=${games} choose=${(/** @type {string} */ player, /** @type {string} */ opponent) => setFilter({ player, opponent })} />`;
}

/** Networks that can be played: the last one, and those of earlier steps. @param {{ run: RunDetail }} props */
function Networks({ run }) {
  const last = run.networks[run.networks.length - 1];
  if (!last) return null;
  if (run.networks.length === 1) return html`<a class="btn" href=${playLink(run, last)}>${strings.runs.step(last.title)}</a>`;
  return html`<select class="field" aria-label=${strings.runs.playNetwork} value="" onChange=${(/** @type {any} */ event) => event.currentTarget.value && (location.hash = event.currentTarget.value)}><option value="">${strings.runs.playNetwork} …</option>${[...run.networks].reverse().map((network) => html`<option value=${playLink(run, network)}>${network.title}</option>`)}</select>`;
}

/**
 * Whether curves of two runs belong over each other.
 * @param {string} a
 * @param {string} b
 */
function comparable(a, b) {
  return a === b;
}
