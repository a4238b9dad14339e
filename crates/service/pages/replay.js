// Looking back: a slider through the changes of a game, and the verification of its shuffles.

import { html, useEffect, useRef, useState } from "./parts.js";
import { get, holdings, text } from "./api.js";
import { adviceAt } from "./hint.js";
import { CopyText, SaveFilm } from "./share.js";
import { say } from "./words.js";

const PACE = 900;

/** Goes to the slider, which stands at the last change. */
export const lookBack = () =>
  requestAnimationFrame(() => {
    const slider = document.querySelector(".history input");
    slider?.focus({ preventScroll: true });
    slider?.scrollIntoView({ block: "nearest" });
  });

export function History({ game, book, at, onAt, children }) {
  const [is_playing, setPlaying] = useState(false);
  const last = game.view.value.version;
  const shown = at || last;
  const notes = (game.changes.value.find(({ version }) => version === shown)?.events || []).map(({ notation }) => notation).filter(Boolean);
  const session = game.session.value;
  const timer = useRef(null);
  useEffect(() => {
    if (!is_playing) return undefined;
    timer.current = setInterval(() => {
      onAt((old) => {
        const next = (old || 1) + 1;
        if (next < last) return next;
        setPlaying(false);
        return null;
      });
    }, PACE);
    return () => clearInterval(timer.current);
  }, [is_playing, last]);
  if (session.status === "waiting") return null;
  const go = (version) => onAt(version >= last ? null : Math.max(1, version));
  const start = () => {
    if (!is_playing && !at) onAt(1);
    setPlaying(!is_playing);
  };
  return html`<section class=${session.status === "finished" ? "history over" : "history"} aria-label=${say("history")}>
    <div class="slide">
      <button type="button" onClick=${() => go(shown - 1)} disabled=${shown <= 1} aria-label=${say("previous")}>◀</button>
      <input type="range" min="1" max=${last} value=${shown} aria-label=${say("history")}
        aria-valuetext=${say("version", shown, last)} onInput=${(event) => go(Number(event.target.value))} />
      <button type="button" onClick=${() => go(shown + 1)} disabled=${!at} aria-label=${say("next")}>▶</button>
      <button type="button" onClick=${start}>${say(is_playing ? "halt" : "playback")}</button>
      ${at && html`<button type="button" class="main" onClick=${() => onAt(null)}>${say("now")}</button>`}
    </div>
    <p class="quiet">${say("version", shown, last)} <span class="note">${notes.join(" ")}</span></p>
    <div class="links">
      ${game.view.value.position && html`<${CopyText} words="copyPosition" key=${shown}
        read=${async () => (await get(`/v1/sessions/${game.id}/view`, { token: game.token, query: { at: shown } })).position} />`}
      ${children}
      ${session.status === "finished" && html`<${SaveFilm} game=${game} />
        ${game.seat && at && html`<${Advice} game=${game} book=${book} at=${at} key=${at} />`}
        <${CopyText} words="copyMoves" read=${() => text(`/v1/sessions/${game.id}/record`, { token: game.token, accept: "text/plain" })} />
        <${Verification} game=${game} />`}
    </div>
  </section>`;
}

/** What a strong bot would have chosen at this position. */
function Advice({ game, book, at }) {
  const [told, setTold] = useState("");
  const ask = async () => {
    setTold(say("loading"));
    const made = await adviceAt(game, at);
    setTold(made ? `${say("hintSays")} ${book.choice(made)}` : say("noHint"));
  };
  return html`<p class="copy"><button type="button" data-analyse onClick=${() => ask().catch((error) => setTold(error.message))}>${say("analyse")}</button>
    <span role="status">${told}</span></p>`;
}

/** Checks the record of a finished game in this browser. */
function Verification({ game }) {
  const [told, setTold] = useState(null);
  const session = game.session.value;
  const check = async () => {
    setTold({ text: say("verifying") });
    try {
      const { verify } = await import("./verify.js"); // few look for it
      const record = await get(`/v1/sessions/${game.id}/record`, { token: game.token });
      const held = holdings(game.id);
      const own = Object.entries(held.seats)
        .filter(([, seat]) => seat.entropy)
        .map(([seat, { entropy }]) => ({ seat: Number(seat), value: entropy }));
      const count = verify(record, held.commitment || session.commitment, own);
      setTold({ text: say("verified", count), is_good: true });
    } catch (error) {
      setTold({ text: say("unfair", error.message) });
    }
  };
  return html`<div class="verify"><button type="button" data-verify onClick=${check}>${say("verify")}</button>
    <span role="status" class=${told?.is_good ? "good" : ""} data-verified=${told?.is_good ? "yes" : undefined}>${told?.text || ""}</span>
    ${session.practice && html`<p class="quiet">${say("practice")}</p>`}</div>`;
}
