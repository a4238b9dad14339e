// A client for Wyrmgate: requests, retries, streams that resume, and a player. No dependencies; browsers and Node 20 or newer.
// ../types/index.d.ts documents everything that is exported here.

const RETRIED = new Set([429, 502, 503, 504]);
const CHANGED_MEANWHILE = new Set(["stale-version", "not-your-turn"]);

/** An answer that is a problem (RFC 9457). */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? `The server answered ${status}.`);
    this.name = "Problem";
    this.status = status;
    this.code = body.code ?? "unknown";
    this.reason = body.reason;
    this.body = body;
  }
}

export const isEvent = (event, type) => event.type === type;

const pause = (ms, signal) =>
  new Promise((done, fail) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      fail(signal.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
  });

/** The time before the next try: what the server asks for, or twice as long each time, with a jitter. */
const delay = (tries, answer) => {
  const wish = Number(answer?.headers.get("retry-after"));
  return wish > 0 ? wish * 1000 : Math.min(8000, 250 * 2 ** tries) * (0.75 + Math.random() / 2);
};

const filled = (path, values = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name) => {
    if (values[name] === undefined) throw new TypeError(`the path ${path} needs \`${name}\``);
    return encodeURIComponent(values[name]);
  });

const queried = (query = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : "";
};

/** A new key. `crypto.randomUUID` is missing in pages that come without encryption from another machine. */
const key = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Client {
  #server;
  #options;

  constructor(server, options = {}) {
    this.#server = String(server).replace(/\/$/, "");
    this.#options = { retries: 8, patience: Infinity, idle: 60_000, ...options };
  }

  as(token) {
    return new Client(this.#server, { ...this.#options, token });
  }

  #address(path, values, query) {
    return this.#server + filled(path, values) + queried(query);
  }

  async #send(method, address, { body, headers, ...init }) {
    const all = { Accept: "application/json", ...headers };
    if (this.#options.token) all.Authorization = `Bearer ${this.#options.token}`;
    if (this.#options.actAs) all["Act-As"] = this.#options.actAs;
    if (this.#options.language) all["Accept-Language"] = this.#options.language;
    if (body !== undefined) all["Content-Type"] = "application/json";
    const fetch = this.#options.fetch ?? globalThis.fetch;
    return fetch(address, { ...init, method, headers: all, body: body === undefined ? undefined : JSON.stringify(body) });
  }

  async request(method, path, options = {}) {
    const headers = { ...options.headers };
    const address = this.#address(path, options.path, options.query);
    // The server executes a key once, however often the request has to be repeated.
    if (method !== "GET") headers["Idempotency-Key"] ??= key();
    for (let tries = 0; ; tries += 1) {
      let answer;
      try {
        answer = await this.#send(method, address, { body: options.body, headers, signal: options.signal });
      } catch (error) {
        if (options.signal?.aborted || tries >= this.#options.retries) throw error;
      }
      if (answer?.ok) return answer;
      const wait = delay(tries, answer);
      const again = tries < this.#options.retries && wait <= this.#options.patience;
      if (answer && !(again && RETRIED.has(answer.status))) {
        throw new Problem(answer.status, await answer.json().catch(() => ({})));
      }
      await answer?.body?.cancel();
      await pause(wait, options.signal);
    }
  }

  async #json(method, path, options) {
    const answer = await this.request(method, path, options);
    return answer.status === 204 ? undefined : answer.json();
  }

  get(path, options) {
    return this.#json("GET", path, options);
  }

  post(path, options) {
    return this.#json("POST", path, options);
  }

  put(path, options) {
    return this.#json("PUT", path, options);
  }

  delete(path, options) {
    return this.#json("DELETE", path, options);
  }

  async text(path, options = {}) {
    const answer = await this.request("GET", path, { ...options, headers: { Accept: "text/plain, */*;q=0.5", ...options.headers } });
    return answer.text();
  }

  async *items(path, options = {}) {
    const from = path.endsWith("/events") ? "after" : "cursor";
    const query = { ...options.query };
    do {
      const page = await this.get(path, { ...options, query });
      yield* page.items;
      query[from] = page.next;
    } while (query[from] !== null);
  }

  async *messages(session, { include, form, messages, ...options } = {}) {
    const address = this.#address("/v1/sessions/{session}/stream", { session }, { include: include?.join(","), form, messages });
    for await (const message of this.#stream(address, options)) {
      yield message;
      if (message.kind === "end") return;
    }
  }

  async *news(options) {
    const versions = new Map();
    for await (const message of this.#stream(this.#address("/v1/players/me/events"), options)) {
      const { session, version } = message.data;
      // A stream that resumes repeats the last seconds.
      if (version <= versions.get(session)) continue;
      if (session) versions.set(session, version);
      yield message;
    }
  }

  /** The messages of a stream, which connects again where it ended. */
  async *#stream(address, { after, connection, signal } = {}) {
    let last = after;
    const open = () => connection?.("live");
    for (let failed = 0; ; ) {
      let wait = 0;
      try {
        const resumed = last !== undefined;
        for await (const message of this.#connection(address, last, open, signal)) {
          failed = 0;
          last = message.id ?? last;
          if (message.kind === "bye") wait = message.data?.retry_ms ?? 1000;
          else if (message.kind === "resync") last = undefined;
          else yield message.kind === "snapshot" ? { ...message, resumed } : message;
        }
      } catch (error) {
        signal?.throwIfAborted();
        const lasting = error instanceof Problem && !RETRIED.has(error.status);
        if (lasting || failed >= this.#options.retries) throw error;
      }
      connection?.("lost");
      await pause(wait || delay(failed), signal);
      failed += 1;
    }
  }

  /** The messages of one connection. Ends when the connection does, or when it is silent for too long. */
  async *#connection(address, last, open, signal) {
    const silence = new AbortController();
    const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
    let timer;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(new Error("the stream is silent")), this.#options.idle);
    };
    heard();
    try {
      const headers = { Accept: "text/event-stream", ...(last === undefined ? {} : { "Last-Event-ID": String(last) }) };
      // Browsers make a second stream of the same address wait for the first one if they may store it.
      const answer = await this.#send("GET", address, { headers, signal: either, cache: "no-store" });
      if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})));
      open();
      const decoder = new TextDecoder();
      const reader = answer.body.getReader();
      let rest = "";
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          heard();
          const messages = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
          rest = messages.pop();
          yield* messages.map(parsed).filter(Boolean);
        }
      } finally {
        await reader.cancel().catch(() => {});
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async sit(session, seat, claim = {}) {
    // A secret of our own lets a repeated claim have the token again.
    const body = claim.bot || claim.renew ? claim : { secret: key(), ...claim };
    const taken = await this.put("/v1/sessions/{session}/seats/{seat}", { path: { session, seat }, body });
    return this.as(taken.token);
  }

  async play(session, seat, choose, { token, name, signal } = {}) {
    const player = token ? this.as(token) : await this.sit(session, seat, name === undefined ? {} : { name });
    let version = -1;
    for await (const { kind, data } of player.messages(session, { include: ["actions", "view"], signal })) {
      if (kind === "end") break;
      if (data.version <= version) continue; // a receipt has brought it already
      let now = kind === "snapshot" ? { ...data, view: data } : data;
      while (now) {
        version = now.version;
        if (now.view.outcome) return now.view.outcome;
        const decision = now.decisions[0];
        now = decision && (await player.#move(session, await choose(decision, now.view), signal));
      }
    }
    return (await player.get("/v1/sessions/{session}", { path: { session } })).outcome;
  }

  /** Makes a choice. Nothing if the session has changed meanwhile; the stream tells how. */
  async #move(session, choice, signal) {
    const body = choice.id === undefined ? choice : { id: choice.id };
    const options = { path: { session }, query: { include: ["actions", "view"] }, body, signal };
    try {
      return await this.post("/v1/sessions/{session}/moves", options);
    } catch (error) {
      if (error instanceof Problem && CHANGED_MEANWHILE.has(error.code)) return undefined;
      throw error;
    }
  }
}

/** A message of a stream. Nothing for a comment or a mere `retry:`. */
function parsed(text) {
  const fields = {};
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "");
  }
  return fields.event && { kind: fields.event, id: fields.id, data: fields.data ? JSON.parse(fields.data) : undefined };
}
