// The debugger: a game is played once and recorded on the server; then its author walks through it in both directions.

import { html, signal, useEffect, useLayoutEffect, useState } from "../parts.js";
import { nameOf, pathOf } from "./language.js";
import { say } from "./words.js";

/** Lines of a file that is not in the editor, above and below the one that runs. */
const AROUND = 3;

/** One game that is debugged. */
export class Debug {
  /**
   * `server` returns the connection, `files` the files of the editor. `noted` has the breakpoints and expressions of an
   * earlier visit, and `onNote` gets them when they change.
   */
  constructor(server, files, noted, onNote) {
    this.server = server;
    this.files = files;
    this.onNote = onNote;
    /** Breakpoints by file: `{line, condition}`. */
    this.marks = signal(noted.marks || {});
    this.watches = signal(noted.watches || []);
    this.texts = {};
    this.clear("");
  }

  clear(told) {
    const nothing = { frames: [], frame: null, names: [], table: [], asked: [], worths: [], around: null };
    const state = { ...nothing, told, lines: [], is_running: false };
    if (this.state) this.state.value = state;
    else this.state = signal(state);
  }

  change(more) {
    this.state.value = { ...this.state.value, ...more };
  }

  /** Does something with the server, and says what went wrong. */
  async attempt(work) {
    this.change({ told: say("running") });
    try {
      await work();
    } catch (error) {
      if (this.state.value.is_running) this.change({ told: error.message });
      else this.clear(error.message);
    }
  }

  /** Sends a request, and follows where it leads. */
  async send(command, about) {
    const { body, events } = await this.server().debug(command, about);
    await this.follow(events);
    return body;
  }

  /** Begins to debug `what`: the arguments of `launch`. */
  begin(what) {
    return this.attempt(async () => {
      if (this.state.value.is_running) await this.send("disconnect");
      this.texts = this.files();
      await this.server().show(this.texts);
      const marked = Object.keys(this.texts).filter((name) => (this.marks.value[name] || []).length > 0);
      await this.send("launch", { ...what, stopOnEntry: marked.length === 0 });
      this.change({ is_running: true, lines: [] });
      for (const name of marked) await this.mark(name);
      await this.send("configurationDone");
    });
  }

  go(command) {
    return this.attempt(() => this.send(command));
  }

  end() {
    return this.attempt(() => this.send("disconnect"));
  }

  async follow(events) {
    const lines = events.filter(({ event }) => event === "output").map(({ body }) => body.output.trimEnd());
    this.change({ lines: [...this.state.value.lines, ...lines] });
    if (events.some(({ event }) => event === "terminated")) return this.clear("");
    const stopped = events.find(({ event }) => event === "stopped");
    if (stopped) await this.arrive(stopped.body);
  }

  async arrive({ reason, description }) {
    const { stackFrames } = await this.send("stackTrace", { threadId: 1 });
    const { asked } = await this.send("wyrmgate/asked");
    const told = reason === "end" ? `${say("end")} ${description}` : say(reason);
    this.change({ frames: stackFrames, asked, told });
    await this.look(stackFrames[0]);
  }

  /** Looks at an effect of the stack. */
  async look(frame) {
    const { scopes } = await this.send("scopes", { frameId: frame.id });
    const [names, table] = await Promise.all(scopes.map((scope) => this.members(scope.variablesReference)));
    this.change({ frame, names, table, around: await this.around(frame) });
    await this.watch(this.watches.value);
  }

  /** The lines around a statement in a file that is not in the editor. */
  async around({ line, source }) {
    if (source.path === pathOf(nameOf(source.path))) return null;
    const { content } = await this.send("source", { source });
    const first = Math.max(line - 1 - AROUND, 0);
    const lines = content.split("\n").slice(first, line + AROUND);
    return lines.map((text, at) => `${first + at + 1 === line ? "▶" : " "} ${first + at + 1}  ${text}`).join("\n");
  }

  async members(variablesReference) {
    const { variables } = await this.send("variables", { variablesReference });
    return variables;
  }

  async value(expression) {
    const { frame } = this.state.value;
    const { result } = await this.send("evaluate", { expression, frameId: frame.id });
    return result;
  }

  /** What a name in the editor is worth, or null. */
  async valueOf(name) {
    if (!this.state.value.frame) return null;
    return this.value(name).catch(() => null);
  }

  /** Evaluates these expressions, here and wherever the walk goes. */
  async watch(expressions) {
    this.watches.value = expressions;
    this.onNote({ watches: expressions });
    if (!this.state.value.frame) return;
    const told = [];
    for (const one of expressions) told.push(await this.value(one).catch((error) => error.message));
    this.change({ worths: told });
  }

  /** Takes note of the breakpoints of a file. */
  async setMarks(name, marks) {
    this.put(name, marks);
    if (this.state.value.is_running) await this.mark(name).catch((error) => this.change({ told: error.message }));
  }

  put(name, marks) {
    this.marks.value = { ...this.marks.value, [name]: marks };
    this.onNote({ marks: this.marks.value });
  }

  /** Tells the server the breakpoints of a file. Those where it cannot stop are told. */
  async mark(name) {
    const breakpoints = this.marks.value[name] || [];
    const told = await this.send("setBreakpoints", { source: { path: pathOf(name) }, breakpoints });
    // A mark goes down to the statement at which the walk can stop.
    const moved = new Map(breakpoints.map((mark, at) => [told.breakpoints[at].line, { ...mark, line: told.breakpoints[at].line }]));
    this.put(name, [...moved.values()].sort((one, other) => one.line - other.line));
    const wrong = told.breakpoints.filter(({ verified }) => !verified);
    const lines = wrong.map(({ line, message }) => `${name} ${say("line", line)}: ${message}`);
    this.change({ lines: [...this.state.value.lines, ...lines] });
  }

  /** The line of a file at which the walk stands, or null. */
  line(name) {
    const { frame } = this.state.value;
    return frame && frame.source.path === pathOf(name) ? frame.line : null;
  }
}

/** `scenarios` are the names of those in the editor; `table` is what is played beside it: the arguments of `launch`. */
export function Debugger({ debug, scenarios, table, isReady, onShow }) {
  const [what, setWhat] = useState("table");
  const state = debug.state.value;
  const kinds = { table: [say("thisGame"), table], random: [say("randomGame"), { seats: table.seats }] };
  scenarios.forEach((name) => (kinds[`scenario ${name}`] = [name, { scenario: name }]));
  useEffect(() => {
    if (state.frame && !state.around) onShow(nameOf(state.frame.source.path));
  }, [state.frame]);
  if (!isReady && !state.is_running) return html`<p class="quiet">${say("waits")}</p>`;
  const steps = [["continue", "▶"], ["next", "↷"], ["stepIn", "↓"], ["stepOut", "↑"], ["stepBack", "↶"], ["reverseContinue", "◀"]];
  const is_old = state.is_running && JSON.stringify(debug.texts) !== JSON.stringify(debug.files());
  return html`<div class="debugger" data-debug=${state.frame ? "stopped" : "idle"}>
    <p class="row"><label>${say("debugs")} <select value=${what} onChange=${(event) => setWhat(event.target.value)}>${
      Object.entries(kinds).map(([kind, [title]]) => html`<option key=${kind} value=${kind}>${title}</option>`)}</select></label>
      <button type="button" data-launch onClick=${() => debug.begin((kinds[what] || kinds.table)[1])}>${say("debug")}</button>
      ${state.is_running && html`<button type="button" onClick=${() => debug.end()}>${say("stop")}</button>`}</p>
    ${state.is_running && html`<p class="row">${steps.map(([command, sign]) => html`<button type="button" key=${command}
      data-go=${command} onClick=${() => debug.go(command)}>${sign} ${say(command)}</button>`)}</p>`}
    <p role="status" data-told>${state.told}</p>
    ${is_old && html`<p class="quiet">${say("isOld")}</p>`}
    <${Marks} debug=${debug} />
    ${state.frame && html`<h2>${say("stack")}</h2><ol class="stack">${state.frames.map((frame) => html`<li key=${frame.id}>
        <button type="button" aria-pressed=${String(frame === state.frame)} onClick=${() => debug.look(frame)}>${frame.name}</button>
        <span class="quiet"> ${frame.source.name} ${say("line", frame.line)}</span></li>`)}</ol>
      ${state.around && html`<pre class="numbers" tabindex="0" role="region" aria-label=${say("rules")}>${state.around}</pre>`}
      <h2>${say("names")}</h2><${Members} debug=${debug} members=${state.names} />
      <${Watches} debug=${debug} />
      <${Why} debug=${debug} asked=${state.asked} />
      <h2>${say("table")}</h2><${Members} debug=${debug} members=${state.table} />`}
    ${state.lines.length > 0 && html`<pre class="console" tabindex="0" role="log" aria-label=${say("console")}>${state.lines.join("\n")}</pre>`}
  </div>`;
}

/** The breakpoints, each with its condition. */
function Marks({ debug }) {
  const all = Object.entries(debug.marks.value).filter(([name]) => debug.files()[name] !== undefined)
    .flatMap(([name, marks]) => marks.map((mark) => ({ name, ...mark })));
  if (all.length === 0) return html`<p class="quiet">${say("noMarks")}</p>`;
  const set = (name, line, condition) => debug.setMarks(name, debug.marks.value[name].map((mark) => (
    mark.line === line ? { line, condition } : mark)));
  return html`<ul class="marks" aria-label=${say("marks")}>${all.map(({ name, line, condition }) => html`<li key=${`${name} ${line}`}>
    ● ${name} ${say("line", line)} <label>${say("onlyIf")} <input value=${condition} data-condition=${line}
      onChange=${(event) => set(name, line, event.target.value)} /></label></li>`)}</ul>`;
}

/** Values by name. Those with members open on demand. */
function Members({ debug, members }) {
  return html`<ul class="members">${members.map((one) => html`<li key=${`${one.name} ${one.variablesReference}`}>${one.variablesReference
    ? html`<${Inside} debug=${debug} one=${one} />` : html`<b>${one.name}</b> ${one.value}`}</li>`)}</ul>`;
}

function Inside({ debug, one }) {
  const [inside, setInside] = useState(null);
  const open = async (event) => {
    if (event.target.open && !inside) setInside(await debug.members(one.variablesReference).catch(() => []));
  };
  return html`<details onToggle=${open}><summary><b>${one.name}</b> <span class="quiet">${one.value.slice(0, 60)}</span></summary>
    ${inside && html`<${Members} debug=${debug} members=${inside} />`}</details>`;
}

/** Expressions that are evaluated at every stop. */
function Watches({ debug }) {
  const [wanted, setWanted] = useState("");
  const { worths } = debug.state.value;
  const watches = debug.watches.value;
  const add = (event) => {
    event.preventDefault();
    if (wanted.trim()) debug.watch([...watches, wanted.trim()]);
    setWanted("");
  };
  return html`<h2>${say("expressions")}</h2><ul class="members">${watches.map((one, at) => html`<li key=${one}><b>${one}</b> <span
      data-worth=${one}>${worths[at] ?? ""}</span> <button type="button" class="quiet" aria-label=${say("remove", one)}
      onClick=${() => debug.watch(watches.filter((other) => other !== one))}>×</button></li>`)}</ul>
    <form onSubmit=${add}><label>${say("expression")} <input data-watch value=${wanted} autocomplete="off" spellcheck=${false}
      onInput=${(event) => setWanted(event.target.value)} /></label></form>`;
}

/** Text as a value: a number, a list or a name. */
function valueFrom(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const textOf = (example) => (typeof example === "string" ? example : JSON.stringify(example ?? ""));

/** Says of a choice which of its conditions hold. */
function Why({ debug, asked }) {
  const [chosen, setChosen] = useState(0);
  const [given, setGiven] = useState({});
  const [told, setTold] = useState("");
  const options = asked.flatMap(({ seat, options: all }) => all.map((option) => ({ seat, ...option })));
  const now = options[Math.min(chosen, options.length - 1)];
  // Before it is shown: later, it would undo what somebody has begun to type. The same questions may come again with the values
  // of watched expressions.
  useLayoutEffect(() => {
    setGiven({});
    setTold("");
  }, [JSON.stringify(asked), chosen]);
  if (!now) return null;
  const valueOf = ({ name, example }) => given[name] ?? textOf(example);
  const ask = async (event) => {
    event.preventDefault();
    const args = Object.fromEntries(now.args.map((arg) => [arg.name, valueFrom(valueOf(arg))]));
    const choice = { seat: now.seat, option: now.option ?? undefined, args };
    setTold(await debug.value(JSON.stringify(choice)).catch((error) => error.message));
  };
  const title = ({ seat, option, args }) => `${say("seat", seat)}: ${[option, ...args.map(({ name }) => name)].filter(Boolean).join(" ")}`;
  return html`<h2>${say("why")}</h2><form class="row" onSubmit=${ask}>
    <label>${say("choice")} <select value=${options.indexOf(now)} onChange=${(event) => setChosen(Number(event.target.value))}>${
      options.map((one, at) => html`<option key=${at} value=${at}>${title(one)}</option>`)}</select></label>
    ${now.args.map((arg) => html`<label key=${arg.name}>${arg.name} <input data-arg=${arg.name} value=${valueOf(arg)} autocomplete="off"
      onInput=${(event) => setGiven({ ...given, [arg.name]: event.target.value })} /></label>`)}
    <button type="submit" data-why>${say("ask")}</button></form>
    ${told && html`<pre class="numbers" data-because tabindex="0" role="region" aria-label=${say("why")}>${told}</pre>`}`;
}
