// The client against a real server: WYRMGATE names the program (`wyrmgate` on the PATH by default), or WYRMGATE_URL a server.
// WYRMGATE_GAMES names the games to play to the end.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import http from "node:http";
import { after, before, test } from "node:test";
import { Client, Problem } from "../src/index.js";

const RULES = new URL("../../../rules", import.meta.url).pathname;
const any = (decision) => decision.choices[Math.floor(Math.random() * decision.choices.length)];
let url = process.env.WYRMGATE_URL;
let server;
let client;

before(async () => {
  if (!url) {
    server = spawn(process.env.WYRMGATE ?? "wyrmgate", ["serve", "--listen", "127.0.0.1:0", "--rules", RULES, "--store", "memory"]);
    for await (const text of server.stdout) {
      url = /http:\S+:\d+/.exec(text)?.[0];
      if (url) break;
    }
  }
  client = new Client(url);
});
after(() => server?.kill());

/** A proxy that may cut a connection: `cut` gets the request and the number of bytes that were passed on. */
async function proxy(cut) {
  const relay = http.createServer((wanted, answer) => {
    const passed = http.request(url + wanted.url, { method: wanted.method, headers: wanted.headers }, (found) => {
      let bytes = 0;
      if (cut(wanted, bytes)) return answer.destroy();
      answer.writeHead(found.statusCode, found.headers);
      found.on("data", (part) => {
        bytes += part.length;
        answer.write(part, () => cut(wanted, bytes) && answer.destroy());
      });
      found.on("end", () => answer.end());
      answer.on("close", () => passed.destroy());
    });
    passed.on("error", () => answer.destroy());
    wanted.pipe(passed);
  });
  await new Promise((done) => relay.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${relay.address().port}`, close: () => relay.close().closeAllConnections() };
}

const games = process.env.WYRMGATE_GAMES?.split(" ") ?? ["tic-tac-toe", "sneaky-dragons"];
for (const game of games) {
  test(`all seats of ${game} are played to the end`, async () => {
    const { players } = await client.get("/v1/games/{game}", { path: { game } });
    const created = await client.post("/v1/sessions", { body: { game, seats: Array(players[0]).fill("open") } });
    const seats = created.seats.map(({ seat }) => client.play(created.id, seat, any, { name: `Seat ${seat}` }));
    const outcomes = await Promise.all(seats);
    const over = await client.get("/v1/sessions/{session}", { path: { session: created.id } });
    assert.equal(over.status, "finished");
    for (const outcome of outcomes) assert.deepEqual(outcome, over.outcome);
  });
}

test("a game costs one request per move", async () => {
  let moves = 0;
  let others = 0;
  const counting = async (address, init) => {
    if (init.method === "POST" && address.includes("/moves")) moves += 1;
    else others += 1;
    return fetch(address, init);
  };
  const created = await client.post("/v1/sessions", { body: { game: "goofspiel", seats: ["open", "random"] } });
  await new Client(url, { fetch: counting }).play(created.id, 1, any);
  assert.ok(moves > 5, `${moves} moves`);
  assert.equal(others, 2, "the seat and the stream");
});

test("a stream that is cut resumes without gaps and without repeats", async () => {
  let cuts = 0;
  const flaky = await proxy(({ headers }, bytes) => headers.accept === "text/event-stream" && bytes > 300 && (cuts += 1));
  const created = await client.post("/v1/sessions", { body: { game: "goofspiel", seats: ["open", "random"] } });
  const played = client.play(created.id, 1, any);
  const versions = [];
  const states = [];
  const connection = (state) => states.push(state);
  for await (const { kind, data, resumed } of new Client(flaky.url).messages(created.id, { after: 0, connection })) {
    if (kind === "change") versions.push(data.version);
    if (kind === "snapshot") assert.ok(resumed);
  }
  await played;
  flaky.close();
  const all = [];
  for await (const change of client.items("/v1/sessions/{session}/events", { path: { session: created.id } })) all.push(change.version);
  assert.ok(cuts > 2, `${cuts} cuts`);
  assert.deepEqual(versions, all);
  assert.ok(states.length > 2 && states.every((state, at) => state === ["live", "lost"][at % 2]), states.join(" "));
});

test("a player hears of all its sessions, of each change once, also after the stream was cut", async () => {
  let cuts = 0;
  const flaky = await proxy(({ url: at }, bytes) => at.endsWith("/players/me/events") && bytes > 1500 && (cuts += 1));
  const { token } = await client.post("/v1/players", { body: { name: "Ann" } });
  const games = [1, 2].map(async () => {
    const { id } = await client.post("/v1/sessions", { body: { game: "goofspiel", seats: ["open", "random"] } });
    await client.as(token).sit(id, 1);
    return client.play(id, 1, any, { token });
  });
  const told = [];
  let over = 0;
  for await (const { kind, data } of new Client(flaky.url, { token }).news()) {
    told.push(kind === "snapshot" ? kind : `${data.session} ${data.version}`);
    if (kind === "finished") over += 1;
    if (over === games.length) break;
  }
  await Promise.all(games);
  flaky.close();
  assert.equal(told[0], "snapshot");
  assert.equal(new Set(told).size, told.length);
  assert.ok(cuts > 0 && told.length > 5, `${cuts} cuts, ${told.length} messages`);
});

test("a write whose answer is lost is repeated and takes effect once", async () => {
  const keys = [];
  const lossy = await proxy(({ method, headers }, bytes) => method === "POST" && bytes === 0 && keys.push(headers["idempotency-key"]) === 1);
  const path = { session: (await client.post("/v1/sessions", { body: { game: "tic-tac-toe", seats: ["open", "open"] } })).id };
  const player = await new Client(lossy.url).sit(path.session, 1);
  await client.sit(path.session, 2);
  const body = { option: undefined, args: { s: "square-1-1" } };
  const receipt = await player.post("/v1/sessions/{session}/moves", { path, body });
  lossy.close();
  assert.equal(receipt.version, 4);
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  assert.equal((await client.get("/v1/sessions/{session}", { path })).version, 4);
});

test("a claim whose answer is lost has its token all the same", async () => {
  let answers = 0;
  const lossy = await proxy(({ method }, bytes) => method === "PUT" && bytes === 0 && (answers += 1) === 1);
  const session = (await client.post("/v1/sessions", { body: { game: "nim", seats: ["open", "open"] } })).id;
  const player = await new Client(lossy.url).sit(session, 1);
  const { seat } = await player.get("/v1/sessions/{session}/view", { path: { session } });
  lossy.close();
  assert.deepEqual([answers, seat], [2, 1]);
});

test("a server that asks for more patience than there is is a problem at once", async () => {
  const busy = async () => new Response("{}", { status: 429, headers: { "retry-after": "30" } });
  const hasty = new Client(url, { fetch: busy, patience: 1000 });
  await assert.rejects(hasty.get("/v1/games"), (error) => error instanceof Problem && error.status === 429);
});

test("a stream that cannot resume says that changes are missing", async () => {
  const { id } = await client.post("/v1/sessions", { body: { game: "nim", seats: ["open", "open"] } });
  let streams = 0;
  const behind = async (address, init) => {
    streams += 1;
    if (streams > 1) return fetch(address, init);
    return new Response('event: snapshot\nid: 1\ndata: {}\n\nevent: resync\ndata: {"version":9}\n\n');
  };
  const found = [];
  for await (const { resumed } of new Client(url, { fetch: behind }).messages(id, { after: 1 })) {
    found.push(resumed);
    if (found.length === 2) break;
  }
  assert.deepEqual(found, [true, false]);
});

test("a refused choice is a problem that names the rule", async () => {
  const created = await client.post("/v1/sessions", { body: { game: "tic-tac-toe", seats: ["open", "open"] } });
  const player = await client.sit(created.id, 1);
  await client.sit(created.id, 2);
  const path = { session: created.id };
  const wrong = player.post("/v1/sessions/{session}/moves", { path, body: { version: 3, option: "fly", args: {} } });
  await assert.rejects(wrong, (error) => error instanceof Problem && error.status === 409 && error.code === "illegal-choice");
  await assert.rejects(client.get("/v1/sessions/{session}"), TypeError, "a forgotten part of the path is noticed at once");
});

test("lists come page by page, texts in the language that is wanted", async () => {
  const names = [];
  for await (const game of client.items("/v1/games", { query: { limit: 4 } })) names.push(game.name);
  assert.ok(names.length > 8 && new Set(names).size === names.length);
  const spanish = new Client(url, { language: "es" });
  assert.equal((await spanish.get("/v1/games/{game}", { path: { game: "mount-drago" } })).title, "Monte Drago");
  assert.match(await client.text("/v1/sessions/{session}/board.txt", { path: { session: await waiting() } }), /\S/);
});

const waiting = async () => (await client.post("/v1/sessions", { body: { game: "nim", seats: ["random", "random"] } })).id;

test("a player who gives up stops at once", async () => {
  const created = await client.post("/v1/sessions", { body: { game: "nim", seats: ["open", "open"] } });
  const stop = new AbortController();
  const played = client.play(created.id, 1, any, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 100);
  await assert.rejects(played, /enough/);
});
