// One run, or several over each other: head, facts, curves and whatever its kind has besides.

import { html, useState } from "../vendor/htm-preact.js";
import { Key } from "../charts/legend.js";
import { LineChart, toggled } from "../charts/line-chart.js";
import { StandingsPanel } from "../games/standings-panel.js";
import { VerdictBar } from "../papers/verdicts.js";
import { areSeeds, chartsOf, overlaid, shortNames, together } from "./compare.js";
import { CopyLine } from "./copy-line.js";
import { timeText } from "./links.js";
import { SettingsPanel } from "./settings-panel.js";
import { SolvePanel } from "./solve-panel.js";
import { StateMark } from "./state-mark.js";
import { strings } from "../strings.js";
import { TuningPanel } from "./tuning-panel.js";

/** @import { RunDetail } from "./types.js" */

/**
 * `alone` says that there is no server and no other room: a report.
 * @param {{ runs: RunDetail[], alone?: boolean, actions?: unknown, games?: unknown, choose?: (player: string, opponent: string) => void }} props
 */
export function RunDetailView({ runs, alone = false, actions, games, choose }) {
  const [hidden, setHidden] = useState(/** @type {Set<string>} */ (new Set()));
  const seeds = areSeeds(runs);
  // A report has repetitions together at first.
  const [joined, setJoined] = useState(alone && seeds);
  const run = runs[0];
  const names = shortNames(runs.map((each) => each.name));
  const many = runs.length > 1;
  const shown = runs.filter((_, place) => !hidden.has(names[place]));
  const charts = many ? overlaid(shown, names.filter((name) => !hidden.has(name))) : chartsOf(run);
  // Colours stay with their runs while some are hidden.
  if (many) for (const chart of charts) for (const line of chart.series) line.style = names.indexOf(line.name) % 8;
  const drawn = seeds && joined ? charts.filter((chart) => chart.series.length > 1).map((chart) => together(chart, strings.runs.meanOf(chart.series.length))) : charts;
  return html`<section class="panel table run">
      <div class="runhead">
        <div class="bar"><${StateMark} state=${run.state} share=${run.share} /><h1 class="title">${many ? names.join(", ") : run.name}<small>${strings.runs.aboutState(run.about, strings.runs.state[run.state])}</small></h1><span class="grow"></span>${actions}</div>
        <div class="bar">
          ${!many && html`<${Facts} run=${run} />`}
          ${many && html`<div class="legend runs-legend">${names.map((name, place) => html`<button type="button" aria-pressed=${!hidden.has(name)} onClick=${() => setHidden(toggled(hidden, name))}><${Key} style=${place % 8} />${name}</button>`)}</div>`}
          ${many && seeds && html`<button type="button" class="switch" role="switch" aria-checked=${joined} onClick=${() => setJoined(!joined)}><i></i>${strings.runs.seedsTogether}</button>`}
        </div>
        ${runs.flatMap((each) => each.remarks).map((remark) => html`<p class="remark" role="status">${remark}</p>`)}
      </div>
      ${!many && run.solve && html`<${SolvePanel} solve=${run.solve} alone=${alone} />`}
      ${!many && run.standings && html`<${StandingsPanel} standings=${run.standings} choose=${choose} />`}
      ${!many && run.verdicts && html`<div class="body"><${VerdictBar} summary=${run.verdicts} />${!alone && html`<p><a class="btn" href=${`#papers/${run.id}`}>${strings.runs.papers}</a></p>`}</div>`}
      ${!many && run.tuning && html`<${TuningPanel} tuning=${run.tuning} />`}
      ${drawn.length > 0 && html`<div class="charts">${drawn.map((chart) => html`<${LineChart} key=${chart.title + chart.right} data=${chart} legend=${!many} />`)}</div>`}
      ${runs.map((each, place) => html`<${CopyLine} key=${each.id} label=${many ? names[place] : strings.runs.repeat} command=${each.command} />`)}
      ${!many && run.resume && html`<${CopyLine} label=${strings.runs.goOn} command=${run.resume} />`}
    </section>
    ${games}
    <${SettingsPanel} runs=${runs} names=${names} />`;
}

/** @param {{ run: RunDetail }} props */
function Facts({ run }) {
  return html`<div class="facts num">
    ${!run.standings && html`<span>${run.progress}</span>`}
    ${run.facts.map((fact) => html`<span>${fact.name}<b>${fact.value}</b></span>`)}
    ${run.left !== null && html`<span><b>${strings.runs.left(timeText(run.left))}</b> <i class="tag est">${strings.runs.estimate}</i></span>`}
  </div>`;
}
