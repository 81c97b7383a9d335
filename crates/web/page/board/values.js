// The sum of the parts of a Clobber position, and the thermograph and canonical form of each.

import { rational, valueName } from "../format.js";
import { strings } from "../strings.js";
import { html, useState } from "../vendor/htm-preact.js";
import { partLetter, partStyle } from "./parts.js";
import { Thermograph } from "./thermograph.js";

/** @import { Component, Valued, View } from "../types.js" */

/** Longer names are cut in lists; the canonical form can be copied whole. */
const LONG = 28;
/** So many parts have a button of their own. */
const MOST_BUTTONS = 6;

/**
 * @param {{ view: View, values: Valued | null, hide: boolean, lit: number | null, light: (part: number | null) => void, copy: (text: string) => void, longer: () => void, thinking: boolean }} props
 */
export function Values({ view, values, hide, lit, light, copy, longer, thinking }) {
  const words = strings.values;
  const [chosen, choose] = useState(/** @type {number | "sum"} */ (0));
  if (view.over) return null;
  if (!values || hide) {
    return html`<section class="panel o6"><header><h2>${words.title}</h2></header><div class="body"><p class="cap">${hide ? words.hidden : thinking ? words.searching : words.notAsked}</p></div></section>`;
  }
  const parts = values.components;
  const at = chosen === "sum" || parts.length === 0 ? null : Math.min(chosen, parts.length - 1);
  /** @type {Component} */
  const shown = at === null ? values : parts[at];
  const name = at === null ? words.sum : partLetter(at);
  const buttons = parts.slice(0, MOST_BUTTONS).map((_, part) => html`<button aria-pressed=${at === part ? "true" : "false"} onClick=${() => choose(part)}>${partLetter(part)}</button>`);
  return html`<div class="duo o6">
    <section class="panel"><header><h2>${words.title}</h2><span class="note"><button class="btn quiet low" onClick=${() => copy(words.asText(values))}>${words.copy}</button></span></header><div class="body">
      <p class="sumline">${sumOf(parts)} ${values.value !== null && html`<span>= <b title=${valueName(values.value)}>${cut(valueName(values.value))}</b></span>`}</p>
      <p class="outcome">${values.outcome ? html`<b>${words.outcome(values.outcome)}</b> ${words.whoMoves(view.to_move)}` : html`${words.notFound} <button class="btn low" onClick=${longer}>${words.longer}</button>`}</p>
      <table class="cv"><thead><tr><th>${words.part}</th><th>${words.value}</th><th>${words.weight}</th><th>${words.heat}</th></tr></thead>
        <tbody>${parts.map((part, index) => html`<tr key=${index} class=${lit === index ? "on" : ""} onPointerEnter=${() => light(index)} onPointerLeave=${() => light(null)} onClick=${() => choose(index)}>
          <td><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><rect x="1.5" y="1.5" width="15" height="15" rx="3.5" fill=${`url(#t${partStyle(index)})`} class="tex" /><rect x="1.5" y="1.5" width="15" height="15" rx="3.5" class=${`comp ${partStyle(index)}`} /></svg>${partLetter(index)}</td>
          <td class="val" title=${part.value === null ? "" : valueName(part.value)}>${part.value === null ? words.openValue : cut(valueName(part.value), 16)}</td><td>${part.atomic_weight === null ? "–" : valueName(part.atomic_weight)}</td><td>${part.temperature === null ? "–" : rational(part.temperature)}</td></tr>`)}</tbody></table>
    </div></section>
    <section class="panel"><header><h2>${words.thermograph}</h2>${parts.length > 1 && html`<div class="seg low" role="group" aria-label=${words.thermograph}>${buttons}<button aria-pressed=${at === null ? "true" : "false"} onClick=${() => choose("sum")}>${words.sum}</button></div>`}</header><div class="body">
      ${shown.thermograph ? html`<${Thermograph} thermograph=${shown.thermograph} name=${name} />` : html`<p class="cap">${words.noThermograph}</p>`}
      ${shown.canonical && html`<p class="cap"><span class="val canonical">${name} = ${cut(valueName(shown.canonical), 120)}</span>${isInfinitesimal(shown) && html`; ${words.infinitesimal}`}</p>`}
      <p class="copies">${shown.latex && html`<button class="btn quiet low" onClick=${() => copy(shown.latex ?? "")}>${strings.copy.latex}</button>`}${shown.cgsuite && html`<button class="btn quiet low" onClick=${() => copy(shown.cgsuite ?? "")}>${strings.copy.cgsuite}</button>`}${shown.canonical && html`<button class="btn quiet low" onClick=${() => copy(shown.canonical ?? "")}>${words.canonical}</button>`}</p>
    </div></section></div>`;
}

/** @param {Component} component */
function isInfinitesimal({ value, temperature, thermograph }) {
  return value !== null && value !== "0" && temperature === 0 && thermograph?.mast === 0;
}

/** @param {Component[]} parts */
function sumOf(parts) {
  if (parts.length === 0) return html`<span>0</span>`;
  return parts.map((part, index) => html`<span>${index > 0 ? " + " : ""}${part.value === null ? "?" : cut(valueName(part.value))}<sub>${partLetter(index)}</sub></span> `);
}

/**
 * @param {string} text
 * @param {number} [longest]
 */
function cut(text, longest = LONG) {
  return text.length > longest ? text.slice(0, longest - 1) + "…" : text;
}
