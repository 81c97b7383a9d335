// The tree of variations, drawn; every move can be gone to.

import { percent } from "../format.js";
import { Icon } from "../icons.js";
import { strings } from "../strings.js";
import { html, useLayoutEffect, useRef } from "../vendor/htm-preact.js";
import { exactClass, exactText } from "./marks.js";

/** @import { KnownMove } from "./known.js" */
/** @import { Tree } from "./tree.js" */

const [STEP, ROW, LEFT, TOP] = [72, 44, 28, 18];

/**
 * Where each node is drawn: its ply, and a row of its own for each variation, below the line that it leaves.
 * @param {Tree} tree
 * @returns {Map<number, { ply: number, row: number }>}
 */
export function layout(tree) {
  /** @type {Map<number, { ply: number, row: number }>} */
  const places = new Map();
  let rows = 0;
  /**
   * Places a main line, then its variations from its end to its beginning, so that they do not cross.
   * @param {number} from
   * @param {number} ply
   * @param {number} row
   */
  const place = (from, ply, row) => {
    /** @type {{ id: number, ply: number }[]} */
    const line = [];
    for (let id = from, at = ply; ; at += 1) {
      places.set(id, { ply: at, row });
      line.push({ id, ply: at });
      const [next] = tree.node(id).children;
      if (next === undefined) break;
      id = next;
    }
    for (const { id, ply: at } of line.reverse()) {
      for (const child of tree.node(id).children.slice(1)) {
        rows += 1;
        place(child, at + 1, rows);
      }
    }
  };
  place(0, 0, 0);
  return places;
}

/**
 * @param {{ tree: Tree, node: number, judge: (node: number) => KnownMove | null, go: (node: number) => void, remove: (node: number) => void, promote: (node: number) => void }} props
 */
export function Variations({ tree, node, judge, go, remove, promote }) {
  const words = strings.variations;
  const places = layout(tree);
  const path = new Set(tree.path(node).map(({ id }) => id));
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const here = places.get(node);
    if (!here || !box.current) return;
    const [x, { clientWidth, scrollLeft }] = [LEFT + here.ply * STEP, box.current];
    if (x < scrollLeft + STEP || x > scrollLeft + clientWidth - STEP) box.current.scrollLeft = x - clientWidth / 2;
    const y = TOP + here.row * ROW;
    if (y > box.current.scrollTop + box.current.clientHeight - ROW || y < box.current.scrollTop) box.current.scrollTop = y - ROW;
  }, [node, tree]);
  const rows = Math.max(...[...places.values()].map(({ row }) => row)) + 1;
  const plies = Math.max(...[...places.values()].map(({ ply }) => ply)) + 1;
  const [width, height] = [Math.max(LEFT + plies * STEP, 200), TOP + rows * ROW - 12];
  const x = (/** @type {number} */ id) => LEFT + (places.get(id)?.ply ?? 0) * STEP;
  const y = (/** @type {number} */ id) => TOP + (places.get(id)?.row ?? 0) * ROW;
  const nodes = [...tree.nodes.values()];
  const isMain = tree.line(0).some(({ id }) => id === node);
  return html`<section class="panel o5"><header><h2>${words.title}</h2><span class="note only-wide">${words.keys}</span>
    ${node !== 0 && html`<span class="note-buttons">${!isMain && html`<button class="btn quiet low" onClick=${() => promote(node)}><${Icon} name="up" />${words.promote}</button>`}<button class="btn quiet low" onClick=${() => remove(node)}><${Icon} name="bin" />${words.remove}</button></span>`}</header>
    <div class="body scroll tree-scroll" ref=${box} tabindex="0" role="region" aria-label=${words.title}><svg class="plot tree" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="group" aria-label=${words.treeLabel(nodes.length - 1)}>
      ${nodes.map(({ id, parent }) => parent !== null && html`<path key=${`l${id}`} class=${path.has(id) ? "branch on" : "branch"} d=${places.get(id)?.row === places.get(parent)?.row ? `M${x(parent)} ${y(parent)}H${x(id)}` : `M${x(parent)} ${y(parent)}h24V${y(id) - 10}q0 10 10 10H${x(id)}`} />`)}
      ${nodes.map(({ id, move, side }) => html`<g key=${id} class="tree-node" role="button" aria-label=${move ?? words.start} aria-current=${id === node ? "true" : "false"} onClick=${() => go(id)}>
        <rect class=${id === node ? "here filled" : "ply-hit"} x=${x(id) - 27} y=${y(id) - 14} width="54" height="40" rx="7" />
        ${id === 0 ? html`<circle class="tree-start" cx=${x(id)} cy=${y(id)} r="5" />` : html`<circle class=${`tree-stone rim-${side}`} cx=${x(id)} cy=${y(id)} r="8" fill=${`url(#g${side})`} />`}
        <text class=${path.has(id) ? "mono on" : "mono"} x=${x(id)} y=${y(id) + 20.5} text-anchor="middle">${move ?? words.start}</text>
        <${SmallMark} judged=${judge(id)} x=${x(id) + 16} y=${y(id) - 6} /></g>`)}
    </svg></div></section>`;
}

/** @param {{ judged: KnownMove | null, x: number, y: number }} props */
function SmallMark({ judged, x, y }) {
  if (judged?.exact) {
    const text = exactText(judged.exact);
    const width = text.length > 1 ? 22 : 14.4;
    return html`<rect x=${x - 7.2} y=${y - 7.2} width=${width} height="14.4" rx="7.2" class=${`m-${exactClass(judged.exact)} small`} /><text x=${x - 7.2 + width / 2} y=${y + 3.2} class=${`small-t on-${exactClass(judged.exact)}`}>${text}</text>`;
  }
  if (!judged?.estimate) return null;
  const side = judged.estimate.win >= 0.5 ? "w" : "l";
  const box = { x: x - 5, y: y - 7, width: 29, height: 14, rx: 3 };
  return html`<rect ...${box} class="e-box" /><rect ...${box} fill=${`url(#h${side})`} class="e-hatch" /><rect ...${box} class=${`e-line e-${side}`} /><text x=${x + 9.5} y=${y + 3.4} class="small-t">${percent(judged.estimate.win)}</text>`;
}
