// Games played to their end by every means that a player has.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sketchOf } from "../../page/board/sketch.js";
import { middle, open, playOut, serve, skip } from "./program.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** Each way to play a move. @type {Record<string, (page: Page) => (cells: string[]) => Promise<void>>} */
const MEANS = {
  mouse: (page) => async (cells) => {
    for (const cell of cells) {
      const { x, y } = await middle(page, cell);
      await page.mouse.click(x, y);
      if (cells.length > 1 && cell === cells[0]) await page.locator('[role=gridcell][aria-selected="true"]').waitFor();
    }
  },
  drag: (page) => async (cells) => {
    const [from, to] = [await middle(page, cells[0]), await middle(page, cells[cells.length - 1])];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  },
  keyboard: (page) => async (cells) => {
    for (const cell of cells) {
      await page.locator('.board [tabindex="0"]').focus();
      for (;;) {
        const at = String(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")?.split(",")[0]));
        const [dx, dy] = [cell.charCodeAt(0) - at.charCodeAt(0), Number(cell.slice(1)) - Number(at.slice(1))];
        if (dx === 0 && dy === 0) break;
        await page.keyboard.press(dx > 0 ? "ArrowRight" : dx < 0 ? "ArrowLeft" : dy > 0 ? "ArrowDown" : "ArrowUp");
      }
      await page.keyboard.press("Enter");
    }
  },
  typing: (page) => async (cells) => {
    await page.keyboard.press("/");
    await page.keyboard.type(cells.join(""));
    await page.keyboard.press("Enter");
    await page.locator(".move-field").blur();
  },
  touch: (page) => async (cells) => {
    for (const cell of cells) {
      await page.locator(`[role=gridcell][aria-label^="${cell},"]`).scrollIntoViewIfNeeded();
      const { x, y } = await middle(page, cell);
      await page.touchscreen.tap(x, y);
    }
  },
};

for (const [name, means] of Object.entries(MEANS)) {
  test(`a game of Clobber by ${name}`, { skip }, async (t) => {
    const { page } = await open(t, "clobber/3x4", name === "touch" ? { touch: true, width: 390, height: 844 } : {});
    const moves = await playOut(page, means(page));
    assert(moves.length >= 5);
    // Who cannot move has lost.
    const winner = moves.length % 2 === 1 ? "x" : "o";
    await page.getByRole("heading", { name: `${winner} has won` }).waitFor();
    assert.match(new URL(page.url()).hash, new RegExp(`/x/${moves.join("\\.")}$`));
  });
  if (name === "drag") continue; // there is nothing to drag in Othello
  test(`a game of Othello by ${name}`, { skip }, async (t) => {
    const { page } = await open(t, "othello/4x4", name === "touch" ? { touch: true, width: 390, height: 844 } : {});
    const moves = await playOut(page, means(page));
    assert(moves.length >= 8);
    await page.locator(".verdict h2", { hasText: /has won by [0-9]+|Draw/ }).waitFor();
  });
}

test("the same cell again lets go", { skip }, async (t) => {
  const { page } = await open(t, "clobber/2x3");
  const { x, y } = await middle(page, "a1");
  const selected = page.locator('[role=gridcell][aria-selected="true"]');
  await page.mouse.click(x, y);
  await selected.waitFor();
  await page.locator("text=Selected; can take").waitFor({ state: "attached" });
  await page.mouse.click(x, y);
  await selected.waitFor({ state: "detached" });
});

test("nothing is lost by going back", { skip }, async (t) => {
  const { page } = await open(t, "clobber/xoxo");
  const play = MEANS.mouse(page);
  const hash = () => decodeURIComponent(new URL(page.url()).hash);
  await play(["c1", "d1"]);
  await page.getByLabel("c1d1").first().waitFor();
  await page.waitForFunction(() => location.hash.includes("c1d1"));
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => location.hash.endsWith("~0"));
  await play(["a1", "b1"]);
  await page.waitForFunction(() => location.hash.includes("("));
  assert.equal(hash(), "#clobber/xoxo/x/c1d1(a1b1)/~2");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => location.hash.endsWith("~1"));
  await page.keyboard.press("ArrowDown");
  await page.getByRole("button", { name: "Promote" }).click();
  await page.waitForFunction(() => location.hash.includes("a1b1(c1d1)"));
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForFunction(() => location.hash.endsWith("/x/c1d1/~0"));
});

test("an agent answers, and moves are taken back to the person's", { skip }, async (t) => {
  const { page } = await open(t, "clobber/4x5");
  await page.getByLabel("Who plays o").selectOption("random");
  await MEANS.mouse(page)(["a1", "b1"]);
  await page.locator(".plies", { hasText: "2 / 2" }).waitFor();
  await page.getByRole("button", { name: "Take back" }).click();
  await page.locator(".plies", { hasText: "0 / 2" }).waitFor();
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("heading", { name: "o wins: x has resigned" }).waitFor();
});

test("two agents play to the end, and can be paused", { skip }, async (t) => {
  const { page } = await open(t, "othello/4x4");
  await page.getByLabel("Who plays o").selectOption("random");
  await page.getByLabel("Who plays x").selectOption("greedy");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  await page.getByLabel("Time between moves").selectOption("0");
  await page.getByRole("button", { name: "Go on" }).click();
  await page.locator(".verdict h2", { hasText: /has won|Draw/ }).waitFor();
});

test("games that are not for two can be played", { skip }, async (t) => {
  const server = await serve(t);
  for (const game of ["clobber:solitaire", "clobber:colors=3"]) {
    const { page } = await open(t, `${game}/2x3`, { server });
    await page.getByText("not for two sides").waitFor();
    const moves = await playOut(page, MEANS.mouse(page));
    assert(moves.length > 0, game);
  }
});

test("a graph is played on the drawing and in the list", { skip }, async (t) => {
  const { page } = await open(t, "clobber/a=x,b=o,c=x,d=o,a-b,b-c,c-d,d-a,a-c");
  await page.getByText("The board as a list").click();
  await page.locator(".neighbours .mv-button").first().click();
  await page.locator(".plies", { hasText: "1 / 1" }).waitFor();
  const moves = await page.locator(".move-field").getAttribute("placeholder");
  assert(moves);
});

test("what is drawn before the server answers is what it answers", { skip }, async (t) => {
  const { url } = await serve(t, ["--public"]);
  for (const [text, isWhole] of /** @type {[import("../../page/types.js").BoardText, boolean][]} */ ([
    [{ game: "clobber", position: "4x5" }, true],
    [{ game: "clobber", position: "3x3", moves: ["a1a2", "b1c1"] }, true],
    [{ game: "clobber", position: "xo#|ox.", to_move: "o" }, true],
    [{ game: "othello", position: "6x6" }, false],
  ])) {
    const response = await fetch(`${url}api/position`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(text) });
    const { board, stones } = /** @type {import("../../page/types.js").View} */ (await response.json());
    const sketch = sketchOf(text);
    assert.deepEqual(sketch?.board, board);
    assert.equal(sketch?.stones, isWhole ? stones : ".".repeat(stones.length));
  }
  assert.equal(sketchOf({ game: "clobber", position: "a=x,b=o,a-b" }), null);
});
