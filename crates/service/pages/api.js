// Adds to the client of the TypeScript package: the language, the clock, credentials, and retries.
//
// Credentials are kept in this browser and sent in the header `Authorization` only, never in an address.

import { Client, Problem } from "./client.js";
import { signal } from "./vendor/signals.js";

export { Problem };

const store = (area, name, value) => {
  try {
    if (value === null) area.removeItem(name);
    else area.setItem(name, JSON.stringify(value));
  } catch {
    // A browser that stores nothing forgets the seat when the page is closed.
  }
};

const stored = (area, name, otherwise) => {
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

/** The TypeScript package at work for this page, with a credential. */
const client = (token, patience) =>
  new Client("", { ...patience, token: token || undefined, language: `${language.value}, en;q=0.5`, fetch: timed });

export const get = (path, { token, query } = {}) => client(token, PATIENCE.reads).get(path, { query });

export const text = (path, { token, query, accept } = {}) =>
  client(token, PATIENCE.reads).text(path, { query, headers: { Accept: accept } });

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

let offset = 0;

/** Clocks of browsers are often wrong; the one of the server counts. */
async function timed(address, init) {
  const response = await fetch(address, { cache: "no-cache", credentials: "omit", ...init });
  const there = Date.parse(response.headers.get("Date") || "");
  if (!Number.isNaN(there) && Math.abs(there - Date.now()) > 2000) offset = there - Date.now();
  return response;
}

export const now = () => Date.now() + offset;

// ---- credentials

/** What this browser holds of a session: seats with their tokens, and tokens of the session itself. */
export const holdings = (session) => recall(`session.${session}`, { seats: {} });

export function hold(session, change) {
  const held = holdings(session);
  change(held);
  remember(`session.${session}`, held);
  const known = recall("sessions", []).filter((id) => id !== session);
  remember("sessions", [session, ...known].slice(0, 50));
}

/** The seat of this window: two windows can sit at two seats. */
export function sittingAt(session) {
  const seats = Object.keys(holdings(session).seats);
  const noted = stored(sessionStorage, `wyrmgate.seat.${session}`, null);
  if (noted === 0) return null;
  if (noted !== null && seats.includes(String(noted))) return noted;
  return seats.length > 0 ? Number(seats[0]) : null;
}

export const sit = (session, seat) => store(sessionStorage, `wyrmgate.seat.${session}`, seat);

/** The credential with which this window looks at a session. */
export function credential(session, seat) {
  const held = holdings(session);
  const own = seat && held.seats[seat];
  return (own && own.token) || held.owner || held.spectator || held.invite || null;
}

// ---- the stream

const GONE = new Set([401, 403, 404]);

/**
 * Follows a session without gaps or repeats, through interruptions, until the game is over. `on` gets `snapshot`,
 * `change` and `end` with their data, `state` with `live` or `lost`, `gone` with the problem that ends it, and `restart` if
 * the history is not the same any more.
 */
export function follow(session, { token, after, on }) {
  const stop = new AbortController();
  const connection = (state) => on("state", state);
  const read = async () => {
    const stream = client(token, PATIENCE.stream).messages(session, { after, connection, signal: stop.signal });
    for await (const { kind, data, resumed } of stream) {
      if (kind === "snapshot" && !resumed) return on("restart");
      on(kind, data);
    }
    return undefined;
  };
  read().catch((error) => {
    if (stop.signal.aborted) return;
    if (GONE.has(error.status)) on("gone", error);
    else on("restart");
  });
  return () => stop.abort();
}
