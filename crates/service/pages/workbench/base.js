// The game that a house rule changes, line by line, each with a button that changes it.

import { html, useEffect, useState } from "../parts.js";
import { say } from "./words.js";

/** Returns the lines of a file, each with its path and what it says, if an overlay can change that. */
export function outline(text) {
  const above = [];
  let block = null;
  return text.split("\n").map((line) => {
    const indent = line.length - line.trimStart().length;
    if (block && (line.trim() === "" || indent > block.indent)) {
      block.body.push(line.slice(block.indent));
      return { line };
    }
    block = null;
    const [, key, written] = line.match(/^ *("[^"]*"|[^\s#"[{-][^:]*):(?: +(.*))?$/) || [];
    if (key === undefined) return { line };
    while (above.length && above[above.length - 1].indent >= indent) above.pop();
    above.push({ indent, key });
    const value = (written || "").replace(/ +#.*$/, "");
    if (value === "" || above.length < 2 && !["players", "bound", "draws"].includes(key)) return { line };
    const found = { line, path: above.map((one) => one.key).join("."), value, body: [] };
    if (/^[|>]/.test(value)) block = { indent, body: found.body };
    return found;
  });
}

/** Returns a house rule that changes one more value, which is the present one until somebody changes it. */
export function withChange(text, { path, value, body }) {
  const below = body.map((line) => `  ${line}`.trimEnd());
  while (below.length && below[below.length - 1] === "") below.pop();
  const entry = [`  ${path}: ${value}`, ...below].join("\n");
  if (/^change:\s*(\{\s*\})?\s*$/m.test(text)) return text.replace(/^change:\s*?(\{\s*\})?[^\S\n]*$/m, () => `change:\n${entry}`);
  return `${text.trimEnd()}\nchange:\n${entry}\n`;
}

/** `load` returns the files of the game; `onChange` gets the line that somebody wants to change. */
export function Base({ load, onChange }) {
  const [files, setFiles] = useState({});
  const [current, setCurrent] = useState("game.yaml");
  useEffect(() => {
    load().then((found) => setFiles(found.files), () => setFiles({}));
  }, []);
  return html`<div class="base">
    <div class="files">${Object.keys(files).map((name) => html`<button type="button" key=${name} aria-pressed=${String(name === current)}
      onClick=${() => setCurrent(name)}>${name}</button>`)}</div>
    <ol class="lines">${outline(files[current] || "").map((one, at) => html`<li key=${at}><code>${one.line || " "}</code>${one.path && html`
      <button type="button" class="quiet" data-change=${one.path} aria-label=${say("changes", one.path)} onClick=${() => onChange(one)}>${say("change")}</button>`}</li>`)}</ol>
  </div>`;
}
