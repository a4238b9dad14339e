// The person behind the seats: known in all sessions and on every device, and told where a decision is owed.

import { effect, signal } from "./parts.js";
import { Problem, get, holdings, news, player, recall, remember, root, waking, write } from "./api.js";
import { gameTitle } from "./book.js";
import { forgetLast } from "./last.js";
import { say } from "./words.js";

/** The sessions of the player by their ids, as the server lists them; nothing until it has. */
export const sessions = signal(null);

/** What this window shows, for its title. */
export const caption = signal("");

/** The seats of a session that are this person's: the player's, and those of which this browser has the token. */
export const seatsOf = (session) => {
  const held = holdings(session.id).seats;
  return session.seats.filter((one) => held[one.seat] || (one.player && one.player === player.value?.id)).map((one) => one.seat);
};

export const reservedIn = (session) => session.seats.filter((seat) => seat.reserved_for && seat.reserved_for === player.value?.id);

export const owes = (session) => seatsOf(session).some((seat) => session.owing.includes(seat));

effect(() => {
  const count = Object.values(sessions.value ?? {}).filter(owes).length;
  document.title = `${count > 0 ? `(${count}) ` : ""}${caption.value ? `${caption.value} · ` : ""}Wyrmgate`;
});

// ---- who it is

/** Windows of one browser are the same person. */
const windows = new BroadcastChannel("wyrmgate.player");

function become(next) {
  player.value = next;
  remember("player", next);
  windows.postMessage({ player: next });
  attend();
  if (next) subscribe();
}

/** Makes a person a guest who has no name here yet. A seat can be taken without that. */
export async function becomeGuest(name) {
  if (player.value) return;
  const made = await write("POST", "/v1/players", { body: { name: name || undefined } }).catch(() => null);
  if (made) become(made);
}

/** Takes over the player of a link from another device. Returns what is to be said, if that fails. */
export async function adopt(token) {
  const known = player.value;
  if (known?.token === token || (known && !confirm(say("otherPlayer", known.name ?? say("guest"))))) return null;
  try {
    const found = await get("/v1/players/me", { token });
    if (known) forgetSeats();
    become({ ...found, token });
    if (found.name) remember("name", found.name);
    return null;
  } catch (error) {
    return error instanceof Problem ? say("linkUnknown") : say("lost");
  }
}

export async function rename(name) {
  const { token } = player.value;
  become({ ...(await write("PUT", "/v1/players/me", { body: { name: name || undefined }, token })), token });
  remember("name", name);
}

/** Ends being this player in this browser, and everywhere if it is to be forgotten. */
export async function leave(isForgotten) {
  if (!confirm(say(isForgotten ? "sureForget" : "sureLogOut"))) return;
  if (isForgotten) await write("DELETE", "/v1/players/me", { token: player.value.token });
  forgetSeats();
  const { token } = player.value;
  become(null);
  await unsubscribe(token);
}

/** Forgets the tables where this player has taken a seat in this browser, with their tokens. */
function forgetSeats() {
  const isOwn = (id) => Object.values(holdings(id).seats).some((seat) => seat.player === player.value.id);
  const known = recall("sessions", []);
  const own = known.filter(isOwn);
  for (const id of own) remember(`session.${id}`, null);
  forgetLast();
  remember("sessions", known.filter((id) => !own.includes(id)));
}

// ---- what happens

let attending = null;

/**
 * Hears of all sessions of the player. One window of the browser has the stream and tells the others: the one that somebody has
 * looked at last, because phones stop windows out of sight. Whoever takes the stream over begins with what is true now.
 */
export function attend(isNow = !document.hidden) {
  attending?.abort();
  if (!player.value) return void (sessions.value = null);
  const own = new AbortController();
  attending = own;
  const hear = () => listen(own.signal).catch(() => {});
  if (!navigator.locks) return void hear();
  const taken = navigator.locks.request("wyrmgate.player", isNow ? { steal: true } : { signal: own.signal }, hear);
  // A page that is left cannot wait for a lock: it gets another error.
  taken.catch((error) => own === attending && error.name === "AbortError" && attend(false));
}

document.addEventListener("visibilitychange", () => document.hidden || attend());
waking.addEventListener("wake", () => document.hidden || attend());

windows.addEventListener("message", ({ data }) => {
  if ("player" in data) {
    player.value = data.player;
    attend(false);
  } else if (player.value) sessions.value = data.sessions;
});

async function listen(signal) {
  for await (const { kind, data } of news(signal)) {
    const isFirst = kind === "snapshot";
    if (kind === "left") {
      const { [data.session]: gone, ...kept } = sessions.value ?? {};
      sessions.value = kept;
      windows.postMessage({ sessions: kept });
      continue;
    }
    const told = isFirst ? data.sessions.map(({ session }) => session) : [await after(kind, data)].filter(Boolean);
    if (signal.aborted) return;
    const known = sessions.value ?? {};
    // A turn may also have come between two streams.
    const isTurn = (session) => owes(session) && (known[session.id] ? !owes(known[session.id]) : !isFirst);
    const due = told.filter(isTurn);
    sessions.value = told.reduce((all, session) => ({ ...all, [session.id]: session }), isFirst ? {} : known);
    windows.postMessage({ sessions: sessions.value });
    due.forEach(notify);
  }
}

/** A session after a message. Its people are read again while they come together; a move costs no request. */
async function after(kind, { session: id, version, status, owing, deadlines, outcome = null }) {
  const known = sessions.value[id];
  if (known?.version >= version) return known;
  if (known?.status === "running" && kind !== "started") return { ...known, version, status: status ?? known.status, owing, deadlines, outcome };
  return get(`/v1/sessions/${id}`, { token: player.value.token }).catch(() => known);
}

// ---- notifications

export const canNotify = () => "Notification" in window && "serviceWorker" in navigator && Notification.permission === "default";

export async function allowNotifications() {
  if ((await Notification.requestPermission()) !== "granted") return;
  await worker();
  await subscribe();
}

/** Has this browser told by way of its push service, also while no page is open. Servers that send nothing leave it at that. */
async function subscribe() {
  if (!player.value || !("PushManager" in window) || Notification.permission !== "granted") return;
  try {
    const { pushManager } = await worker();
    const known = await pushManager.getSubscription();
    if (known && recall("push", null) === `${player.value.id} ${known.endpoint}`) return;
    const { public_key: applicationServerKey } = await get("/v1/push-key");
    const { endpoint, keys } = (known ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))).toJSON();
    await write("PUT", "/v1/players/me/push", { body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }, token: player.value.token });
    remember("push", `${player.value.id} ${endpoint}`);
  } catch {
    remember("push", null);
  }
}

subscribe();

/** Another person in this browser is not told what this one was told. */
async function unsubscribe(token) {
  const registration = recall("push", null) && (await navigator.serviceWorker?.getRegistration(root));
  const subscription = await registration?.pushManager.getSubscription();
  remember("push", null);
  if (!subscription) return;
  await subscription.unsubscribe();
  await write("DELETE", `/v1/players/me/push?endpoint=${encodeURIComponent(subscription.endpoint)}`, { token }).catch(() => {});
}

/** Browsers on phones have only the notifications of workers. */
export async function worker() {
  const registration = await navigator.serviceWorker.register(new URL("pages/worker.js", root), { scope: root });
  const coming = registration.installing ?? registration.waiting;
  const isActive = (done) => coming.addEventListener("statechange", () => coming.state === "activated" && done());
  if (!registration.active) await new Promise(isActive);
  return registration;
}

// The table of a notification that was clicked.
navigator.serviceWorker?.addEventListener("message", ({ data }) => (location.href = data));

const lockOf = (id) => `wyrmgate.table.${id}`;

/** Tells the other windows that this one shows a table, while it is in sight. */
export function showTable(id) {
  if (!navigator.locks || !player.value) return () => {};
  let release = () => {};
  const look = () => {
    release();
    const shown = new Promise((done) => (release = done));
    if (!document.hidden) navigator.locks.request(lockOf(id), { mode: "shared" }, () => shown);
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    release();
  };
}

/** Says that it is the player's turn, unless the table is in sight. */
async function notify(session) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const { held } = await navigator.locks.query();
  if (held.some(({ name }) => name === lockOf(session.id))) return;
  const data = new URL(`#/t/${session.id}`, root).href;
  (await worker()).showNotification(gameTitle(session) ?? session.game, { body: say("yourTurn"), tag: session.id, data });
}
