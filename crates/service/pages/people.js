// Who sits at the table: the colors of the seats and their clocks.

import { html, useEffect, useState } from "./parts.js";
import { now } from "./api.js";
import { say } from "./words.js";

/** The color of a seat, with a number that can be read on it. */
export function dotOf(fill) {
  const [red, green, blue] = (fill?.match(/[0-9a-f]{2}/gi) || []).map((two) => parseInt(two, 16));
  if (blue === undefined) return {};
  const is_light = red * 0.299 + green * 0.587 + blue * 0.114 > 120;
  return { background: fill, color: is_light ? "#1a1a1a" : "#ffffff" };
}

/** A clock is urgent when so little is left: of its time, and in seconds. */
const LOW = { share: 0.1, most: 60, least: 10 };

const isLow = (left, whole) => left <= Math.min(LOW.most, Math.max(LOW.least, (whole ?? 0) * LOW.share));

/** The time of a seat: for its decision, or for the whole game. Only the one who is to decide has a running clock. */
export function Countdown({ deadline, time, clock, isPaused }) {
  const [, tick] = useState(0);
  const isRunning = Boolean(deadline) && !isPaused;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [isRunning, deadline?.at]);
  const rest = time?.left_ms ?? clock?.decision_ms;
  if (!deadline && rest === undefined) return null;
  const left = Math.max(0, Math.round((deadline ? Date.parse(deadline.at) - now() : rest) / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(left / 3600);
  const told = hours > 0
    ? `${hours}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`
    : `${Math.floor(left / 60)}:${two(left % 60)}`;
  const isUrgent = isRunning && isLow(left, (clock?.game_ms ?? clock?.decision_ms) / 1000);
  return html`<span class=${`clock${isRunning ? " running" : ""}${isUrgent ? " hurry" : ""}`} role="timer" aria-label=${say("timeOf", told)}>${told}${
    time?.periods_left > 0 ? html`<small> +${time.periods_left}</small>` : ""}</span>`;
}
