// The scenarios of each game in the Testing view, and the lines that they reach in the gutter ("Run with Coverage").
// `wyrmgate lsp` runs them, with the texts as they are in the editor.

const {
  FileCoverage, Position, Range, StatementCoverage, TestMessage, TestRunProfileKind, Uri, tests, workspace,
} = require("vscode");

/** `ask` sends a request to the language server. */
function scenarios(ask) {
  const controller = tests.createTestController("wyrmgate", "Wyrmgate");
  const outcome = (game) => ask("wyrmgate/coverage", { textDocument: { uri: game.uri.toString() } });

  const games = async () => {
    const found = await workspace.findFiles("**/game.yaml", "**/node_modules/**");
    controller.items.replace(found.map((uri) => {
      const item = controller.createTestItem(uri.toString(), workspace.asRelativePath(uri).replace(/\/game\.yaml$/, ""), uri);
      item.canResolveChildren = true;
      return item;
    }));
  };
  const list = (game, played) => game.children.replace(played.map(({ name, location }) => {
    const item = controller.createTestItem(`${game.id}#${name}`, name, Uri.parse(location.uri));
    item.range = rangeOf(location.range);
    return item;
  }));
  controller.resolveHandler = async (item) => (item ? list(item, (await outcome(item)).scenarios) : games());
  controller.refreshHandler = games;

  const play = async (run, game, only, withCoverage) => {
    run.started(game);
    const { scenarios: played, unreached, reached } = await outcome(game);
    list(game, played);
    for (const one of played) {
      const item = game.children.get(`${game.id}#${one.name}`);
      if (only && !only.has(item.id)) continue;
      if (one.passed) run.passed(item);
      else run.failed(item, one.problems.map((problem) => new TestMessage(problem)));
    }
    if (withCoverage) coverageOf(reached, unreached).forEach((file) => run.addCoverage(file));
  };
  const runner = (withCoverage) => async (request, token) => {
    if (controller.items.size === 0) await games();
    const run = controller.createTestRun(request);
    const wanted = new Map();
    for (const item of request.include ?? [...controller.items].map(([, game]) => game)) {
      const game = item.parent ?? item;
      const only = wanted.get(game);
      if (!item.parent) wanted.set(game, null);
      else if (only !== null) wanted.set(game, (only ?? new Set()).add(item.id));
    }
    for (const [game, only] of wanted) {
      if (token.isCancellationRequested) break;
      await play(run, game, only, withCoverage).catch((error) => run.errored(game, new TestMessage(error.message)));
    }
    run.end();
  };
  controller.createRunProfile("Run", TestRunProfileKind.Run, runner(false), true);
  const covering = controller.createRunProfile("Coverage", TestRunProfileKind.Coverage, runner(true), true);
  covering.loadDetailedCoverage = async (_, file) => file.details;
  return controller;
}

const rangeOf = ({ start, end }) => new Range(start.line, start.character, end.line, end.character);

/** The coverage of each file: the lines on which statements begin, and whether a scenario that passes reaches them. */
function coverageOf(reached, unreached) {
  const files = new Map();
  for (const [lines, times] of [[reached, 1], [unreached, 0]]) {
    for (const [address, numbers] of Object.entries(lines)) {
      const known = files.get(address) ?? [];
      files.set(address, [...known, ...numbers.map((line) => new StatementCoverage(times, new Position(line - 1, 0)))]);
    }
  }
  return [...files].map(([address, details]) => {
    const file = FileCoverage.fromDetails(Uri.parse(address), details);
    file.details = details;
    return file;
  });
}

module.exports = { scenarios };
