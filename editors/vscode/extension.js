// Starts `wyrmgate lsp` and `wyrmgate dap` and leaves everything else to them.

const { DebugAdapterExecutable, debug, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function activate(context) {
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
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
