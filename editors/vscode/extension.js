// Starts `wyrmgate lsp` and leaves everything else to it.

const { workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function activate() {
  const settings = workspace.getConfiguration("wyrmgate");
  const run = { command: settings.get("path"), args: ["lsp"], transport: TransportKind.stdio };
  const documentSelector = [{ scheme: "file", language: "yaml", pattern: settings.get("games") }];
  client = new LanguageClient("wyrmgate", "Wyrmgate", { run, debug: run }, { documentSelector });
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
