// Plays every shipped game to its end with types by openapi-typescript: play.ts URL GAME...
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const [url, ...games] = process.argv.slice(2) as [string, ...string[]];
// Some answers also exist as text; this client reads JSON.
const client = createClient<paths, "application/json">({ baseUrl: url });

function given<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function play(game: string): Promise<number> {
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
    if (session.status === "finished") return moves;
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

for (const game of games) console.log(`${game}: ${await play(game)} moves`);
