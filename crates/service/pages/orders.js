// Standing orders: answers given in advance.

import { html, useEffect, useState } from "./parts.js";
import { get } from "./api.js";
import { capital, say } from "./words.js";

const ANSWERS = ["only", "decline", "yes", "no"];

export function Orders({ game, book }) {
  const [orders, setOrders] = useState(null);
  const [decision, setDecision] = useState("");
  const [answer, setAnswer] = useState("only");
  const path = `/v1/sessions/${game.id}/standing-orders`;
  useEffect(() => {
    get(path, { token: game.token }).then((found) => setOrders(found.orders)).catch(() => setOrders([]));
  }, [game]);
  const save = async (next) => {
    const saved = await game.act("PUT", "/standing-orders", { orders: next });
    if (saved) setOrders(saved.orders);
  };
  const places = game.rules.value?.decisions || [];
  const place = places.find((one) => one.name === decision);
  const answers = [...ANSWERS, ...(place?.options || []).map((one) => one.name).filter((name) => name && !ANSWERS.includes(name))];
  // Several decisions in one part of the rules have numbers.
  const named = (name) => book.word(name.replace(/-\d+$/, ""));
  const words = (name) => (name === "only" ? say("onlyChoice") : book.option(name));
  const told = (order) => {
    const asked = order.decision ? capital(named(order.decision)) : capital(say("anyDecision"));
    return `${asked} → ${words(order.answer.only ? "only" : order.answer.option)}`;
  };
  const add = () => {
    const order = { answer: answer === "only" ? { only: true } : { option: answer } };
    if (decision) order.decision = decision;
    save([...orders, order]);
  };
  if (!orders) return html`<p class="quiet">${say("loading")}</p>`;
  return html`<div class="orders">
    ${orders.length === 0 && html`<p class="quiet">${say("noOrders")}</p>`}
    <ul>${orders.map((order, number) => html`<li key=${number}>${told(order)} <button type="button"
      onClick=${() => save(orders.filter((_, other) => other !== number))}>${say("remove")}</button></li>`)}</ul>
    <div class="add">
      <label>${say("whenAsked")} <select value=${decision} onChange=${(event) => setDecision(event.target.value)}>
        <option value="">${say("anyDecision")}</option>
        ${places.map((one) => html`<option key=${one.name} value=${one.name}>${capital(named(one.name))}</option>`)}</select></label>
      <label>${say("answerWith")} <select value=${answer} onChange=${(event) => setAnswer(event.target.value)}>
        ${answers.map((name) => html`<option key=${name} value=${name}>${words(name)}</option>`)}</select></label>
      <button type="button" onClick=${add} disabled=${orders.length >= 16}>${say("addOrder")}</button>
    </div>
  </div>`;
}
