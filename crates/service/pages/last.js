// The last state of the tables of this browser, to look at while there is no connection.

import { recall, remember } from "./api.js";

/** So many tables are kept, each with so many of its last changes. */
const TABLES = 5;
const CHANGES = 30;

const ids = () => recall("last", []);

/** Returns `{ session, view, rules, changes, picture }` as they were last, or nothing. */
export const lastOf = (id) => recall(`last.${id}`, null);

export const lastSessions = () => ids().map((id) => lastOf(id)?.session).filter(Boolean);

function keep(game) {
  const [session, view, rules] = [game.session.value, game.view.value, game.rules.value];
  if (!session || !view || !rules) return;
  const picture = document.querySelector(".drawing > svg")?.outerHTML;
  const known = [game.id, ...ids().filter((id) => id !== game.id)];
  for (const id of known.slice(TABLES)) remember(`last.${id}`, null);
  remember("last", known.slice(0, TABLES));
  remember(`last.${game.id}`, { session, view, rules, changes: game.changes.value.slice(-CHANGES), picture });
}

/** Keeps what a window shows of a table whenever somebody turns away from it. */
export function keepLast(game) {
  const look = () => document.hidden && keep(game);
  const left = () => keep(game);
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", left);
  return () => {
    left();
    document.removeEventListener("visibilitychange", look);
    removeEventListener("pagehide", left);
  };
}

/** Another person in this browser does not see what this one saw. */
export function forgetLast() {
  for (const id of ids()) remember(`last.${id}`, null);
  remember("last", null);
}
