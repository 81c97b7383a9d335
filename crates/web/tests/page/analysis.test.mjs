// What the page says about positions, and what it keeps to itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { middle, open, serve, skip } from "./program.mjs";

test("4x5 is solved with exact marks on every move", { skip }, async (t) => {
  const { page } = await open(t, "clobber/4x5");
  await page.getByRole("heading", { name: "x wins, proved" }).waitFor();
  await page.getByText("All 31 moves proved.").waitFor();
  const letters = await page.locator(".mark .m-t").allTextContents();
  assert.equal(letters.length, 31);
  assert(letters.every((letter) => letter === "W" || letter === "L"));
  assert.equal(await page.locator(".mark .e-box").count(), 0);
  // The marks are where the table says: a1a2 between these stones, the tip on the second.
  await page.locator(".mark", { hasText: "a1 takes a2" }).first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Off" }).click();
  await page.locator(".mark").first().waitFor({ state: "detached" });
});

test("estimates are hatched until they are proved", { skip }, async (t) => {
  const { page } = await open(t, "othello/8x8");
  await page.getByRole("heading", { name: "Not proved yet" }).waitFor();
  await page.locator(".mark .e-hatch").nth(3).waitFor({ state: "attached" });
  assert.equal(await page.locator(".mark .m-w, .mark .m-l").count(), 0);
  await page.getByText(/is probably better/).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Think" }).waitFor();
});

test("the parts of xxo.xo have their values", { skip }, async (t) => {
  const { page } = await open(t, "clobber/xxo.xo");
  await page.getByText("N: whoever moves wins.").waitFor();
  assert.match((await page.locator(".sumline").textContent()) ?? "", /↑A\s*\+\s*∗B\s*=\s*↑∗/);
  assert.deepEqual(await page.locator(".badge .val").allTextContents(), ["↑", "∗"]);
  assert.deepEqual(await page.locator(".cv tbody tr td:nth-child(3)").allTextContents(), ["1", "0"]);
  await page.getByRole("img", { name: /Thermograph of A/ }).waitFor();
  // Below 0 the walls of ↑ differ: Left's leans from 1 at t = −1, Right's stands.
  const walls = await page.locator(".thermo-wall").evaluateAll((paths) => paths.map((path) => [...(path.getAttribute("d") ?? "").matchAll(/[ML]([\d.]+) /g)].map((place) => Math.round(Number(place[1])))));
  const [left, right] = walls.map((places) => [places[0], places[places.length - 1]]);
  assert(left[0] < left[1], `${left}`);
  assert.equal(right[0], right[1]);
  await page.getByText("A = {0 | ∗}").waitFor();
});

test("Othello's moves have their scores at the end", { skip }, async (t) => {
  const { page } = await open(t, "othello/4x4");
  await page.getByRole("heading", { name: "o wins by 8, proved" }).waitFor();
  assert.deepEqual(await page.locator(".mark .m-t").allTextContents(), ["−8", "−8", "−8", "−8"]);
  await page.getByText("Best line, proved").waitFor();
});

test("a position with holes is edited, and begins a new game", { skip }, async (t) => {
  const { page } = await open(t, "clobber/3x3//a1b1");
  await page.getByRole("button", { name: "Edit" }).click();
  const paint = async (/** @type {string} */ brush, /** @type {string} */ cell) => {
    await page.getByRole("button", { name: brush, exact: true }).click();
    const { x, y } = await middle(page, cell);
    await page.mouse.click(x, y);
  };
  await paint("Hole", "b2");
  await paint("Stone o", "a1");
  await paint("Empty", "c3");
  await page.getByRole("spinbutton", { name: "Columns" }).fill("4");
  await page.getByRole("spinbutton", { name: "Columns" }).blur();
  await paint("Stone x", "d1");
  await page.getByRole("button", { name: "o moves" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await page.waitForFunction(() => location.hash.includes("%23"));
  assert.equal(new URL(page.url()).hash, "#clobber/oxxx|o%23o.|xo../o");
  await page.getByRole("gridcell", { name: "b2, hole" }).waitFor();
  await page.getByRole("gridcell", { name: "d1, stone x" }).waitFor();
  await page.goBack();
  await page.locator(".plies", { hasText: "1 / 1" }).waitFor();
});

test("a link opens the same state", { skip }, async (t) => {
  const server = await serve(t);
  const link = "clobber/xox|oxo/o/a2a1.c1b1(b2b1.c2c1)/~3";
  const { page, url } = await open(t, link, { server });
  await page.locator(".plies", { hasText: "2 / 3" }).waitFor();
  const stones = () => page.locator("[role=gridcell]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")?.split(", ")[1]));
  const first = await stones();
  const second = await page.context().newPage();
  await second.goto(`${new URL(url).origin}/${new URL(page.url()).hash}`);
  await second.locator(".plies", { hasText: "2 / 3" }).waitFor();
  assert.deepEqual(await second.locator("[role=gridcell]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")?.split(", ")[1])), first);
  assert.equal(new URL(second.url()).hash, new URL(page.url()).hash);
});

test("a link that cannot be read says why", { skip }, async (t) => {
  const { page, errors } = await open(t, "clobber/xq|ox");
  await page.getByRole("alert").waitFor();
  await page.locator(".board").waitFor();
  errors.length = 0; // the refusal itself
});

test("hidden answers are judged after the move", { skip }, async (t) => {
  const { page } = await open(t, "clobber/xxo.xo");
  await page.getByRole("heading", { name: "x wins, proved" }).waitFor();
  await page.getByRole("switch", { name: "Hide answers" }).click();
  await page.getByRole("heading", { name: "Answers are hidden" }).waitFor();
  assert.equal(await page.locator(".mark").count(), 0);
  assert.equal(await page.locator(".mk").count(), 0);
  assert.equal(await page.locator(".badge .val").count(), 0);
  assert.equal(await page.locator(".sumline").count(), 0);
  for (const cell of ["b1", "c1"]) {
    const { x, y } = await middle(page, cell);
    await page.mouse.click(x, y);
  }
  await page.getByText("b1c1 throws the win away, proved. e1f1 was right.").first().waitFor();
});

test("a game is swept for mistakes", { skip }, async (t) => {
  const { page } = await open(t, "clobber/xxo.xo//b1c1.f1e1");
  await page.getByRole("button", { name: "Find mistakes" }).click();
  await page.getByText("1 proved mistake · 0 probable").waitFor();
  await page.getByText("throws the win away").waitFor();
  await page.getByRole("button", { name: "Next mistake" }).click();
  await page.locator(".plies", { hasText: "1 / 2" }).waitFor();
});

test("what is pasted becomes the board", { skip }, async (t) => {
  const { page } = await open(t, "clobber/4x5");
  await page.getByRole("button", { name: "New" }).click();
  await page.getByLabel("Or paste").fill("F5 D6 C3");
  await page.getByRole("button", { name: "Read" }).click();
  await page.getByRole("heading", { name: "Othello 8×8" }).waitFor();
  await page.locator(".plies", { hasText: "3 / 3" }).waitFor();
});

test("a position is copied in every format", { skip }, async (t) => {
  const { page } = await open(t, "clobber/xox|oxo//a1b1");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = async (/** @type {string} */ name) => {
    await page.getByRole("button", { name: "Copy ▾" }).or(page.getByRole("button", { name: /^Copy/ })).first().click();
    await page.getByRole("menuitem", { name, exact: true }).click();
    await page.getByRole("status").filter({ hasText: `Copied: ${name}` }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied("Link"), page.url());
  assert.match(await copied("Position as text"), /\.xx\|oxo/);
  assert.match(await copied("CGSuite"), /Clobber/);
  assert.match(await copied("LaTeX"), /\\/);
  assert(await copied("OpenSpiel history"));
  for (const [name, file] of [["Picture, SVG", "position.svg"], ["Picture, PNG", "position.png"]]) {
    await page.getByRole("button", { name: /^Copy/ }).first().click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name }).click()]);
    assert.equal(download.suggestedFilename(), file);
  }
});

test("a killed server is told of, and a new one is taken", { skip }, async (t) => {
  const server = await serve(t, ["--public"]);
  const { page, leave } = await open(t, "clobber/4x5", { server });
  await page.getByRole("heading", { name: "x wins, proved" }).waitFor();
  server.child.kill("SIGKILL");
  await page.getByRole("alert").filter({ hasText: "The server is gone." }).waitFor();
  await page.getByRole("heading", { name: "x wins, proved" }).waitFor(); // what was proved stays known
  const { port } = new URL(server.url);
  await serve(t, ["--public"], port);
  await page.getByRole("alert").waitFor({ state: "detached" });
  for (const cell of ["a1", "b1"]) {
    const { x, y } = await middle(page, cell);
    await page.mouse.click(x, y);
  }
  await page.locator(".plies", { hasText: "1 / 1" }).waitFor();
  await leave();
});
