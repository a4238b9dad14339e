// What the workbench uses of CodeMirror.
export { Compartment, EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export {
  HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting,
} from "@codemirror/language";
export { tags } from "@lezer/highlight";
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
export { yaml } from "@codemirror/lang-yaml";
