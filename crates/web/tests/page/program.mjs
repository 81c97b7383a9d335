// The real program in a real browser, for the tests.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const folder = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
/** The program: what UPSTAR says, or the release build of this repository. */
export const PROGRAM = process.env.UPSTAR ?? folder("../../../../target/release/upstar");
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** A folder to serve the page from instead of what is inside the program, for work on it. */
const PAGE = process.env.PAGE;

/** Why browser tests cannot be run here, or false. */
export const skip = !existsSync(PROGRAM) ? `there is no program ${PROGRAM}` : !existsSync(BROWSER) ? `there is no browser ${BROWSER}` : false;

/** Whatever says what is to be done at its end: a test, or a command of ours. @typedef {{ after: (end: () => Promise<void>) => void }} Scope */

/**
 * Does something with a scope of its own, outside of tests.
 * @param {(scope: Scope) => Promise<void>} work
 */
export async function scoped(work) {
  /** @type {(() => Promise<void>)[]} */
  const ends = [];
  try {
    await work({ after: (end) => void ends.push(end) });
  } finally {
    for (const end of ends) await end();
  }
}

/**
 * Starts the server; it ends with the test.
 * @param {Scope} t
 * @param {string[]} [options]
 * @param {string} [port]
 */
export async function serve(t, options = [], port = "0") {
  const child = spawn(PROGRAM, ["serve", "--no-open", "--port", port, ...(PAGE ? ["--page", PAGE] : []), ...options], { stdio: ["ignore", "pipe", "inherit"] });
  /** What closes the tabs, which comes first. @type {(() => Promise<void>)[]} */
  const tabs = [];
  t.after(async () => {
    try {
      for (const close of tabs) await close();
    } finally {
      child.kill();
    }
  });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    child.stdout.on("data", (data) => {
      said += data;
      const address = said.match(/http:\/\/\S+/);
      if (address) resolve(address[0]);
    });
  });
  return { url: String(url), child, tabs };
}

/**
 * A tab of the page. Whatever is written to its console as an error fails the test, unless `errors` is emptied, or the tab is `left`: one that has lost
 * its server asks for it again and again.
 * @param {Scope} t
 * @param {string} fragment
 * @param {{ motion?: boolean, width?: number, height?: number, touch?: boolean, theme?: 'light' | 'dark', server?: Awaited<ReturnType<typeof serve>> }} [how]
 */
export async function open(t, fragment, { width = 1280, height = 900, touch = false, theme = "light", motion = false, server } = {}) {
  const { url, tabs } = server ?? (await serve(t));
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const context = await browser.newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch, colorScheme: theme, reducedMotion: motion ? "no-preference" : "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  /** @type {string[]} */
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("response", (response) => response.status() >= 400 && errors.push(`${response.status()} ${response.url()} ${response.request().postData() ?? ""}`));
  tabs.push(async () => {
    await browser.close();
    assert.deepEqual(errors, []);
  });
  await page.goto(`${url}#${fragment}`);
  const leave = async () => {
    await page.close();
    errors.length = 0;
  };
  return { page, errors, leave, url };
}

/**
 * The middle of a cell on the screen, once the board can be played on: a sketch of it is there before.
 * @param {import("playwright-core").Page} page
 * @param {string} cell
 */
export async function middle(page, cell) {
  await page.locator('.board-room:not(:has([aria-busy="true"]))').waitFor();
  const box = await page.locator(`[role=gridcell][aria-label^="${cell},"]`).boundingBox();
  assert(box, `there is no cell ${cell}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The cells of a move. @param {string} move */
export function cellsOf(move) {
  return move.match(/[a-z]+[0-9]+/g) ?? [];
}

/**
 * Plays the first legal move again and again until the game is over.
 * @param {import("playwright-core").Page} page
 * @param {(cells: string[]) => Promise<void>} play
 * @returns {Promise<string[]>} the moves
 */
export async function playOut(page, play) {
  const moves = [];
  const field = page.locator(".move-field");
  for (;;) {
    await page.locator(".board").waitFor();
    const move = (await field.getAttribute("placeholder")) ?? "–";
    if (move === "–") break;
    if (move === "pass") await page.getByRole("button", { name: "Pass" }).click();
    else await play(cellsOf(move));
    moves.push(move);
    await page.waitForFunction((count) => document.querySelector(".plies")?.textContent?.startsWith(`${count} /`), moves.length);
  }
  return moves;
}
