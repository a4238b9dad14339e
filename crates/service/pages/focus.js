// Keeps the focus where somebody plays with the keys: what was chosen is drawn again, and the focus would fall to the body.

import { useEffect, useRef } from "./parts.js";

const PLACES = ".drawing, .hand, .choices";
const NEXT = ".live[tabindex], [data-choice]:not(:disabled), [data-step]:not(:disabled)";

const center = (part) => {
  const { left, top, width, height } = part.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

/** Moves a lost focus to what is nearest to where it was, after each of these reasons. */
export function useFocus(reasons) {
  const last = useRef(null);
  useEffect(() => {
    const noted = ({ target }) => {
      const place = target.closest?.(PLACES);
      last.current = place && { place, ...center(target) };
    };
    addEventListener("focusin", noted);
    return () => removeEventListener("focusin", noted);
  }, []);
  useEffect(() => {
    const held = last.current;
    if (!held || document.activeElement !== document.body) return;
    const away = (part) => Math.hypot(center(part).x - held.x, center(part).y - held.y);
    const place = [held.place, document.querySelector(".choices")].find((one) => one?.isConnected);
    const [next] = [...(place?.querySelectorAll(NEXT) ?? [])].sort((one, other) => away(one) - away(other));
    (next ?? document.getElementById("choices"))?.focus({ preventScroll: true });
  }, reasons);
}
