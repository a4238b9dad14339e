// A session as this page knows it, kept up to date: the public facts, the view of one seat, what it is to decide, and the log.

import { batch, signal } from "./parts.js";
import { credential, follow, get, isLasting, pages, write } from "./api.js";
import { isLearned } from "./help.js";
import { lastOf } from "./last.js";
import { say } from "./words.js";

/** More choices than this are not listed one by one; the filter and the board still narrow what is there. */
const CHOICES_MAX = 3000;

/** Events after which the public facts of a session are read again. */
const OF_SESSION = /^(seat-|session-|draw-|pause|unpaused|resumed|timed-out|absence-|token-|game-began|finished|undone|rolled-back)/;

/** What names need of the rules, which contain their whole text. */
const OF_RULES = "game,kinds.name,kinds.title,kinds.text,kinds.components,kinds.fields.name,kinds.fields.type,types,vars,decisions";

/** Refusals that a player meets, in words for players. */
const REFUSALS = { "not-undoable": "noUndo", "stale-version": "tooLate", "not-your-turn": "tooLate", "session-over": "isOver", "not-now": "notNow" };

/** Everything that is known of a table, kept up to date. */
export class Game {
  /** `onLost` is called with the seat when its credential, or another one, opens nothing any more. */
  constructor(id, seat, onLost) {
    this.id = id;
    this.seat = seat;
    this.onLost = onLost;
    this.session = signal(null);
    this.view = signal(null);
    this.decision = signal(null);
    this.choices = signal([]);
    this.changes = signal([]);
    this.rules = signal(null);
    this.connection = signal("live");
    this.problem = signal(null);
    this.picks = signal([]);
    this.isBusy = signal(false);
    this.undo = signal(null);
    /** How many messages the people at the table have written since this was opened. */
    this.said = signal(0);
    /** The colors that the picture gives to the seats. */
    this.colors = signal({});
    this.titles = new Map();
    this.isClosed = false;
    this.isMaking = false;
    this.isBlind = false;
    this.stop = () => {};
  }

  get token() {
    return credential(this.id, this.seat);
  }

  async open() {
    try {
      await this.refreshSession();
      this.connection.value = "live";
      await Promise.all([this.readRules(), this.refreshView(), this.catchUp()]).catch((error) => this.seeNothing(error));
      if (!this.isClosed && !this.isBlind && this.session.value.status !== "finished") this.listen();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Some tables show those who watch nothing before the end: there may still be a seat to take. */
  seeNothing(error) {
    if (this.seat || error.status !== 403) throw error;
    const { version, status, owing } = this.session.value;
    this.isBlind = true;
    this.show({ version, status, owing, deadlines: [] }, null, []);
    announce(say("seeNothing"));
  }

  close() {
    this.isClosed = true;
    this.stop();
  }

  fail(error) {
    if (this.isClosed) return;
    if (isLasting(error)) return this.lose(error);
    this.connection.value = "lost";
    if (!this.session.value) this.restore();
    setTimeout(() => !this.isClosed && this.open(), 1000);
  }

  /** Without a connection, the last state that this browser has seen is better than nothing. It decides nothing. */
  restore() {
    const last = lastOf(this.id);
    if (!last) return;
    batch(() => {
      for (const name of ["session", "view", "rules", "changes"]) this[name].value = last[name];
    });
  }

  /** This window may not look any more. What it has shown stays; with a seat, it goes on without that. */
  lose(error) {
    this.close();
    if (this.onLost) this.onLost(this.seat, error);
    else this.problem.value = error;
  }

  async readRules() {
    const { ruleset, game } = this.session.value;
    const fields = this.seat && !isLearned(game) ? `${OF_RULES},clauses` : OF_RULES;
    this.rules.value = await get(`/v1/rulesets/${ruleset}?fields=${fields}`);
  }

  async refreshSession() {
    this.session.value = await get(`/v1/sessions/${this.id}`, { token: this.token });
  }

  async refreshView() {
    await this.take(await get(`/v1/sessions/${this.id}/view?include=actions`, { token: this.token }));
  }

  /** Shows a view with the decision of this seat, with all of its choices. */
  async take(view) {
    const decision = (view.decisions || [])[0] || null;
    let choices = decision ? decision.choices : [];
    if (decision && !decision.complete && decision.count > choices.length) {
      choices = await this.allChoices(view.version);
    }
    this.show(view, decision, choices);
    if (view.status !== this.session.value.status) await this.refreshSession();
  }

  async allChoices(version) {
    const all = [];
    let cursor = null;
    do {
      const more = cursor ? `&cursor=${cursor}` : "";
      const page = await get(`/v1/sessions/${this.id}/actions?limit=100${more}`, { token: this.token });
      if (page.version !== version) break; // a newer view is on its way
      all.push(...page.items.flatMap((decision) => decision.choices));
      cursor = page.next;
    } while (cursor && all.length < CHOICES_MAX);
    return all;
  }

  show(view, decision, choices) {
    if (this.isClosed || view.version < (this.view.value?.version ?? 0)) return;
    batch(() => {
      if (decision?.id !== this.decision.value?.id) {
        this.picks.value = [];
        this.isBusy.value = false;
      }
      this.view.value = view;
      this.decision.value = decision;
      this.choices.value = choices;
    });
  }

  /** What happened before this page was opened. */
  async catchUp() {
    const path = `/v1/sessions/${this.id}/events`;
    const all = await pages(path, { token: this.token, query: { after: 0, limit: 100 } }, Infinity);
    if (this.isClosed) return;
    this.changes.value = all;
    all.forEach((change) => this.noteUndo(change));
    this.last = all.length > 0 ? all[all.length - 1].version : 0;
    if (this.last > this.session.value.version) await this.refreshSession();
  }

  listen() {
    this.stop();
    this.stop = follow(this.id, {
      token: this.token,
      after: this.last,
      on: (name, data) => {
        if (this.isClosed) return;
        if (name === "state") this.connection.value = data;
        else if (name === "change") this.add(data);
        else if (name === "message") this.said.value += 1;
        else if (name === "snapshot") this.take(data).catch(() => this.refresh());
        else if (name === "restart") this.restart();
        else if (name === "gone") this.lose(data);
        else if (name === "end") {
          this.isSessionOld = true;
          this.refresh();
        }
      },
    });
  }

  /** The server lost a part of the history, or this page is too far behind: it begins anew. */
  restart() {
    this.stop();
    this.view.value = null;
    setTimeout(() => !this.isClosed && this.open(), 300);
  }

  add(change) {
    const known = this.changes.value;
    if (known.length > 0 && change.version <= known[known.length - 1].version) return;
    this.changes.value = [...known, change];
    this.last = change.version;
    this.noteUndo(change);
    if (change.events.some((event) => OF_SESSION.test(event.type))) this.isSessionOld = true;
    const is_shown = this.view.value?.version >= change.version && !this.isSessionOld;
    // The answer to a move of this window brings the view with it.
    if (!is_shown && !this.isMaking) this.refresh();
  }

  noteUndo(change) {
    for (const event of change.events) {
      if (event.type === "undo-wished") this.undo.value = { seat: event.seat };
      else if (["undone", "rolled-back", "undo-refused", "chose", "seat-left", "seat-taken"].includes(event.type)) this.undo.value = null;
    }
  }

  /** Several changes at once are one refresh. */
  refresh() {
    if (this.refreshing) {
      this.again = true;
      return this.refreshing;
    }
    this.refreshing = (async () => {
      do {
        this.again = false;
        try {
          const isSessionOld = this.isSessionOld;
          this.isSessionOld = false;
          await Promise.all([this.refreshView(), isSessionOld && this.refreshSession()]);
        } catch (error) {
          if (isLasting(error)) this.lose(error);
          else await new Promise((done) => setTimeout(done, 500)).then(() => (this.again = true));
        }
      } while (this.again && !this.isClosed);
      this.refreshing = null;
    })();
    return this.refreshing;
  }

  pick(pick) {
    const picks = this.picks.value;
    const at = picks.findIndex((one) => one.key === pick.key);
    this.picks.value = at >= 0 ? picks.filter((_, other) => other !== at) : [...picks, pick];
  }

  back() {
    this.picks.value = this.picks.value.slice(0, -1);
  }

  /** Makes a choice. The answer brings the view after it, so nothing has to be asked for. */
  async play(id, given) {
    if (this.isBusy.value) return;
    this.isBusy.value = true;
    this.isMaking = true;
    try {
      const body = { ...(given || { id }), version: this.view.value.version, decision: this.decision.value.id };
      const made = await write("POST", `/v1/sessions/${this.id}/moves?include=actions,view`, { body, token: this.token });
      this.picks.value = [];
      // The answer is the next change, too.
      if (made.version === this.last + 1) this.add({ ...made, view: undefined, decisions: undefined });
      await this.take({ ...made.view, decisions: made.decisions });
      this.isMaking = false;
      if (this.last > this.view.value.version) await this.refresh();
    } catch (error) {
      this.isMaking = false;
      this.say(error);
      await this.refresh();
    }
    this.isBusy.value = false;
  }

  /** What this seat, or the owner, can ask to undo now, the nearest first. */
  async undos(token = this.token) {
    const { possible } = await get(`/v1/sessions/${this.id}/undos`, { token }).catch(() => ({ possible: [] }));
    return possible;
  }

  /** Undoes the last own choice, if it can be undone. */
  async undoLast(token = this.token) {
    const [nearest] = await this.undos(token);
    if (nearest) return this.act("POST", "/undos", { to: nearest.to }, token);
    announce(say("noUndo"));
    return null;
  }

  /** Writes what changes nothing of the game. Returns whether it is done. */
  tell(method, path, body, token = this.token) {
    return write(method, `/v1/sessions/${this.id}${path}`, { body, token }).then(() => true, (error) => void this.say(error));
  }

  async act(method, path, body, token = this.token) {
    try {
      return await write(method, `/v1/sessions/${this.id}${path}`, { body, token });
    } catch (error) {
      this.say(error);
      return null;
    } finally {
      this.isSessionOld = true;
      this.refresh();
    }
  }

  say(error) {
    const reason = error.reason?.message;
    if (REFUSALS[error.code]) return announce(say(REFUSALS[error.code]));
    announce(reason ? `${error.message} (${reason})` : error.message);
  }
}

/** What screen readers say next, and what is shown for a moment. */
export const announcement = signal("");
export const announce = (text) => {
  announcement.value = text;
};
