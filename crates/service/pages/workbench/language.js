// A client of the language server: what the editor asks it over a WebSocket, and what it says about scenarios.

import { root } from "../api.js";

/** Where the server believes a file to be. */
export const pathOf = (name) => `/work/${name}`;
const uri = (name) => `file:///work/${encodeURIComponent(name)}`;

/** The name of a file in an address of the language server. */
export const nameOf = (address) => decodeURIComponent(address.slice(address.lastIndexOf("/") + 1));

export class Language {
  constructor(key) {
    this.key = key;
    this.known = {};
    this.waiting = new Map();
    this.last = 0;
  }

  /** Connects, and opens the files again after an interruption. */
  async connected() {
    if (this.ready) return this.ready;
    this.ready = new Promise((done, failed) => {
      const address = new URL("workbench/language-server", root);
      address.protocol = address.protocol.replace("http", "ws");
      this.socket = new WebSocket(address);
      this.socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
      this.socket.onclose = () => {
        this.ready = null;
        this.known = {};
        failed(new Error("The language server is gone."));
        for (const { failed: fail } of this.waiting.values()) fail(new Error("The language server is gone."));
        this.waiting.clear();
      };
      this.socket.onopen = () => this.ask("initialize", { key: this.key || undefined, capabilities: {} }).then(({ capabilities }) => {
        this.classNames = capabilities.semanticTokensProvider.legend.tokenTypes;
        done();
      }, failed);
    });
    return this.ready;
  }

  hear({ id, result, error, method, params }) {
    if (method === "$/progress") this.onProgress?.(params.value);
    const waits = this.waiting.get(id);
    if (!waits) return;
    this.waiting.delete(id);
    if (error) waits.failed(new Error(error.message));
    else waits.done(result);
  }

  tell(method, params) {
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  ask(method, params) {
    this.last += 1;
    const id = this.last;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  /** Tells the server what changed in the files. */
  async show(files) {
    await this.connected();
    for (const [name, text] of Object.entries(files)) {
      const textDocument = { uri: uri(name) };
      if (this.known[name] === undefined) {
        this.tell("textDocument/didOpen", { textDocument: { ...textDocument, languageId: "yaml", version: 1, text } });
      } else if (this.known[name] !== text) {
        this.tell("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
      }
    }
    for (const name of Object.keys(this.known).filter((one) => files[one] === undefined)) {
      this.tell("textDocument/didClose", { textDocument: { uri: uri(name) } });
    }
    this.known = { ...files };
  }

  /** Asks about a place in a file, or about the whole file. */
  async about(method, files, name, more = {}) {
    await this.show(files);
    return this.ask(method, { textDocument: { uri: uri(name) }, ...more });
  }

  /** Runs a study: `audit` or `impact`. `onProgress` gets the number of games so far and of all, once it is known. */
  async study(kind, files, onProgress) {
    this.onProgress = onProgress;
    return this.about(`wyrmgate/${kind}`, files, Object.keys(files)[0]);
  }

  /** Sends a request to the debugger. Returns its answer and the events that follow it. */
  async debug(command, about = {}) {
    await this.connected();
    const [answer, ...events] = await this.ask("wyrmgate/debug", { seq: this.last, command, arguments: about });
    if (!answer.success) throw new Error(answer.message);
    return { body: answer.body, events };
  }

  /** Ends a study, which has the results so far. */
  cancel() {
    this.tell("$/cancelRequest", {});
  }

  close() {
    this.socket?.close();
  }
}

const placeOf = (doc, at) => {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
};

export const offsetOf = (doc, { line, character }) => {
  const there = doc.line(Math.min(line + 1, doc.lines));
  return Math.min(there.from + character, there.to);
};

/** The kinds of the protocol, as the editor calls them. */
const KINDS = { 2: "method", 3: "function", 5: "property", 6: "variable", 7: "class", 9: "namespace", 10: "property", 12: "constant", 14: "keyword", 18: "text" };

/** A source of completions. `ask` is `Language.about` for the file in the editor. */
export const completions = (ask) => async (context) => {
  const { doc } = context.state;
  const before = context.matchBefore(/[\w.\[{]+$/);
  if (!before && !context.explicit) return null;
  const found = await ask("textDocument/completion", doc, { position: placeOf(doc, context.pos) }).catch(() => null);
  if (!found || found.items.length === 0 || context.aborted) return null;
  const from = offsetOf(doc, found.items[0].textEdit.range.start);
  return {
    from,
    validFor: /^\w*$/,
    // The server puts the best first; the editor would sort names that fit equally well by letters.
    options: found.items.map((item, rank) => ({
      boost: Math.max(99 - rank, -99), label: item.label, apply: item.textEdit.newText, type: KINDS[item.kind], detail: item.detail || undefined,
      info: item.documentation?.value ? () => words(item.documentation.value) : undefined,
    })),
  };
};

/** What is said about the word under the pointer. */
export const hover = (ask) => async (view, at) => {
  const { doc } = view.state;
  const found = await ask("textDocument/hover", doc, { position: placeOf(doc, at) }).catch(() => null);
  if (!found) return null;
  return { pos: at, above: true, create: () => ({ dom: words(found.contents.value) }) };
};

/** What a name is worth in the game that is debugged. `onValue` returns it, or null. */
export const worth = (onValue) => async (view, at) => {
  const range = view.state.wordAt(at);
  if (!range) return null;
  const name = view.state.sliceDoc(range.from, range.to);
  const value = await onValue(name);
  if (value === null) return null;
  return { pos: range.from, end: range.to, above: true, create: () => ({ dom: words(`${name} = ${value}`) }) };
};

/** Markdown as plain text: the server writes little of it. */
function words(markdown) {
  const node = document.createElement("div");
  node.className = "about";
  node.textContent = markdown.replace(/```\w*\n?/g, "").replace(/[`*]/g, "");
  return node;
}

/** The changes that the server proposes, for one file. */
export const changesIn = (edit, name, doc) =>
  Object.entries(edit.changes || {}).filter(([address]) => nameOf(address) === name).flatMap(([, edits]) => edits)
    .map(({ range, newText }) => ({ from: offsetOf(doc, range.start), to: offsetOf(doc, range.end), insert: newText }));

/** Returns the files after changes of the server, which may be in several. */
export function changed(files, edit) {
  const next = { ...files };
  for (const [address, edits] of Object.entries(edit.changes || {})) {
    const name = nameOf(address);
    if (next[name] === undefined) continue;
    const lines = next[name].split("\n");
    const starts = lines.reduce((all, line) => [...all, all[all.length - 1] + line.length + 1], [0]);
    const at = ({ line, character }) => starts[line] + character;
    const sorted = [...edits].sort((one, other) => at(other.range.start) - at(one.range.start));
    for (const { range, newText } of sorted) {
      next[name] = next[name].slice(0, at(range.start)) + newText + next[name].slice(at(range.end));
    }
  }
  return next;
}
