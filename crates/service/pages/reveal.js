// On a narrow window the choices in words are a sheet over the board: what can be chosen on the board must not lie behind it.

import { useEffect, useRef } from "./parts.js";

/** Narrower windows have everything in one column, as page.css says. */
const NARROW = 820;

export const isNarrow = () => innerWidth <= NARROW;

/** Notes the height of an element for the style of the page, as `--sheet`. */
export function useSheet(box) {
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty("--sheet", `${box.current?.offsetHeight ?? 0}px`));
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--sheet");
    };
  }, []);
}

/** Returns the part of the window between the bar on top and what covers its lower end. */
function free() {
  const top = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  const covers = [...document.querySelectorAll(".right > .choices, .hand:not([hidden]) svg")];
  return { top, bottom: Math.min(innerHeight, ...covers.map((cover) => cover.getBoundingClientRect().top)) };
}

/** Scrolls to what can be chosen on the board. */
function reveal() {
  // With the own hand below, what is played to comes into sight.
  const hasHand = document.querySelector(".hand .live");
  const parts = document.querySelectorAll(hasHand ? ".drawing .board" : ".drawing .live");
  const boxes = [...parts].map((part) => part.getBoundingClientRect());
  if (!isNarrow() || boxes.length === 0) return;
  const { top, bottom } = free();
  const [first, last] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  const over = Math.min(last - bottom + 8, first - top - 8); // as far as the first ones stay in sight
  if (over > 0) scrollBy(0, over);
  else if (first < top) scrollBy(0, first - top - 8);
}

/** Returns a function to call when the board was drawn: for a new decision, it shows where that can be answered. */
export function useReveal(decision) {
  const shown = useRef(null);
  const wanted = useRef(null);
  wanted.current = decision?.id;
  return () =>
    requestAnimationFrame(() => {
      if (!wanted.current || shown.current === wanted.current) return;
      shown.current = wanted.current;
      reveal();
    });
}
