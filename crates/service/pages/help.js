// Help in the first game: the clauses of the rules that the present decision follows, each once.

import { html, useState } from "./parts.js";
import { recall, remember } from "./api.js";
import { isNarrow } from "./reveal.js";
import { say } from "./words.js";

/** Whether somebody has said in this browser that they know a game. */
export const isLearned = (game) => recall("learned", []).includes(game);

export function FirstGame({ game, decision, onRules }) {
  const { game: name, status } = game.session.value;
  const [isOver, setOver] = useState(isLearned(name));
  const clauses = game.rules.value.clauses;
  const end = () => {
    remember("learned", [...recall("learned", []), name]);
    setOver(true);
  };
  if (isOver || !game.seat || status !== "running" || !clauses || !decision) return null;
  const now = clauses.filter(({ id }) => decision.clauses.includes(id));
  const shown = now.length > 0 ? now : clauses.slice(0, 2);
  if (shown.length === 0) return null;
  return html`<details class="first" open=${!isNarrow()} data-first><summary>${say("firstGame")}</summary>
    <ul>${shown.map(({ id, text }) => html`<li key=${id}>${text}</li>`)}</ul>
    <p class="row"><button type="button" data-learned onClick=${end}>${say("understood")}</button>
      <button type="button" data-all-rules onClick=${() => onRules(shown[0].id)}>${say("rules")}</button></p></details>`;
}
