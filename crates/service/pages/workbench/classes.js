// Colors of words: the language server tells what each is, and the editor shows it a moment after the last key.

import { offsetOf } from "./language.js";
import { Decoration, EditorView, StateEffect, StateField } from "./vendor/codemirror.js";

/** Milliseconds without a key before the words are asked for. */
const PAUSE = 150;

const setClasses = StateEffect.define();

/** Words keep their colors while the text around them changes. */
const colored = StateField.define({
  create: () => Decoration.none,
  update(words, transaction) {
    const told = transaction.effects.find((effect) => effect.is(setClasses));
    return told ? told.value : words.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Colors with a contrast of at least 4.5 in light and dark, by the names of the protocol. */
const COLORS = {
  keyword: "light-dark(#6a2b86, #d8a8f0)",
  number: "light-dark(#8a3b00, #ffb37a)",
  enumMember: "light-dark(#8a3b00, #ffb37a)",
  string: "light-dark(#1d6b2f, #9ad9a6)",
  comment: "light-dark(#5b6470, #a3adb8)",
  decorator: "light-dark(#6b5a00, #d9c76a)",
  function: "light-dark(#0b4f9e, #8ab8ff)",
  type: "light-dark(#00665f, #7adbd0)",
  class: "light-dark(#00665f, #7adbd0)",
  parameter: "light-dark(#3d4653, #c3cbd6)",
  property: "light-dark(#8c1d4f, #ff9ec4)",
  variable: "light-dark(#8c1d4f, #ff9ec4)",
};

// The colors of YAML may lie inside.
const theme = EditorView.theme(Object.fromEntries(Object.entries(COLORS).map(([name, color]) => {
  const own = `.cm-is-${name}`;
  return [`${own}, ${own} span`, { color, fontStyle: name === "comment" ? "italic" : "normal" }];
})));

const marks = new Map();

function markOf(name) {
  if (!marks.has(name)) marks.set(name, Decoration.mark({ class: `cm-is-${name}` }));
  return marks.get(name);
}

/** The decorations for what the server says: five numbers a word, relative to the word before. */
function decorations(doc, data, names) {
  const words = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    character = data[at] === 0 ? character + data[at + 1] : data[at + 1];
    line += data[at];
    const from = offsetOf(doc, { line, character });
    words.push(markOf(names[data[at + 3]]).range(from, from + data[at + 2]));
  }
  return Decoration.set(words);
}

/** Colors the words of a file. `ask` asks the language server, `namesOf` returns the names of its classes. */
export function classes(ask, namesOf) {
  let timer;
  const look = async (view) => {
    const { doc } = view.state;
    const told = await ask("textDocument/semanticTokens/full", doc, {}).catch(() => null);
    if (told && view.state.doc === doc && view.dom.isConnected) {
      view.dispatch({ effects: setClasses.of(decorations(doc, told.data, namesOf())) });
    }
  };
  const wait = (view) => {
    clearTimeout(timer);
    timer = setTimeout(() => look(view), PAUSE);
  };
  const again = EditorView.updateListener.of(({ docChanged, view }) => docChanged && wait(view));
  return { extension: [colored, theme, again], begin: wait };
}
