// A command on a line with a button that copies it.

import { Icon } from "../icons.js";
import { html, useState } from "../vendor/htm-preact.js";
import { strings } from "../strings.js";

/** @param {{ label: string, command: string, children?: unknown }} props */
export function CopyLine({ label, command, children }) {
  return html`<div class="cmd"><span>${label}</span><code tabindex="0">${command}</code><${CopyButton} text=${command} />${children}</div>`;
}

/**
 * A button that copies a text; with an icon where it is `spoken` of. Without a clipboard the text can still be marked where it stands.
 * @param {{ text: string, spoken?: string }} props
 */
export function CopyButton({ text, spoken }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      // The text stands on the page, or in the button's title.
    }
  };
  if (spoken) return html`<button type="button" class="btn quiet icon no-print" title=${`${spoken}\n${text}`} aria-label=${copied ? strings.runs.copied : spoken} onClick=${copy}><${Icon} name=${copied ? "done" : "copy"} /></button>`;
  return html`<button type="button" class="btn quiet no-print" onClick=${copy}>${copied ? strings.runs.copied : strings.runs.copy}</button>`;
}
