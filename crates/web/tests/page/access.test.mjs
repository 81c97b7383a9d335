// Everybody can use it: axe-core finds no serious fault in any room, at any width, in both themes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { open, serve, skip } from "./program.mjs";

const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** @param {import("playwright-core").Page} page */
async function faults(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => /** @type {any} */ (window).axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter((/** @type {any} */ fault) => ["serious", "critical"].includes(fault.impact));
  return serious.map((/** @type {any} */ fault) => `${fault.id}: ${fault.nodes.map((/** @type {any} */ node) => `${node.target} ${node.failureSummary}`).slice(0, 3).join("; ")}`);
}

/** @type {[string, string, (page: import("playwright-core").Page) => Promise<void>][]} */
const STATES = [
  ["a board with proofs", "clobber/xx.xo|ox.oo", async (page) => void (await page.locator(".mark").first().waitFor({ state: "attached" }))],
  ["a board with estimates", "othello/8x8/x/f5d6c3", async (page) => void (await page.locator(".mark").first().waitFor({ state: "attached" }))],
  ["the editor", "clobber/3x4", async (page) => page.getByRole("button", { name: "Edit" }).click()],
  ["a new game", "clobber/3x4", async (page) => page.getByRole("button", { name: "New" }).click()],
  ["variations and hidden answers", "clobber/xoxo/x/c1d1(a1b1)/~2", async (page) => page.getByRole("switch", { name: "Hide answers" }).click()],
  ["a graph", "clobber/a=x,b=o,c=x,a-b,b-c", async (page) => page.getByText("The board as a list").click()],
  ["the puzzles", "puzzles", async (page) => void (await page.locator(".puzzle-list").waitFor())],
  ["a puzzle", "puzzles/1", async (page) => void (await page.locator(".board").waitFor())],
];

for (const [theme, width] of /** @type {const} */ ([["light", 1280], ["dark", 390]])) {
  test(`no serious fault, ${theme}, ${width} pixels`, { skip }, async (t) => {
    const server = await serve(t);
    for (const [name, fragment, act] of STATES) {
      await t.test(name, async (sub) => {
        const { page } = await open(sub, fragment, { server, theme, width });
        await page.locator(".board, .puzzles").first().waitFor();
        await act(page);
        assert.deepEqual(await faults(page), []);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(sideways, 0, "the page scrolls sideways");
      });
    }
  });
}
