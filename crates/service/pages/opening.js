// Opens tables: with everything that the form of a new table says, or at once.

import { hold, newEntropy, player, recall, remember, sit, write } from "./api.js";
import { becomeGuest } from "./player.js";

const milliseconds = (text, unit) => (Number(text) > 0 ? Math.round(Number(text) * unit) : undefined);

function clockOf({ decision, game, increment }) {
  const clock = { decision_ms: milliseconds(decision, 1000), game_ms: milliseconds(game, 60000), increment_ms: milliseconds(increment, 1000) };
  return clock.decision_ms || clock.game_ms ? clock : undefined;
}

/** Whether only holders of operator keys can open sessions here. */
export const needsKey = (problem) => [401, 403].includes(problem?.status);

/** Creates the session, takes the seats that are ours, and goes there. */
export async function openTable({ game, variant, seats, options, name, clock = {}, is_private, undo, spectators = "live", key, forks }) {
  remember("name", name);
  remember("key", key || null);
  const body = {
    game: game.name,
    variant: variant || undefined,
    seats: seats.map((who) => (who === "me" ? "open" : who)),
    options,
    visibility: is_private ? "private" : "public",
    spectators: { policy: spectators },
    undo,
    clock: clockOf(clock),
    forks,
  };
  const mine = seats.map((who, at) => (who === "me" ? at + 1 : 0)).filter(Boolean);
  if (mine.length > 0) await becomeGuest(name);
  const made = await write("POST", "/v1/sessions", { body, token: key || player.value?.token });
  hold(made.id, (held) => {
    held.owner = made.owner_token;
    held.invite = made.invite_code;
    held.spectator = made.spectator_token;
    held.commitment = made.commitment;
    held.game = made.game;
  });
  for (const seat of mine) {
    const entropy = newEntropy();
    const claimed = await write("PUT", `/v1/sessions/${made.id}/seats/${seat}`, {
      body: { name: name ? (mine.length > 1 ? `${name} ${seat}` : name) : undefined, entropy, invite_code: made.invite_code },
      token: player.value?.token ?? made.owner_token,
    });
    hold(made.id, (held) => {
      held.seats[seat] = { token: claimed.token, entropy, player: claimed.player };
    });
  }
  if (mine.length > 0) sit(made.id, mine[0]);
  location.hash = `#/t/${made.id}`;
}

// ---- at once

/** How strong a bot is, in a word, and which of the built-in players that is. */
export const STRENGTHS = { easy: "random", medium: "greedy", strong: "search-2" };

/** Opens a table against bots, without a form. A game against bots alone can be forked: that is how the page finds a hint. */
export function playBots(game, strength) {
  const count = game.players.find((number) => number > 1) ?? game.players[0];
  const seats = Array.from({ length: count }, (_, at) => (at === 0 ? "me" : STRENGTHS[strength]));
  return openTable({ game, seats, name: recall("name", ""), forks: "always", key: recall("key", "") });
}

/** Looks for the next person who wants the same game, and waits at the table for them. */
export async function seek(game) {
  await becomeGuest(recall("name", ""));
  const found = await write("POST", "/v1/seeks", { body: { game: game.name }, token: player.value?.token });
  const { id } = found.session;
  if (found.token) hold(id, (held) => (held.seats[found.seat] = { token: found.token, player: player.value?.id }));
  sit(id, found.seat);
  location.hash = `#/t/${id}`;
}
