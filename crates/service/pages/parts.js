// The library of parts, in one place: Preact, signals and htm.

import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export { render, Fragment } from "./vendor/preact.js";
export { useEffect, useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
export { batch, computed, effect, signal, untracked } from "./vendor/signals-core.js";
import "./vendor/signals.js";

export const html = htm.bind(h);
