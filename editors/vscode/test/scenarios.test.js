// The Testing view without VS Code: what the extension makes of the answer of the language server.

const assert = require("node:assert");
const Module = require("node:module");
const test = require("node:test");

class Place {
  constructor(...numbers) {
    this.numbers = numbers;
  }
}

/** What the extension uses of the editor. */
const vscode = {
  Position: Place,
  Range: Place,
  TestMessage: class { constructor(message) { this.message = message; } },
  StatementCoverage: class { constructor(executed, location) { Object.assign(this, { executed, line: location.numbers[0] + 1 }); } },
  FileCoverage: { fromDetails: (uri, details) => ({ uri, details }) },
  TestRunProfileKind: { Run: 1, Coverage: 3 },
  Uri: { parse: (text) => text },
  workspace: { findFiles: async () => ["file:///rules/count/game.yaml"], asRelativePath: (uri) => uri.replace("file:///", "") },
  tests: { createTestController },
};

function items() {
  const inside = new Map();
  inside.replace = (all) => {
    inside.clear();
    all.forEach((one) => inside.set(one.id, one));
  };
  return inside;
}

function createTestController() {
  const told = [];
  const profiles = {};
  return {
    told,
    profiles,
    items: items(),
    createTestItem: (id, label, uri) => ({ id, label, uri, children: items() }),
    createRunProfile: (name, kind, run) => (profiles[name] = { kind, run }),
    createTestRun: () => ({
      started: ({ label }) => told.push(`started ${label}`),
      passed: ({ label }) => told.push(`passed ${label}`),
      failed: ({ label }, messages) => told.push(`failed ${label}: ${messages.map(({ message }) => message)}`),
      errored: ({ label }, { message }) => told.push(`errored ${label}: ${message}`),
      addCoverage: ({ uri, details }) => told.push({ uri, lines: details.map(({ line, executed }) => [line, executed]) }),
      end: () => told.push("end"),
    }),
  };
}

const load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
const { scenarios } = require("../scenarios.js");

const at = { uri: "file:///rules/count/scenarios/count.yaml", range: { start: { line: 0, character: 2 }, end: { line: 0, character: 9 } } };
const answer = {
  scenarios: [
    { name: "Even", location: at, passed: true, problems: [] },
    { name: "Odd", location: at, passed: false, problems: ["another clause refuses it"] },
  ],
  reached: { "file:///rules/count/game.yaml": [9, 10] },
  unreached: { "file:///rules/count/game.yaml": [12] },
};

test("scenarios are green or red, and lines are reached or not", async () => {
  const asked = [];
  const controller = scenarios(async (method, params) => {
    asked.push([method, params.textDocument.uri]);
    return answer;
  });
  const going = { isCancellationRequested: false };
  await controller.profiles.Coverage.run({}, going);
  assert.deepStrictEqual(asked, [["wyrmgate/coverage", "file:///rules/count/game.yaml"]]);
  assert.deepStrictEqual(controller.told, [
    "started rules/count", "passed Even", "failed Odd: another clause refuses it",
    { uri: "file:///rules/count/game.yaml", lines: [[9, 1], [10, 1], [12, 0]] }, "end",
  ]);
  // One scenario alone, without coverage.
  controller.told.length = 0;
  const [[, game]] = controller.items;
  const [[, even]] = game.children;
  even.parent = game;
  await controller.profiles.Run.run({ include: [even] }, going);
  assert.deepStrictEqual(controller.told, ["started rules/count", "passed Even", "end"]);
});
