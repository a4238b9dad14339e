// Names for people: of seats, components, zones, variables and values, from the view and the rules.

import { signal } from "./parts.js";
import { capital, say } from "./words.js";

/** The titles of games and of their variants, by name. */
export const gameTitles = signal(new Map());

export const gameTitle = ({ game, variant }) => gameTitles.value.get(`${game}+${variant}`) || gameTitles.value.get(game);

/** Lists words; those that occur several times are counted. */
function listed(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => (count > 1 ? `${count} × ${word}` : word)).join(", ");
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const plain = (name) => String(name).replaceAll("_", " ");

/** Returns a book of names. `titles` collects the titles of components, some of which leave the view later. */
export function bookOf(session, view, rules, titles, ownSeat) {
  const zones = view?.state?.zones || {};
  // Of a card that was never in view, only its kind has a title.
  const kinds = new Map();
  for (const kind of rules?.kinds || []) for (const id of kind.components) kinds.set(id, kind.title || plain(kind.name));
  /** What a component says, and where its kind stands in the rules. */
  const texts = new Map();
  const ranks = new Map();
  (rules?.kinds || []).forEach(({ title, text, components, fields = [] }, at) => {
    for (const id of components) {
      ranks.set(id, { at, types: fields });
      if (text) texts.set(id, { title: capital(title), text });
    }
  });
  const words = new Map();
  for (const type of rules?.types || []) {
    type.values.forEach((value, at) => words.set(value, type.titles[at] || plain(value)));
  }
  /**
   * What a component is now: the side of a die that is up, the rank of a man, the number of a card without that of its owner,
   * the square of a pawn that has only numbers of its own.
   */
  const titleOf = (component, place) => {
    const { title, face } = component;
    if (typeof face === "number") return `${title}: ${face}`;
    const [, kind, owner, keys] = title.match(/^(.*\D) (\d+) (.+)$/) ?? [];
    if (kind && Number(owner) === component.owner && !/^\d+( \d+)+$/.test(keys)) return now(component, `${kind} ${keys}`);
    return now(component, kind && /^[\d ]+$/.test(keys) && Object.keys(place.keys).length > 0 ? `${kind} (${place.title})` : title);
  };
  const now = (component, title) => {
    const isNamed = (name) => words.has(component[name]) && !title.toLowerCase().includes(words.get(component[name]).toLowerCase());
    // Something with numbers only is told by its first word: what a man has become.
    const others = /^\D+( \d+)+$/.test(component.title) ? Object.keys(component).filter((name) => name !== "kind") : [];
    const field = ["face", ...others].find(isNamed);
    return field ? capital(words.get(component[field])) : title;
  };
  // The server names components by all of their keys, also in its texts.
  const raw = new Map();
  for (const { name, title, fields, components } of rules?.kinds || []) {
    if (fields?.[0]?.type !== "seat") continue;
    for (const id of components) {
      const [owner, ...keys] = id.slice(name.length + 1).split("-");
      if (keys.length === 1) raw.set(`${title} ${owner} ${keys[0]}`, `${title} ${keys[0]}`);
    }
  }
  const things = new Map();
  const values = new Map((rules?.types || []).map(({ name, values }) => [name, values]));
  const note = (zone) => {
    for (const component of zone.components) {
      if (component.id) things.set(component.id, component);
      if (component.id && component.title) {
        const title = titleOf(component, zone);
        titles.set(component.id, title);
        if (title !== component.title && /\d/.test(component.title)) raw.set(component.title, title);
      }
      if (component.holds) note(component.holds);
    }
  };
  Object.values(zones).forEach(note);
  const options = new Map();
  for (const decision of rules?.decisions || []) {
    for (const option of decision.options) if (option.title) options.set(option.name, option.title);
  }
  const variables = new Map();
  for (const one of rules?.vars || []) if (one.title && one.title !== one.name) variables.set(one.name, one);
  /** The types of the fields of a component. */
  const fieldsOf = (id) => new Map(ranks.get(id)?.types.map(({ name, type }) => [name, type]));

  const seat = (number) => {
    const taken = session.seats[number - 1];
    if (!taken) return say("nobody");
    if (taken.status === "bot") return `${say("seat", number)} (${say(taken.bot).toLowerCase()})`;
    if (taken.same_name) return `${taken.name} (${number})`;
    return taken.name || say("seat", number);
  };
  /** Within brackets, a bot is its seat. */
  const shortly = (number) => (session.seats[number - 1]?.status === "bot" ? say("seat", number) : seat(number));
  // Texts of the rules say "seat 2": a person reads who that is.
  const ofSeat = new RegExp(say("seat", "([1-8])"), "gi");
  const ofThings = raw.size > 0 && new RegExp(`\\b(?:${[...raw.keys()].map(escaped).sort().reverse().join("|")})\\b`, "g");
  const aside = (by, [one, other]) => (by === 0 ? [] : [say(by > 0 ? one : other, Math.abs(by))]);
  /** A place of a table without edges, as the way to it from the first one. */
  const cell = (x, y) => [...aside(Number(x), ["east", "west"]), ...aside(Number(y), ["south", "north"])].join(", ") || say("middle");
  const hasCells = Object.values(zones).some(({ components }) => components.some(({ cell }) => cell));
  const told = (text) => {
    const places = hasCells ? text.replace(/(?<![\w.,-])(-?\d+),(-?\d+)(?!\w|[.,]\d)/g, (all, x, y) => cell(x, y)) : text;
    const things = ofThings ? places.replace(ofThings, (title) => raw.get(title)) : places;
    return things.replace(ofSeat, (all, number) => (session.seats[number - 1] ? seat(Number(number)) : all));
  };
  const word = (name) => words.get(name) ?? plain(name);
  const zone = (id) => {
    if (id === null || id === undefined) return say("something");
    const found = zones[id];
    // The cards in a stack lie in a zone of the stack.
    if (!found) return id.includes(".") ? thing(id.slice(0, id.lastIndexOf("."))) : plain(id);
    const owner = found.keys.owner;
    if (typeof owner !== "number" || Object.keys(found.keys).length > 1) return found.title;
    // "Hand 2" is the hand of the person at seat 2.
    return `${found.title.replace(new RegExp(`\\s*\\b${owner}$`), "")} (${shortly(owner)})`;
  };
  const thing = (id) => {
    if (id === null || id === undefined) return say("something");
    const title = titles.get(id) || kinds.get(id);
    if (title) return title;
    const [place, number] = String(id).split("#");
    if (number && zones[place]) return `${zone(place)} #${number}`;
    return zones[id] ? zone(id) : told(word(id));
  };
  const value = (of) => {
    if (of === null || of === undefined) return say("something");
    if (Array.isArray(of)) return of.length === 0 ? say("none") : listed(of.map(value));
    if (typeof of === "boolean") return say(of ? "yes" : "no");
    return typeof of === "number" ? String(of) : thing(of);
  };
  const option = (name) => options.get(name) ?? ({ yes: say("yes2"), no: say("no2"), decline: say("decline") }[name] || plain(name));

  return {
    seat,
    told,
    zone,
    isSpace: (family) => Object.values(zones).filter((one) => one.family === family && !one.keys.owner).length > 1,
    thing,
    value,
    word,
    option,
    /** A variable with what it is about: a part of a bundle, a seat, a zone. */
    variable: ({ name, of }) => {
      const known = variables.get(name);
      if (!known) return null;
      const part = word(name.slice(name.lastIndexOf(".") + 1));
      const title = known.title.endsWith(part) || !name.includes(".") ? known.title : `${known.title}, ${part}`;
      if (of === undefined || of === null) return title;
      return `${title} (${known.each === "seat" ? shortly(of) : value(of)})`;
    },
    /** The value that a variable or a field of a component has got. */
    given: ({ component, name, value: of }) => {
      const type = component ? fieldsOf(component).get(name) : variables.get(name)?.type;
      return of === null ? say("none") : type === "seat" ? seat(of) : value(of);
    },
    /** The clauses that the decision of a `chose` event implements. */
    clauses: ({ decision }) => (rules?.decisions || []).find((one) => one.name === decision)?.clauses || [],
    /** What a seat chose: the label under which it chose, which logs of earlier versions lack. */
    choice: ({ label, option: name, args }) => {
      if (label) return capital(told(label));
      const values = Object.values(args || {}).filter((one) => one !== null).map(value);
      return capital([name && option(name), ...values].filter(Boolean).join(" · "));
    },
    /** The label of a value in a step. */
    step: (name, of) => (name === "option" ? option(of) : value(of)),
    /** What a component says in full, if it says anything. */
    about: (id) => texts.get(id) ?? null,
    /** Whose a component is, in few words. */
    ownerOf: (id) => {
      const owner = things.get(id)?.owner;
      return owner ? shortly(owner) : null;
    },
    isOwn: (id) => things.get(id)?.owner === ownSeat,
    /** Numbers by which a hand is sorted: the kind, then the fields as the rules list them. */
    order: (id) => {
      const { at, types } = ranks.get(id) ?? { at: 0, types: [] };
      const fields = types.map(({ name, type }) => (values.get(type)?.indexOf(things.get(id)?.[name]) ?? Number(things.get(id)?.[name] ?? 0)));
      return [at, ...fields];
    },
    outcome: ({ winners, drawn, reason }) => {
      const why = reason && reason !== "rules" ? `: ${say(reason === "agreed" ? "agreed2" : reason)}` : "";
      if (winners.length === 1 && winners[0] === ownSeat) return say("youWon") + why;
      if (winners.length > 0) return say("won", winners.map(seat).join(", ")) + why;
      return say(drawn || !why ? "drawn" : "nobodyWon") + why;
    },
  };
}
