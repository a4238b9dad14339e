// What a picture says to those who hear it: each thing once, whose it is, and how many there are.

import { say } from "./words.js";

/** Whether a text says no more than a name: it is part of it, or short for it. */
function isIn(name, words) {
  let at = 0;
  for (const letter of name.toLowerCase()) if (letter === words[at]?.toLowerCase()) at += 1;
  return at === words.length;
}

/** Names the parts of a picture as a person would, and silences what the names say already. */
export function tell(drawn, book) {
  for (const title of drawn.querySelectorAll("title")) {
    const part = title.parentNode;
    // A board of many squares is not called "Square".
    const isOfSpaces = part.matches(".board") && book.isSpace(part.id.replace("board:", ""));
    const name = (title.textContent = isOfSpaces ? say("boardOf") : book.told(title.textContent));
    const texts = [...part.children].filter(({ localName }) => localName === "text");
    const words = texts.map((text) => text.textContent.trim());
    const whose = part.matches(".space .piece") ? book.ownerOf(part.id) : null;
    if (whose) title.textContent = `${name} (${whose})`;
    else if (part.matches(".zone")) title.textContent = counted(name, words.find((one) => one.startsWith(name)) ?? "");
    else if (part.matches(".player")) {
      const seat = part.id.slice("player:".length);
      const more = words.filter((one) => one !== seat && !one.startsWith(name) && !name.includes(one)).join(" ");
      if (more) title.textContent = `${name}: ${more}`;
    }
    if (title.textContent !== name) part.dataset.name = name;
    const said = title.textContent;
    texts.forEach((text, at) => (part.matches(".board, .player") || isIn(said, words[at].replace(/ [·–]/, ":"))) && text.setAttribute("aria-hidden", "true"));
  }
}

/** The name of a zone with the number that its label shows. */
function counted(name, label) {
  const [, sign, number] = label.match(/ ([·–?])(?: (\d+))?$/) ?? [];
  return sign ? `${name}: ${number ?? (sign === "?" ? "?" : 0)}` : name;
}
