// A command on a line with a button that copies it.

import { html, useState } from "../vendor/htm-preact.js";
import { strings } from "./strings.js";

/** @param {{ label: string, command: string, children?: unknown }} props */
export function CopyLine({ label, command, children }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      // Without a clipboard the text can still be marked.
    }
  };
  return html`<div class="cmd"><span>${label}</span><code tabindex="0">${command}</code><button type="button" class="btn quiet no-print" onClick=${copy}>${copied ? strings.copied : strings.copy}</button>${children}</div>`;
}
