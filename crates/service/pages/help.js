// Help in the first game: the clauses of the rules that the present decision follows, each once.

import { html, useEffect, useState } from "./parts.js";
import { get, language, recall, remember } from "./api.js";
import { isNarrow } from "./reveal.js";
import { say } from "./words.js";

const isKnown = (game) => recall("learned", []).includes(game);

export function FirstGame({ game, decision, onRules }) {
  const { game: name, ruleset } = game.session.value;
  const [isOver, setOver] = useState(isKnown(name));
  const [clauses, setClauses] = useState(null);
  const isWanted = !isOver && Boolean(game.seat) && game.session.value.status === "running";
  useEffect(() => {
    if (isWanted) get(`/v1/rulesets/${ruleset}?fields=clauses`).then((found) => setClauses(found.clauses), () => {});
  }, [isWanted, ruleset, language.value]);
  const end = () => {
    remember("learned", [...recall("learned", []), name]);
    setOver(true);
  };
  if (!isWanted || !clauses || !decision) return null;
  const now = clauses.filter(({ id }) => decision.clauses.includes(id));
  const shown = now.length > 0 ? now : clauses.slice(0, 2);
  if (shown.length === 0) return null;
  return html`<details class="first" open=${!isNarrow()} data-first><summary>${say("firstGame")}</summary>
    <ul>${shown.map(({ id, text }) => html`<li key=${id}>${text}</li>`)}</ul>
    <p class="row"><button type="button" data-learned onClick=${end}>${say("understood")}</button>
      <button type="button" data-all-rules onClick=${() => onRules(shown[0].id)}>${say("rules")}</button></p></details>`;
}
