// The workbench: rules in an editor, and beside it a table at which they are played at once.

import { html, render, signal, useEffect, useRef, useState } from "../parts.js";
import { Problem, get, pages, recall, remember, write } from "../api.js";
import { Languages } from "../lobby.js";
import { Base, withChange } from "./base.js";
import { Debug, Debugger } from "./debugger.js";
import { Editor } from "./editor.js";
import { Language, changed as edited, nameOf } from "./language.js";
import { LINK_MAX, archive, packed, unpacked } from "./share.js";
import { Studies } from "./studies.js";
import { Trial, begin as deal, newSeed } from "./trial.js";
import { say } from "./words.js";
import { arrivals, begin, change, discard, shelf, titleOf, work } from "./works.js";

/** Rules are checked when nobody has typed for this time, in milliseconds. */
const QUIET = 400;
const SCENARIOS = /scenarios\.yaml$/;
const NONE = [];

const games = signal([]);

/** Rules and scenarios of the work are files of their own. */
const rulesOf = (files) => Object.fromEntries(Object.entries(files).filter(([name]) => !SCENARIOS.test(name)));

const OWN = `game: my-game
title: My game
players: 2
vars:
  pile: {type: int, start: 12}
effects:
  play: |
    let p = seat(1)
    repeat:
      turn of p:
        choose n in 1..3 where n <= pile "How many?": pile -= n
        if pile = 0: finish won by p
      p = left(p)
`;

// ---- the beginning

function Start() {
  const fork = async (game) => {
    const { files } = await filesOf(game);
    begin({ game: game.name, is_copy: true, files });
  };
  const house = (game) => {
    const text = `extends: ${game.name}\ntitle: House rule\nabout: What this changes.\nchange: {}\n`;
    begin({ game: game.name, files: { "house.yaml": text } });
  };
  const forget = (one) => confirm(say("sure", titleOf(one))) && discard(one.id);
  return html`<main class="start">
    ${shelf.value.length > 0 && html`<h2>${say("works")}</h2><ul class="starts">${shelf.value.map((one) => html`<li key=${one.id}><b>${titleOf(one)}</b>
      <button type="button" data-work onClick=${() => begin(one)}>${say("goOn")}</button>
      <button type="button" class="quiet" data-discard onClick=${() => forget(one)}>${say("remove", titleOf(one))}</button></li>`)}</ul>`}
    <h2>${say("start")}</h2>
    <p><button type="button" data-own onClick=${() => begin({ game: null, files: { "game.yaml": OWN } })}>${say("own")}</button></p>
    <ul class="starts">${games.value.map((game) => html`<li key=${game.name}><b>${game.title}</b>
      <button type="button" data-house=${game.name} onClick=${() => house(game)}>${say("houseRule", game.title)}</button>
      <button type="button" data-fork=${game.name} onClick=${() => fork(game)}>${say("whole", game.title)}</button></li>`)}</ul>
  </main>`;
}

/** The files of a game of this server, without the folder in their names. */
async function filesOf(game) {
  const { sources } = await get(`/v1/rulesets/${game.ruleset}`);
  const named = sources.map(({ path, text }) => [path.slice(path.lastIndexOf("/") + 1), text]);
  return { files: Object.fromEntries(named) };
}

// ---- checking

/** Checks the rules when nobody types, and keeps those without errors on the server, so that they can be played. */
function useCheck(files, key) {
  const [state, setState] = useState({ status: "checking", findings: [], ruleset: null });
  const rules = JSON.stringify(rulesOf(files));
  useEffect(() => {
    let is_current = true;
    setState((known) => ({ ...known, status: "checking" }));
    const timer = setTimeout(async () => {
      const next = await checked(JSON.parse(rules), key);
      if (is_current) setState((known) => ({ ...next, ruleset: next.ruleset || known.ruleset }));
    }, QUIET);
    return () => {
      is_current = false;
      clearTimeout(timer);
    };
  }, [rules, key]);
  return state;
}

async function checked(files, key) {
  const body = { files };
  if (files["game.yaml"]) body.root = "game.yaml";
  try {
    const kept = await write("POST", "/v1/rulesets", { body, token: key || undefined });
    const facts = { digest: kept.digest, name: kept.name, players: kept.players };
    return { status: "valid", findings: kept.warnings, ruleset: facts };
  } catch (error) {
    if (!(error instanceof Problem)) return { status: "invalid", findings: [], message: say("checking") };
    if (error.status === 401 || error.status === 403) return { status: "key", findings: [] };
    return { status: "invalid", findings: error.body.diagnostics || [], message: error.message };
  }
}

/** The name of the file that a finding is about, as it is called here. */
const fileOf = (finding) => (finding.file || "").slice((finding.file || "").lastIndexOf("/") + 1);

// ---- the bench

function Bench() {
  const { files, game, is_copy } = work.value;
  const base = is_copy ? undefined : games.value.find((one) => one.name === game);
  const names = Object.keys(files);
  const [current, setCurrent] = useState(names[0]);
  const [goTo, setGoTo] = useState(null);
  const [key, setKey] = useState(recall("key", "") || "");
  const [tab, setTab] = useState("table");
  const [unreached, setUnreached] = useState({});
  const name = names.includes(current) ? current : names[0];
  const check = useCheck(files, key);
  const server = useRef(null);
  useEffect(() => {
    server.current = new Language(key);
    return () => server.current.close();
  }, [key]);
  const ask = (method, file, text, more) => server.current.about(method, { ...work.value?.files, [file]: text }, file, more);
  const [debug, setDebug] = useState(null);
  useEffect(() => {
    const note = (more) => work.value && change({ ...work.value, ...more });
    const begun = new Debug(() => server.current, () => work.value.files, work.value, note);
    setDebug(begun);
    return () => begun.clear("");
  }, [key]);
  const [edits, setEdits] = useState(0);
  const applied = (texts) => {
    put({ ...work.value.files, ...texts });
    setEdits(edits + 1);
  };
  const changeThis = (line) => {
    const text = withChange(files[names[0]], line);
    applied({ [names[0]]: text });
    setCurrent(names[0]);
    setGoTo({ line: text.split("\n").findIndex((one) => one.startsWith(`  ${line.path}:`)) + 1, column: 3 });
  };
  const errors = check.findings.filter((one) => one.severity === "error").length;
  const warnings = check.findings.length - errors;
  const put = (changed) => change({ ...work.value, files: changed, touched: true });
  // Lines that no scenario reaches are marked in the gutter, next to what is wrong.
  const own = [
    ...check.findings.filter((one) => fileOf(one) === name),
    ...(unreached[name] || []).map((line) => ({ line, column: 1, end_line: line, end_column: 1, severity: "info", message: say("unreached") })),
  ];
  const show = (finding) => {
    if (names.includes(fileOf(finding))) setCurrent(fileOf(finding));
    setGoTo({ line: finding.line, column: finding.column });
  };
  let told = say("valid");
  if (check.status === "checking") told = say("checking");
  else if (check.status === "invalid") told = errors ? say("invalid", errors) : check.message;
  else if (warnings) told = say("warnings", warnings);
  useEffect(() => {
    document.documentElement.dataset.check = check.status;
  }, [check.status]);
  return html`<main class="bench">
    <section class="edit" aria-label=${say("files")}>
      <${Files} names=${names} current=${name} onCurrent=${setCurrent} onFiles=${put} files=${files} />
      <${Editor} key=${`${name} ${edits} ${arrivals.value}`} name=${name} text=${files[name]} findings=${own} goTo=${goTo} onAsk=${ask} classNames=${() => server.current.classNames} onEdit=${(edit) => applied(edited(work.value.files, edit))}
        marks=${debug?.marks.value[name] || NONE} here=${debug?.line(name) ?? null} onMarks=${(marks) => debug?.setMarks(name, marks)}
        onValue=${(word) => debug?.valueOf(word) ?? null}
        onText=${(text) => put({ ...work.value.files, [name]: text })} />
      <div class="problems" role="region" aria-label=${say("problems")} tabindex="0">
        <p class=${`verdict ${check.status}`} role="status">${told}</p>
        ${check.status === "key" && html`<${Key} onKey=${setKey} />`}
        <ul>${check.findings.map((one, at) => html`<li key=${at} class=${one.severity}><button type="button"
          onClick=${() => show(one)}>${fileOf(one)} ${say("line", one.line)}</button> ${one.message}
          ${one.help && html`<span class="quiet"> ${one.help}</span>`}</li>`)}</ul>
      </div>
      <${Share} />
    </section>
    <section class="try" aria-label=${say(tab)}>
      <div role="tablist" class="tabs">${["table", ...(base ? ["base"] : []), "scenarios", "debugger", "studies"].map((one) => html`<button type="button" role="tab" key=${one}
        data-tab=${one} aria-selected=${String(one === tab)} onClick=${() => setTab(one)}>${say(one)}</button>`)}</div>
      ${tab === "table" && html`<${Play} ruleset=${check.ruleset} isOld=${check.status === "invalid"} apiKey=${key} />`}
      ${tab === "base" && base && html`<${Base} load=${() => filesOf(base)} onChange=${changeThis} />`}
      ${tab === "scenarios" && html`<${Scenarios} onAsk=${(method, file) => server.current.about(method, work.value.files, file)} onShow=${show}
        onUnreached=${setUnreached} />`}
      ${tab === "debugger" && debug && html`<${Debugger} debug=${debug} isReady=${check.status === "valid"} scenarios=${scenariosOf(files)}
        table=${{ seats: seated(check.ruleset), seed: seed.value, choices: moves.value }}
        onShow=${(file) => names.includes(file) && setCurrent(file)} />`}
      ${tab === "studies" && html`<${Studies} isReady=${Boolean(check.ruleset)} hasOriginal=${games.value.some((one) => one.name === game)}
        study=${(kind, onProgress) => server.current.study(kind, work.value.files, onProgress)} onCancel=${() => server.current.cancel()} onShow=${show} />`}
    </section>
  </main>`;
}

/** The names of the scenarios, as they are written. */
const scenariosOf = (files) => Object.entries(files).filter(([name]) => SCENARIOS.test(name))
  .flatMap(([, text]) => [...text.matchAll(/^- scenario:\s*(.+?)\s*$/gm)].map(([, name]) => name.replace(/^(["'])(.*)\1$/, "$2")));

/** The scenarios of the work, green or red. */
function Scenarios({ onAsk, onShow, onUnreached }) {
  const [played, setPlayed] = useState(null);
  const [told, setTold] = useState("");
  const { files } = work.value;
  const text = JSON.stringify(files);
  const own = Object.keys(files).find((name) => SCENARIOS.test(name));
  useEffect(() => {
    if (!own) return undefined;
    let is_current = true;
    const timer = setTimeout(() => {
      onAsk("wyrmgate/coverage", own).then(({ scenarios, unreached }) => {
        if (!is_current) return;
        setPlayed(scenarios);
        onUnreached(Object.fromEntries(Object.entries(unreached).map(([address, lines]) => [nameOf(address), lines])));
        setTold("");
      }).catch((error) => is_current && setTold(error.message));
    }, QUIET);
    return () => {
      is_current = false;
      clearTimeout(timer);
    };
  }, [text]);
  if (!own) return html`<p class="quiet">${say("noScenarios")}</p>`;
  return html`<div><p role="status">${told}</p><ul class="scenarios">${(played || []).map(({ name, location, passed, problems }) => html`<li key=${name}
    class=${passed ? "passed" : "failed"} data-scenario=${name}><b>${passed ? "✓" : "✗"} ${say(passed ? "passed" : "failed")}</b>
    <button type="button" onClick=${() => onShow({ file: nameOf(location.uri), line: location.range.start.line + 1, column: 1 })}>${name}</button>
    ${problems.map((one, at) => html`<p key=${at}>${one}</p>`)}</li>`)}</ul></div>`;
}

function Files({ names, current, onCurrent, files, onFiles }) {
  const [wanted, setWanted] = useState("");
  const add = (event) => {
    event.preventDefault();
    const name = /\.(yaml|csv)$/.test(wanted) ? wanted : `${wanted}.yaml`;
    if (!/^[a-z0-9][a-z0-9_.-]*\.(yaml|csv)$/.test(name) || files[name] !== undefined) return;
    onFiles({ ...files, [name]: "" });
    onCurrent(name);
    setWanted("");
  };
  const remove = (name) => {
    if (files[name].trim() !== "" && !confirm(say("sure", name))) return;
    const { [name]: _, ...rest } = files;
    onFiles(rest);
  };
  return html`<div class="files">
    ${names.map((name) => html`<span key=${name} class=${name === current ? "file now" : "file"}>
      <button type="button" aria-pressed=${String(name === current)} onClick=${() => onCurrent(name)}>${name}</button>${
      names.length > 1 && html`<button type="button" class="quiet" aria-label=${say("remove", name)} onClick=${() => remove(name)}>×</button>`}</span>`)}
    <form onSubmit=${add}><input value=${wanted} placeholder=${say("newFile")} aria-label=${say("name")}
      onInput=${(event) => setWanted(event.target.value)} /></form>
  </div>`;
}

function Key({ onKey }) {
  const [key, setKey] = useState("");
  const keep = (event) => {
    event.preventDefault();
    remember("key", key || null);
    onKey(key);
  };
  return html`<form onSubmit=${keep}><p>${say("keyNeeded")}</p><label>${say("key")} <input type="password" autocomplete="off"
    value=${key} onInput=${(event) => setKey(event.target.value)} /></label> <button type="submit">${say("offer")}</button></form>`;
}

/** Ways in which rules leave the page. */
function Share() {
  const [told, setTold] = useState("");
  const { files, game } = work.value;
  const download = () => {
    const folder = game && !work.value.is_copy ? "house" : game || "my-game";
    const named = Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(archive(Object.fromEntries(named)));
    link.download = `${folder}.zip`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const copy = async () => {
    const letters = await packed({ game, files });
    if (letters.length > LINK_MAX) return setTold(say("tooLong"));
    history.replaceState(null, "", `#rules=${letters}`);
    try {
      await navigator.clipboard.writeText(location.href);
      return setTold(say("copied"));
    } catch {
      return setTold(location.href);
    }
  };
  return html`<p class="share"><button type="button" data-download onClick=${download}>${say("download")}</button>
    <button type="button" data-link onClick=${copy}>${say("link")}</button>
    <button type="button" data-leave onClick=${() => begin(null)}>${say("leave")}</button> <span role="status">${told}</span></p>`;
}

// ---- the table

/** The choices so far; they survive a change of the rules. */
const moves = signal([]);
const seed = signal(newSeed());
const wanted_seats = signal(null);

/** The number of seats at the table. */
const seated = (ruleset) => ruleset && (ruleset.players.includes(wanted_seats.value) ? wanted_seats.value : ruleset.players[0]);

function Play({ ruleset, isOld, apiKey }) {
  const [table, setTable] = useState(null);
  const [told, setTold] = useState("");
  const [round, setRound] = useState(0);
  const count = seated(ruleset);
  useEffect(() => {
    if (!ruleset) return undefined;
    let is_current = true;
    const wanted = moves.value;
    deal({ ruleset: ruleset.digest, seats: count, seed: seed.value, moves: wanted, key: apiKey }).then(({ id, kept }) => {
      if (!is_current) return;
      moves.value = kept;
      setTable(id);
      setTold(wanted.length > 0 ? say("replayed", kept.length, wanted.length) : "");
    }).catch((error) => is_current && setTold(error.message));
    return () => {
      is_current = false;
    };
  }, [ruleset?.digest, count, round]);
  if (!ruleset) return html`<p class="quiet">${say("waits")}</p>`;
  const anew = (next) => {
    moves.value = [];
    if (next) seed.value = newSeed();
    setRound(round + 1);
  };
  return html`<div>
    <div class="row"><label>${say("seats")} <select value=${count} onChange=${(event) => {
      moves.value = [];
      wanted_seats.value = Number(event.target.value);
    }}>${ruleset.players.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select></label>
      <button type="button" data-restart onClick=${() => anew(false)}>${say("restart")}</button>
      <button type="button" onClick=${() => anew(true)}>${say("newGame")}</button></div>
    <p role="status" class="older">${isOld && say("older")}</p>
    <p role="status" class="quiet" data-replayed>${told}</p>
    ${table && html`<${Trial} session=${table} onMove=${(move) => {
      moves.value = move ? [...moves.value, move] : moves.value.slice(0, -1);
    }} />`}
  </div>`;
}

// ---- the page

function Page() {
  return html`<header class="bar"><a class="home" href="./" aria-label=${say("back")}>⌂</a><h1>${say("workbench")}</h1>
    <span class="grow"></span><${Languages} games=${games.value} /></header>
    ${work.value ? html`<${Bench} key=${work.value.id} />` : html`<${Start} />`}`;
}

async function open() {
  const [, letters] = location.hash.match(/^#rules=([\w-]+)$/) || [];
  const linked = letters && (await unpacked(letters));
  if (linked) {
    begin({ ...linked, touched: true });
    history.replaceState(null, "", location.pathname + location.search);
  } else if (work.value) change(work.value);
  const app = document.getElementById("app");
  app.replaceChildren();
  render(html`<${Page} />`, app);
  games.value = await pages("/v1/games", { query: { limit: 100 } });
}

open();
