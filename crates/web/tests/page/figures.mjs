// How quick the page is, in a real browser. A command, not a test: run it on a quiet machine.
//
//   node tests/page/figures.mjs [ROUNDS [WHAT]]
//
// WHAT is paint, marks or frames; without it all of them.

import { middle, cellsOf, open, scoped, serve } from "./program.mjs";

/** @import { Page } from "playwright-core" */

const rounds = Number(process.argv[2] ?? 7);

/**
 * @param {string} what
 * @param {number[]} times in milliseconds
 */
function tell(what, times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  console.log(`${what}: ${sorted.length} times, median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, ${sorted[0].toFixed(1)} to ${at(1)} ms`);
}

/**
 * From the request until something is painted, and until the board is, with a server that has sent the page before: in a browser that has never seen the
 * page, and in the same one again.
 */
async function firstPaint() {
  /** @type {Record<string, { content: number[], board: number[] }>} */
  const times = { "never seen": { content: [], board: [] }, "seen before": { content: [], board: [] } };
  await scoped(async (scope) => {
    const server = await serve(scope);
    const { page, url } = await open(scope, "clobber/4x5", { server });
    await page.getByText("All 31 moves proved.").waitFor();
    const browser = page.context().browser();
    await page.close();
    for (let round = 0; browser && round < rounds; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      for (const { content, board } of Object.values(times)) {
        const time = await painted(await context.newPage(), `${url}#clobber/4x5`);
        content.push(time.content);
        board.push(time.board);
      }
      await context.close();
    }
  });
  for (const [browser, { content, board }] of Object.entries(times)) {
    tell(`first contentful paint, page ${browser}`, content);
    tell(`the board is painted, page ${browser}`, board);
  }
}

/**
 * @param {Page} page closed when the analysis is through, so that it does not run on into the next
 * @param {string} url
 */
async function painted(page, url) {
  await page.addInitScript(() => {
    const look = () => {
      if (!document.querySelector(".board [data-stone]")) requestAnimationFrame(look);
      else setTimeout(() => (/** @type {any} */ (window).boardTime = performance.now()));
    };
    requestAnimationFrame(look);
  });
  await page.goto(url);
  await page.getByText("All 31 moves proved.").waitFor();
  const time = await page.evaluate(() => ({ content: performance.getEntriesByName("first-contentful-paint")[0].startTime, board: Number(/** @type {any} */ (window).boardTime) }));
  await page.close();
  return time;
}

/**
 * From the press on a move's target until every move of the new position has its exact mark on the screen. A server and a tab of its own for each game, so
 * that only what was asked before in it is known.
 */
async function exactMarks() {
  /** @type {{ first: number[], all: number[] }} */
  const times = { first: [], all: [] };
  for (let round = 0; round < rounds; round += 1) {
    await scoped(async (scope) => {
      const server = await serve(scope);
      const { page } = await open(scope, "clobber/4x5", { server, motion: true });
      await page.getByText("All 31 moves proved.").waitFor();
      for (let ply = 0; ply < 4; ply += 1) {
        const moves = await page.locator(".moves .mv-button").allTextContents();
        const [from, to] = cellsOf(moves[(7 * round + 3 * ply) % moves.length]);
        const time = await marksAfter(page, await middle(page, from), await middle(page, to), ply + 1);
        times.all.push(time);
        if (ply === 0) times.first.push(time);
      }
    });
  }
  tell("exact marks after the first move on 4x5", times.first);
  tell("exact marks after each of the first four moves on 4x5", times.all);
}

/**
 * @param {Page} page
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 * @param {number} ply
 */
async function marksAfter(page, from, to, ply) {
  await page.mouse.click(from.x, from.y);
  await page.evaluate((ply) => {
    const shared = /** @type {any} */ (window);
    shared.marked = new Promise((resolve) => {
      addEventListener("pointerdown", () => {
        const begun = performance.now();
        const look = () => {
          const all = document.querySelector(".verdict .exact p")?.textContent?.match(/All (\d+) moves? proved/);
          const isThere = document.querySelector(".plies")?.textContent?.startsWith(`${ply} /`);
          const marks = document.querySelectorAll(".mark .m-t").length;
          if (all && isThere && marks === Number(all[1])) requestAnimationFrame(() => resolve(performance.now() - begun));
          else requestAnimationFrame(look);
        };
        look();
      }, { capture: true, once: true });
    });
  }, ply);
  await page.mouse.click(to.x, to.y);
  return page.evaluate(() => /** @type {any} */ (window).marked);
}

/** The time between frames while a stone of 10x10 is dragged, with the analysis on. */
async function dragging() {
  await scoped(async (scope) => {
    const { page } = await open(scope, "clobber/10x10", { motion: true });
    await page.locator(".mark").first().waitFor({ state: "attached" });
    const { x, y } = await middle(page, "e5");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.evaluate(() => {
      const shared = /** @type {any} */ (window);
      shared.frames = [];
      let before = performance.now();
      const frame = (/** @type {number} */ now) => {
        shared.frames.push(now - before);
        before = now;
        shared.request = requestAnimationFrame(frame);
      };
      shared.request = requestAnimationFrame(frame);
    });
    for (let step = 0; step < 300; step += 1) await page.mouse.move(x + 120 * Math.sin(step / 20), y + 120 * Math.cos(step / 20) - 120);
    const frames = await page.evaluate(() => {
      const shared = /** @type {any} */ (window);
      cancelAnimationFrame(shared.request);
      return /** @type {number[]} */ (shared.frames.slice(1));
    });
    await page.mouse.up();
    tell("frames while a stone of 10x10 is dragged", frames);
  });
}

const figures = { paint: firstPaint, marks: exactMarks, frames: dragging };
const [, , , only] = process.argv;
for (const [name, measure] of Object.entries(figures)) if (only === undefined || only === name) await measure();
