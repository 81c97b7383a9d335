// Dialogs and menus, by the browser's own means: <dialog> and popovers that close by themselves.

import { Icon } from "./icons.js";
import { strings } from "./strings.js";
import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";

/**
 * A modal dialog while it is drawn.
 * @param {{ title: string, close: () => void, children?: unknown, wide?: boolean }} props
 */
export function Dialog({ title, close, children, wide = false }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const outside = (/** @type {MouseEvent} */ event) => event.target === dialog.current && close();
  return html`<dialog ref=${dialog} class=${wide ? "dialog wide" : "dialog"} aria-label=${title} onClose=${close} onClick=${outside}><div class="dialog-box">
    <header><h2>${title}</h2><button class="btn icon quiet" aria-label=${strings.shell.close} onClick=${close}><${Icon} name="close" /></button></header>
    ${children}</div></dialog>`;
}

/**
 * A button that opens a list of actions.
 * @param {{ label: unknown, title?: string, className?: string, items: { name: string, note?: string, run: () => void }[] }} props
 */
export function Menu({ label, title, className = "", items }) {
  const [open, setOpen] = useState(false);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => {
    if (!open) return;
    const close = (/** @type {Event} */ event) => {
      const isKey = event instanceof KeyboardEvent;
      if (isKey ? !["Escape", "Tab"].includes(event.key) : box.current?.contains(/** @type {Node} */ (event.target))) return;
      if (isKey) button.current?.focus();
      setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    const first = box.current?.querySelector("[role=menuitem]");
    if (first instanceof HTMLElement) first.focus();
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, [open]);
  const step = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...(box.current?.querySelectorAll("[role=menuitem]") ?? [])];
    const next = all[(all.indexOf(/** @type {Element} */ (document.activeElement)) + by + all.length) % all.length];
    if (next instanceof HTMLElement) next.focus();
  };
  return html`<span class=${`menu ${className}`} ref=${box}><button ref=${button} class="btn" aria-haspopup="menu" aria-expanded=${open ? "true" : "false"} aria-label=${title} onClick=${() => setOpen(!open)}>${label}<span aria-hidden="true"> ▾</span></button>
    ${open && html`<ul role="menu" onKeyDown=${step}>${items.map(({ name, note, run }) => html`<li role="none"><button role="menuitem" tabindex="-1" onClick=${() => {
      setOpen(false);
      button.current?.focus();
      run();
    }}>${name}${note && html`<small>${note}</small>`}</button></li>`)}</ul>`}</span>`;
}
