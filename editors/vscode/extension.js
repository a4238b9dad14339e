// Starts `wyrmgate lsp` and `wyrmgate dap` and leaves everything else to them.

const { DebugAdapterExecutable, commands, debug, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { scenarios } = require("./scenarios.js");

let client;

async function activate(context) {
  const settings = workspace.getConfiguration("wyrmgate");
  const adapter = {
    createDebugAdapterDescriptor(session) {
      const folder = session.workspaceFolder;
      return new DebugAdapterExecutable(settings.get("path"), ["dap"], folder && { cwd: folder.uri.fsPath });
    },
  };
  context.subscriptions.push(debug.registerDebugAdapterDescriptorFactory("wyrmgate", adapter));
  const run = { command: settings.get("path"), args: ["lsp"], transport: TransportKind.stdio };
  const documentSelector = [{ scheme: "file", language: "yaml", pattern: settings.get("games") }];
  client = new LanguageClient("wyrmgate", "Wyrmgate", { run, debug: run }, { documentSelector });
  await client.start();
  // "2 overlays change this" leads to the changes.
  const { asLocation, asPosition, asUri } = client.protocol2CodeConverter;
  context.subscriptions.push(commands.registerCommand("wyrmgate.changes", (uri, place, changes) =>
    commands.executeCommand("editor.action.showReferences", asUri(uri), asPosition(place), changes.map(asLocation))));
  context.subscriptions.push(scenarios((method, params) => client.sendRequest(method, params)));
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
