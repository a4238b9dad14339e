// The choices in words: the question, the steps so far with a way back, and what can be picked or chosen next.

import { html, useLayoutEffect, useRef, useState } from "./parts.js";
import { isGiven } from "./steps.js";
import { useSheet } from "./reveal.js";
import { capital, say } from "./words.js";

/** Of a long list, this many are shown at a time. */
const SHOWN = 40;

export function Choices({ decision, steps, onPick, onBack, onReset, onPlay, given = [], onWithdraw, isBusy, latest, told = (text) => text, plan, thing, isAsking, isBehind, onClause, hint, onHint, children }) {
  const [wanted, setWanted] = useState("");
  const [room, setRoom] = useState(SHOWN);
  const sheet = useRef(null);
  useSheet(sheet);
  // Before it is shown: later, it would undo what somebody has begun to type.
  useLayoutEffect(() => {
    setWanted("");
    setRoom(SHOWN);
  }, [decision?.id]);
  const answers = given.length > 0 && html`<div class="given"><ol>${given.map((one, at) => html`<li key=${at}>${capital(one)}</li>`)}</ol>
    <button type="button" data-withdraw disabled=${isBusy} onClick=${onWithdraw}>↩ ${say("stepBack")}</button></div>`;
  if (!decision || !steps) {
    return html`<section class="choices" id="choices" tabindex="-1" aria-label=${say("choices")} ref=${sheet}>
      ${plan?.plan && html`<p class="row" data-planned><b>${say("planned", plan.picks.map(thing).join(" → "))}</b>
        <button type="button" class="small" onClick=${plan.drop}>${say("remove")}</button></p>`}
      ${isBehind ? html`<h2>${latest || say("choices")}</h2><p class="quiet">${say("clickToSkip")}</p>`
        : html`<h2>${say("choices")}</h2>${answers}<p class="quiet">${say("nothingToDo")} ${plan?.click && !plan.plan && say("planHow")}</p>`}
    </section>`;
  }
  const { facet, exact, picks, choices } = steps;
  const words = wanted.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length
    ? choices.filter((choice) => words.every((word) => choice.label.toLowerCase().includes(word)))
    : choices;
  const whole = words.length > 0 || !facet;
  const forms = givenOf(decision, choices);
  const listed = whole ? found.filter((choice) => !forms.some((one) => one.option === choice.option)) : [];
  const button = (choice, is_main) => html`<button type="button" key=${choice.id} disabled=${isBusy}
      class=${is_main ? "choice main" : "choice"} data-choice=${choice.id} onClick=${() => onPlay(choice.id)}>
      ${capital(told(choice.label))}</button>`;
  const advice = hint?.isComing ? say("loading") : hint?.choice ? html`${say("hintSays")} <b>${capital(told(hint.choice.label))}</b>` : hint && say("noHint");
  return html`<section class="choices" id="choices" tabindex="-1" aria-label=${say("choices")} ref=${sheet}>
    ${latest && html`<p class="latest quiet">${latest}</p>`}
    <div class="row"><h2>${told(decision.prompt || "") || say("yourTurn")}</h2>
      ${onHint && html`<button type="button" class="small" data-hint disabled=${hint?.isComing} onClick=${onHint}>${say("hint")}</button>`}</div>
    ${onHint && html`<p class="hint" role="status" data-hinted=${hint?.choice?.id}>${advice}</p>`}
    ${children}
    ${answers}
    ${decision.clauses.length > 0 && html`<p class="clauses">${decision.clauses.map((id) => html`<button type="button"
        class="clause" key=${id} onClick=${() => onClause(id)}>${id}</button>`)}</p>`}
    ${picks.length > 0 && html`<div class="path">
      <ol>${picks.map((pick) => html`<li key=${pick.key}>${capital(pick.label)}</li>`)}</ol>
      <button type="button" data-back onClick=${onBack}>↩ ${say("stepBack")}</button>
      ${picks.length > 1 && html`<button type="button" onClick=${onReset}>${say("startOver")}</button>`}
    </div>`}
    ${choices.length > SHORT_LIST && html`<input type="search" class="filter" value=${wanted} placeholder=${say("filter")}
      aria-label=${say("filter")} onInput=${(event) => setWanted(event.target.value)} />`}
    ${isAsking && exact && html`<div class="asking" role="alert"></div>`}
    ${!whole && exact && html`<div class="list">${button(exact, true)}</div>`}
    ${!whole && html`<div class="list">${facet.values.map((one) => {
      const is_picked = steps.picked.has(one.key);
      return html`<button type="button" key=${one.key} class=${is_picked ? "step picked" : "step"} data-step=${one.key}
        aria-pressed=${steps.isSet ? String(is_picked) : undefined} disabled=${isBusy}
        onClick=${() => onPick({ key: one.key, name: facet.name, value: one.value, label: one.label })}>
        ${capital(told(one.label))}${!steps.isSet && one.count > 1 && html` <span class="count" aria-hidden="true">${one.count}</span>`}</button>`;
    })}</div>`}
    ${forms.map((one) => html`<${Given} key=${`${decision.id} ${one.option} ${one.name}`} one=${one} isBusy=${isBusy} onGive=${(given) => onPlay(null, given)} />`)}
    <div class="list">${listed.slice(0, room).map((choice) => button(choice, choice === exact))}</div>
    ${listed.length > room && html`<button type="button" class="more" data-more onClick=${() => setRoom(room + 200)}>
      ${say("more", listed.length - room)}</button>`}
  </section>`;
}

/** The arguments that are given, where what was picked leaves one value for each other argument. */
function givenOf(decision, choices) {
  return (decision.template || []).flatMap(({ option, args }) => {
    const arg = args.find(isGiven);
    const left = choices.filter((choice) => choice.option === option);
    const others = new Set(left.map((choice) => JSON.stringify({ ...choice.args, [arg?.name]: null })));
    return arg && others.size === 1 ? [{ ...arg, option, args: left[0].args }] : [];
  });
}

function Given({ one, isBusy, onGive }) {
  const [value, setValue] = useState("");
  const isNumber = one.maximum !== undefined;
  const send = (event) => {
    event.preventDefault();
    const given = { args: { ...one.args, [one.name]: isNumber ? Number(value) : value } };
    onGive(one.option ? { ...given, option: one.option } : given);
  };
  return html`<form class="row" data-given=${one.name} onSubmit=${send}>
    <label>${capital(one.name.replaceAll("_", " "))} <input required value=${value} autocomplete="off" type=${isNumber ? "number" : "text"}
      min=${one.minimum} max=${one.maximum} maxlength=${one.max_length} onInput=${(event) => setValue(event.target.value)} /></label>
    <button type="submit" class="small" disabled=${isBusy}>${say("give")}</button></form>`;
}

const SHORT_LIST = 12;
