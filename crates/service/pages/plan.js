// A move ahead: while others are to decide, a click on a thing of one's own and one on where it goes becomes a standing order, which
// is carried out once. The page knows no rules: it goes by what the choices of the last decision consisted of.

import { useEffect, useRef, useState } from "./parts.js";
import { get } from "./api.js";

/** What kind of thing an id names: a family of zones or a kind of components. */
function kindOf(view, id) {
  const { zones } = view.state;
  if (zones[id]) return `zone ${zones[id].family}`;
  for (const zone of Object.values(zones)) {
    const found = zone.components.find((one) => one.id === id);
    if (found) return `kind ${found.kind}`;
  }
  return null;
}

/** The arguments of each option that name things, in order: `[{ option, args: [[name, kinds], …] }]`. Others the server chooses. */
function formsOf(choices, view) {
  const forms = new Map();
  for (const { option, args } of choices) {
    const things = Object.entries(args).map(([name, value]) => [name, typeof value === "string" && kindOf(view, value)]);
    if (!forms.has(option)) forms.set(option, new Map());
    const form = forms.get(option);
    for (const [name, kind] of things) if (kind) form.set(name, (form.get(name) ?? new Set()).add(kind));
  }
  return [...forms].map(([option, args]) => ({ option, args: [...args] })).filter(({ args }) => args.length > 0);
}

/** Orders are what they were, with this one before them, or without the one before it. */
async function write(game, plan, before) {
  const path = `/v1/sessions/${game.id}/standing-orders`;
  const { orders } = await get(path, { token: game.token });
  const same = (order) => order.once && JSON.stringify(order.answer.args) === JSON.stringify(before?.args);
  const others = orders.filter((order) => !before || !same(order));
  const { decision, option, args } = plan ?? {};
  const order = plan && { decision, answer: option ? { option, args } : { args }, once: true };
  return game.tell("PUT", "/standing-orders", { orders: order ? [order, ...others] : others });
}

/**
 * Returns `{ picks, plan, click, drop }`: the ids picked so far, the order that waits, what a click on things with these ids does
 * (nothing while the seat is to decide), and how to take the order back.
 */
export function usePlan(game, decision, isOwn) {
  const known = useRef(null);
  const [picks, setPicks] = useState([]);
  const [plan, setPlan] = useState(null);
  const view = game.view.value;
  const choices = game.choices.value;
  if (decision && view && known.current?.of !== choices) known.current = { of: choices, name: decision.name, forms: formsOf(choices, view) };

  // The server takes the time that a person might take; this window is faster. What does not fit now is not meant for later.
  useEffect(() => {
    if (!decision) return;
    const fits = ({ option, args }) => option === plan.option && Object.entries(plan.args).every(([name, value]) => args[name] === value);
    const choice = plan && choices.find(fits);
    setPicks([]);
    setPlan(null);
    if (choice) game.play(choice.id);
    if (plan) write(game, null, plan).catch(() => {});
  }, [decision?.id]);

  const drop = () => {
    if (plan) write(game, null, plan).catch((error) => game.say(error));
    setPlan(null);
    setPicks([]);
  };
  const isWaiting = Boolean(game.seat && known.current?.forms.length && !decision && game.session.value?.status === "running");
  const click = (ids) => {
    if (plan) drop();
    const at = plan ? 0 : picks.length;
    const before = plan ? [] : picks;
    const fits = ({ args }, id) => before.every((one, number) => args[number]?.[1].has(kindOf(view, one))) && args[at]?.[1].has(kindOf(view, id));
    // The first one is one's own: another's cannot be meant.
    const isFirst = (id) => at > 0 || isOwn(id) || kindOf(view, id)?.startsWith("zone");
    for (const id of ids) {
      const form = known.current.forms.find((one) => fits(one, id));
      if (!form || !isFirst(id)) continue;
      const all = [...before, id];
      setPicks(all);
      if (all.length < form.args.length) return;
      const next = { decision: known.current.name, option: form.option, args: Object.fromEntries(form.args.map(([name], number) => [name, all[number]])) };
      setPlan(next);
      write(game, next, plan).catch((error) => game.say(error));
      return;
    }
    setPicks([]);
  };
  return { picks, plan, drop, click: isWaiting ? click : null };
}
