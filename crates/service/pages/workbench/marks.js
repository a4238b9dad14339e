// Breakpoints in the gutter of the editor, and the line at which the debugger stands.

import { say } from "./words.js";
import { Decoration, EditorView, GutterMarker, RangeSet, StateEffect, StateField, gutter, keymap } from "./vendor/codemirror.js";

/** A breakpoint: a dot, or a diamond if it has a condition. */
class Dot extends GutterMarker {
  constructor(condition) {
    super();
    this.condition = condition;
  }

  eq(other) {
    return this.condition === other.condition;
  }

  toDOM() {
    const dot = document.createElement("span");
    dot.textContent = this.condition ? "◆" : "●";
    dot.title = this.condition ? say("stopsIf", this.condition) : say("stops");
    return dot;
  }
}

const setDots = StateEffect.define();
const setHere = StateEffect.define();

/** Dots for marks `{line, condition}`; a line that does not exist has none. */
function dotsAt(doc, marks) {
  const inside = marks.filter(({ line }) => line >= 1 && line <= doc.lines).sort((one, other) => one.line - other.line);
  return RangeSet.of(inside.map(({ line, condition }) => new Dot(condition).range(doc.line(line).from)));
}

function marksOf(state) {
  const marks = new Map();
  state.field(dots).between(0, state.doc.length, (at, _, { condition }) => {
    marks.set(state.doc.lineAt(at).number, condition);
  });
  return [...marks].map(([line, condition]) => ({ line, condition }));
}

const dots = StateField.define({
  create: () => RangeSet.empty,
  update: (known, change) => change.effects.filter((one) => one.is(setDots))
    .reduce((_, { value }) => dotsAt(change.state.doc, value), known.map(change.changes)),
});

const here = StateField.define({
  create: () => Decoration.none,
  update: (known, change) => change.effects.filter((one) => one.is(setHere)).reduce((_, { value }) => {
    if (value === null || value > change.state.doc.lines) return Decoration.none;
    return Decoration.set([Decoration.line({ class: "cm-here" }).range(change.state.doc.line(value).from)]);
  }, known.map(change.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

function toggle(view, at) {
  const { number } = view.state.doc.lineAt(at);
  const marks = marksOf(view.state);
  const others = marks.filter(({ line }) => line !== number);
  const next = others.length < marks.length ? others : [...marks, { line: number, condition: "" }];
  view.dispatch({ effects: setDots.of(next) });
  return true;
}

/** `onMarks` gets the marks when they change, also by edits above them. */
export const breakpoints = (onMarks) => [
  dots,
  here,
  gutter({
    class: "cm-breakpoints",
    markers: (view) => view.state.field(dots),
    initialSpacer: () => new Dot(""),
    domEventHandlers: { mousedown: (view, line) => toggle(view, line.from) },
  }),
  keymap.of([{ key: "F9", run: (view) => toggle(view, view.state.selection.main.head) }]),
  EditorView.updateListener.of((update) => {
    const [before, after] = [update.startState, update.state].map((state) => JSON.stringify(marksOf(state)));
    if (before !== after) onMarks(marksOf(update.state));
  }),
];

/** Shows other marks. */
export function showMarks(view, marks) {
  if (JSON.stringify(marksOf(view.state)) !== JSON.stringify(marks)) view.dispatch({ effects: setDots.of(marks) });
}

/** Shows the line at which the debugger stands, or none. */
export function showHere(view, line) {
  const effects = [setHere.of(line)];
  const { doc } = view.state;
  if (line !== null && line <= doc.lines) effects.push(EditorView.scrollIntoView(doc.line(line).from, { y: "center" }));
  view.dispatch({ effects });
}
