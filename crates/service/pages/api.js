// Adds to the client of the TypeScript package: the language, the clock, credentials, and retries.
//
// Credentials are kept in this browser and sent in the header `Authorization` only, never in an address.

import { Client, Problem } from "./client.js";
import { signal } from "./vendor/signals.js";

export { Problem };

export const store = (area, name, value) => {
  try {
    if (value === null) area.removeItem(name);
    else area.setItem(name, JSON.stringify(value));
  } catch {
    // A browser that stores nothing forgets the seat when the page is closed.
  }
};

export const stored = (area, name, otherwise) => {
  try {
    const text = area.getItem(name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
};

export const remember = (name, value) => store(localStorage, `wyrmgate.${name}`, value);
export const recall = (name, otherwise) => stored(localStorage, `wyrmgate.${name}`, otherwise);

/** The language in which texts are asked for. */
export const language = signal(recall("language", (navigator.language || "en").split("-")[0]));

const random = (bytes) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const newEntropy = () => random(32);

/** Requests that are only read are not repeated: the page shows that there is no connection, and reads again. */
const PATIENCE = { reads: { retries: 0 }, writes: { patience: 10_000 }, stream: { retries: Infinity } };

/** The root of the server: the scripts lie in a folder of it, wherever a proxy shows it. */
export const root = new URL("../", import.meta.url).href;

/** The TypeScript package at work for this page, with a credential: a token, or that of a player with `;seat=2` for one of its seats. */
const client = (credential, patience) => {
  const [token, seat] = credential?.split(";") ?? [];
  return new Client(root, { ...patience, token: token || undefined, actAs: seat && `me;${seat}`, language: `${language.value}, en;q=0.5`, fetch: timed });
};

export const get = (path, { token, query } = {}) => client(token, PATIENCE.reads).get(path, { query });

export const text = (path, { token, query, accept } = {}) =>
  client(token, PATIENCE.reads).text(path, { query, headers: { Accept: accept } });

/** A picture, as it is. */
export const bytes = async (path, token) => (await client(token, PATIENCE.reads).request("GET", path)).blob();

/** Writes once, however often the request has to be repeated. */
export const write = (method, path, { body, token } = {}) => client(token, PATIENCE.writes)[method.toLowerCase()](path, { body });

/** All items of a list, at most so many. */
export async function pages(path, { token, query } = {}, most = 1000) {
  const all = [];
  for await (const item of client(token, PATIENCE.reads).items(path, { query })) {
    if (all.push(item) >= most) break;
  }
  return all;
}

// ---- time

/** The time at which `performance.now()` was 0. */
let origin = performance.timeOrigin;

/** Clocks of browsers are often wrong, and set right while a page is open; the one of the server counts. */
async function timed(address, init) {
  const response = await fetch(address, { cache: "no-cache", credentials: "omit", ...init });
  const there = Date.parse(response.headers.get("Date") || "");
  if (!Number.isNaN(there) && Math.abs(there - now()) > 2000) origin = there - performance.now();
  return response;
}

export const now = () => origin + performance.now();

// ---- credentials

/** Who this browser is, for all sessions and on every device: `{ id, name, token }`. Nobody until a seat is taken. */
export const player = signal(recall("player", null));

/** What this browser holds of a session: seats with their tokens, and tokens of the session itself. */
export const holdings = (session) => recall(`session.${session}`, { seats: {} });

export function hold(session, change) {
  const held = holdings(session);
  change(held);
  remember(`session.${session}`, held);
  const known = recall("sessions", []).filter((id) => id !== session);
  remember("sessions", [session, ...known].slice(0, 50));
}

/** Whether a person has selected to watch, in this window. */
export const isWatching = (session) => notedAt(session) === 0;

const notedAt = (session) => stored(sessionStorage, `wyrmgate.seat.${session}`, null);

/** The seat of this window: two windows can sit at two seats. */
export function sittingAt(session) {
  const seats = Object.keys(holdings(session).seats);
  const noted = notedAt(session);
  if (noted === 0) return null;
  if (noted !== null && (player.value || seats.includes(String(noted)))) return noted;
  return seats.length > 0 ? Number(seats[0]) : null;
}

export const sit = (session, seat) => store(sessionStorage, `wyrmgate.seat.${session}`, seat);

/** The credential with which this window looks at a session. On another device than the one that took the seat, it is the player's. */
export function credential(session, seat) {
  const held = holdings(session);
  const own = seat && (held.seats[seat]?.token ?? (player.value && `${player.value.token};seat=${seat}`));
  return own || held.owner || held.spectator || held.invite || (held.isAwaited && player.value?.token) || null;
}

/** The credential with which this person manages a session: what this browser holds, or the player who opened it. */
export const managing = ({ id, host }) => holdings(id).owner || (host && host === player.value?.id && `${player.value.token};host`) || null;

// ---- the stream

/** Whether this device has a network: browsers notice that at once, and a stream only when the next message does not come. */
export const isOnline = signal(navigator.onLine);
for (const name of ["online", "offline"]) addEventListener(name, () => (isOnline.value = name === "online"));

/** Is told when the device wakes or has a network again: what was connected before is gone, and nobody should wait for its end. */
export const waking = new EventTarget();
const wake = () => waking.dispatchEvent(new Event("wake"));
addEventListener("online", wake);
addEventListener("pageshow", ({ persisted }) => persisted && wake());
document.addEventListener("resume", wake);

/** A computer that sleeps tells nobody; only its time jumps. */
const JUMP = 5000;
let ticked = Date.now();
setInterval(() => {
  const isLate = Date.now() - ticked > JUMP && !document.hidden;
  ticked = Date.now();
  if (isLate) wake();
}, 1000);

/** Answers after which a credential opens nothing any more. */
const LASTING = new Set([401, 403, 404]);

export const isLasting = (error) => error instanceof Problem && LASTING.has(error.status);

/** Browsers open six connections to a server. The windows of a browser share this many streams; one is the player's, and two are left to requests. */
const STREAMS = 3;

/** How often a window without a stream looks for changes, in milliseconds: in sight, and hidden behind others. */
const PACE = { shown: 4_000, hidden: 15_000 };

/** Runs work while this window holds one of the streams of its browser. `undefined` if other windows hold all of them. */
async function withStream(work) {
  if (!navigator.locks) return work(); // a page that came without encryption from another machine
  for (let number = 1; number <= STREAMS; number += 1) {
    const held = (lock) => lock && work().then((isOver) => ({ isOver }));
    const done = await navigator.locks.request(`wyrmgate.stream.${number}`, { ifAvailable: true }, held);
    if (done) return done.isOver;
  }
  return undefined;
}

/** Waits until the time is up, the window is shown or hidden, the device wakes, or the signal is given. */
const rest = (ms, signal) =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", end);
      waking.removeEventListener("wake", end);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener("visibilitychange", end);
    waking.addEventListener("wake", end);
    signal.addEventListener("abort", end);
  });

/** What happens in all sessions of the player. */
export const news = (signal) => client(player.value.token, PATIENCE.stream).news({ signal });

/**
 * Follows a session without gaps or repeats, through interruptions, until the game is over: by a stream while the window is
 * in sight and there is one for it, and by looking from time to time otherwise. `on` gets `snapshot`, `change` and `end` with
 * their data, `state` with `live` or `lost`, `gone` with the problem that ends it, and `restart` if the history is not the
 * same any more.
 */
export function follow(session, { token, after, on }) {
  const stop = new AbortController();
  const connection = (state) => !stop.signal.aborted && on("state", state);
  let last = after;
  const hear = ({ kind, id, data }) => {
    last = id ?? data.version ?? last;
    on(kind, data);
    return kind === "end";
  };
  const stream = async () => {
    const away = new AbortController();
    const look = () => document.hidden && away.abort();
    const leave = () => away.abort();
    document.addEventListener("visibilitychange", look);
    waking.addEventListener("wake", leave);
    const signal = AbortSignal.any([stop.signal, away.signal]);
    try {
      for await (const message of client(token, PATIENCE.stream).messages(session, { after: last, connection, signal, messages: true })) {
        if (message.kind === "snapshot" && !message.resumed) throw new Error("the history is another one");
        if (hear(message)) return true;
      }
    } catch (error) {
      if (!away.signal.aborted) throw error;
    } finally {
      document.removeEventListener("visibilitychange", look);
      waking.removeEventListener("wake", leave);
    }
    return false;
  };
  const look = async () => {
    await rest(document.hidden ? PACE.hidden : PACE.shown, stop.signal);
    if (stop.signal.aborted) return true;
    try {
      const found = await pages(`/v1/sessions/${session}/events`, { token, query: { after: last, limit: 100 } }, Infinity);
      connection("live");
      for (const data of found) hear({ kind: "change", data });
      return found.at(-1)?.status === "finished" && hear({ kind: "end", data: {} });
    } catch (error) {
      if (error instanceof Problem && (error.status === 410 || isLasting(error))) throw error;
      connection("lost");
      return false;
    }
  };
  const run = async () => {
    for (let isOver = false; !isOver; ) isOver = (document.hidden ? undefined : await withStream(stream)) ?? (await look());
  };
  run().catch((error) => {
    if (stop.signal.aborted) return;
    if (isLasting(error)) on("gone", error);
    else on("restart");
  });
  return () => stop.abort();
}
