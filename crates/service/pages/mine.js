// The games of this person, those that wait for a decision first; and who the person is, here and on other devices.

import { html, useEffect, useState } from "./parts.js";
import { get, holdings, isWatching, managing, now, player, recall, sit } from "./api.js";
import { lastSessions } from "./last.js";
import { bookOf, gameTitle } from "./book.js";
import { allowNotifications, canNotify, leave, owes, rename, reservedIn, seatsOf, sessions } from "./player.js";
import { Code, CopyLink } from "./share.js";
import { say, timeLeft } from "./words.js";

/** How many finished games are listed. */
const FINISHED = 5;

export function Mine({ notice }) {
  const held = useHeld();
  const known = sessions.value ?? Object.fromEntries(navigator.onLine ? [] : lastSessions().map((session) => [session.id, session]));
  const all = [...held.filter(({ id }) => !known[id]), ...Object.values(known)].filter(isMine).sort(byUrgency);
  const over = all.filter(({ status }) => status === "finished");
  const shown = all.filter((one) => !over.includes(one) || over.indexOf(one) < FINISHED);
  if (!player.value && !notice && shown.length === 0) return null;
  return html`<section class="mine" aria-label=${say("mine")}>
    <h2>${say("mine")}</h2>
    ${notice && html`<p class="lost" role="alert">${notice}</p>`}
    ${shown.length === 0 && html`<p class="quiet">${say(player.value && !sessions.value ? "loading" : "noGames")}</p>`}
    <ul class="sessions">${shown.map((one) => html`<${OwnGame} key=${one.id} session=${one} />`)}</ul>
    ${player.value && html`<${Me} key=${player.value.token} />`}
  </section>`;
}

/** Tables of which only this browser has a token: those of links to one seat, and those that this browser has opened for others. */
function useHeld() {
  const [found, setFound] = useState([]);
  const isReady = !player.value || sessions.value !== null;
  useEffect(() => {
    if (!isReady) return;
    const others = recall("sessions", []).filter((id) => !sessions.value?.[id]).slice(0, 8);
    const read = (id) => get(`/v1/sessions/${id}`, { token: Object.values(holdings(id).seats)[0]?.token || holdings(id).owner }).catch(() => null);
    Promise.all(others.map(read)).then((all) => setFound(all.filter(Boolean)));
  }, [isReady]);
  return found;
}

const isMine = (session) => seatsOf(session).length > 0 || reservedIn(session).length > 0 || Boolean(managing(session));

const STAGES = ["running", "waiting", "finished"];

function byUrgency(one, other) {
  const rank = (session) => (owes(session) ? -1 : STAGES.indexOf(session.status));
  const until = (session) => (owes(session) && Date.parse(deadlineOf(session))) || Infinity;
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (until(one) !== until(other)) return until(one) - until(other);
  return Date.parse(other.created_at) - Date.parse(one.created_at);
}

/** When the time of the person is up, or else that of the others. */
function deadlineOf(session) {
  const own = session.deadlines.filter(({ seat }) => seatsOf(session).includes(seat));
  return (own.length > 0 ? own : session.deadlines).map(({ at }) => at).sort()[0];
}

function stateOf(session, book) {
  if (session.outcome) return book.outcome(session.outcome);
  if (reservedIn(session).length > 0 && seatsOf(session).length === 0) return say("reservedForYou");
  if (owes(session)) return say("yourTurn");
  if (session.status === "waiting") return say("waiting");
  return say("waitsFor", session.owing.map(book.seat).join(", "));
}

function OwnGame({ session }) {
  const own = seatsOf(session);
  const book = bookOf(session, null, null, new Map(), own[0]);
  const others = session.seats.filter(({ seat, status }) => status !== "open" && !own.includes(seat)).map(({ seat }) => book.seat(seat));
  const isDue = owes(session);
  const open = () => isWatching(session.id) && own.length > 0 && sit(session.id, own[0]);
  return html`<li><a href=${`#/t/${session.id}`} data-table=${session.id} data-owed=${isDue} onClick=${open}>
    <b>${gameTitle(session) ?? session.game}</b>${others.length > 0 && html` <span class="quiet">${say("against", others.join(", "))}</span>`}
    <span class="row"><span class=${isDue ? "state mine" : "quiet"}>${stateOf(session, book)}</span>
      ${session.status === "running" && html`<${Left} until=${deadlineOf(session)} />`}</span></a></li>`;
}

/** The time until a deadline. */
function Left({ until }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!until) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return until && html`<span class="clock">${say("left", timeLeft(Date.parse(until) - now()))}</span>`;
}

/** Who the person is: the name, other devices, notifications, and the ways to end it. */
function Me() {
  const [name, setName] = useState(player.value.name ?? "");
  const [told, setTold] = useState("");
  const [isShown, setShown] = useState(false);
  const attempt = (work) => work.then(() => setTold(""), (error) => setTold(error.message));
  const save = (event) => {
    event.preventDefault();
    attempt(rename(name.trim())).then(() => setTold((wrong) => wrong || say("saved")));
  };
  return html`<div class="me">
    <p class="row"><button type="button" data-device aria-expanded=${isShown} onClick=${() => setShown(!isShown)}>${say("device")}</button>
      ${canNotify() && html`<button type="button" data-notify onClick=${() => attempt(allowNotifications())}>${say("notify")}</button>`}</p>
    ${isShown && html`<${Device} />`}
    <details><summary>${say("youAre", player.value.name ?? say("guest"))}</summary>
      <form class="row" onSubmit=${save}><label>${say("yourName")} <input value=${name} maxlength="64" autocomplete="nickname"
        onInput=${(event) => setName(event.target.value)} /></label><button type="submit">${say("save")}</button></form>
      <p class="row"><button type="button" data-log-out onClick=${() => attempt(leave(false))}>${say("logOut")}</button>
        <button type="button" data-forget onClick=${() => attempt(leave(true))}>${say("forget")}</button></p>
    </details>
    <p role="status" class="quiet">${told}</p></div>`;
}

/** The link with which another device is the same player. */
function Device() {
  const path = `#player=${player.value.token}`;
  return html`<div class="device"><p>${say("deviceHow")}</p>
    <div class="code"><${Code} path=${path} /></div>
    <${CopyLink} words="copyLink" path=${path} isShown=${true} /></div>`;
}
