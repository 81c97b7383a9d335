// Games page by page, with a filter; each can be replayed at the board.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { replayLink } from "../runs/links.js";
import { strings } from "../strings.js";

/** @import { GamePage, GameRow, GameSet, RoomApi } from "../runs/types.js" */

const AT_ONCE = 25;

/**
 * @param {{ api: RoomApi, run: string, sets: GameSet[], players: string[], changed: string, set?: string,
 *   filter: { player: string, opponent: string }, setFilter: (filter: { player: string, opponent: string }) => void }} props
 */
export function GameList({ api, run, sets, players, changed, set: first, filter, setFilter }) {
  const [set, setSet] = useState(first ?? sets[0]?.set ?? "");
  const [winner, setWinner] = useState("");
  const [from, setFrom] = useState(0);
  const [page, setPage] = useState(/** @type {GamePage | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => setFrom(0), [run, set, winner, filter.player, filter.opponent]);
  useEffect(() => {
    let over = false;
    const query = new URLSearchParams({ set, winner, player: filter.player, opponent: filter.opponent, from: String(from), count: String(AT_ONCE) });
    api.get(`/api/runs/${encodeURIComponent(run)}/games?${query}`).then(
      (answer) => !over && (setPage(answer), setError("")),
      (refused) => !over && setError(refused.message),
    );
    return () => void (over = true);
  }, [run, set, winner, filter.player, filter.opponent, from, changed]);
  const choice = (/** @type {string} */ value, /** @type {(value: string) => void} */ choose, /** @type {[string, string][]} */ options, /** @type {string} */ label) =>
    html`<select class="field" aria-label=${label} value=${value} onChange=${(/** @type {any} */ event) => choose(event.currentTarget.value)}>${options.map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}</select>`;
  const names = players.map((name) => /** @type {[string, string]} */ ([name, name]));
  return html`<section class="games-list">
    <div class="bar game-filters">
      ${sets.length > 1 && choice(set, setSet, sets.map((it) => [it.set, it.title]), strings.games.set)}
      ${players.length > 1 && choice(filter.player, (player) => setFilter({ ...filter, player }), [["", strings.games.anyPlayer], ...names], strings.games.anyPlayer)}
      ${players.length > 2 && choice(filter.opponent, (opponent) => setFilter({ ...filter, opponent }), [["", strings.games.anyOpponent], ...names], strings.games.anyOpponent)}
      ${choice(winner, setWinner, [["", strings.games.anyWinner], ["x", strings.games.winner.x], ["o", strings.games.winner.o], ["draw", strings.games.winner.draw]], strings.games.anyWinner)}
      <span class="grow"></span>
      ${page && page.total > 0 && html`<span class="dim num">${strings.games.range(page.from + 1, page.from + page.games.length, page.total)}</span>
        <button type="button" class="btn" disabled=${from === 0} onClick=${() => setFrom(Math.max(0, from - AT_ONCE))}>${strings.games.earlier}</button>
        <button type="button" class="btn" disabled=${page.from + page.games.length >= page.total} onClick=${() => setFrom(from + AT_ONCE)}>${strings.games.later}</button>`}
    </div>
    ${error && html`<p class="body" role="alert">${error}</p>`}
    ${page && page.total === 0 && html`<p class="body dim">${page.remark ?? strings.games.noMatch}</p>`}
    ${page && page.total > 0 && html`<div class="scroll"><table class="t num">
      <thead><tr><th class="r">${strings.games.list.number}</th><th>${strings.games.list.black}</th><th>${strings.games.list.white}</th><th>${strings.games.list.result}</th><th class="r">${strings.games.list.plies}</th><th class="opt">${strings.games.list.reason}</th><th></th></tr></thead>
      <tbody>${page.games.map((game, index) => row(game, page.from + index, replayLink(run, page.set, game)))}</tbody>
    </table></div>`}
  </section>`;
}

/**
 * @param {GameRow} game
 * @param {number} place
 * @param {string} replay
 */
function row(game, place, replay) {
  const won = (/** @type {string} */ side) => (game.winner === side ? "won" : "");
  const by = /** @type {Record<string, string>} */ (strings.games.reason)[game.reason] ?? game.reason;
  const result = game.winner === "draw" ? "½" : (game.winner ?? "–");
  const score = game.score === null ? "" : ` ${game.score > 0 ? "+" : game.score < 0 ? "−" : ""}${Math.abs(game.score)}`;
  return html`<tr><td class="r dim">${place + 1}</td><td class=${won("x")}>${game.black}</td><td class=${won("o")}>${game.white}</td><td>${result}${score}</td><td class="r">${game.moves.length}</td><td class="dim opt">${[by, game.opening > 0 && strings.games.opening(game.opening)].filter(Boolean).join(", ")}</td><td class="r"><a class="btn quiet" href=${replay}>${strings.games.replay}</a></td></tr>`;
}
