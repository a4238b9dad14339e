// A short sound when it is one's turn, made by the browser itself. Off until somebody wants it.

import { signal } from "./parts.js";
import { recall, remember } from "./api.js";

export const isLoud = signal(recall("sound", false));

let context = null;

/** Browsers allow sounds after the person has done something in the window. */
function ready() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

export function setLoud(next) {
  isLoud.value = next;
  remember("sound", next || null);
  if (next) chime();
}

if (isLoud.value) addEventListener("pointerdown", ready, { once: true });

/** Two tones, the second one higher. */
export function chime() {
  if (!isLoud.value) return;
  const { currentTime, destination } = ready();
  [[523, 0], [784, 0.12]].forEach(([pitch, delay]) => {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const start = currentTime + delay;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.15, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.3);
    tone.connect(volume).connect(destination);
    tone.start(start);
    tone.stop(start + 0.32);
  });
}
