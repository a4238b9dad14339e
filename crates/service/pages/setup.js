// A new table: the variant, the options, who sits where, the clock, who may watch and undo.

import { html, useState } from "./parts.js";
import { recall } from "./api.js";
import { Picture } from "./board.js";
import { playersOf } from "./lobby.js";
import { needsKey, openTable } from "./opening.js";
import { BOTS, say } from "./words.js";

export function Setup({ game }) {
  const [variant, setVariant] = useState("");
  const rules = game.variants.find((one) => one.name === variant) || game;
  const [seats, setSeats] = useState(() => seatsOf(rules.players[0]));
  const [options, setOptions] = useState({});
  const [name, setName] = useState(recall("name", ""));
  const [clock, setClock] = useState({ decision: "", game: "", increment: "" });
  const [is_private, setPrivate] = useState(false);
  const [undo, setUndo] = useState("agreed");
  const [spectators, setSpectators] = useState("live");
  const [key, setKey] = useState(recall("key", ""));
  const [problem, setProblem] = useState(null);
  const [is_busy, setBusy] = useState(false);

  const choose = (next) => {
    setVariant(next);
    setOptions({});
    const players = (game.variants.find((one) => one.name === next) || game).players;
    if (!players.includes(seats.length)) setSeats(seatsOf(players[0]));
  };
  const create = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await openTable({ game, variant, seats, options, name: name.trim(), clock, is_private, undo, spectators, key });
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return html`<main class="setup">
    <div class="row"><h2>${game.title}</h2><a href=${`#/rules/${rules.ruleset}`}>${say("rules")}</a></div>
    <div class="halves">
    <div><${Picture} path=${`/v1/rulesets/${rules.ruleset}/board.svg`} label=${game.title} size=${640} key=${rules.ruleset} />
      <p>${rules.about || game.about}</p></div>
    <form onSubmit=${create}>
      <label>${say("yourName")} <input value=${name} maxlength="64" autocomplete="nickname" onInput=${(event) => setName(event.target.value)} /></label>
      ${game.variants.length > 0 && html`<label>${say("variant")} <select value=${variant} onChange=${(event) => choose(event.target.value)}>
        <option value="">${say("standard")}</option>
        ${game.variants.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}</select></label>`}
      <fieldset><legend>${say("seats")} (${playersOf(rules)} ${say("players")})</legend>
        <label>${capitalized(say("players"))} <select value=${seats.length} onChange=${(event) => setSeats(seatsOf(Number(event.target.value), seats))}>
          ${rules.players.map((count) => html`<option key=${count} value=${count}>${count}</option>`)}</select></label>
        ${seats.map((who, at) => html`<label key=${at}>${say("seat", at + 1)} <select value=${who} data-seating=${at + 1}
            onChange=${(event) => setSeats(seats.map((old, other) => (other === at ? event.target.value : old)))}>
          <option value="me">${say("me")}</option><option value="open">${say("human")}</option>
          ${BOTS.map((bot) => html`<option key=${bot} value=${bot}>${say(bot)}</option>`)}</select></label>`)}
      </fieldset>
      ${rules.options.length > 0 && html`<fieldset><legend>${say("options")}</legend>
        ${rules.options.map((option) => html`<${Setting} key=${option.name} option=${option} seats=${seats.length}
          value=${options[option.name]} onChange=${(value) => setOptions({ ...options, [option.name]: value })} />`)}</fieldset>`}
      <fieldset><legend>${say("clock")}</legend>
        ${[["decision", "perDecision", "seconds"], ["game", "perGame", "minutes"], ["increment", "increment", "seconds"]].map(([part, words, unit]) => html`<label
          key=${part}>${say(words)} (${say(unit)}) <input type="number" min="0" step="1" inputmode="numeric" placeholder="–" value=${clock[part]}
          onInput=${(event) => setClock({ ...clock, [part]: event.target.value })} /></label>`)}</fieldset>
      <label class="check"><input type="checkbox" checked=${is_private} onChange=${(event) => setPrivate(event.target.checked)} /> ${say("private")}</label>
      <label>${say("spectators")} <select value=${spectators} onChange=${(event) => setSpectators(event.target.value)}>
        ${["live", "nothing"].map((one) => html`<option key=${one} value=${one}>${say(one)}</option>`)}</select></label>
      <label>${say("undoPolicy")} <select value=${undo} onChange=${(event) => setUndo(event.target.value)}>
        ${["agreed", "anything_agreed", "free", "never"].map((one) => html`<option key=${one} value=${one}>${say(one)}</option>`)}</select></label>
      ${(key || needsKey(problem)) && html`<label>${say("key")} <input type="password" autocomplete="off" value=${key}
        onInput=${(event) => setKey(event.target.value)} /></label>`}
      ${problem && html`<p class="lost" role="alert">${needsKey(problem) ? say("keyNeeded") : problem.message}${
        problem.reason ? ` ${problem.reason.message}` : ""}</p>`}
      <button class="main" type="submit" data-create disabled=${is_busy}>${say("create")}</button>
    </form></div>
  </main>`;
}

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** You, and open seats; who was seated before stays. */
const seatsOf = (count, old = []) => Array.from({ length: count }, (_, at) => old[at] || (at === 0 ? "me" : "open"));

function Setting({ option, value, onChange, seats }) {
  const usual = option.default_with_seats?.[seats] ?? option.default;
  const shown = value ?? usual;
  const hint = option.text && html`<small>${option.text}</small>`;
  if (option.kind === "bool") {
    return html`<label class="check"><input type="checkbox" checked=${shown} onChange=${(event) => onChange(event.target.checked)} /> ${option.title}${hint}</label>`;
  }
  if (option.kind === "name") {
    return html`<label>${option.title} <select value=${shown} onChange=${(event) => onChange(event.target.value)}>
      ${option.names.map((name, at) => html`<option key=${name} value=${name}>${option.titles?.[at] || name}</option>`)}</select>${hint}</label>`;
  }
  return html`<label>${option.title} <input type="number" min=${option.low} max=${option.high} step=${option.step || 1} value=${shown}
    onInput=${(event) => onChange(Number(event.target.value))} />${hint}</label>`;
}
