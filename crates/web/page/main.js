// The page's shell: header, rooms by the address's fragment, and a word when the server is gone.

import { api } from "./api.js";
import { BoardRoom, openBoard } from "./board/room.js";
import { Paints } from "./board/stones.js";
import { Help } from "./help.js";
import { Logo, ThemeIcon } from "./icons.js";
import { place } from "./place.js";
import { useStore } from "./store.js";
import { strings } from "./strings.js";
import { toggleTheme } from "./theme.js";
import { html, render, useEffect, useErrorBoundary, useState } from "./vendor/htm-preact.js";

/** @import { Hello } from "./types.js" */

/** Rooms beside the board, loaded when they are entered. @type {Record<import("./place.js").RoomName, () => Promise<{ Room: unknown }>>} */
const ROOMS = {
  games: () => import("./games/room.js"),
  runs: () => import("./runs/room.js"),
  papers: () => import("./papers/room.js"),
  puzzles: () => import("./puzzles/room.js"),
};

function Page() {
  const [{ room, path }, setPlace] = useState(place());
  const [hello, setHello] = useState(/** @type {Hello | null} */ (null));
  const [board, setBoard] = useState(room === "board" ? `#${path}` : "#");
  useEffect(() => {
    const moved = () => setPlace(place());
    addEventListener("hashchange", moved);
    addEventListener("popstate", moved);
    // The address may have changed before anybody listened.
    const now = place();
    if (now.room !== room || now.path !== path) setPlace(now);
    return () => {
      removeEventListener("hashchange", moved);
      removeEventListener("popstate", moved);
    };
  }, []);
  const [helps, setHelps] = useState(false);
  useEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "?" && !(event.target instanceof Element && event.target.closest("input, textarea"))) setHelps(true);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  const link = useStore(api.link);
  useEffect(() => {
    if (link.link !== "gone") api.hello().then(setHello, () => {});
  }, [link.link]);
  const leaveBoard = () => room === "board" && setBoard(location.hash);
  const address = (/** @type {string} */ name) => (name === "board" ? board : `#${name}`);
  return html`<a class="skip" href="#content" onClick=${skip}>${strings.shell.skip}</a>
    <header class="top"><a class="brand" href="#" aria-label=${strings.shell.name}><${Logo} /><span>${strings.shell.name}</span></a>
      <nav class="rooms" aria-label=${strings.shell.rooms}>${Object.entries(strings.shell.room).map(([name, label]) => html`<a href=${address(name)} aria-current=${name === room ? "page" : undefined} onClick=${leaveBoard}>${label}</a>`)}</nav>
      <div class="end"><span class="where">${link.link === "there" && strings.shell.where(link, hello?.public ?? false)}</span>
        <button class="btn icon quiet" onClick=${toggleTheme} aria-label=${strings.shell.theme} title=${strings.shell.theme}><${ThemeIcon} /></button>
        <button class="btn icon quiet" onClick=${() => setHelps(true)} aria-label=${strings.shell.help} title=${strings.shell.help}>?</button></div></header>
    <${ServerWord} />
    <main id="content" tabindex="-1">${room === "board" ? html`<${BoardRoom} path=${path} api=${api} hello=${hello} />` : html`<${LazyRoom} key=${room} room=${room} path=${path} hello=${hello} />`}</main>
    ${helps && html`<${Help} hello=${hello} close=${() => setHelps(false)} />`}<${Paints} />`;
}

/** The link to the content must not change the address, which is the board. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/** @param {{ room: import("./place.js").RoomName, path: string, hello: Hello | null }} props */
function LazyRoom({ room, path, hello }) {
  const [loaded, setLoaded] = useState(/** @type {{ Room: unknown } | null} */ (null));
  const [failure, setFailure] = useState("");
  const [broken] = useErrorBoundary();
  useEffect(() => {
    document.title = `${strings.shell.room[/** @type {keyof typeof strings.shell.room} */ (room)]} · ${strings.shell.name}`;
    ROOMS[room]().then(setLoaded, (error) => setFailure(error.message));
  }, []);
  const error = broken?.message ?? failure;
  if (error) return html`<div class="plain-room"><section class="panel"><div class="body notice"><h2>${strings.shell.broken}</h2><p>${error}</p></div></section></div>`;
  if (!loaded) return html`<p class="plain-room dim">${strings.shell.loading}</p>`;
  return html`<${loaded.Room} path=${path} api=${api} hello=${hello} />`;
}

function ServerWord() {
  const { link } = useStore(api.link);
  const words = strings.server;
  if (link === "locked") return html`<p class="server-word" role="alert"><b>${words.locked}</b></p>`;
  if (link === "gone") return html`<p class="server-word" role="alert"><b>${words.gone}</b> ${words.goneNote} <code>${words.goneCommand}</code>${words.goneRest}</p>`;
  return null;
}

const { room, path } = place();
if (room === "board") openBoard(api, path);
const root = document.getElementById("page");
if (root) render(html`<${Page} />`, root);
