// Studies of the rules at the press of a button: many random games, and the same games with the original rules. The charts have
// axes with ticks, units and intervals, and read well in light and dark.

import { html, useState } from "../parts.js";
import { get, write } from "../api.js";
import { say } from "./words.js";

const GAMES = 500;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Plays random games with a ruleset and returns their summary. */
async function simulated(ruleset, players, key) {
  const body = { ruleset, players, games: GAMES, seed: "00".repeat(31) + "01" };
  const made = await write("POST", "/v1/simulations", { body, token: key || undefined });
  for (let tries = 0; tries < 600; tries += 1) {
    const state = await get(`/v1/simulations/${made.id}`, { token: key || undefined });
    if (state.status === "finished") return state.summary;
    if (state.status === "failed") throw new Error("The simulation failed.");
    await pause(Math.min(2000, 200 + tries * 100));
  }
  throw new Error("The simulation takes too long.");
}

export function Studies({ ruleset, original, apiKey }) {
  const [results, setResults] = useState(null);
  const [told, setTold] = useState("");
  if (!ruleset) return html`<p class="quiet">${say("waits")}</p>`;
  const run = async (compares) => {
    setTold(say("running"));
    const players = Array.from({ length: ruleset.players[0] }, () => "random");
    try {
      const own = await simulated(ruleset.digest, players, apiKey);
      const other = compares ? await simulated(original.ruleset, players, apiKey) : null;
      setResults([{ name: say("changed"), summary: own }, ...(other ? [{ name: say("original"), summary: other }] : [])]);
      setTold("");
    } catch (error) {
      setTold(error.message);
    }
  };
  return html`<div class="studies">
    <p class="row"><button type="button" data-audit onClick=${() => run(false)}>${say("audit", GAMES)}</button>
    ${original && html`<button type="button" data-impact onClick=${() => run(true)}>${say("impact")}</button>`}</p>
    <p role="status">${told}</p>
    ${results && html`<${Shares} results=${results} /><${Numbers} results=${results} />`}
  </div>`;
}

const WIDE = 560;
const LEFT = 130;
const RIGHT = 20;
const ROW = 26;
const percent = (share) => `${Math.round(share * 1000) / 10} %`;

/** Shares of wins by seat, with their intervals. */
function Shares({ results }) {
  const rows = results.flatMap(({ name, summary }, number) => [
    ...summary.wins.map((one) => ({ ...one, number, label: say("seatName", one.seat), of: name })),
    { ...summary.drawn, number, label: say("drawn"), of: name },
  ]).sort((one, other) => one.label.localeCompare(other.label, undefined, { numeric: true }) || one.number - other.number);
  const high = rows.length * ROW + 50;
  const x = (share) => LEFT + share * (WIDE - LEFT - RIGHT);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return html`<figure><figcaption>${say("share")}</figcaption>
    <svg class="chart" viewBox=${`0 0 ${WIDE} ${high}`} role="img" aria-label=${say("share")}>
      ${ticks.map((tick) => html`<line class="grid" x1=${x(tick)} x2=${x(tick)} y1="8" y2=${high - 34} />
        <text x=${x(tick)} y=${high - 16} text-anchor="middle">${percent(tick)}</text>`)}
      ${rows.map((row, at) => {
        const y = 12 + at * ROW;
        return html`<text x=${LEFT - 8} y=${y + 13} text-anchor="end">${row.label}</text>
          <rect class=${`series-${row.number}`} x=${x(0)} y=${y} width=${x(row.share) - x(0)} height="16">
            <title>${`${row.of}, ${row.label}: ${percent(row.share)} (${percent(row.low)} – ${percent(row.high)})`}</title></rect>
          <path class="interval" d=${`M${x(row.low)} ${y + 4}v8M${x(row.low)} ${y + 8}H${x(row.high)}M${x(row.high)} ${y + 4}v8`} />`;
      })}
    </svg>
    ${results.length > 1 && html`<p class="legend">${results.map(({ name }, number) => html`<span key=${name}><i class=${`series-${number}`}></i> ${name}</span>`)}</p>`}
  </figure>`;
}

function Numbers({ results }) {
  return html`<table><thead><tr><td></td>${results.map(({ name }) => html`<th key=${name} scope="col">${name}</th>`)}</tr></thead><tbody>
    <tr><th scope="row">${say("games")}</th>${results.map(({ name, summary }) => html`<td key=${name}>${summary.games}</td>`)}</tr>
    <tr><th scope="row">${say("length")}</th>${results.map(({ name, summary }) => html`<td key=${name}>${summary.length.mean.toFixed(1)} (${summary.length.least}–${summary.length.most})</td>`)}</tr>
  </tbody></table>`;
}
