// The end of a game, on a card over the table: who won and why, and what can be done next.

import { html, useEffect, useRef, useState } from "./parts.js";
import { get, recall, remember } from "./api.js";
import { dotOf } from "./people.js";
import { say } from "./words.js";

/** So many tables are remembered of which the card was closed. */
const CLOSED = 50;

/** Shows the card when a game ends, and to its players until they have closed it. */
export function useResult(game, isLive) {
  const outcome = game.session.value?.outcome;
  const wasRunning = useRef(false);
  const [isOpen, setOpen] = useState(null);
  if (game.session.value?.status === "running") wasRunning.current = true;
  const isWanted = isOpen ?? (wasRunning.current || (game.seat && !recall("closed", []).includes(game.id)));
  const close = () => {
    const known = recall("closed", []).filter((id) => id !== game.id);
    remember("closed", [game.id, ...known].slice(0, CLOSED));
    setOpen(false);
  };
  useEffect(() => void (outcome || setOpen(null)), [!outcome]); // an undo may go back from the end
  return { isOpen: Boolean(outcome && isLive && isWanted), open: () => setOpen(true), close };
}

/** By how many points who won is away from the next one. */
function marginOf({ winners, ranking }, pointsOf) {
  const next = ranking.find(({ seat }) => !winners.includes(seat));
  return winners.length > 0 && next ? Math.abs(pointsOf(winners[0]) - pointsOf(next.seat)) : 0;
}

/** The clauses that say so, if the rules have only one end of this kind. */
function useWhy({ session: { value: session } }) {
  const { ruleset, outcome } = session;
  const [why, setWhy] = useState([]);
  const isRanked = outcome.ranking.some(({ keys = [] }) => keys.length > 0);
  useEffect(() => {
    if (outcome.reason !== "rules") return;
    const result = isRanked ? "ranked" : outcome.drawn ? "drawn" : "won";
    const told = ({ endings = [], clauses }) => {
      const ends = new Set(endings.filter((one) => one.result === result).map((one) => one.clauses.join(" ")));
      const ids = ends.size === 1 ? [...ends][0].split(" ") : [];
      setWhy(clauses.filter(({ id }) => ids.includes(id)));
    };
    get(`/v1/rulesets/${ruleset}?fields=endings,clauses`).then(told).catch(() => {});
  }, []);
  return why;
}

export function Result({ game, book, onClose, onLook, onRematch }) {
  const box = useRef(null);
  const why = useWhy(game);
  const { outcome } = game.session.value;
  const scores = game.view.value.state?.scores ?? [];
  // Where the rules count no scores, they may still rank by one number, such as an area.
  const ranks = outcome.ranking.map(({ seat, keys = [] }) => [seat, keys]);
  const byRank = outcome.reason === "rules" && ranks.every(([, keys]) => keys.length > 0) ? Object.fromEntries(ranks) : null;
  const hasScores = scores.some((score) => score !== 0);
  const pointsOf = (seat) => (hasScores ? scores[seat - 1] : Math.abs(byRank?.[seat][0] ?? 0));
  const isScored = outcome.ranking.some(({ seat }) => pointsOf(seat) !== 0);
  const margin = outcome.reason === "rules" && isScored ? marginOf(outcome, pointsOf) : 0;
  const end = game.changes.value.findLast(({ events }) => events.some(({ type }) => type === "finished"));
  const said = outcome.reason === "rules" ? (end?.events ?? []).filter(({ type }) => type === "said").map(({ text }) => book.told(text)) : [];
  useEffect(() => {
    const pressed = (event) => event.key === "Escape" && onClose();
    addEventListener("keydown", pressed);
    // What had the focus is gone with the last decision.
    if (document.activeElement === document.body) box.current.focus({ preventScroll: true });
    return () => removeEventListener("keydown", pressed);
  }, []);
  return html`<section class="result" role="dialog" aria-labelledby="result" tabindex="-1" ref=${box} data-result=${outcome.reason}>
    <button type="button" class="close" aria-label=${say("close")} data-close onClick=${onClose}>×</button>
    <h2 id="result">${book.outcome({ ...outcome, reason: "rules" })}</h2>
    <p class="quiet" data-why>${said.length > 0 ? said.join(" ") : why.length > 0 ? null : say(`why-${outcome.reason}`)}
      ${why.map(({ id, text }) => html`<span key=${id} data-clause=${id}>${text} </span>`)}
      ${margin > 0 && html` <span data-margin>${say("byPoints", margin)}</span>`}</p>
    <ol class="ranking">${outcome.ranking.map(({ seat, place }) => html`<li key=${seat} class=${`color-${seat}`}>
      <span class="place">${place}.</span>
      <span class="dot" aria-hidden="true" style=${dotOf(game.colors.value[seat])}>${seat}</span>
      <span class="name">${seat === game.seat ? html`<b>${book.seat(seat)}</b>` : book.seat(seat)}</span>
      ${outcome.winners.includes(seat) && html`<span class="lead" aria-hidden="true">★</span>`}
      ${isScored && html`<span class="score">${pointsOf(seat)} <span class="unseen">${say("score")}</span></span>`}</li>`)}</ol>
    <p class="row">
      ${game.seat && html`<button type="button" class="main" data-result-rematch onClick=${onRematch}>${say("rematch")}</button>`}
      <button type="button" data-look onClick=${onLook}>${say("lookAgain")}</button>
      <a class="button" href="#/" data-lobby>${say("toLobby")}</a></p>
  </section>`;
}
