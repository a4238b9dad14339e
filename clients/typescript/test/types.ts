// Compiles if and only if the types are as strict as they should be. Never runs.

import { Client, Problem, isEvent, type Choice } from "wyrmgate";

const client = new Client("http://127.0.0.1:8080", { language: "es" });

const created = await client.post("/v1/sessions", { body: { game: "tic-tac-toe", seats: ["open", "random"] } });
export const version: number = created.version;
const path = { session: created.id };
export const title: string = (await client.get("/v1/games/{game}", { path: { game: "nim" } })).title;
export const nothing: undefined = await client.delete("/v1/sessions/{session}", { path });
for await (const game of client.items("/v1/games")) console.log(game.name);
for await (const message of client.messages(created.id, { include: ["view"] })) {
  if (message.kind !== "change") continue;
  for (const event of message.data.events) {
    if (isEvent(event, "moved")) console.log(event.from_place satisfies number | null);
    const type: string = event.type; // also one that is not known here
    console.log(type);
    // @ts-expect-error there is no such event
    if (isEvent(event, "meteor-fell")) continue;
  }
}
for await (const message of client.news()) {
  if (message.kind === "turn") console.log(message.data.owing.length);
}
export const outcome = await client.play(created.id, 1, (decision) => decision.choices[0] as Choice);
export const inWords = await client.play(created.id, 1, async () => ({ option: "play", args: { s: "square-1-1" } }));

try {
  // @ts-expect-error there is no such path
  await client.get("/v1/nothing");
  // @ts-expect-error the path needs a session
  await client.get("/v1/sessions/{session}");
  // @ts-expect-error a bot of this name does not exist
  await client.post("/v1/sessions", { body: { game: "nim", seats: ["genius"] } });
  // @ts-expect-error a list of sessions has no such filter
  await client.get("/v1/sessions", { query: { color: "red" } });
  // @ts-expect-error `play` needs a way to choose
  await client.play(created.id, 1);
} catch (error) {
  if (error instanceof Problem && error.code === "illegal-choice") console.log(error.reason?.clauses);
  // A newer server may have it.
  if (error instanceof Problem && error.code === "no-such-problem") throw error;
}
