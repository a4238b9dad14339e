// The public HTTP API: requests, credentials, and the stream of a session.
//
// Credentials are kept in this browser and sent in the header `Authorization` only, never in an address.

import { signal } from "./vendor/signals.js";

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

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `The server answered ${status}.`);
    this.status = status;
    this.code = body.code || "unknown";
    this.reason = body.reason;
    this.retryAfter = body.retry_after;
    this.diagnostics = body.diagnostics;
  }
}

/** The server could not be reached: the request may or may not have arrived. */
export class Unreachable extends Error {}

const random = (bytes) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const newEntropy = () => random(32);

async function request(method, path, { body, token, headers = {}, accept = "application/json" } = {}) {
  const all = { Accept: accept, "Accept-Language": `${language.value}, en;q=0.5`, ...headers };
  if (token) all.Authorization = `Bearer ${token}`;
  if (body !== undefined) all["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: all,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-cache",
      credentials: "omit",
    });
  } catch (error) {
    throw new Unreachable(error.message);
  }
  noteTime(response);
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  return response;
}

export async function get(path, options) {
  return (await request("GET", path, options)).json();
}

export async function text(path, options) {
  return (await request("GET", path, options)).text();
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Writes once, however often the request has to be repeated: the server knows it by its key. */
export async function write(method, path, { body, token } = {}) {
  const headers = { "Idempotency-Key": random(16) };
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await request(method, path, { body, token, headers });
      return response.status === 204 ? null : await response.json();
    } catch (error) {
      const again = error instanceof Unreachable || error.status === 503;
      if (!again || tries === 20) throw error;
      await pause(Math.min(4000, 250 * 2 ** tries));
    }
  }
}

export async function pages(path, options, most = 1000) {
  const all = [];
  let next = null;
  do {
    const joint = path.includes("?") ? "&" : "?";
    const page = await get(next ? `${path}${joint}cursor=${next}` : path, options);
    all.push(...page.items);
    next = page.next;
  } while (next && all.length < most);
  return all;
}

// ---- time

let offset = 0;

/** Clocks of browsers are often wrong; the one of the server counts. */
function noteTime(response) {
  const there = Date.parse(response.headers.get("Date") || "");
  if (!Number.isNaN(there) && Math.abs(there - Date.now()) > 2000) offset = there - Date.now();
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

export function forget(session) {
  remember(`session.${session}`, null);
  remember("sessions", recall("sessions", []).filter((id) => id !== session));
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

/**
 * Follows a session without gaps or repeats, through interruptions, until the game is over. `on` gets `snapshot`,
 * `change` and `end` with their data, `state` with `live` or `lost`, and `restart` if the history is not the same any
 * more.
 */
export function follow(session, { token, after, on }) {
  const stop = new AbortController();
  let last = after;
  (async () => {
    for (let tries = 0; !stop.signal.aborted; tries += 1) {
      try {
        const headers = {
          Accept: "text/event-stream",
          "Accept-Language": `${language.value}, en;q=0.5`,
        };
        if (token) headers.Authorization = `Bearer ${token}`;
        if (last !== null && last !== undefined) headers["Last-Event-ID"] = String(last);
        const response = await fetch(`/v1/sessions/${session}/events`, {
          headers,
          cache: "no-store",
          credentials: "omit",
          signal: stop.signal,
        });
        if (response.status === 410 || response.status === 422) return on("restart");
        if ([401, 403, 404].includes(response.status)) return on("gone", await response.json());
        if (!response.ok) throw new Error(`the stream answered ${response.status}`);
        tries = 0;
        on("state", "live");
        const ended = await read(response.body, (message) => {
          if (message.id) last = message.id;
          if (message.event === "resync") return on("restart");
          if (message.event) on(message.event, message.data ? JSON.parse(message.data) : null);
        });
        if (ended.includes("end")) return undefined;
        if (ended.includes("resync")) return undefined;
      } catch (error) {
        if (stop.signal.aborted) return undefined;
      }
      on("state", "lost");
      await pause(Math.min(3000, 300 * 2 ** Math.min(tries, 5)));
    }
    return undefined;
  })();
  return () => stop.abort();
}

/** Reads server-sent events until the connection closes; returns the names of those that it had. */
async function read(body, tell) {
  const names = [];
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return names;
    rest += value;
    const messages = rest.split("\n\n");
    rest = messages.pop();
    for (const text of messages) {
      const message = {};
      for (const line of text.split("\n")) {
        const at = line.indexOf(":");
        if (at > 0) message[line.slice(0, at)] = line.slice(at + 1).trimStart();
      }
      if (message.event) {
        names.push(message.event);
        tell(message);
      }
    }
  }
}
