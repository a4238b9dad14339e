// What a strong bot would choose: asked in a fork of the game in which the bot has one's seat. Only games against bots allow that.

import { get, write } from "./api.js";

const THINKER = "search-2";
/** How often, and how far apart in milliseconds, the fork is asked whether the bot has chosen. */
const TRIES = 60;
const PACE = 120;

/** Where several seats choose at once in secret, the bot's choice is not told before the others have chosen. */
export const canHint = ({ seats, forks, status }, { owing }, seat) =>
  Boolean(seat) && status === "running" && forks === "always" && owing.length === 1 && seats.every((one) => one.seat === seat || one.status === "bot");

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Returns the choice with which a bot has answered. What is hidden from the others is told apart by its words. */
export function chosenOf(made, choices) {
  const fits = ({ option, args, label }) => (option ?? null) === (made.option ?? null)
    && Object.entries(made.args).every(([name, value]) => (value === null ? label === made.label : same(args[name], value)));
  return made && choices.find(fits);
}

/** Returns what the bot would choose now, as the event tells it, or nothing. */
export async function hintFor(game, version = game.view.value.version, seat = game.seat) {
  const { id, token } = game;
  const seats = game.session.value.seats.map((one) => (one.seat === seat ? THINKER : "open"));
  const fork = await write("POST", `/v1/sessions/${id}/forks`, { body: { seats, version }, token });
  try {
    for (let left = TRIES; left > 0; left -= 1) {
      const { items } = await get(`/v1/sessions/${fork.id}/events?after=${fork.version}`, { token: fork.owner_token });
      const made = items.flatMap(({ events }) => events).find((event) => event.type === "chose" && event.seat === seat);
      if (made) return made;
      await new Promise((done) => setTimeout(done, PACE));
    }
    return null;
  } finally {
    write("DELETE", `/v1/sessions/${fork.id}`, { token: fork.owner_token }).catch(() => {});
  }
}

/** Returns what the bot would have chosen at an earlier version of a game that is over, or nothing where not exactly one seat decided. */
export async function adviceAt(game, version) {
  const { owing } = await get(`/v1/sessions/${game.id}/view`, { token: game.token, query: { at: version } });
  return owing.length === 1 ? hintFor(game, version, owing[0]) : null;
}
