// Copies of a position: text, link, pictures and other programs' formats.

import { strings } from "../strings.js";

/** @import { ApiType } from "../api.js" */
/** @import { BoardText, View } from "../types.js" */

/**
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without leave for the clipboard, by the old way.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * A picture of points, drawn from the lines.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
async function png(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error(strings.copy.noPicture));
      image.src = url;
    });
    const scale = Math.max(1, 1200 / Math.max(image.width, 1));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(strings.copy.noPicture))), "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * What can be copied of a position, as items of a menu.
 * @param {{ api: ApiType, board: BoardText, view: View, said: (sentence: string) => void, fail: (error: unknown) => void }} what
 */
export function copies({ api, board, view, said, fail }) {
  const words = strings.copy;
  const item = (/** @type {string} */ name, /** @type {() => Promise<string>} */ work) => ({
    name,
    run: () => void work().then(said, fail),
  });
  const text = (/** @type {string} */ name, /** @type {string} */ format) =>
    item(name, async () => {
      await copyText((await api.export(board, format)).text);
      return words.copied(name);
    });
  // The server's transcripts are Othello's; here a list of moves is what the page reads, too.
  const moves = item(words.transcript, async () => {
    await copyText(view.moves.join(" "));
    return words.copied(words.transcript);
  });
  const isOthello = view.game.startsWith("othello");
  return [
    item(words.link, async () => {
      await copyText(location.href);
      return words.copied(words.link);
    }),
    text(words.text, "text"),
    item(words.svg, async () => {
      const { text: svg, file, mime } = await api.export(board, "svg");
      save(new Blob([svg], { type: mime }), file);
      return words.saved(file);
    }),
    item(words.png, async () => {
      const { text: svg, file } = await api.export(board, "svg");
      const name = file.replace(/\.svg$/, ".png");
      save(await png(svg), name);
      return words.saved(name);
    }),
    text(words.latex, "latex"),
    ...(isOthello ? [text(words.obf, "obf"), text(words.ggf, "ggf"), text(words.transcript, "transcript")] : [text(words.cgsuite, "cgsuite"), ...(view.moves.length > 0 ? [moves] : [])]),
    text(words.openspiel, "openspiel"),
  ];
}
