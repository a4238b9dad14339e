// Plays every seat of a game at once with the package in clients/typescript, and tells what happens.
//
//   npm install ./clients/typescript
//   node examples/play.ts http://127.0.0.1:8080 mount-drago     (Node 22.18 or newer; npx tsx examples/play.ts before)

import { Client, Problem, type Decision, type Choice, type View } from "wyrmgate";

const [server = "http://127.0.0.1:8080", game = "tic-tac-toe"] = process.argv.slice(2);
const client = new Client(server);

/** Prefers what leads to points at once, and otherwise chooses at random. */
function choose(decision: Decision, view: View): Choice {
  const scoring = decision.choices.filter((choice) => /score|capture|win/i.test(choice.label));
  const choices = scoring.length > 0 ? scoring : decision.choices;
  const choice = choices[Math.floor(Math.random() * choices.length)];
  if (choice === undefined) throw new Error(`no choice in version ${view.version}`);
  return choice;
}

/** Counts what is told to everybody. A stream ends with the game. */
async function spectate(session: string): Promise<Map<string, number>> {
  const events = new Map<string, number>();
  for await (const message of client.messages(session, { after: 0 })) {
    if (message.kind !== "change") continue;
    for (const { type } of message.data.events) events.set(type, (events.get(type) ?? 0) + 1);
  }
  return events;
}

try {
  const { players, title } = await client.get("/v1/games/{game}", { path: { game } });
  const seats = Array.from({ length: players[0] ?? 2 }, () => "open" as const);
  const { id } = await client.post("/v1/sessions", { body: { game, seats } });
  const spectator = spectate(id);
  const [outcome] = await Promise.all(seats.map((_, seat) => client.play(id, seat + 1, choose, { name: `Seat ${seat + 1}` })));
  const told = [...(await spectator)].map(([type, count]) => `${count} × ${type}`);
  console.log(`${title}: won by ${outcome?.winners.join(", ") || "nobody"}; ${told.join(", ")}`);
} catch (error) {
  if (error instanceof Problem) console.error(`${error.code}: ${error.message}`);
  else throw error;
  process.exitCode = 1;
}
