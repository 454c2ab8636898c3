// Starts `raddle dap` for debug sessions of type "raddle". Everything else is the adapter's.
const vscode = require("vscode");

function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("raddle", {
      createDebugAdapterDescriptor() {
        const command = vscode.workspace.getConfiguration("raddle").get("path") || "raddle";
        const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
        return new vscode.DebugAdapterExecutable(command, ["dap"], folder ? { cwd: folder } : undefined);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider("raddle", {
      resolveDebugConfiguration(_folder, configuration) {
        // F5 without a launch.json: the file that is open.
        if (!configuration.type && !configuration.request) {
          const editor = vscode.window.activeTextEditor;
          if (editor?.document.languageId === "c") {
            return { type: "raddle", request: "launch", name: "Raddle", program: editor.document.fileName, stopOnEntry: true };
          }
        }
        return configuration;
      },
    }),
  );
}

module.exports = { activate, deactivate() {} };
