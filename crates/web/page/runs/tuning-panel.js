// A search for parameters: what mattered, and a picture for each parameter.

import { html } from "../vendor/htm-preact.js";
import { explainedText, Scatter } from "../charts/scatter.js";
import { strings } from "../strings.js";

/** @import { ParameterDetail, TuningDetail } from "./types.js" */

/** @param {{ tuning: TuningDetail }} props */
export function TuningPanel({ tuning }) {
  return html`<section>
    <div class="section-head"><h3>${strings.runs.mattered}</h3><span class="dim">${strings.runs.matteredNote}</span></div>
    <div class="scroll"><table class="t num">
      <thead><tr><th>${strings.runs.parameter.key}</th><th class="share-head">${strings.runs.parameter.explained}</th><th class="r">${strings.runs.parameter.chance}</th><th class="r">${strings.runs.parameter.correlation}</th><th>${strings.runs.parameter.best}</th><th>${strings.runs.parameter.good}</th></tr></thead>
      <tbody>${tuning.parameters.map(row)}</tbody>
    </table></div>
    <div class="section-head"><h3>${strings.runs.scores}</h3><span class="dim">${strings.runs.scoresNote}</span></div>
    ${tuning.rungs.length > 0 && html`<div class="charts">${tuning.parameters.map((parameter, place) => html`<${Scatter} data=${dots(tuning, parameter, place)} />`)}</div>`}
  </section>`;
}

/** @param {ParameterDetail} parameter */
function row(parameter) {
  return html`<tr><td class="mono">${parameter.key}</td><td><span class="share-bar"><i style=${{ width: `${100 * parameter.explained}%` }}></i></span>${explainedText(parameter.explained)}</td><td class="r">${parameter.chance.toFixed(3)}</td><td class="r">${parameter.correlation === null ? "–" : parameter.correlation.toFixed(2).replace("-", "−")}</td><td class="mono">${parameter.best}</td><td class="mono">${parameter.good}</td></tr>`;
}

/**
 * @param {TuningDetail} tuning
 * @param {ParameterDetail} parameter
 * @param {number} place
 * @returns {import("../charts/scatter.js").ScatterData}
 */
function dots(tuning, parameter, place) {
  const all = tuning.rungs.map((rung) => ({
    trial: rung.trial,
    learned: rung.learned,
    unit: tuning.unit,
    score: rung.score,
    place: rung.places[place],
    value: `${parameter.key} = ${rung.values[place]}`,
    best: rung.trial === tuning.best,
  }));
  return { title: parameter.key, note: parameter.choices.length > 0 ? "score by choice" : "score", logarithmic: parameter.logarithmic, choices: parameter.choices, dots: all };
}
