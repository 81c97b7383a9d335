// The rooms beside the board, with runs that the real program makes while the page looks on.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PROGRAM, open, serve, skip } from "./program.mjs";

/** A small AlphaZero training. @param {number} steps @param {number} seed */
const config = (steps, seed) => `game = "clobber"
boards = ["3x3"]
seed = ${seed}

[alphazero]
preset = "small"
max_steps = ${steps}
max_simulations = 8
replay_buffer_size = 256
replay_buffer_reuse = 4
nn_width = 8
nn_depth = 1
checkpoint_freq = 1
evaluators = 0
`;

/** A folder for runs; it goes with the test, after the programs that write there. @param {import("node:test").TestContext} t */
function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "upstar-rooms-"));
  /** @type {import("node:child_process").ChildProcess[]} */
  const writers = [];
  t.after(async () => {
    for (const writer of writers) {
      writer.kill("SIGKILL");
      if (writer.exitCode === null && writer.signalCode === null) await new Promise((resolve) => writer.on("exit", resolve));
    }
    rmSync(path, { recursive: true, force: true });
  });
  return { path, writers };
}

/**
 * Trains in the folder.
 * @param {ReturnType<typeof folder>} where
 * @param {string} name
 * @param {number} steps
 * @param {number} [seed]
 */
function train({ path, writers }, name, steps, seed = 1) {
  const file = join(path, `${name}.toml`);
  writeFileSync(file, config(steps, seed));
  const child = spawn(PROGRAM, ["train", file, "--out", join(path, name)], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (data) => (said += data));
  writers.push(child);
  const ended = new Promise((resolve, reject) => child.on("exit", (code) => (code === 0 ? resolve(code) : reject(new Error(`train ended with ${code}: ${said}`)))));
  ended.catch(() => {});
  return { child, ended };
}

test("a training is watched from its first step, and its curves grow", { skip }, async (t) => {
  const where = folder(t);
  const server = await serve(t, ["--runs", where.path]);
  const { page } = await open(t, "runs", { server });
  await page.getByText("upstar serve --runs DIR").waitFor();
  train(where, "live", 2000);
  await page.locator(".runlist").getByText("live").first().waitFor({ timeout: 60_000 });
  const steps = async () => Number((await page.locator("body").innerText()).match(/(\d[\d,]*) of 2,?000 steps/)?.[1]?.replace(",", "") ?? -1);
  await page.waitForFunction(() => document.querySelectorAll("path.curve").length > 0, undefined, { timeout: 60_000 });
  const before = await steps();
  await page.waitForFunction((before) => Number(document.body.innerText.match(/(\d[\d,]*) of 2,?000 steps/)?.[1]?.replace(",", "") ?? -1) > before + 1, before, { timeout: 60_000 });
  assert.match(await page.locator("body").innerText(), /running/i);
  // The last word first: navigating away ends all requests.
  await page.evaluate(() => (location.hash = "#papers"));
  await page.getByText("leiden2018/5.1").first().waitFor();
});

test("two runs lie over each other, their differences are listed, and a network is played", { skip }, async (t) => {
  const where = folder(t);
  await train(where, "first", 3, 1).ended;
  await train(where, "second", 4, 2).ended;
  const server = await serve(t, ["--runs", where.path]);
  const { page } = await open(t, "runs", { server });
  await page.locator("path.curve").first().waitFor();
  const alone = await page.locator("path.curve").count();
  await page.locator("select").filter({ hasText: /first|second/ }).first().selectOption({ index: 1 });
  await page.waitForFunction((alone) => document.querySelectorAll("path.curve").length > alone, alone);
  const text = await page.locator("body").innerText();
  assert.match(text, /max_steps/);
  assert.match(text, /seed/);
  const runs = await page.evaluate(async () => (await fetch("/api/runs")).json());
  const detail = await page.evaluate(async (id) => (await fetch(`/api/runs/${id}`)).json(), runs.runs[0].id);
  assert(detail.networks.length > 0, "a finished run has networks");
  await page.evaluate(([id, name]) => (location.hash = `#clobber/3x3/x/@o=run:${id}:${name}`), [runs.runs[0].id, detail.networks[0].name]);
  await page.locator(".move-field").fill("a1b1");
  await page.locator(".move-field").press("Enter");
  await page.waitForFunction(() => document.querySelector(".plies")?.textContent?.startsWith("2 /"), undefined, { timeout: 30_000 });
});

test("a solve is watched, killed, resumed and stopped", { skip }, async (t) => {
  const where = folder(t);
  const run = join(where.path, "long");
  const solver = spawn(PROGRAM, ["solve", "clobber", "7x7", "--memory", "256M", "--out", run], { stdio: "ignore" });
  where.writers.push(solver);
  const server = await serve(t, ["--runs", where.path]);
  const { page } = await open(t, "runs", { server });
  const searched = page.locator("figure, .chart").filter({ hasText: "Searched" }).first();
  await searched.waitFor({ timeout: 60_000 });
  const nodes = async () => Number((await page.locator(".facts").innerText()).match(/([\d,]+) nodes?/)?.[1]?.replaceAll(",", "") ?? -1);
  const before = await nodes();
  assert(before >= 0);
  await page.waitForFunction((before) => Number(document.querySelector(".facts")?.textContent?.match(/([\d,]+) nodes?/)?.[1]?.replaceAll(",", "") ?? -1) > before, before, { timeout: 60_000 });
  assert.match(await page.locator(".runhead").innerText(), /running/);
  solver.kill("SIGKILL");
  await page.getByText(/interrupted/).first().waitFor({ timeout: 30_000 });
  assert((await nodes()) > before, "what the killed session did is known");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Stop" }).click({ timeout: 30_000 });
  await page.getByRole("button", { name: "Resume" }).waitFor({ timeout: 60_000 });
  await page.getByRole("cell", { name: "open" }).first().waitFor(); // a session that has ended
});

test("a run that the page has started ends with a killed server, and can be resumed", { skip }, async (t) => {
  const where = folder(t);
  const server = await serve(t, ["--runs", where.path]);
  const { page, errors, leave } = await open(t, "runs", { server });
  await page.getByRole("button", { name: "Start a run" }).click();
  await page.getByLabel("Name").fill("mine");
  await page.getByLabel("Configuration (TOML)").fill(config(5000, 1).replace("nn_width = 8", "nn_width = 0"));
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "1 to 1024 wide" }).waitFor();
  assert.deepEqual(readdirSync(where.path), [], "a refused start leaves nothing behind");
  errors.length = 0; // the refusal itself
  await page.getByLabel("Configuration (TOML)").fill(config(5000, 1));
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor({ timeout: 30_000 });
  await page.waitForFunction(() => document.querySelectorAll("path.curve").length > 0, undefined, { timeout: 60_000 });
  server.child.kill("SIGKILL");
  await leave();
  const second = await serve(t, ["--runs", where.path]);
  const { page: later } = await open(t, "runs", { server: second });
  await later.getByRole("button", { name: "Resume" }).waitFor({ timeout: 60_000 });
});

test("a replayed game says who played, and what they thought", { skip }, async (t) => {
  const where = folder(t);
  const match = spawn(PROGRAM, ["match", "clobber", "3x3", "mcts:50", "random", "--games", "4", "--swap", "--records", join(where.path, "games.jsonl")], { stdio: "ignore" });
  where.writers.push(match);
  await new Promise((resolve) => match.on("exit", resolve));
  const server = await serve(t, ["--runs", where.path]);
  const { page } = await open(t, "games", { server });
  await page.getByLabel("any result").selectOption("x");
  await page.getByRole("link", { name: "Replay" }).first().click();
  await page.locator(".recorded", { hasText: "x won" }).waitFor();
  assert.deepEqual((await page.locator(".seat .player").allTextContents()).sort(), ["mcts:50", "random"]);
  // One of the first two moves is that of the player who thinks.
  const thoughts = [];
  for (const ply of [1, 2]) {
    await page.keyboard.press("ArrowRight");
    await page.locator(".plies", { hasText: `${ply} /` }).waitFor();
    thoughts.push(await page.locator(".recorded .body").innerText());
  }
  assert(thoughts.some((text) => /mcts:50\s+(expected|proved)/.test(text)), thoughts.join("; "));
  // The address keeps the record.
  await page.reload();
  await page.locator(".recorded", { hasText: "x won" }).waitFor();
});

test("a number of a paper opens what each seed brought", { skip }, async (t) => {
  const papers = fileURLToPath(new URL("../../../../results/papers", import.meta.url));
  const server = await serve(t, ["--runs", papers]);
  const { page } = await open(t, "papers", { server });
  const number = page.locator(".behind").first();
  await number.click();
  const samples = page.locator(".samples");
  const row = page.locator("tr.on");
  await samples.locator("tbody tr").first().waitFor();
  const rows = await samples.locator("tbody tr").count();
  assert(rows >= 1);
  assert.match(await row.innerText(), new RegExp(`\\b${rows}\\b`));
  assert.match(await samples.locator("code").innerText(), /^upstar reproduce .*--cell '.+'$/);
  await number.click();
  await samples.waitFor({ state: "detached" });
});

test("a phone has the help, too", { skip }, async (t) => {
  const { page } = await open(t, "runs", { width: 390, touch: true });
  await page.getByRole("button", { name: "Keys and help" }).tap();
  await page.getByRole("dialog").waitFor();
});

test("the page can be served from a folder, module by module", { skip }, async (t) => {
  const server = await serve(t, ["--page", fileURLToPath(new URL("../../page", import.meta.url))]);
  const { page } = await open(t, "clobber/2x2", { server });
  await page.locator(".board").waitFor();
  await page.getByRole("link", { name: "Puzzles" }).click();
  await page.locator(".puzzle-list").waitFor();
});

test("papers and games are there", { skip }, async (t) => {
  const { page } = await open(t, "papers");
  await page.getByText("leiden2018/5.1").first().waitFor();
  // Every number has the command that repeats it alone.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: /Copy the command that repeats/ }).first().click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^upstar reproduce \S+ .*--cell '.+'$/);
  await page.evaluate(() => (location.hash = "#games"));
  await page.waitForFunction(() => document.title.includes("Games"));
  await page.evaluate(() => (location.hash = "#clobber/4x5"));
  await page.locator(".board").waitFor();
});
