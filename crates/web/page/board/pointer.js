// Pointers on the board: a click acts on a cell, a drag moves a stone. Only the dragged stone is transformed.

import { useRef } from "../vendor/htm-preact.js";

/** @import { BoardProps } from "./board.js" */

/** A pointer that moved so many pixels drags. */
const DRAG = 5;

/**
 * @param {import("../vendor/htm-preact.js").Ref<SVGSVGElement | null>} svg
 * @param {BoardProps} props
 */
export function usePointer(svg, props) {
  /** @type {import("../vendor/htm-preact.js").Ref<{ id: number, cell: number, move: string | null, x: number, y: number, drags: boolean } | null>} */
  const press = useRef(null);
  const { geometry, legal, painting, act, play } = props;

  /** The point of an event in the board's units. @param {PointerEvent} event */
  const point = (event) => {
    const matrix = svg.current?.getScreenCTM()?.inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix ?? undefined);
  };
  /** @param {PointerEvent} event */
  const cellAt = (event) => {
    const { x, y } = point(event);
    return geometry.at(x, y);
  };
  const ghost = () => /** @type {SVGGElement | null} */ (svg.current?.querySelector(".ghost"));
  /** @param {number} cell */
  const stone = (cell) => svg.current?.querySelector(`[data-stone="${cell}"]`);

  /** @param {number} cell */
  const lift = (cell) => {
    const lifted = stone(cell)?.firstElementChild?.cloneNode(true);
    if (lifted) ghost()?.replaceChildren(lifted);
    stone(cell)?.classList.add("lifted");
    svg.current?.classList.add("dragging");
  };
  /** @param {number} cell */
  const putDown = (cell) => {
    ghost()?.replaceChildren();
    stone(cell)?.classList.remove("lifted");
    svg.current?.classList.remove("dragging");
  };

  /** @param {PointerEvent} event */
  const onPointerDown = (event) => {
    if (event.button !== 0 || press.current || !(event.target instanceof Element)) return;
    const cell = cellAt(event);
    if (cell === null) return;
    // A mark is pressed like the move itself. It may be drawn anew before the pointer goes up, so no click is waited for.
    const move = event.target.closest("[data-move]")?.getAttribute("data-move") ?? null;
    press.current = { id: event.pointerId, cell, move, x: event.clientX, y: event.clientY, drags: false };
    svg.current?.setPointerCapture(event.pointerId);
    if (painting) act(cell);
  };
  /** @param {PointerEvent} event */
  const onPointerMove = (event) => {
    const at = press.current;
    if (!at || at.id !== event.pointerId) return;
    if (painting) {
      const cell = cellAt(event);
      if (cell !== null && cell !== at.cell) {
        press.current = { ...at, cell };
        act(cell);
      }
      return;
    }
    if (!at.drags) {
      if (Math.hypot(event.clientX - at.x, event.clientY - at.y) < DRAG || !legal.some(({ from }) => from === at.cell)) return;
      at.drags = true;
      lift(at.cell);
      if (props.selected !== at.cell) act(at.cell); // shows the targets
    }
    const { x, y } = point(event);
    ghost()?.setAttribute("transform", `translate(${x} ${y})`);
  };
  /** @param {PointerEvent} event */
  const onPointerUp = (event) => {
    const at = press.current;
    if (!at || at.id !== event.pointerId) return;
    press.current = null;
    const cell = cellAt(event);
    if (painting) return;
    if (!at.drags) {
      if (cell !== at.cell) return;
      if (at.move !== null && legal.some(({ move }) => move === at.move)) play(at.move);
      else act(cell);
      return;
    }
    putDown(at.cell);
    const move = legal.find(({ from, to }) => from === at.cell && to === cell)?.move;
    if (svg.current) svg.current.dataset.dropped = move ?? "";
    if (move !== undefined) play(move);
    else if (cell !== at.cell) act(at.cell); // lets go
  };
  const onPointerCancel = () => {
    if (press.current?.drags) putDown(press.current.cell);
    press.current = null;
  };
  // A click shall not take the focus: the arrows then still walk through the game.
  const onMouseDown = (/** @type {MouseEvent} */ event) => event.preventDefault();
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onMouseDown };
}
