// Pictures of every room, at three widths, light and dark, to be looked at.
//
//   node tests/page/screenshots.mjs FOLDER [--runs DIR …] [--only TEXT]
//
// FOLDER should not be in the repository. Rooms of runs show what is below the folders of --runs.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { open, scoped, serve } from "./program.mjs";

/** @import { Page } from "playwright-core" */

const [folder, ...rest] = process.argv.slice(2);
if (!folder) throw new Error("name a folder for the pictures");
const only = rest.includes("--only") ? rest.splice(rest.indexOf("--only"), 2)[1] : "";
mkdirSync(folder, { recursive: true });

const waitFor = (/** @type {string} */ selector) => async (/** @type {Page} */ page) => void (await page.locator(selector).first().waitFor({ state: "attached" }));
const click = (/** @type {string} */ name) => async (/** @type {Page} */ page) => page.getByRole("button", { name }).first().click();
const firstOf = (/** @type {string} */ kind) => async (/** @type {Page} */ page) => {
  const { runs } = await page.evaluate(async () => (await fetch("/api/runs")).json());
  const run = runs.find((/** @type {any} */ each) => each.kind === kind); // the first that works, or the latest
  if (run) await page.evaluate((id) => (location.hash = `#runs/${id}`), run.id);
};

/** @type {[string, string, ((page: Page) => Promise<unknown>)?][]} */
const STATES = [
  ["board", "clobber/xx..xo|xo.xo.|.x.oxo|xo..xo|ox.xo.", waitFor(".cv tbody tr")],
  ["board-4x5", "clobber/4x5", waitFor(".mark")],
  ["board-10x10", "clobber/10x10", waitFor(".mark")],
  ["board-othello", "othello/8x8/x/f5d6c3d3c4", waitFor(".mark")],
  ["board-variations", "clobber/xxo.xo/x/b1c1(a1b1.c1b1).f1e1/~1", waitFor(".mark")],
  ["board-graph", "clobber/a=x,b=o,c=x,d=o,a-b,b-c,c-d,d-a,a-c", waitFor(".board")],
  ["editor", "clobber/3x4", click("Edit")],
  ["new-game", "clobber/3x4", click("New")],
  ["help", "clobber/3x4", click("Keys and help")],
  ["puzzles", "puzzles", waitFor(".puzzle-list")],
  ["puzzle", "puzzles/3", waitFor(".board")],
  ["runs", "runs", waitFor(".runhead")],
  ["runs-alphazero", "runs", firstOf("alphazero")],
  ["runs-solve", "runs", firstOf("solve")],
  ["runs-train", "runs", firstOf("train")],
  ["runs-tune", "runs", firstOf("tune")],
  ["games", "games", waitFor(".runs-room")],
  ["papers", "papers", waitFor(".paper-table")],
  ["papers-reading", "papers", async (page) => page.getByText("cammel2015/10", { exact: true }).first().click()],
];

await scoped(async (scope) => {
  const server = await serve(scope, rest);
  for (const theme of /** @type {const} */ (["light", "dark"])) {
    for (const width of [390, 1280, 1920]) {
      const { page } = await open(scope, "", { server: { ...server, tabs: [] }, theme, width, height: width === 390 ? 844 : 900 });
      for (const [name, fragment, act] of STATES.filter(([name]) => name.includes(only))) {
        await page.evaluate((hash) => (location.hash = `#${hash}`), fragment);
        await page.waitForTimeout(300);
        await act?.(page).catch((/** @type {Error} */ error) => console.error(`${name}: ${error.message.split("\n")[0]}`));
        await page.waitForTimeout(900);
        await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`), fullPage: false });
        await page.keyboard.press("Escape");
      }
      await page.context().browser()?.close();
    }
  }
});
