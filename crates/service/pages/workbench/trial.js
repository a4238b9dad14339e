// The table beside the editor: one person plays all seats, and the game begins again with each valid change of the rules, with the
// same seed, as far as the choices so far still apply.

import { html, useEffect, useState } from "../parts.js";
import { Problem, get, hold, holdings, newEntropy, write } from "../api.js";
import { Board } from "../board.js";
import { bookOf } from "../book.js";
import { Choices } from "../choices.js";
import { Log } from "../log.js";
import { stepsOf } from "../steps.js";
import { Game } from "../game.js";
import { say } from "../words.js";
import { say as speak } from "./words.js";

export const newSeed = newEntropy;

/** Opens a table with these rules, takes every seat, and plays the choices again. Returns the session and the choices that
 *  still applied. */
export async function begin({ ruleset, seats, options, seed, moves, key }) {
  const body = {
    ruleset, options, seed, seats: Array.from({ length: seats }, () => "open"), visibility: "private", undo: "free",
  };
  const made = await write("POST", "/v1/sessions", { body, token: key || undefined });
  const tokens = {};
  for (let seat = 1; seat <= seats; seat += 1) {
    const claimed = await write("PUT", `/v1/sessions/${made.id}/seats/${seat}`, {
      body: { invite_code: made.invite_code }, token: made.owner_token,
    });
    tokens[seat] = claimed.token;
  }
  hold(made.id, (held) => {
    held.owner = made.owner_token;
    held.trial = true;
    Object.entries(tokens).forEach(([seat, token]) => (held.seats[seat] = { token }));
  });
  const kept = await again(made.id, tokens, moves);
  return { id: made.id, kept };
}

/** Makes choices again until one is refused. */
async function again(id, tokens, moves) {
  const kept = [];
  for (const move of moves) {
    const { seat, option, args } = move;
    try {
      await write("POST", `/v1/sessions/${id}/moves`, { body: { option: option ?? undefined, args }, token: tokens[seat] });
    } catch (error) {
      if (error instanceof Problem) return kept;
      throw error;
    }
    kept.push(move);
  }
  return kept;
}

/** Returns the seat that the person plays now: the same one as long as it is to decide. */
async function seatOf(id, seat) {
  const { owing } = await get(`/v1/sessions/${id}`, { token: holdings(id).owner });
  return owing.includes(seat) ? seat : owing[0] ?? seat;
}

/** `onMove` gets each choice as it is made, and null for one that is taken back. */
export function Trial({ session, onMove }) {
  const [game, setGame] = useState(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let opened = null;
    let is_current = true;
    seatOf(session, game?.session === session ? game.seat : 1).then((seat) => {
      if (!is_current) return;
      opened = new Game(session, seat);
      opened.open();
      setGame({ opened, seat, session, turn });
    }).catch(() => {});
    return () => {
      is_current = false;
      opened?.close();
    };
  }, [session, turn]);
  if (!game || game.session !== session || game.turn !== turn) return html`<p class="quiet">${say("loading")}</p>`;
  return html`<${Seat} game=${game.opened} key=${`${session} ${turn}`} onMove=${onMove} onTurn=${() => setTurn(turn + 1)} />`;
}

function Seat({ game, onMove, onTurn }) {
  const [facts, view] = [game.session.value, game.view.value];
  const is_mine = !view || view.owing.includes(game.seat) || view.owing.length === 0;
  useEffect(() => {
    if (!is_mine) onTurn();
  }, [is_mine]);
  if (game.problem.value) return html`<p role="alert">${game.problem.value.message}</p>`;
  if (!facts || !view) return html`<p class="quiet">${say("loading")}</p>`;
  const book = bookOf(facts, view, game.rules.value, game.titles, game.seat);
  const decision = game.decision.value;
  const steps = decision ? stepsOf(decision, game.choices.value, game.picks.value, book.step) : null;
  const play = async (id) => {
    const choice = game.choices.value.find((one) => one.id === id);
    const version = game.view.value.version;
    await game.play(id);
    if (choice && game.view.value.version > version) onMove({ seat: game.seat, option: choice.option, args: choice.args });
  };
  const undo = async () => {
    if (await game.undoLast(holdings(game.id).owner)) onMove(null);
  };
  const status = facts.outcome ? book.outcome(facts.outcome) : speak("plays", book.seat(game.seat));
  return html`<div class="trial" data-trial=${game.id} data-trial-status=${facts.status}>
    <p class="row"><b role="status">${status}</b><button type="button" onClick=${undo}>⟲ ${say("undo")}</button></p>
    <${Board} session=${game.id} seat=${game.seat} version=${view.version} steps=${steps}
      onPick=${(pick) => game.pick(pick)} onPlay=${play} onColors=${() => {}} />
    ${facts.status === "running" && html`<${Choices} decision=${decision} steps=${steps} isBusy=${game.isBusy.value}
      onPick=${(pick) => game.pick(pick)} onBack=${() => game.back()} onReset=${() => (game.picks.value = [])}
      onPlay=${play} onClause=${() => {}} />`}
    <div class="panel" tabindex="0" role="region" aria-label=${say("log")}><${Log} changes=${game.changes.value} book=${book} onClause=${() => {}} onLook=${() => {}} /></div>
  </div>`;
}
