// Studies of the rules at the press of a button: what the commands `audit` and `impact` compute, with their charts.

import { html, useEffect, useRef, useState } from "../parts.js";
import { picture } from "../board.js";
import { say } from "./words.js";

/** `study` runs `audit` or `impact` and tells its progress, `onCancel` ends it, and `onShow` goes to a place in the rules. */
export function Studies({ isReady, hasOriginal, study, onCancel, onShow }) {
  const [result, setResult] = useState(null);
  const [progress, setProgress] = useState(null);
  const [told, setTold] = useState("");
  if (!isReady) return html`<p class="quiet">${say("waits")}</p>`;
  const run = async (kind) => {
    setProgress({ done: 0, all: 0 });
    setTold(say("running"));
    try {
      setResult(await study(kind, setProgress));
      setTold("");
    } catch (error) {
      setTold(error.message);
    }
    setProgress(null);
  };
  const is_idle = progress === null;
  return html`<div class="studies">
    <p class="row"><button type="button" data-audit disabled=${!is_idle} onClick=${() => run("audit")}>${say("audit")}</button>
    ${hasOriginal && html`<button type="button" data-impact disabled=${!is_idle} onClick=${() => run("impact")}>${say("impact")}</button>`}
    ${!is_idle && html`<button type="button" data-stop onClick=${onCancel}>${say("stop")}</button>`}</p>
    ${progress?.all > 0 && html`<p><progress max=${progress.all} value=${progress.done} aria-label=${say("running")} />
      ${say("gamesOf", progress.done, progress.all)}</p>`}
    <p role="status">${told}</p>
    ${result && html`<${Charts} svg=${result.svg} />
      <ul>${result.findings.map((one, at) => html`<li key=${at}><button type="button" onClick=${() => onShow(one)}>${
        (one.file || "").split("/").pop()} ${say("line", one.line)}</button> ${one.message}</li>`)}</ul>
      <pre class="numbers" tabindex="0" role="region" aria-label=${say("numbers")}>${result.text}</pre>`}
  </div>`;
}

function Charts({ svg }) {
  const box = useRef(null);
  useEffect(() => {
    const drawn = picture(svg);
    if (!drawn) return;
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", say("charts"));
    box.current.replaceChildren(drawn);
  }, [svg]);
  return html`<figure class="charts" ref=${box}></figure>`;
}
