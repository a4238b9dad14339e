// A table: one session, as its player or as somebody who watches.

import { html, useEffect, useRef, useState } from "./parts.js";
import { get, hold, holdings, isOnline, isWatching, language, managing, newEntropy, now, player, recall, remember, sit, sittingAt, text, write } from "./api.js";
import { Board } from "./board.js";
import { bookOf, gameTitle } from "./book.js";
import { Choices } from "./choices.js";
import { usePlan } from "./plan.js";
import { FirstGame } from "./help.js";
import { canHint, chosenOf, hintFor } from "./hint.js";
import { Game, announce, announcement } from "./game.js";
import { keepLast } from "./last.js";
import { Log, linesOf, told as toldOf } from "./log.js";
import { useFocus } from "./focus.js";
import { Orders } from "./orders.js";
import { usePace } from "./pace.js";
import { Countdown, dotOf } from "./people.js";
import { becomeGuest, caption, reservedIn, seatsOf, sessions, showTable } from "./player.js";
import { History, lookBack } from "./replay.js";
import { Result, useResult } from "./result.js";
import { tell } from "./reading.js";
import { isNarrow, useReveal } from "./reveal.js";
import { Settings } from "./settings.js";
import { CopyLink, Share } from "./share.js";
import { chime } from "./sound.js";
import { Rulebook } from "./rulebook.js";
import { stepsOf } from "./steps.js";
import { Talk } from "./talk.js";
import { BOTS, capital, say } from "./words.js";

/** After this time without a change, in milliseconds, people are offered to go on without those who are absent. */
const VOTE_AFTER = 60_000;

export function Table({ id, grant, version }) {
  const [seat, setSeat] = useState(() => accept(id, grant) ?? sittingAt(id));
  const [isSearching, setSearching] = useState(!seat && player.value && !isWatching(id));
  const [lost, setLost] = useState(null);
  const [tries, setTries] = useState(0);
  const [game, setGame] = useState(null);
  const sitDown = (next, lostSeat = null) => {
    sit(id, next ?? 0);
    setLost(lostSeat);
    setSeat(next);
  };
  useEffect(() => {
    if (isSearching) ownSeat(id).then((found) => (found && sitDown(found), setSearching(false)));
  }, []);
  useEffect(() => {
    if (isSearching) return undefined;
    // A person who loses a seat goes on watching. A token that the server does not know is forgotten, so that the one before it
    // counts again.
    const opened = new Game(id, seat, (old, error) => {
      if (!old) return forget(id, error) ? setTries(tries + 1) : (opened.problem.value = error);
      const before = holdings(id).seats[old]?.before;
      if (error.status === 401 || before) hold(id, (held) => (before ? (held.seats[old] = before) : delete held.seats[old]));
      setTries(tries + 1);
      if (!before) sitDown(null, old);
      return undefined;
    });
    setGame(opened);
    announcement.value = "";
    opened.open();
    return () => opened.close();
  }, [id, seat, tries, isSearching, language.value]);
  if (!game || game.seat !== seat) return html`<main><p class="quiet">${say("loading")}</p></main>`;
  return html`<${Seated} game=${game} lost=${lost} version=${version} key=${`${id} ${seat} ${tries}`} onSit=${sitDown} />`;
}

/** The seat that the player has taken on another device. Where one is reserved, the player may look, also at a private table. */
async function ownSeat(id) {
  const session = sessions.value?.[id] ?? (await get(`/v1/sessions/${id}`, { token: player.value.token }).catch(() => null));
  if (session && reservedIn(session).length > 0) hold(id, (held) => (held.isAwaited = true));
  return session && seatsOf(session)[0];
}

/** Forgets the tokens of a session that the server does not know. Returns whether there were any. */
function forget(id, error) {
  const { owner, spectator, invite } = holdings(id);
  const isThere = error.status === 401 && Boolean(owner || spectator || invite);
  if (isThere) hold(id, (held) => ["owner", "spectator", "invite"].forEach((name) => delete held[name]));
  return isThere;
}

/** Keeps what a link granted, and removes it from the address. Returns the seat, if it granted one. */
function accept(id, grant) {
  if (!grant) return null;
  hold(id, (held) => {
    if (grant.kind === "invite") held.invite = grant.token;
    else if (grant.kind === "watch") held.spectator = grant.token;
    else if (held.seats[grant.seat]?.token !== grant.token) held.seats[grant.seat] = { token: grant.token, before: held.seats[grant.seat] };
  });
  history.replaceState(null, "", `#/t/${id}`);
  if (grant.kind !== "seat") return null;
  sit(id, grant.seat);
  return grant.seat;
}

function Seated({ game, lost, version, onSit }) {
  const [tab, setTab] = useState("log");
  const [clause, setClause] = useState(null);
  const [at, setAt] = useState(version ?? null);
  const [hint, setHint] = useState(null);
  const labeled = useRef({});
  const session = game.session.value;
  const view = game.view.value;
  const pace = usePace(game, Boolean(at));
  const decision = at || pace.isBehind ? null : game.decision.value;
  const isOwn = useRef(() => false);
  const plan = usePlan(game, game.decision.value, (id) => isOwn.current(id));
  const result = useResult(game, !at && !pace.isBehind);
  const root = document.documentElement;

  useEffect(() => {
    if (game.seat) root.dataset.seat = String(game.seat);
    else delete root.dataset.seat;
    if (session) root.dataset.status = session.status;
    return () => {
      delete root.dataset.seat;
      delete root.dataset.status;
    };
  }, [game.seat, session?.status]);

  // The title of the window tells people who look elsewhere that it is their turn.
  const is_due = Boolean(view && game.seat && view.owing.includes(game.seat));
  useEffect(() => {
    const title = session && gameTitle(session);
    if (title) caption.value = `${is_due ? "● " : ""}${title}`;
  }, [is_due, session && gameTitle(session)]);

  useEffect(() => showTable(game.id), [game.id]);
  useEffect(() => keepLast(game), [game]);
  useEffect(() => void (decision && chime()), [Boolean(decision)]);

  // For whoever drives this page by a program: what it shows.
  const owed = view && !at ? decision?.id || "" : undefined;
  useEffect(() => {
    if (view) root.dataset.version = String(view.version);
    if (owed !== undefined) root.dataset.decision = owed;
    return () => {
      delete root.dataset.version;
      delete root.dataset.decision;
    };
  }, [view?.version, owed]);

  // The clicked element may lose the focus, so the whole window listens.
  useEffect(() => {
    const pressed = (event) => {
      if (/^(input|select|textarea)$/i.test(event.target.tagName)) return;
      if (event.key === "Escape" && game.picks.value.length > 0) game.back();
      if (event.key === "u" && !event.ctrlKey && !event.metaKey && canUndo(game)) game.undoLast();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [game]);

  if (game.problem.value) {
    return html`<main><h1>Wyrmgate</h1><p role="alert">${lost ? say("linkGone") : say("gone")}</p>
      ${hasRoom(session) && html`<${Waiting} game=${game} onSit=${onSit} />`}
      <p><a href="#/">${say("lobby")}</a></p></main>`;
  }
  if (!session || !view || !game.rules.value) {
    return html`<main><h1>Wyrmgate</h1><p role="status">${game.connection.value === "lost" ? say("lost") : say("loading")}</p></main>`;
  }
  const book = bookOf(session, view, game.rules.value, game.titles, game.seat);
  isOwn.current = book.isOwn;
  const choices = game.choices.value;
  if (labeled.current.of !== choices) {
    labeled.current = { of: choices, told: choices.map((choice) => ({ ...choice, label: book.told(choice.label) })) };
  }
  const steps = decision ? stepsOf(decision, labeled.current.told, game.picks.value, book.step) : null;
  // The fork that finds a hint is itself a change, after which the same choices have other ids.
  const isMove = ({ type }) => ["chose", "undone", "rolled-back"].includes(type);
  const moves = game.changes.value.findLast(({ events }) => events.some(isMove))?.version ?? 0;
  const hinted = hint?.of === moves && hint.made ? chosenOf(hint.made, choices) : null;
  const ask = async () => {
    setHint({ of: moves, isComing: true });
    const made = await hintFor(game).catch((error) => game.say(error));
    setHint({ of: moves, made });
  };
  const cite = (id) => {
    setClause({ id });
    setTab("rules");
  };
  const help = html`<${FirstGame} game=${game} decision=${decision} onRules=${cite} />`;
  const reveal = useReveal(decision);
  useFocus([game.picks.value.length, decision?.id]);
  return html`<div class="table">
    <${Header} game=${game} book=${book} onSit=${onSit} next=${pace.isBehind && pace.next} />
    <main class="play">
      <div class="left">
        ${hasRoom(session) && html`<${Waiting} game=${game} onSit=${onSit} />`}
        <${Board} session=${game.id} seat=${game.seat} version=${pace.version} at=${at ?? (pace.version < view.version ? pace.version : null)} steps=${steps}
          later=${pace.later}
          onPick=${(pick) => game.pick(pick)} onPlay=${(id) => game.play(id)}
          onColors=${(colors) => {
            game.colors.value = colors;
            tell(document.querySelector(".drawing"), book);
            reveal();
          }} aboutOf=${book.about} orderOf=${book.order} isOwn=${book.isOwn} name=${session.game} hinted=${hinted?.id} planned=${plan.picks} onPlan=${plan.click} isBusy=${game.isBusy.value}>${result.isOpen && html`<${Result} game=${game} book=${book} onClose=${result.close} onRematch=${() => rematch(game)}
            onLook=${() => (result.close(), lookBack())} />`}<//>
        <${History} game=${game} book=${book} at=${at} onAt=${setAt}><${Links} game=${game} at=${at} onSit=${onSit} /><//>
      </div>
      <div class="right" data-shown=${tab}>
        <${Notices} game=${game} book=${book} lost=${lost} onSit=${onSit}>
          ${!isNarrow() && help}<//>
        ${game.seat && session.status === "running" && html`<${Choices} decision=${decision} steps=${steps}
          given=${linesOf({ events: view.given ?? [] }, book).map((line) => line.text)} onWithdraw=${() => game.act("POST", "/undos", {})}
          isBusy=${game.isBusy.value} latest=${latestOf(pace.changes, book, pace.isBehind)} isBehind=${pace.isBehind} told=${book.told} plan=${plan} thing=${book.thing} onPick=${(pick) => game.pick(pick)} onBack=${() => game.back()}
          onReset=${() => (game.picks.value = [])} onPlay=${(id, given) => game.play(id, given)} onClause=${cite}
          hint=${hint?.of === moves ? { ...hint, choice: hinted } : null} onHint=${canHint(session, view, game.seat) && ask}>${isNarrow() && help}<//>`}
        <${Tabs} game=${game} changes=${pace.changes} tab=${tab} onTab=${setTab} book=${book} clause=${clause} onClause=${cite} at=${at} onLook=${setAt} />
      </div>
      <${Live} game=${game} book=${book} pace=${pace} decision=${decision} />
    </main>
  </div>`;
}

/** What happened last, in one line; or only which move was made. */
function latestOf(changes, book, isMove = false) {
  for (const change of changes.slice(-5).reverse()) {
    const lines = linesOf(change, book).filter((line) => (isMove ? line.kind === "main" : line.kind !== "small"));
    if (lines.length > 0) return lines.slice(-2).map((line) => line.text).join(" · ");
  }
  return "";
}

/** Where in the game we are. */
const place = (state, book) =>
  [
    state?.round > 1 || (state?.round === 1 && !state.turn) ? say("round", state.round) : "",
    state?.turn ? say("turnOnly", state.turn) : "",
    state?.phase ? capital(book.word(state.phase)) : "",
  ].filter(Boolean).join(" · ");

/** Whether there may be something to undo: only the server knows what, and it is asked when somebody wants to know. */
function canUndo(game) {
  const session = game.session.value;
  if (!game.seat || session.status !== "running" || session.undo === "never") return false;
  const isOwn = (event) => event.type === "chose" && event.seat === game.seat;
  return game.changes.value.some((change) => change.events.some(isOwn));
}

/** A button for each undo that can work, once this is opened. */
function Undo({ game }) {
  const [possible, setPossible] = useState(null);
  const toggled = async (event) => {
    if (event.currentTarget.open) setPossible(await game.undos());
  };
  return html`<details class="undo" onToggle=${toggled}><summary aria-label=${say("undo")}>⟲<span> ${say("undo")}</span></summary><div role="status">
    ${possible === null && html`<p>${say("loading")}</p>`}
    ${possible?.length === 0 && html`<p>${say("noUndo")}</p>`}
    ${possible?.map(({ to, needs }, at) => html`<button type="button" key=${to} data-undo=${to}
      onClick=${() => game.act("POST", "/undos", { to })}>${say(at === 0 ? "undoLast" : "undoMany", at + 1)} ${
      needs === "agreement" ? say("ifAgreed") : ""}</button>`)}</div></details>`;
}

/** What a player can do besides moves: resign, offer a draw, call the game off, claim, pause. */
function Endings({ game }) {
  const { status, endings, seats, clock, paused } = game.session.value;
  if (!game.seat || status !== "running" || game.view.value?.state?.vars?.resigned?.[game.seat - 1]) return null;
  const ask = (method, path, body = {}, question = "") => (event) => {
    event.currentTarget.closest("details").open = false;
    return (!question || confirm(say(question))) && game.act(method, path, body);
  };
  const movers = game.changes.value.flatMap((change) => change.events).filter((event) => event.type === "chose").map((event) => event.seat);
  const isEarly = new Set(movers).size === movers.length;
  const arePeople = seats.every((one) => one.status === "taken");
  const quiet = now() - Date.parse(game.changes.value.at(-1)?.at);
  // With a clock, or sooner, those who play on must all want it.
  const { owing } = game.view.value;
  const isVote = seats.filter((one, at) => one.status === "taken" && !owing.includes(at + 1)).length > 1;
  const patience = isVote ? Math.min(VOTE_AFTER, endings.claims_after_ms) : clock ? Infinity : endings.claims_after_ms;
  const isWaiting = endings.claims_after_ms && quiet >= patience && owing.some((of) => seats[of - 1].status === "taken") && !owing.includes(game.seat);
  const buttons = [
    endings.resignations !== "never" && html`<button type="button" data-end="resign" onClick=${ask("POST", "/resignations", {}, "sureResign")}>${say("resign")}</button>`,
    endings.draws && arePeople && html`<button type="button" data-end="draw" onClick=${ask("POST", "/draw-offers")}>${say("offerDraw")}</button>`,
    endings.aborts && isEarly && html`<button type="button" data-end="abort" onClick=${ask("POST", "/abort")}>${say("callOff")}</button>`,
    isWaiting && html`<button type="button" data-end="claim" onClick=${ask("POST", "/claims")}>${say("claimAbsence")}</button>`,
    clock && !paused && html`<button type="button" data-end="pause" onClick=${ask("PUT", "/pause", { paused: true })}>${say("askPause")}</button>`,
  ].filter(Boolean);
  return buttons.length > 0 && html`<details class="undo"><summary aria-label=${say("endings")}>⚑<span> ${say("endings")}</span></summary><div>${buttons}</div></details>`;
}

/** Who plays, who is to decide, the scores and the clocks. */
function Header({ game, book, onSit, next }) {
  const session = game.session.value;
  const view = game.view.value;
  const owing = new Set(view.owing);
  const scores = view.state?.scores || [];
  const mine = owing.has(game.seat) && !next;
  const best = Math.max(...scores, 0);
  let state;
  if (next) state = say("waitsFor", book.seat(next));
  else if (session.status === "waiting") state = say("waiting");
  else if (session.outcome) state = book.outcome(session.outcome);
  else if (mine) state = say("yourTurn");
  else state = say("waitsFor", [...owing].map((seat) => book.seat(seat)).join(", "));
  const seats = seatsOf(session);
  const title = game.rules.value?.game;
  return html`<header class="bar">
    ${game.seat && session.status === "running" && html`<button type="button" class="skip"
      onClick=${() => document.getElementById("choices")?.focus()}>${say("skip")}</button>`}
    <a class="home" href="#/" aria-label=${say("lobby")}>⌂</a>
    <h1>${gameTitle(session) || title}</h1>
    <p class=${mine ? "state mine" : "state"} role="status">${state}</p>
    ${session.status === "running" && html`<p class="quiet">${place(view.state, book)}</p>`}
    ${canUndo(game) && html`<${Undo} key=${view.version} game=${game} />`}
    <${Endings} game=${game} />
    <ul class="people" tabindex=${isNarrow() ? 0 : undefined} aria-label=${capital(say("players"))}>${session.seats.map((taken) => html`<li key=${taken.seat}
        class=${`person color-${taken.seat}${(next ? next === taken.seat : owing.has(taken.seat)) ? " owing" : ""}`}>
      <span class="dot" aria-hidden="true" style=${dotOf(game.colors.value[taken.seat])}>${taken.seat}</span>
      <span class="name">${taken.seat === game.seat ? html`<b>${book.seat(taken.seat)}</b>` : taken.status === "open" ? say("empty")
        : taken.status === "bot" ? html`<span class="unseen">${say("seat", taken.seat)} </span>${say(taken.bot)}` : book.seat(taken.seat)}</span>
      ${scores.some((score) => score !== 0) && html`<span class="score" title=${say("score")}>${scores[taken.seat - 1]}${
        scores[taken.seat - 1] === best && best > 0 ? html`<span class="lead" aria-hidden="true"> ★</span>` : ""}</span>`}
      <${Countdown} deadline=${view.deadlines.find((one) => one.seat === taken.seat)}
        time=${view.times?.find((one) => one.seat === taken.seat)} clock=${session.status === "running" ? session.clock : null}
        isPaused=${session.paused} />
    </li>`)}</ul>
    ${seats.length > 1 && html`<label class="sit">${say("sitAs")} <select value=${game.seat || 0}
        onChange=${(event) => onSit(Number(event.target.value) || null)}>
      ${seats.map((one) => html`<option key=${one} value=${one}>${book.seat(one)}</option>`)}
      <option value="0">${say("spectator")}</option></select></label>`}
    <${Settings} />
  </header>`;
}

/** Whether somebody can take a seat: also whoever may see nothing of the game, such as a guest. */
const hasRoom = (session) => session && session.status !== "finished" && session.seats.some((one) => one.status === "open");

const isForOthers = ({ reserved_for: whom }) => Boolean(whom) && whom !== player.value?.id;

/** Takes a seat, and sits down there. */
async function claim(game, seat, onSit, name = recall("name", "")) {
  const session = game.session.value;
  const held = holdings(game.id);
  // Only before the game begins can a seat contribute to the seed.
  const fresh = { entropy: session.status === "waiting" ? newEntropy() : undefined, secret: newEntropy() };
  // Kept until the token has come: if the response is lost, the same claim gets it again.
  const { entropy, secret } = held.claims?.[seat] ?? fresh;
  hold(game.id, (all) => (all.claims = { ...all.claims, [seat]: { entropy, secret } }));
  const body = { name: name.trim() || undefined, entropy: session.status === "waiting" ? entropy : undefined, secret };
  if (held.invite) body.invite_code = held.invite;
  remember("name", name.trim());
  await becomeGuest(name.trim());
  try {
    const claimed = await write("PUT", `/v1/sessions/${game.id}/seats/${seat}`, { body, token: player.value?.token ?? held.owner });
    hold(game.id, (all) => {
      all.seats[seat] = { token: claimed.token, entropy, player: claimed.player };
      delete all.claims[seat];
      all.commitment = session.commitment;
      all.game = session.game;
    });
    onSit(seat);
  } catch (error) {
    game.say(error);
  }
}

/** Before the game begins: seats to take, links to send. */
function Waiting({ game, onSit }) {
  const session = game.session.value;
  const [name, setName] = useState(recall("name", ""));
  const held = holdings(game.id);
  const seatBot = async (seat, bot) => {
    try {
      await write("PUT", `/v1/sessions/${game.id}/seats/${seat}`, { body: { bot }, token: managing(session) });
    } catch (error) {
      game.say(error);
    }
    game.isSessionOld = true;
    game.refresh();
  };
  const is_private = session.visibility === "private";
  const inviting = is_private && held.invite ? `#/t/${game.id}/invite/${held.invite}` : `#/t/${game.id}`;
  return html`<section class="waiting" aria-label=${say("waiting")}>
    <h2>${say("waiting")}</h2>
    <label>${say("yourName")} <input value=${name} maxlength="64" autocomplete="nickname" onInput=${(event) => setName(event.target.value)} /></label>
    <div class="list">${session.seats.filter((one) => one.status === "open").map((one) => isForOthers(one)
      ? html`<p key=${one.seat} class="quiet" data-reserved=${one.seat}>${say("reserved", one.seat)}</p>`
      : html`<button type="button" class=${game.seat ? "" : "main"} key=${one.seat} data-take=${one.seat} onClick=${() => claim(game, one.seat, onSit, name)}>${
        say(one.reserved_for ? "takeReserved" : "takeSeat", one.seat)}</button>
        ${one.reserved_for && html`<button type="button" data-decline=${one.seat} onClick=${() => declineSeat(game, one.seat)}>${say("decline")}</button>`}`)}</div>
    ${managing(session) && session.seats.filter((one) => one.status === "open").map((one) => html`<label key=${one.seat}>${say("seat", one.seat)}
      <select value="" onChange=${(event) => seatBot(one.seat, event.target.value)}><option value="">${say("human")}</option>
      ${BOTS.map((bot) => html`<option key=${bot} value=${bot}>${say(bot)}</option>`)}</select></label>`)}
    <${CopyLink} words="invite" path=${inviting} />
    <${Share} path=${inviting} title=${gameTitle(session)} />
    ${is_private && held.spectator && html`<${CopyLink} words="watchLink" path=${`#/t/${game.id}/watch/${held.spectator}`} />`}
    ${game.seat && session.status === "waiting" && html`<button type="button" onClick=${() => leave(game, onSit)}>${say("leave")}</button>`}
  </section>`;
}

/** Says no to an invitation, and goes back to the other games. */
async function declineSeat(game, seat) {
  try {
    await write("DELETE", `/v1/sessions/${game.id}/seats/${seat}`, { token: player.value.token });
    location.hash = "";
  } catch (error) {
    game.say(error);
  }
}

async function leave(game, onSit) {
  if (game.session.value.status === "running" && !confirm(say("sure"))) return;
  await game.act("DELETE", `/seats/${game.seat}`);
  hold(game.id, (all) => delete all.seats[game.seat]);
  onSit(null);
}

/** Links to this table for other people and devices. */
function Links({ game, at, onSit }) {
  const session = game.session.value;
  const held = holdings(game.id);
  const own = game.seat && held.seats[game.seat];
  if (session.status === "waiting") return null;
  return html`<div class="links">
    ${session.visibility === "public" && html`<${Share} path=${`?t=${game.id}#/t/${game.id}`} title=${gameTitle(session)} version=${at ?? game.view.value.version} picture=${game.id} />`}
    ${session.visibility === "private" && held.spectator && html`<${Share} path=${`#/t/${game.id}/watch/${held.spectator}`} title=${gameTitle(session)} />`}
    ${own && html`<${CopyLink} words="moveSeat" path=${`#/t/${game.id}/seat/${game.seat}/${own.token}`} />`}
    ${game.seat && session.status === "running" && html`<button type="button" onClick=${() => leave(game, onSit)}>${say("leave")}</button>`}
    ${game.seat && session.status === "finished" && html`<button type="button" class="main" data-rematch onClick=${() => rematch(game)}>${say("rematch")}</button>`}
  </div>`;
}

/** The same people again, each at the next seat; their tokens are valid there. */
async function rematch(game) {
  try {
    const made = await write("POST", "/v1/sessions", { body: { rematch_of: game.id }, token: game.token });
    await goOn(game, made.id, made.commitment);
  } catch (error) {
    game.say(error);
  }
}

/** Goes on at another table, where the tokens of this one are valid. */
async function goOn(game, id, commitment) {
  for (const { token } of Object.values(holdings(game.id).seats)) {
    const { seat } = await get(`/v1/sessions/${id}/view`, { token });
    hold(id, (held) => {
      held.seats[seat] = { token };
      held.commitment = commitment;
    });
    if (token === game.token) sit(id, seat);
  }
  location.hash = `#/t/${id}`;
}

/** Follows to the table that has taken in who waited here. */
function useMatch(game) {
  const { matched_in: id } = game.session.value;
  useEffect(() => void (id && game.seat && goOn(game, id).catch((error) => game.say(error))), [game, id]);
}

/** How often a table where the game is over looks for a rematch, in milliseconds. */
const REMATCH = 4_000;

/** Returns the rematch that somebody at this table has requested. */
function useRematch(game) {
  const { status, rematch: id } = game.session.value;
  const isWaiting = status === "finished" && game.seat && !id;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => document.hidden || game.refreshSession().catch(() => {}), REMATCH);
    return () => clearInterval(timer);
  }, [game, isWaiting]);
  return game.seat && id;
}

const isFree = ({ session: { value } }, seat) =>
  value.status !== "finished" && value.seats[seat - 1]?.status === "open" && !isForOthers(value.seats[seat - 1]);

/** Says what became of a seat that was this window's, from the last change that concerns it. */
function whyLost(game, seat) {
  const about = game.changes.value.flatMap((change) => change.events).filter((event) => event.seat === seat);
  const types = new Set(about.slice(about.findLastIndex((event) => event.type === "seat-taken") + 1).map((event) => event.type));
  if (types.has("seat-left")) return say(types.has("timed-out") ? "lostByTime" : "lostByLeaving", seat);
  return say("lostLink", seat);
}

/** Something that seats want and all must agree to. Whoever wants it can change their mind. */
function Wanted({ game, book, by = [], words, answer, isFinal }) {
  if (by.length === 0) return null;
  const isMine = by.includes(game.seat);
  return html`<div class="asked" role=${isMine ? "status" : "alert"}><p>${say(words, book.seat(by[0]))}</p>
    ${game.seat && !isMine && !(isFinal && game.view.value?.owing.includes(game.seat)) && html`<button type="button" class="main" data-agree onClick=${() => answer(true)}>${say("agree")}</button>`}
    ${game.seat && !isFinal && html`<button type="button" onClick=${() => answer(false)}>${say(isMine ? "withdraw" : "decline")}</button>`}</div>`;
}

/** The state of the connection, an undo that somebody wants, and what went wrong. */
function Notices({ game, book, lost, onSit, children }) {
  const undo = game.undo.value;
  const session = game.session.value;
  const rematchId = useRematch(game);
  useMatch(game);
  return html`<div class="notices">
    ${lost && html`<div class="asked" role="alert" data-lost=${lost}><p>${whyLost(game, lost)} ${say("youWatch")}</p>
      ${isFree(game, lost) && html`<button type="button" class="main" data-again onClick=${() => claim(game, lost, onSit)}>${say("takeAgain", lost)}</button>`}</div>`}
    ${(game.connection.value === "lost" || !isOnline.value) && html`<p class="lost" role="alert">${say("lost")}</p>`}
    ${announcement.value && html`<p class="lost" role="alert">${announcement.value}
      <button type="button" aria-label=${say("remove")} onClick=${() => announce("")}>×</button></p>`}
    ${rematchId && html`<div class="asked" role="alert"><p>${say("rematchReady")}</p>
      <button type="button" class="main" data-rematch-ready onClick=${() => rematch(game)}>${say("rematch")}</button></div>`}
    ${undo && game.seat && undo.seat !== game.seat && html`<div class="asked" role="alert"><p>${say("wishes", book.seat(undo.seat))}</p>
      <button type="button" class="main" onClick=${() => game.act("POST", "/undos", { agree: true })}>${say("agree")}</button>
      <button type="button" onClick=${() => game.act("POST", "/undos", { agree: false })}>${say("decline")}</button></div>`}
    ${undo && undo.seat === game.seat && html`<p class="asked" role="status">${say("asked")}</p>`}
    <${Wanted} game=${game} book=${book} by=${session.draw_offer} words="offersDraw"
      answer=${(agree) => game.act("POST", "/draw-offers", { agree })} />
    <${Wanted} game=${game} book=${book} by=${session.pause_wanted_by} words="wantsPause"
      answer=${(paused) => game.act("PUT", "/pause", { paused })} />
    <${Wanted} game=${game} book=${book} by=${session.absence_votes} words="votesAbsent" isFinal
      answer=${() => game.act("POST", "/claims")} />
    ${session.paused && html`<div class="asked" role="status"><p>${say("paused")}</p>
      ${game.seat && html`<button type="button" class="main" onClick=${() => game.act("PUT", "/pause", { paused: false })}>${say("goOn")}</button>`}</div>`}
    ${children}
  </div>`;
}

/** Keeps the end of a list in sight: when it grows, and when its room changes, unless somebody has scrolled away from it. */
function useEnd(isWanted, reasons) {
  const box = useRef(null);
  const isThere = useRef(true);
  const go = () => isThere.current && box.current && (box.current.scrollTop = box.current.scrollHeight);
  useEffect(() => {
    isThere.current = isWanted;
    go();
  }, reasons);
  useEffect(() => {
    const { current } = box;
    const look = () => (isThere.current &&= current.scrollHeight - current.scrollTop - current.clientHeight < 40);
    const observer = new ResizeObserver(go);
    observer.observe(current);
    current.addEventListener("scroll", look);
    return () => observer.disconnect();
  }, []);
  return box;
}

function Tabs({ game, changes, tab, onTab, book, clause, onClause, at, onLook }) {
  const names = ["log", "rules", "textBoard"];
  if (game.seat && game.session.value.status === "running") names.push("orders");
  if (game.session.value.messages === "table") names.push("talk");
  const is_shown = names.includes(tab) ? tab : "log";
  const [read, setRead] = useState(0);
  useEffect(() => void (is_shown === "talk" && setRead(game.said.value)), [is_shown, game.said.value]);
  const isNew = game.said.value > read;
  const scroll = useEnd(is_shown === "log" && !at, [changes.length, is_shown, at, game.decision.value?.id]);
  const move = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = names[(names.indexOf(is_shown) + by + names.length) % names.length];
    onTab(next);
    event.currentTarget.querySelector(`[data-tab="${next}"]`)?.focus();
  };
  return html`<section class="more" aria-label=${say(is_shown)}>
    <div role="tablist" class="tabs" onKeyDown=${move}>${names.map((name) => html`<button type="button" role="tab" key=${name} id=${`tab-${name}`}
      data-tab=${name} data-new=${name === "talk" && isNew} aria-selected=${String(name === is_shown)} aria-controls="panel" tabindex=${name === is_shown ? 0 : -1}
      onClick=${() => onTab(name)}>${say(name)}${name === "talk" && isNew ? " ●" : ""}</button>`)}</div>
    <div id="panel" role="tabpanel" aria-labelledby=${`tab-${is_shown}`} tabindex="0" class="panel" ref=${scroll}>
      ${is_shown === "log" && html`<${Log} changes=${changes} book=${book} onClause=${onClause} onLook=${onLook} at=${at} />`}
      ${is_shown === "rules" && html`<${Rulebook} ruleset=${game.session.value.ruleset} clause=${clause} />`}
      ${is_shown === "textBoard" && html`<${TextBoard} game=${game} at=${at} told=${book.told} />`}
      ${is_shown === "orders" && html`<${Orders} game=${game} book=${book} />`}
      ${is_shown === "talk" && html`<${Talk} game=${game} book=${book} />`}
    </div>
  </section>`;
}

/** The board as characters, for screen readers and narrow windows. */
function TextBoard({ game, at, told }) {
  const [drawn, setDrawn] = useState("");
  const version = game.view.value.version;
  useEffect(() => {
    let is_current = true;
    const more = at ? `&at=${at}` : "";
    text(`/v1/sessions/${game.id}/board.txt?size=64${more}`, { token: game.token, accept: "text/plain" })
      .then((source) => is_current && setDrawn(source))
      .catch(() => {});
    return () => {
      is_current = false;
    };
  }, [version, at, language.value]);
  return html`<p class="quiet">${say("keys")}</p><pre class="text" tabindex="0">${told(drawn)}</pre>`;
}

/** Tells screen readers what the others did, and that it is their turn. */
function Live({ game, book, pace, decision }) {
  const chose = (pace.latest?.events || []).filter((event) => event.type === "chose" && event.seat !== game.seat);
  const told = chose.map((event) => toldOf(event, book));
  // The head of the page says whose turn it is, and the outcome.
  if (decision?.prompt) told.push(book.told(decision.prompt));
  return html`<p class="unseen" aria-live="polite">${told.join(". ")}</p>`;
}
