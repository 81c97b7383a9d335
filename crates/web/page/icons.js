// Small line icons, drawn in the text's colour.

import { html } from "./vendor/htm-preact.js";

/** @type {Record<string, string>} */
const PATHS = {
  first: "M3 2.5v9M11 2.5 5.5 7 11 11.5",
  back: "M9 2.5 4.5 7 9 11.5",
  forward: "M5 2.5 9.5 7 5 11.5",
  last: "M11 2.5v9M3 2.5 8.5 7 3 11.5",
  share: "M8.5 2.5h3v3M11.2 2.8 6.8 7.2M6 3H3v8h8V8",
  next: "M3 7h8M7.5 3.5 11 7l-3.5 3.5",
  up: "M7 11.5v-9M3.5 6 7 2.5 10.5 6",
  bin: "M2.5 4h9M5.5 4V2.5h3V4M4 4l.6 7.5h4.8L10 4",
  close: "M3 3l8 8M11 3l-8 8",
  copy: "M5 5h6.5v6.5H5zM9 5V2.5H2.5V9H5",
  done: "M2.5 7.5 5.5 10.5 11.5 3.5",
};

/** @param {{ name: keyof typeof PATHS }} props */
export function Icon({ name }) {
  return html`<svg class="line-icon" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}

export function StopIcon() {
  return html`<svg width="10" height="10" aria-hidden="true"><rect width="10" height="10" rx="1.5" fill="currentColor" /></svg>`;
}

export function StartIcon() {
  return html`<svg width="10" height="10" aria-hidden="true"><path d="M1.5 .8v8.4l7.5-4.2z" fill="currentColor" /></svg>`;
}

export function ThemeIcon() {
  return html`<svg width="15" height="15" viewBox="0 0 15 15" aria-hidden="true"><circle cx="7.5" cy="7.5" r="5.7" fill="none" stroke="currentColor" stroke-width="1.5" /><path d="M7.5 1.8a5.7 5.7 0 0 1 0 11.4z" fill="currentColor" /></svg>`;
}

/** The program's mark: an arrow up and a star. */
export function Logo() {
  return html`<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><path class="logo-arrow" d="M10 18V5.5M5.2 10 10 5.2 14.8 10" /><path class="logo-star" d="M16.4 1.2v5.2M14.1 2.5l4.6 2.6M18.7 2.5l-4.6 2.6" /></svg>`;
}
