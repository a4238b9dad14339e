// One move after the other: what bots do in the wink of an eye is shown for a while each. Nothing of the game waits for this.

import { useEffect, useLayoutEffect, useRef, useState } from "./parts.js";

/** How long a move stays alone on the board, in milliseconds. */
const PAUSE = 700;
/** How long the page waits to hear of the changes that lead to a view. */
const PATIENCE = 400;
/** Whoever is more moves behind than this sees the last position at once. */
const MANY = 8;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The moves of some changes. Quick bots choose in one change with the move before theirs. */
function movesOf(changes) {
  return changes.flatMap((change) => {
    const starts = change.events.flatMap((event, at) => (event.type === "chose" ? [at] : []));
    const ends = starts.length > 0 ? [...starts.slice(1), change.events.length] : [];
    return ends.map((end, at) => ({ change, end, seat: change.events[starts[at]].seat, isWhole: end === change.events.length }));
  });
}

/**
 * Returns what the table is to show of a game now: `version` with the events that have not been shown of it yet (`later`), the
 * `changes` up to there, whether more follows (`isBehind`) and by whom, and `skip`, which shows the last position.
 */
export function usePace(game, isOff) {
  const seen = useRef(0); // all is shown up to this version
  const since = useRef(0); // when the last move was shown
  const [shownBefore, setCount] = useState(0); // of the moves since then, so many were shown
  const changes = game.changes.value;
  const last = game.view.value?.version ?? 0;
  const bots = new Set(game.session.value?.seats.filter((one) => one.status === "bot").map((one) => one.seat));
  const isAtOnce = isOff || still.matches || document.hidden || bots.size === 0;
  if (seen.current === 0 || isAtOnce || last < seen.current) seen.current = last;
  const isKnown = (changes.at(-1)?.version ?? 0) >= last;
  const news = changes.filter(({ version }) => version > seen.current && version <= last);
  const moves = movesOf(news);
  // What people do themselves is shown at once.
  let count = Math.max(0, shownBefore);
  while (moves[count] && !bots.has(moves[count].seat)) count += 1;
  const isOver = moves.length - count > MANY || (isKnown && count >= moves.length);
  const isBehind = seen.current < last && !isOver;
  const next = moves[count];

  useLayoutEffect(() => {
    if (isBehind) return;
    seen.current = last;
    setCount(0);
  }, [isBehind, last]);

  useEffect(() => {
    if (!isBehind) return undefined;
    if (count > shownBefore) {
      since.current = performance.now();
      return void setCount(count);
    }
    const pause = since.current + PAUSE - performance.now();
    const go = () => {
      since.current = performance.now();
      if (next) return setCount(count + 1);
      seen.current = last;
      return setCount(-1);
    };
    const timer = setTimeout(go, next ? Math.max(0, pause) : PATIENCE);
    return () => clearTimeout(timer);
  }, [isBehind, count, shownBefore, last, next?.change.version]);
  useEffect(() => void (isBehind || (since.current = performance.now())), [isBehind, last]);

  const skip = () => {
    seen.current = last;
    setCount(-1);
  };
  useSkip(isBehind && moves.length > 0, skip);

  const shown = moves[count - 1];
  if (!isBehind) return { isBehind, version: last, later: NOTHING, changes, latest: changes.at(-1) };
  const whole = changes.filter(({ version }) => version <= (shown ? shown.change.version : seen.current));
  if (shown && !shown.isWhole) whole.push(partOf(whole.pop(), shown.end));
  return {
    isBehind, next: next?.seat, changes: whole, latest: whole.at(-1),
    version: shown?.change.version ?? seen.current, later: shown ? restOf(shown) : NOTHING,
  };
}

const NOTHING = [];
const parts = new WeakMap();

/** The same part of a change is the same object, so that nothing is drawn twice. */
function kept(change, key, make) {
  if (!parts.has(change)) parts.set(change, new Map());
  const known = parts.get(change);
  if (!known.has(key)) known.set(key, make());
  return known.get(key);
}

const partOf = (change, end) => kept(change, `to ${end}`, () => ({ ...change, events: change.events.slice(0, end) }));
const restOf = ({ change, end, isWhole }) => (isWhole ? NOTHING : kept(change, `from ${end}`, () => change.events.slice(end)));

/** A click or a key shows the last position. A click that skips chooses nothing. */
function useSkip(isWanted, skip) {
  const latest = useRef(skip);
  latest.current = skip;
  useEffect(() => {
    if (!isWanted) return undefined;
    const clicked = (event) => {
      if (!event.target.closest?.(".drawing, .hand, .choices")) return;
      event.stopPropagation();
      event.preventDefault();
      latest.current();
    };
    const pressed = (event) => {
      if (["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key) || /^(input|select|textarea)$/i.test(event.target.tagName)) return;
      if (!event.target.closest?.("button, a, summary")) event.preventDefault();
      latest.current();
    };
    addEventListener("click", clicked, true);
    addEventListener("keydown", pressed, true);
    return () => {
      removeEventListener("click", clicked, true);
      removeEventListener("keydown", pressed, true);
    };
  }, [isWanted]);
}
