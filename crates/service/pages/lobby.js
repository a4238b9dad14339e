// The lobby: the games of this server, and the tables where somebody can sit down.

import { html, useEffect, useState } from "./parts.js";
import { get, holdings, language, player, recall, remember } from "./api.js";
import { Picture } from "./board.js";
import { Mine } from "./mine.js";
import { STRENGTHS, needsKey, playBots, seek } from "./opening.js";
import { sessions } from "./player.js";
import { capital, languageName, own, say } from "./words.js";

const AGAIN = 5000;
/** How long the games wait for what stands above them and would move them away under a finger, in milliseconds. */
const HOLD = 1000;

export function Lobby({ games, notice }) {
  const [wanted, setWanted] = useState("");
  const [strength, setStrength] = useState(recall("strength", "medium"));
  const [canSeek, setCanSeek] = useState(null);
  const [isLate, setLate] = useState(false);
  useEffect(() => void get("/v1").then(({ links }) => setCanSeek(Boolean(links?.seeks)), () => setCanSeek(false)), []);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), HOLD);
    return () => clearTimeout(timer);
  }, []);
  const isAtRest = isLate || (canSeek !== null && (!player.value || sessions.value !== null));
  const choose = (next) => {
    remember("strength", next);
    setStrength(next);
  };
  const words = wanted.trim().toLowerCase();
  const fits = (game) => !words || `${game.title} ${game.about}`.toLowerCase().includes(words);
  return html`<main class="lobby">
    <${Mine} notice=${notice} />
    <section aria-label=${say("lobby")} class="games">
      <div class="row"><h2>${say("lobby")}</h2><span class="grow"></span>
        <label>${say("strength")} <select data-strength value=${strength} onChange=${(event) => choose(event.target.value)}>
          ${Object.keys(STRENGTHS).map((one) => html`<option key=${one} value=${one}>${say(one)}</option>`)}</select></label>
        <input type="search" value=${wanted} placeholder=${say("search")}
          aria-label=${say("search")} onInput=${(event) => setWanted(event.target.value)} /></div>
      <ul class="cards">${isAtRest && games.filter(fits).map((game) => html`<${GameCard} key=${game.name} game=${game} strength=${strength} canSeek=${canSeek} />`)}</ul>
    </section>
    <${Tables} games=${games} />
  </main>`;
}

export const playersOf = ({ players }) => {
  const [first, last] = [players[0], players[players.length - 1]];
  return first === last ? String(first) : `${first}–${last}`;
};

function GameCard({ game, strength, canSeek }) {
  const [problem, setProblem] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const begin = async (how) => {
    setBusy(true);
    try {
      await how();
    } catch (error) {
      // The form of a new table asks for the key of the server.
      if (needsKey(error)) location.hash = `#/new/${game.name}`;
      else setProblem(error.message);
      setBusy(false);
    }
  };
  return html`<li class="card">
    <a class="open" href=${`#/new/${game.name}`} data-game=${game.name}>
      <${Picture} path=${`/v1/rulesets/${game.ruleset}/board.svg`} label=${game.title} is_cut=${true} />
      <h3>${game.title}</h3></a>
    <p>${game.about}</p>
    <p class="row"><span class="quiet">${playersOf(game)} ${say("players")}</span>
      <a href=${`#/rules/${game.ruleset}`} aria-label=${`${say("rules")}: ${game.title}`}>${say("rules")}</a></p>
    <p class="start"><button type="button" class="play-now" data-play=${game.name} disabled=${isBusy} onClick=${() => begin(() => playBots(game, strength))}
        aria-label=${`${say("playNow")} ${say(`bot-${strength}`)}: ${game.title}`}>${say("playNow")} <small>${say(`bot-${strength}`)}</small></button>
      ${canSeek && html`<button type="button" data-seek=${game.name} disabled=${isBusy} onClick=${() => begin(() => seek(game))}
        aria-label=${`${say("nextPerson")}: ${game.title}`}>${say("nextPerson")}</button>`}</p>
    ${problem && html`<p class="lost" role="alert">${problem}</p>`}
  </li>`;
}

function Tables({ games }) {
  const [game, setGame] = useState("");
  const [status, setStatus] = useState("waiting");
  const [tables, setTables] = useState([]);
  useEffect(() => {
    let is_current = true;
    const look = async () => {
      if (document.hidden) return;
      const query = new URLSearchParams({ status, limit: "50" });
      if (game) query.set("game", game);
      const found = await get(`/v1/sessions?${query}`).catch(() => null);
      if (is_current && found) setTables(found.items);
    };
    look();
    const timer = setInterval(look, AGAIN);
    return () => {
      is_current = false;
      clearInterval(timer);
    };
  }, [game, status]);
  const titleOf = (name) => games.find((one) => one.name === name)?.title || name;
  return html`<section class="tables" aria-label=${say("tables")}>
    <h2>${say("tables")}</h2>
    <div class="row filters">
      <select aria-label=${say("anyGame")} value=${game} onChange=${(event) => setGame(event.target.value)}>
        <option value="">${say("anyGame")}</option>
        ${games.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}</select>
      <select aria-label=${say("tables")} value=${status} onChange=${(event) => setStatus(event.target.value)}>
        ${["waiting", "running", "finished"].map((one) => html`<option key=${one} value=${one}>${say(one)}</option>`)}</select>
    </div>
    ${tables.length === 0 && html`<p class="quiet">${say("noTables")}</p>`}
    <ul class="sessions">${tables.map((one) => html`<${Row} key=${one.id} table=${one} title=${titleOf(one.game)}
      seats=${one.seats} free=${one.open_seats.length} />`)}</ul>
  </section>`;
}

function Row({ table, title, seats, free }) {
  const is_mine = Object.keys(holdings(table.id).seats).length > 0 || sessions.value?.[table.id];
  const action = is_mine ? say("open") : table.status === "waiting" && free > 0 ? say("join") : say("watch");
  return html`<li><a href=${`#/t/${table.id}`} data-table=${table.id}>
    <b>${title}</b>${table.variant ? html` <span>${table.variant.replaceAll("-", " ").replaceAll("+", ", ")}</span>` : ""}
    <span class="quiet"> ${seats} ${say("players")}${free > 0 ? `, ${say("freeSeats", free)}` : ""} · ${say(table.status)}</span>
    <span class="go">${action} →</span></a></li>`;
}

export function Languages({ games }) {
  const tags = [...new Set([...own, ...games.flatMap((game) => game.languages), language.value])];
  return html`<label class="language">${say("language")} <select value=${language.value}
      onChange=${(event) => (language.value = event.target.value)}>
    ${tags.map((tag) => html`<option key=${tag} value=${tag}>${capital(languageName(tag))}</option>`)}</select></label>`;
}
