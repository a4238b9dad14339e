// The page: what the part of the address behind `#` names. That part never leaves the browser.

import { effect, html, render, signal, useEffect } from "./parts.js";
import { isOnline, language, pages, recall, remember } from "./api.js";
import { gameTitles } from "./book.js";
import { Languages, Lobby } from "./lobby.js";
import { Rulebook } from "./rulebook.js";
import { Settings } from "./settings.js";
import { Setup } from "./setup.js";
import { adopt, attend, caption, worker } from "./player.js";
import { Table } from "./table.js";
import { say } from "./words.js";

const route = signal(parse(location.hash));
addEventListener("hashchange", () => {
  arrive();
  route.value = parse(location.hash);
  scrollTo(0, 0);
});

/** What went wrong with the link by which somebody came. */
const notice = signal(null);

/** Becomes the player of a link from another device; the token does not stay in the address. */
async function arrive() {
  const [, token] = location.hash.match(/^#player=(.*)/) ?? [];
  if (token === undefined) return;
  history.replaceState(null, "", "#/");
  notice.value = await adopt(token);
}

function parse(hash) {
  const [kind, id, grant, first, second] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (kind !== "t") return { kind: kind || "lobby", id };
  if (grant === "seat") return { kind, id, grant: { kind: "seat", seat: Number(first), token: second } };
  if (grant === "invite" || grant === "watch") return { kind, id, grant: { kind: grant, token: first } };
  return { kind, id, version: grant === "at" ? Number(first) || undefined : undefined };
}

const games = signal(null);
const problem = signal(null);

function show(found) {
  const titles = new Map();
  for (const game of found) {
    titles.set(game.name, game.title);
    for (const variant of game.variants) titles.set(`${game.name}+${variant.name}`, variant.title);
  }
  games.value = found;
  gameTitles.value = titles;
}

async function readGames() {
  try {
    const found = await pages("/v1/games", { query: { limit: 100 } });
    show(found);
    problem.value = null;
    remember("games", found);
  } catch (error) {
    problem.value = error;
    if (!games.value) show(recall("games", []));
    setTimeout(readGames, 2000);
  }
}

effect(() => {
  document.documentElement.lang = language.value;
  remember("language", language.value);
  readGames();
});

function Page() {
  const { kind, id, grant, version } = route.value;
  const all = games.value;
  useEffect(() => {
    const title = kind === "new" ? all?.find((game) => game.name === id)?.title : "";
    if (kind !== "t") caption.value = title ?? "";
  }, [kind, id, all]);
  useEffect(() => attend(), [kind === "t"]);
  if (kind === "t") return html`<${Table} id=${id} grant=${grant} version=${version} key=${`${id} ${grant?.token ?? ""} ${version ?? ""}`} />`;
  const top = html`<header class="bar"><a class="home" href="#/" aria-label=${say("lobby")}>⌂</a><h1>Wyrmgate</h1>
    <span class="grow"></span>${all && html`<${Languages} games=${all} />`}<a href="workbench">${say("workbench")}</a> <a href="docs/">${say("about")}</a> <${Settings} /></header>`;
  if (!all?.length) return html`${top}<main><p role="status">${problem.value ? say("lost") : say("loading")}</p></main>`;
  const game = kind === "new" && all.find((one) => one.name === id);
  if (game) return html`${top}<${Setup} game=${game} key=${id} />`;
  if (kind === "rules") return html`${top}<main class="reading"><${Rulebook} ruleset=${id} /></main>`;
  return html`${top}<${Lobby} games=${all} notice=${notice.value ?? ((problem.value || !isOnline.value) && say("lost"))} />`;
}

// The page can be installed, and read without a connection.
addEventListener("load", () => setTimeout(() => navigator.serviceWorker && worker().catch(() => {}), 3000));

// A menu closes when something of it was used, and when somebody turns to something else.
function closeMenus({ type, key, target }) {
  for (const menu of document.querySelectorAll(".bar details[open]")) {
    const isUsed = type === "click" && (!menu.contains(target) || target.closest("button"));
    if (isUsed || key === "Escape") menu.open = false;
  }
}
for (const name of ["click", "keydown"]) addEventListener(name, closeMenus);

if (location.search) history.replaceState(null, "", location.pathname + location.hash);
arrive();
const app = document.getElementById("app");
app.replaceChildren();
render(html`<${Page} />`, app);
