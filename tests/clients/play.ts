// Plays every shipped game to its end with types by openapi-typescript, and says which events and which code it does not know:
// play.ts URL GAME...
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const [url, ...games] = process.argv.slice(2) as [string, ...string[]];
const client = createClient<paths>({ baseUrl: url });

type Schemas = components["schemas"];
// Some answers also exist as text, and yet they have one type.
type Same<A, B> = [A, B] extends [B, A] ? true : never;
type Viewed = NonNullable<Awaited<ReturnType<typeof view>>["data"]>;
export const isTyped: Same<Viewed, Schemas["View"]> = true;
// Which events are known cannot be asked of types; this client knows one.
const known: Schemas["KnownEvent"]["type"][] = ["seat-taken"];

function given<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

function view(session: string) {
  return client.GET("/v1/sessions/{session}/view", { params: { path: { session }, query: { include: ["actions"] } } });
}

async function play(game: string): Promise<string> {
  const created = given(await client.POST("/v1/sessions", { body: { game } }));
  const path = { session: created.id };
  const tokens: string[] = [];
  for (let seat = 1; seat <= created.seats.length; seat++) {
    const claim = await client.PUT("/v1/sessions/{session}/seats/{seat}", {
      params: { path: { ...path, seat } },
      body: {},
    });
    tokens.push(given(claim).token ?? "");
  }
  for (let moves = 0; ; ) {
    const session = given(await client.GET("/v1/sessions/{session}", { params: { path } }));
    if (session.status === "finished") return `${moves} moves, ${await foreign(created.id)}`;
    for (const seat of session.owing) {
      const headers = { Authorization: `Bearer ${tokens[seat - 1]}` };
      const actions = given(await client.GET("/v1/sessions/{session}/actions", { params: { path }, headers }));
      const choices = actions.items[0]?.choices;
      if (choices === undefined) continue; // it has answered in secret
      const { id } = choices[Math.floor(Math.random() * choices.length)]!;
      given(await client.POST("/v1/sessions/{session}/moves", { params: { path }, headers, body: { id } }));
      moves++;
      break;
    }
  }
}

/** Says what this client does not know. */
async function foreign(session: string): Promise<string> {
  const page = given(await client.GET("/v1/sessions/{session}/events", { params: { path: { session } } }));
  const types = new Set(page.items.flatMap((change) => change.events).map((event) => event.type as string));
  const { error } = await client.GET("/v1/sessions/{session}", { params: { path: { session: "no-such-session" } } });
  const counted = page.items.flatMap((change) => change.events).filter((event) => known.some((type) => type === event.type));
  return `${counted.length} known events, meteors: ${types.has("meteor-fell")}, the code of a missing session is ${error?.code}`;
}

for (const game of games) console.log(`${game}: ${await play(game)}`);
