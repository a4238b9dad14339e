// The log in words: events become lines, with the names from the view.

import { html } from "./parts.js";
import { capital, say } from "./words.js";

/** More moves of one kind than this are told as one line. */
const MANY = 2;

/** Returns the lines of a change. `book` names seats, components, zones, variables and options. */
export function linesOf(change, book) {
  const lines = [];
  const moved = [];
  // That a pawn moves from b2 to b4 needs no second line.
  const isTold = ({ from, to }) => [from, to].every((zone) => lines.at(-1)?.kind === "main" && lines.at(-1).text.includes(` ${book.zone(zone)}`));
  const flush = () => {
    if (moved.length > 0) lines.push(...movesOf(moved.splice(0).filter((event) => !isTold(event)), book));
  };
  // What is set up at the beginning is one line, however often something else happens in between.
  const come = change.events.filter((event) => event.type === "moved" && event.from === BOX);
  const isMany = come.length > MANY;
  for (const event of change.events) {
    if (isMany && event === come[0]) lines.push(...boxed(come, "comes", book));
    if (isMany && come.includes(event)) continue;
    if (event.type === "moved") {
      moved.push(event);
      continue;
    }
    flush();
    const line = lineOf(event, book);
    if (line) lines.push(line);
  }
  flush();
  return lines;
}

function movesOf(events, book) {
  const groups = new Map();
  const moves = events.filter(({ from, to, cell }) => from !== to || cell);
  const [come, go] = [moves.filter(({ from }) => from === BOX), moves.filter(({ to }) => to === BOX)];
  const aside = [...boxed(come, "comes", book), ...boxed(go, "goes", book)];
  for (const event of moves.filter(({ from, to }) => from !== BOX && to !== BOX)) {
    const key = `${event.from}>${event.to}`;
    groups.set(key, [...(groups.get(key) || []), event]);
  }
  const between = [...groups.values()].flatMap((group) => {
    const [{ from, to }] = group;
    const known = group.filter((event) => event.component);
    const way = [book.zone(from), book.zone(to)];
    if (group.length > MANY || (known.length === 0 && group.length > 1)) return [small(say("movesMany", group.length, ...way))];
    if (known.length === 0) return [small(say("moveOne", ...way))];
    return group.map((event) => {
      const there = event.cell ? `${way[1]}, ${book.told(event.cell)}` : way[1];
      return small(say("moves", event.component ? book.thing(event.component) : say("something"), way[0], there));
    });
  });
  return [...aside, ...between];
}

/** Where everything is that is not in the game now. */
const BOX = "box";

/** What comes from the box, or goes there. */
function boxed(events, words, book) {
  if (events.length > MANY) return [small(say(`${words}Many`, events.length))];
  return events.map((event) => small(say(words, event.component ? book.thing(event.component) : say("something"))));
}

/** A choice in words; of a hidden one, only that it was made. */
export function told(event, book) {
  const words = book.choice(event);
  return words ? say("chooses", book.seat(event.seat), words) : say("chose", book.seat(event.seat));
}

const small = (text) => ({ text, kind: "small" });
const head = (text) => ({ text: capital(text), kind: "head" });

function lineOf(event, book) {
  switch (event.type) {
    case "game-began": return head(say("beganGame"));
    case "round-began": return head(say("round", event.round));
    case "phase-began": return event.phase ? head(say("phase", book.word(event.phase))) : null;
    case "turn-began": return event.seat ? head(say("turn", event.turn, book.seat(event.seat))) : null;
    case "chose": return {
      text: told(event, book),
      kind: "main", seat: event.seat, clauses: book.clauses(event), note: event.notation,
    };
    case "said": return { text: book.told(event.text), kind: "said" };
    case "scored": return {
      text: say("scores", book.seat(event.seat), event.by > 0 ? `+${event.by}` : event.by, event.total), kind: "said",
    };
    case "rolled": return { text: say("rolls", event.dice.map(({ face }) => (face === null ? say("hidden") : book.word(face))).join(", ")), kind: "said" };
    case "shuffled": return small(say("shuffles", book.zone(event.zone)));
    case "shown": return small(say("shows", event.components.map((id) => book.thing(id)).join(", ")));
    case "turned": return small(say(event.face === "down" ? "turnsDown" : "turnsUp", book.thing(event.component)));
    case "set": return setOf(event, book);
    case "finished": return head(book.outcome(event.outcome));
    case "seat-taken": return small(say("tookSeat", event.name || book.seat(event.seat)));
    case "seat-left": return small(say("leftSeat", book.seat(event.seat)));
    case "timed-out": return { text: say("timedOut", book.seat(event.seat)), kind: "said" };
    case "resigned": return { text: say("resigns", book.seat(event.seat)), kind: "said" };
    case "draw-offered": return { text: say("offersDraw", book.seat(event.seat)), kind: "said" };
    case "draw-declined": return { text: say("drawDeclined"), kind: "said" };
    case "absence-voted": return { text: say("votesAbsent", book.seat(event.seat)), kind: "said" };
    case "pause-wanted": return { text: say("wantsPause", book.seat(event.seat)), kind: "said" };
    case "paused": return { text: say("paused"), kind: "said" };
    case "unpaused": return { text: say("unpaused"), kind: "said" };
    case "rolled-back":
    case "undone": return head(say("undone"));
    case "undo-wished": return { text: say("wishes", book.seat(event.seat)), kind: "said" };
    case "undo-refused": return { text: say("undoRefused"), kind: "said" };
    default: return null;
  }
}

function setOf(event, book) {
  // Whether a man has moved is for the rules; what a person has to see of it is in the picture.
  if (event.component && typeof event.value === "boolean") return null;
  const value = book.given(event);
  if (event.component && event.name === "owner" && event.value !== null) return small(say("belongs", book.thing(event.component), value));
  const what = event.component ? `${book.thing(event.component)}, ${book.word(event.name)}` : book.variable(event);
  return what ? small(say("sets", capital(what), value)) : null;
}

/** The entries of changes, made once: a change never changes, and a long game has many. */
const made = new WeakMap();

/** Small lines that follow one another are one line, which opens. */
function folded(lines) {
  const groups = [];
  for (const line of lines) {
    if (line.kind === "small" && groups.at(-1)?.[0].kind === "small") groups.at(-1).push(line);
    else groups.push([line]);
  }
  return groups;
}

function entry(change, { book, onClause, onLook, is_now }) {
  const lines = linesOf(change, book);
  if (lines.length === 0) return null;
  const told = (line, number) => html`<p key=${number} class=${line.kind} data-of=${line.seat}>${line.text}${line.note && html` <span class="note">${line.note}</span>`}${
    (line.clauses || []).map((id) => html` <button type="button" class="clause" key=${id} onClick=${() => onClause(id)}>${id}</button>`)
  }</p>`;
  return html`<li key=${change.version} class=${is_now ? "now" : ""}>
    <button type="button" class="when" onClick=${() => onLook(change.version)}
      aria-label=${`${say("history")}: ${change.version}`}>${change.version}</button>
    <div>${folded(lines).map((group, number) => (group.length === 1 ? told(group[0], number)
      : html`<details key=${number} class="small"><summary>${group[0].text} ${say("andMore", group.length - 1)}</summary>${group.slice(1).map(told)}</details>`))}</div>
  </li>`;
}

/** The log, newest change last; `onClause` opens the rulebook, `onLook` looks back to a change. */
export function Log({ changes, at, ...rest }) {
  const entries = changes.map((change) => {
    if (at === change.version) return entry(change, { ...rest, is_now: true });
    if (!made.has(change)) made.set(change, entry(change, rest));
    return made.get(change);
  });
  return html`<ol class="log">${entries}</ol>`;
}
