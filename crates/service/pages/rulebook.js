// The rulebook beside the board: the page that the server makes of the rules, taken over element by element.

import { html, useEffect, useRef, useState } from "./parts.js";
import { language, text } from "./api.js";
import { picture, withoutStyles } from "./board.js";
import { say } from "./words.js";

const ELEMENTS = new Set(["h1", "h2", "h3", "p", "span", "del", "div", "dl", "dt", "dd", "table", "tr", "td", "th", "tbody", "thead",
  "figure", "figcaption", "ul", "ol", "li", "br", "em", "strong", "b", "i", "code"]);

const CLASSES = new Set(["count", "move", "shows", "new", "changed", "removed", "sign"]);

/** Copies the content of a rulebook, without scripts, styles and links. Clauses keep their ids as `data-clause`. */
function content(source) {
  const parsed = new DOMParser().parseFromString(withoutStyles(source), "text/html");
  const copy = (from) => {
    if (from.nodeType === Node.TEXT_NODE) return document.createTextNode(from.data);
    if (from.nodeType !== Node.ELEMENT_NODE) return null;
    if (from.localName === "svg") {
      const drawn = picture(new XMLSerializer().serializeToString(from));
      for (const part of drawn?.querySelectorAll("[id]") || []) part.removeAttribute("id");
      return drawn;
    }
    if (!ELEMENTS.has(from.localName)) return null;
    // The title of the page is the only heading of the first rank.
    const to = document.createElement({ h1: "h2", h2: "h3", h3: "h4" }[from.localName] || from.localName);
    if (from.id) to.dataset.clause = from.id;
    if (CLASSES.has(from.className)) to.className = from.className;
    for (const child of from.childNodes) {
      const made = copy(child);
      if (made) to.append(made);
    }
    return to;
  };
  const all = document.createDocumentFragment();
  for (const child of parsed.body.childNodes) {
    const made = copy(child);
    if (made) all.append(made);
  }
  return all;
}

/** Scrolls a clause to the upper end of its panel, so that its text is in sight, and the panel into the window. */
function show(term, panel) {
  if (!panel) return term.scrollIntoView();
  panel.scrollTop += term.getBoundingClientRect().top - panel.getBoundingClientRect().top;
  const { top, bottom } = panel.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) panel.scrollIntoView({ block: "center" });
  return undefined;
}

export function Rulebook({ ruleset, clause }) {
  const box = useRef(null);
  const [version, setVersion] = useState(0);
  useEffect(() => {
    let is_current = true;
    text(`/v1/rulesets/${ruleset}/rulebook`, { accept: "text/html" })
      .then((source) => {
        if (!is_current || !box.current) return;
        box.current.lang = language.value;
        box.current.replaceChildren(content(source));
        setVersion((old) => old + 1);
      })
      .catch(() => {});
    return () => {
      is_current = false;
    };
  }, [ruleset, language.value]);
  useEffect(() => {
    for (const old of box.current.querySelectorAll(".cited")) old.classList.remove("cited");
    if (!clause?.id) return;
    const term = box.current.querySelector(`[data-clause="${CSS.escape(clause.id)}"]`);
    for (const part of [term, term?.nextElementSibling]) part?.classList.add("cited");
    if (term) show(term, box.current.closest(".panel"));
  }, [clause, version]);
  return html`<div class="rulebook" ref=${box}><p class="quiet">${say("loading")}</p></div>`;
}
