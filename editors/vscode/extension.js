// Starts `wyrmgate lsp` and `wyrmgate dap` and leaves everything else to them.

const { DebugAdapterExecutable, debug, workspace } = require("vscode");
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
  context.subscriptions.push(scenarios((method, params) => client.sendRequest(method, params)));
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
