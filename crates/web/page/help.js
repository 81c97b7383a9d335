// Keys, and what the marks mean.

import { Dialog } from "./dialog.js";
import { strings } from "./strings.js";
import { html } from "./vendor/htm-preact.js";

/** @import { Hello } from "./types.js" */

/** @param {{ hello: Hello | null, close: () => void }} props */
export function Help({ hello, close }) {
  const words = strings.help;
  return html`<${Dialog} title=${words.title} close=${close}><div class="help">
    <dl>${words.keys.map(([key, what]) => html`<dt>${key.split(" ").map((part) => (part !== "then" ? html`<kbd>${part.replace(",", "")}</kbd> ` : `${part} `))}</dt><dd>${what}</dd>`)}</dl>
    <p class="cap">${words.law}</p>
    ${hello && html`<h3>${words.rules}</h3><ul class="rules">${hello.games.map(({ game, summary }) => html`<li class="cap">${words.rule(game, summary)}</li>`)}</ul>`}${hello && html`<p class="cap dim">${words.version(hello.version)}</p>`}</div></${Dialog}>`;
}
