// The editor: CodeMirror in a shadow root, where its styles need no exception from the content security policy.

import { html, useEffect, useRef } from "../parts.js";
import { changesIn, completions, hover, offsetOf, worth } from "./language.js";
import { classes } from "./classes.js";
import { breakpoints, showHere, showMarks } from "./marks.js";
import {
  EditorState, EditorView, HighlightStyle, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap,
  drawSelection, foldGutter, foldKeymap, highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches,
  history, historyKeymap, hoverTooltip, indentOnInput, indentUnit, indentWithTab, keymap, lineNumbers, lintGutter, lintKeymap,
  searchKeymap, setDiagnostics, syntaxHighlighting, tags, yaml,
} from "./vendor/codemirror.js";

/** Colors with a contrast of at least 4.5 in light and dark: `light-dark` follows the page. */
const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "light-dark(#0b4f9e, #8ab8ff)" },
  { tag: [tags.string, tags.content], color: "light-dark(#1c1c1c, #e6e6e6)" },
  { tag: tags.comment, color: "light-dark(#5b6470, #a3adb8)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "light-dark(#8a3b00, #ffb37a)" },
  { tag: [tags.keyword, tags.operator, tags.separator, tags.punctuation], color: "light-dark(#6a2b86, #d8a8f0)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", backgroundColor: "light-dark(#ffffff, #1b1d21)", color: "light-dark(#1c1c1c, #e6e6e6)" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.45" },
  ".cm-gutters": { backgroundColor: "light-dark(#f2f2ef, #24272c)", color: "light-dark(#565f69, #a3adb8)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "light-dark(#f3f6fb, #23282f)" },
  ".cm-content": { caretColor: "light-dark(#000, #fff)" },
  ".cm-cursor": { borderLeftColor: "light-dark(#000, #fff)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "light-dark(#cfe2ff, #34507a) !important" },
  // The marks that come with the editor are pictures from `data:` addresses, which the content security policy forbids.
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy light-dark(#a11d1d, #ff9c94)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy light-dark(#8a5a00, #ffcf7a)" },
  ".cm-lint-marker-error": { content: "normal", color: "light-dark(#a11d1d, #ff9c94)" },
  ".cm-lint-marker-warning": { content: "normal", color: "light-dark(#8a5a00, #ffcf7a)" },
  ".cm-lint-marker-info": { content: "normal", color: "light-dark(#565f69, #a3adb8)" },
  ".cm-lint-marker-info::before": { content: '"○"' },
  ".cm-lintPoint-info::after": { display: "none" },
  ".cm-lint-marker-error::before": { content: '"●"' },
  ".cm-lint-marker-warning::before": { content: '"▲"' },
  ".cm-breakpoints": { cursor: "pointer", color: "light-dark(#a11d1d, #ff9c94)" },
  ".cm-here": { backgroundColor: "light-dark(#fff0b3, #4d4210) !important" },
  ".about": { whiteSpace: "pre-wrap", maxWidth: "36rem", padding: "0.4rem 0.6rem" },
  ".cm-tooltip": { backgroundColor: "light-dark(#ffffff, #24272c)", color: "inherit", border: "1px solid light-dark(#c4c8cc, #4a5058)" },
});

/** Returns the place of line and column, which count from 1, in a document. */
function offset(doc, line, column) {
  const there = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(there.from + Math.max(column - 1, 0), there.to);
}

function shown(doc, found) {
  const from = offset(doc, found.line, found.column);
  const to = Math.max(from, offset(doc, found.end_line, found.end_column));
  const help = found.help ? `\n${found.help}` : "";
  return { from, to, severity: found.severity, message: `${found.message}${help}` };
}

/** Adds to each finding the changes that the language server proposes for it. */
async function withFixes(view, ask, name, marks) {
  const { doc } = view.state;
  const range = { start: { line: 0, character: 0 }, end: { line: doc.lines, character: 0 } };
  const fixes = await ask("textDocument/codeAction", doc, { range, context: { diagnostics: [] } }).catch(() => null);
  if (!fixes || fixes.length === 0 || view.state.doc !== doc) return;
  const fitting = (mark) => fixes.filter(({ diagnostics: [one] = [] }) => one && offsetOf(doc, one.range.start) === mark.from);
  const fixed = marks.map((mark) => ({
    ...mark,
    actions: fitting(mark).map(({ title, edit }) => ({
      name: title,
      apply: (there) => there.dispatch({ changes: changesIn(edit, name, there.state.doc) }),
    })),
  }));
  view.dispatch(setDiagnostics(view.state, fixed));
}

/** A line below one that begins a block is indented. */
function indented({ state, dispatch }) {
  const { from, empty } = state.selection.main;
  const { text } = state.doc.lineAt(from);
  const before = text.slice(0, from - state.doc.lineAt(from).from);
  if (!empty || !/(:|[|>])\s*$/.test(before)) return false;
  const indent = `\n${before.match(/^ */)[0]}  `;
  dispatch(state.update(state.replaceSelection(indent), { scrollIntoView: true, userEvent: "input" }));
  return true;
}

/** Formats the file. */
const formats = (ask, name) => (view) => {
  const { doc } = view.state;
  ask("textDocument/formatting", doc, {}).then((edits) => {
    if (edits.length === 0 || view.state.doc !== doc) return;
    view.dispatch({ changes: edits.map(({ range, newText }) => ({
      from: offsetOf(doc, range.start), to: offsetOf(doc, range.end), insert: newText,
    })) });
  }).catch(() => {});
  return true;
};

/** Asks for a new name, and gives the changes that it takes to `onEdit`. */
const renames = (ask, onEdit) => (view) => {
  const { doc, selection } = view.state;
  const line = doc.lineAt(selection.main.head);
  const position = { line: line.number - 1, character: selection.main.head - line.from };
  ask("textDocument/prepareRename", doc, { position }).then(async (range) => {
    if (!range) return;
    const old = doc.sliceString(offsetOf(doc, range.start), offsetOf(doc, range.end));
    const newName = prompt(old, old);
    if (newName && newName !== old) onEdit(await ask("textDocument/rename", doc, { position, newName }));
  }).catch((error) => alert(error.message));
  return true;
};

/** Edits one file, which begins with `text`. `onAsk` asks the language server, `onEdit` gets changes of several files. `goTo` is a place to show: `{line, column}`.
 *  `classNames` returns the names of the classes of words, `marks` are its breakpoints, `here` the line at which the debugger stands, and `onValue` tells what a name is worth there. */
export function Editor({ name, text, findings, goTo, marks, here, classNames, onText, onAsk, onEdit, onMarks, onValue }) {
  const host = useRef(null);
  const view = useRef(null);
  const tell = useRef(onText);
  tell.current = onText;
  const server = useRef(onAsk);
  server.current = onAsk;
  const edit = useRef(onEdit);
  edit.current = onEdit;
  const debug = useRef(null);
  debug.current = { onMarks, onValue };
  useEffect(() => {
    const root = host.current.shadowRoot || host.current.attachShadow({ mode: "open" });
    const ask = (method, doc, more) => server.current(method, name, doc.toString(), more);
    const words = classes(ask, classNames);
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged) tell.current(update.state.doc.toString());
    });
    view.current = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          breakpoints((found) => debug.current.onMarks(found)), lineNumbers(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
          highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), lintGutter(), yaml(),
          autocompletion({ override: [completions(ask)] }), hoverTooltip(hover(ask)),
          hoverTooltip(worth((word) => debug.current.onValue(word))),
          indentUnit.of("  "), syntaxHighlighting(colors), theme, words.extension, changed,
          EditorView.contentAttributes.of({ "aria-label": name }),
          keymap.of([
            ...completionKeymap,
            { key: "Enter", run: indented },
            { key: "F2", run: renames(ask, (found) => edit.current(found)) },
            { key: "Shift-Alt-f", run: formats(ask, name) },
            ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap,
            indentWithTab,
          ]),
        ],
      }),
    });
    words.begin(view.current);
    return () => view.current.destroy();
  }, [name]);
  useEffect(() => {
    const { state } = view.current;
    const marks = findings.map((found) => shown(state.doc, found));
    view.current.dispatch(setDiagnostics(state, marks));
    const ask = (method, doc, more) => server.current(method, name, doc.toString(), more);
    if (marks.length > 0) withFixes(view.current, ask, name, marks);
  }, [findings]);
  useEffect(() => showMarks(view.current, marks), [name, JSON.stringify(marks)]);
  useEffect(() => showHere(view.current, here), [name, here]);
  useEffect(() => {
    if (!goTo) return;
    const at = offset(view.current.state.doc, goTo.line, goTo.column);
    view.current.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    view.current.focus();
  }, [goTo]);
  return html`<div class="editor" ref=${host}></div>`;
}
