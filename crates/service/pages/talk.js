// What the people at a table write to each other. Texts of others are shown as text.

import { html, useEffect, useState } from "./parts.js";
import { get, managing, recall, remember } from "./api.js";
import { say } from "./words.js";

/** How often messages are read while this is shown: there is no stream for every window, and none after the end. */
const PACE = 5_000;
const LETTERS = 300;

export function Talk({ game, book }) {
  const [found, setFound] = useState(null);
  const [muted, setMuted] = useState(recall(`muted.${game.id}`, []));
  const [text, setText] = useState("");
  const [to, setTo] = useState("table");
  const owner = managing(game.session.value);
  const read = () => get(`/v1/sessions/${game.id}/messages`, { token: game.token }).then(setFound, (error) => setFound({ items: [], lost: error.message }));
  useEffect(() => {
    read();
    const timer = setInterval(() => document.hidden || read(), PACE);
    return () => clearInterval(timer);
  }, [game, game.said.value]);
  const mute = (seats) => {
    remember(`muted.${game.id}`, seats);
    setMuted(seats);
  };
  const send = async (event) => {
    event.preventDefault();
    if (await game.tell("POST", "/messages", { text, to })) setText("");
    read();
  };
  if (!found) return html`<p class="quiet">${say("loading")}</p>`;
  const shown = found.items.filter(({ seat }) => !muted.includes(seat));
  const by = ({ seat, name }) => (seat ? [name ?? book.seat(seat), name && say("seat", seat)].filter(Boolean).join(" · ") : say("owner"));
  return html`<div class="talk">
    ${shown.length === 0 && html`<p class="quiet">${found.lost ?? say("noMessages")}</p>`}
    <ul aria-live="polite">${shown.map((message) => html`<li key=${message.id} data-message=${message.id}><b>${by(message)}</b>${message.to === "team" && ` (${say("team")})`}: ${
      message.text ?? html`<i class="quiet">${say("deleted")}</i>`}
      ${message.seat && message.seat !== game.seat && html` <button type="button" class="clause" data-mute=${message.seat}
        onClick=${() => mute([...muted, message.seat])}>${say("mute")}</button>`}
      ${owner && message.text && html` <button type="button" class="clause" data-delete
        onClick=${() => game.tell("DELETE", `/messages/${message.id}`, undefined, owner).then(read)}>${say("remove")}</button>`}</li>`)}</ul>
    ${muted.length > 0 && html`<p class="quiet">${say("muted", muted.map(book.seat).join(", "))} <button type="button" class="clause" data-hear
      onClick=${() => mute([])}>${say("hear")}</button></p>`}
    ${(game.seat || owner) && html`<form class="row" onSubmit=${send}><label>${say("message")} <input value=${text} maxlength=${LETTERS} required autocomplete="off"
        onInput=${(event) => setText(event.target.value)} /></label>
      ${found.team?.length > 0 && html`<label>${say("to")} <select value=${to} onChange=${(event) => setTo(event.target.value)}>
        <option value="table">${say("everybody")}</option><option value="team">${say("team")}</option></select></label>`}
      <button type="submit">${say("send")}</button></form>`}
  </div>`;
}
