// The works of this browser: the one in this window, and those that were put aside.

import { recall, remember, stored, store } from "../api.js";
import { signal } from "../parts.js";

/**
 * What is edited: files by name, and the game of this server that they extend or are a copy of, if there is one; and with
 * it the breakpoints and expressions of the debugger. Each work has an `id`, and is `touched` once somebody typed.
 */
export const work = signal(first());

/** The work of this window, or the last one of any window; one without `id` is from a page of before. */
function first() {
  const last = recall("workbench", null);
  return last && !last.id ? last : stored(sessionStorage, "wyrmgate.workbench", last);
}

/** Changes of the work in another window, which the editor shows as soon as they are there. */
export const arrivals = signal(0);

const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** The works that were put aside, the latest first. */
export const shelf = signal(recall("works", []));

function keep(works) {
  shelf.value = works;
  remember("works", works);
}

/** Keeps a work for later, if somebody has typed in it. */
function putAside(one) {
  if (one?.touched) keep([one, ...recall("works", []).filter(({ id }) => id !== one.id)]);
}

export const discard = (id) => keep(recall("works", []).filter((one) => one.id !== id));

export function change(next) {
  work.value = next && { id: newId(), ...next };
  // The window has its own, so that two windows can have two works.
  store(sessionStorage, "wyrmgate.workbench", work.value);
  remember("workbench", work.value);
  // Another window may have put it aside: it would go on with an older text.
  const works = recall("works", []);
  if (works.some(({ id }) => id === next?.id)) keep(works.map((one) => (one.id === next.id ? next : one)));
}

/** Goes on with another work, or with the list of works, and puts the one of before aside. */
export function begin(next) {
  putAside(work.value);
  if (next?.id) discard(next.id);
  change(next);
}

/** What the work calls itself. */
export const titleOf = ({ files, game }) => Object.values(files).map((text) => text.match(/^title: *(.+)$/m)?.[1]).find(Boolean) || game || "";

addEventListener("storage", ({ key, oldValue, newValue }) => {
  if (key === "wyrmgate.works") shelf.value = JSON.parse(newValue) || [];
  if (key !== "wyrmgate.workbench" || !work.value) return;
  const [before, theirs] = [JSON.parse(oldValue), JSON.parse(newValue)];
  if (theirs?.id === work.value.id) {
    if (JSON.stringify(theirs.files) === JSON.stringify(work.value.files)) return;
    work.value = theirs;
    store(sessionStorage, "wyrmgate.workbench", theirs);
    arrivals.value += 1;
  } else if (before?.id === work.value.id) putAside(work.value);
});
