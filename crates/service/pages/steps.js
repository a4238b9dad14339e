// A choice in steps: what was picked so far, what is still possible, and what can be picked next.
//
// The server lists every legal choice. A step narrows that list: to an option, to a value of an argument, or to what a
// part of the board stands for. No step knows what its values mean.

/** Lists of at most this length are shown whole. */
const SHORT = 9;

/** Whether values of an argument are given instead of picked: a number of a long range, a text. The list has examples. */
export const isGiven = (arg) => arg.maximum !== undefined || arg.max_length !== undefined;

/** Kinds of decisions in which a person picks several things and then says that this is all. */
const SETS = new Set(["subset", "order"]);

/**
 * Returns the state of a choice. A pick is `{key, label, ids}` for a part of the board, or `{key, label, name, value}`
 * for an argument; the option is the argument `option`.
 */
export function stepsOf(decision, choices, picks, titleOf) {
  const isSet = SETS.has(decision.kind);
  const fits = (choice) => picks.every((pick, at) => matches(choice, pick, at, decision.kind));
  const remaining = choices.filter(fits);
  const ids = new Map(remaining.map((choice) => [choice.id, choice]));
  const exact = exactOf(remaining, picks, decision.kind);
  const isOpen = (pick) =>
    pick.ids ? pick.ids.some((id) => ids.has(id)) : remaining.some((one) => matches(one, pick, picks.length, decision.kind));
  const groupOf = (id) => decision.alike?.find((group) => group.includes(id)) ?? [];
  return {
    isSet,
    picks,
    picked: new Set(picks.map((pick) => pick.key)),
    remaining: ids,
    isOpen,
    choices: remaining,
    exact,
    facet: facetOf(remaining, picks, decision, titleOf),
    finalOf: (part, partIds, drawing) => finalOf(part, partIds, drawing, ids, picks, isSet, groupOf),
    pickOf: (pick) => (isSet ? memberPick(pick, choices, picks, groupOf(pick.part), titleOf) : pick),
  };
}

/** A click on a part of the board, as the member of a set that it stands for: in words it is the same pick. */
function memberPick(pick, choices, picks, alike, titleOf) {
  const name = setName(choices);
  if (!pick.ids || !name) return pick;
  const wanted = new Set(pick.ids);
  const lists = choices.filter((choice) => wanted.has(choice.id)).map((choice) => choice.args[name]);
  const [first = [], ...rest] = lists;
  const shared = first.filter((value) => rest.every((list) => list.some((one) => same(one, value))));
  const value = memberOf(alike, pick.part, picks) ?? shared.find((one) => one === pick.part) ?? shared[0];
  return value === undefined ? pick : { key: keyOfValue(name, value), name, value, label: titleOf(name, value) };
}

/** Of things that are alike, the first ones are picked, whichever is clicked: one more, or the last one no more. */
function memberOf(alike, id, picks) {
  const picked = alike.filter((one) => picks.some((pick) => pick.value === one)).length;
  return alike.indexOf(id) < picked ? alike[picked - 1] : alike[picked];
}

const setName = (choices) => Object.keys(choices[0]?.args ?? {}).find((name) => Array.isArray(choices[0].args[name]));

function matches(choice, pick, at, kind) {
  if (pick.ids) return pick.ids.includes(choice.id);
  if (pick.name === "option") return (choice.option ?? "") === pick.value;
  const value = choice.args[pick.name];
  if (!Array.isArray(value)) return same(value, pick.value);
  if (kind === "order") return same(value[at], pick.value);
  return value.some((one) => same(one, pick.value));
}

const same = (one, other) =>
  one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));

/** The choice that consists of what was picked, and of nothing else. */
function exactOf(remaining, picks, kind) {
  const whole = SETS.has(kind) && remaining.find((choice) => membersOf(choice) === picks.length);
  if (whole) return whole;
  const is_last = remaining.length === 1 && picks.length > 0 && kind !== "subset";
  return is_last ? remaining[0] : null;
}

const membersOf = (choice) =>
  Object.values(choice.args).reduce((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0);

/**
 * The choice that a click on a part of the board makes: the only one that is left, if everything on the board that
 * belongs to it would then be picked. A person who clicks a piece with a single move is shown where it goes.
 */
function finalOf(part, partIds, drawing, remaining, picks, isSet, groupOf) {
  // A chip is one whole choice: in a set, the one of nothing.
  if (part.matches(".choice:not([data-choices])")) return remaining.get(partIds[0]) ?? null;
  if (isSet || partIds.length !== 1) return null;
  const choice = remaining.get(partIds[0]);
  if (!choice) return null;
  const others = drawing.querySelectorAll(`[data-choices~="${CSS.escape(choice.id)}"]`);
  // All squares of a column stand for the column: one of them says it all.
  const isNamed = ({ dataset: { part: id } }) => choice.refers.includes(id) || Object.values(choice.args).includes(id);
  for (const other of others) {
    if (other.dataset.part && other.dataset.part === part.dataset.part) continue;
    if (!isNamed(part) && !isNamed(other)) continue;
    const is_like = groupOf(part.dataset.part).includes(other.dataset.part);
    if (is_like && !(choice.refers.includes(part.dataset.part) && choice.refers.includes(other.dataset.part))) continue;
    if (other === part || other.contains(part) || part.contains(other)) continue;
    const ids = other.getAttribute("data-choices").split(" ");
    const is_picked = picks.some((pick) => pick.ids && same(pick.ids, ids));
    const is_said = picks.some((pick) => pick.name && other.dataset.part && namesThing(choice, pick, other.dataset.part));
    if (!is_picked && !is_said) return null;
  }
  return choice;
}

const namesThing = (choice, pick, id) => {
  const value = choice.args[pick.name];
  return Array.isArray(value) ? value.includes(id) : value === id;
};

/** The next question in words: a whole list, or the values of one argument. */
function facetOf(remaining, picks, { kind, template = [] }, titleOf) {
  if (SETS.has(kind)) return membersFacet(remaining, picks, kind, titleOf);
  if (remaining.length <= SHORT) return null;
  const options = valuesOf(remaining, (choice) => choice.option ?? "");
  if (options.length > 1) return { name: "option", values: named(options, titleOf, "option") };
  const given = template.flatMap(({ args }) => args.filter(isGiven).map((arg) => arg.name));
  const names = Object.keys(remaining[0]?.args ?? {}).filter((name) => !given.includes(name));
  const facets = names
    .map((name) => ({ name, values: valuesOf(remaining, (choice) => choice.args[name]) }))
    .filter(({ values }) => values.length > 1 && values.length < remaining.length);
  if (facets.length === 0) return null;
  // Best is what the labels begin with; then what lies on the board, which is easier to name than a number or a place.
  for (const facet of facets) {
    const begun = beginnings(remaining, facet);
    if (begun) return { name: facet.name, values: begun };
  }
  const things = new Set(remaining.flatMap((choice) => choice.refers));
  const is_thing = (facet) => facet.values.every(({ value }) => things.has(value));
  const best = facets.find(is_thing) || facets[0];
  return { name: best.name, values: named(best.values, titleOf, best.name) };
}

/** The words with which the labels of all choices with a value begin, if they differ from value to value. */
function beginnings(remaining, { name, values }) {
  const shared = sharedWords(remaining.map((choice) => choice.label));
  const begun = values.map((one) => {
    const labels = remaining.filter((choice) => same(choice.args[name], one.value)).map((choice) => choice.label);
    const words = sharedWords(labels);
    const label = labels.length > 1 ? `${words.join(" ")} …` : labels[0];
    return { ...one, key: keyOfValue(name, one.value), label, says_more: words.length > shared.length };
  });
  const is_clear = new Set(begun.map((one) => one.label)).size === begun.length;
  return is_clear && begun.every((one) => one.says_more) ? begun : null;
}

function sharedWords(labels) {
  const [first, ...rest] = labels.map((label) => label.split(" "));
  const end = first.findIndex((word, at) => rest.some((words) => words[at] !== word));
  return end < 0 ? first : first.slice(0, end);
}

const keyOfValue = (name, value) => `${name}=${JSON.stringify(value)}`;

/** What can be added, or taken away again; in an order, what can come next. */
function membersFacet(remaining, picks, kind, titleOf) {
  if (remaining.length <= 2 && picks.length === 0) return null;
  const name = setName(remaining);
  if (!name) return null;
  const members = new Map();
  for (const choice of remaining) {
    const list = choice.args[name];
    for (const value of kind === "order" ? list.slice(picks.length, picks.length + 1) : list) {
      const key = JSON.stringify(value);
      members.set(key, { value, count: (members.get(key)?.count ?? 0) + 1 });
    }
  }
  return { name, values: named([...members.values()], titleOf, name) };
}

function valuesOf(choices, of) {
  const found = new Map();
  for (const choice of choices) {
    const value = of(choice);
    const key = JSON.stringify(value);
    found.set(key, { value, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()];
}

/** Gives values their titles. Things that look alike, such as two dice with the same side up, have the same. */
function named(values, titleOf, name) {
  return values.map((one) => ({ ...one, key: keyOfValue(name, one.value), label: titleOf(name, one.value) }));
}
