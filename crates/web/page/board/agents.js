// The choice of who sits at a side: a person, or an agent that the server allows.

import { strings } from "../strings.js";
import { html } from "../vendor/htm-preact.js";
import { PERSON } from "./table.js";

/** @import { Hello } from "../types.js" */

/**
 * The agents that play this game.
 * @param {Hello | null} hello
 * @param {string} played the game
 */
export function agentsFor(hello, played) {
  return (hello?.agents ?? []).filter(({ game }) => game === null || played.startsWith(game));
}

/**
 * @param {{ game: string, side: string, who: string, hello: Hello | null, sit: (who: string) => void }} props
 */
export function SeatSelect({ game, side, who, hello, sit }) {
  const agents = agentsFor(hello, game);
  const known = who === PERSON || agents.some(({ spec }) => spec === who);
  const choose = (/** @type {Event} */ event) => sit(/** @type {HTMLSelectElement} */ (event.target).value);
  return html`<select class="field seat-select" aria-label=${strings.seats.whoPlays(side)} value=${who} onChange=${choose}>
    <option value=${PERSON}>${strings.seats.person}</option>${!known && html`<option value=${who}>${strings.seats.agent(who)}</option>`}
    ${agents.map(({ spec, label }) => html`<option value=${spec}>${label}</option>`)}</select>`;
}
