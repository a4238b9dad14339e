// What a card says, in full, beside it: under the mouse, with the focus, and under a finger that stays.

import { html, useEffect, useRef, useState } from "./parts.js";

/** How long a mouse or a finger stays until the words come, in milliseconds. */
const REST = { mouse: 350, touch: 500 };
/** A finger that moves further scrolls. */
const STILL = 10;

/** Watches the pictures in a box. `aboutOf` returns `{ title, text }` for the id of a component, or nothing. */
export function useAbout(box, aboutOf) {
  const [shown, setShown] = useState(null);
  const words = useRef(aboutOf);
  words.current = aboutOf;
  useEffect(() => {
    const root = box.current;
    let [timer, hidden, began, wasLong] = [0, null, null, false];
    const partOf = (event) => event.target.closest?.("[data-of]");
    // The browser shows a title by itself, over the words.
    const hideTitle = (part) => {
      const title = part.querySelector(":scope > title");
      title?.remove();
      hidden = title && { part, title };
    };
    const show = (pointed) => {
      const about = words.current(pointed.dataset.of);
      // A new picture may have come in the meantime.
      const part = pointed.isConnected ? pointed : root.querySelector(`[data-of="${CSS.escape(pointed.dataset.of)}"]`);
      if (!about || !part) return;
      const { left, right, top, bottom } = part.getBoundingClientRect();
      setShown({ ...about, left, right, top, bottom });
    };
    const hide = () => {
      clearTimeout(timer);
      hidden?.part.prepend(hidden.title);
      hidden = null;
      setShown(null);
    };
    const wait = (part, time) => {
      hide();
      if (!part || !words.current(part.dataset.of)) return;
      hideTitle(part);
      timer = setTimeout(() => {
        wasLong = time === REST.touch;
        if (wasLong || part.matches(":hover") || !part.isConnected) show(part);
      }, time);
    };
    const listened = {
      pointerover: (event) => event.pointerType === "mouse" && wait(partOf(event), REST.mouse),
      pointerleave: (event) => event.pointerType === "mouse" && hide(),
      focusin: (event) => event.target.matches(":focus-visible") && partOf(event) && show(partOf(event)),
      focusout: hide,
      pointerdown: (event) => {
        wasLong = false;
        began = [event.clientX, event.clientY];
        if (event.pointerType !== "mouse") wait(partOf(event), REST.touch);
        else hide();
      },
      pointermove: (event) => {
        const isStill = !began || Math.hypot(event.clientX - began[0], event.clientY - began[1]) < STILL;
        if (event.pointerType !== "mouse" && !isStill) hide();
      },
      pointerup: (event) => event.pointerType !== "mouse" && !wasLong && hide(),
      pointercancel: hide,
      contextmenu: (event) => wasLong && event.preventDefault(),
    };
    // Whoever has read the words with a finger has chosen nothing.
    const clicked = (event) => {
      if (!wasLong) return;
      wasLong = false;
      event.stopPropagation();
      event.preventDefault();
    };
    const pressed = (event) => event.key === "Escape" && hide();
    for (const [name, listener] of Object.entries(listened)) root.addEventListener(name, listener);
    root.addEventListener("click", clicked, true);
    const elsewhere = (event) => root.contains(event.target) || hide();
    addEventListener("keydown", pressed);
    addEventListener("pointerdown", elsewhere);
    const scrolled = () => setShown(null);
    addEventListener("scroll", scrolled, true);
    return () => {
      hide();
      for (const [name, listener] of Object.entries(listened)) root.removeEventListener(name, listener);
      root.removeEventListener("click", clicked, true);
      removeEventListener("keydown", pressed);
      removeEventListener("pointerdown", elsewhere);
      removeEventListener("scroll", scrolled, true);
    };
  }, []);
  return shown && html`<${About} ...${shown} />`;
}

/** The words, above the card or below it. */
function About({ title, text, left, right, top, bottom }) {
  const box = useRef(null);
  useEffect(() => {
    const { style, offsetWidth: width, offsetHeight: height } = box.current;
    const x = Math.max(8, Math.min(innerWidth - width - 8, (left + right - width) / 2));
    style.left = `${x}px`;
    style.top = `${top - height - 8 > 0 ? top - height - 8 : Math.min(bottom + 8, innerHeight - height - 8)}px`;
  }, [title, left, top]);
  return html`<div class="tip" role="status" ref=${box}><b>${title}</b><p>${text}</p></div>`;
}
