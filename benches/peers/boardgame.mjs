// Random playouts per CPU second of boardgame.io's core reducer in Node, without server and client: three games as its
// tutorial writes them. One line of JSON a game.
//
//     node boardgame.mjs SECONDS [GAME ...]

import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`);
const { CreateGameReducer, InitializeGame } = require("boardgame.io/internal");

const WAYS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/** The longest line of equal cells through one of them. */
function line(cells, columns, rows, column, row) {
  const at = (x, y) =>
    x >= 0 && x < columns && y >= 0 && y < rows ? cells[y * columns + x] : null;
  const owner = at(column, row);
  const run = (dx, dy) => {
    let length = 0;
    while (at(column + dx * (length + 1), row + dy * (length + 1)) === owner) length += 1;
    return length;
  };
  return Math.max(...WAYS.map(([dx, dy]) => 1 + run(dx, dy) + run(-dx, -dy)));
}

const ticTacToe = {
  setup: () => ({ cells: Array(9).fill(null), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      G.cells[cell] = playerID;
      G.last = cell;
    },
  },
  endIf: ({ G, ctx }) => {
    if (G.last === null) return undefined;
    if (line(G.cells, 3, 3, G.last % 3, Math.floor(G.last / 3)) >= 3) {
      return { winner: ctx.currentPlayer };
    }
    return G.cells.every((cell) => cell !== null) ? { draw: true } : undefined;
  },
};

const connectFour = {
  setup: () => ({ cells: Array(42).fill(null), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      let cell = column;
      while (G.cells[cell] !== null) cell += 7;
      G.cells[cell] = playerID;
      G.last = cell;
    },
  },
  endIf: ({ G, ctx }) => {
    if (G.last === null) return undefined;
    if (line(G.cells, 7, 6, G.last % 7, Math.floor(G.last / 7)) >= 4) {
      return { winner: ctx.currentPlayer };
    }
    return G.cells.every((cell) => cell !== null) ? { draw: true } : undefined;
  },
};

const pig = {
  setup: () => ({ scores: [0, 0], won: 0 }),
  moves: {
    roll: ({ G, random, events }) => {
      const face = random.D6();
      if (face === 1) {
        G.won = 0;
        events.endTurn();
      } else {
        G.won += face;
      }
    },
    hold: ({ G, ctx, events }) => {
      G.scores[ctx.currentPlayer] += G.won;
      G.won = 0;
      if (G.scores[ctx.currentPlayer] >= 100) events.endGame({ winner: ctx.currentPlayer });
      else events.endTurn();
    },
  },
};

const free = (cells) => cells.flatMap((cell, at) => (cell === null ? [at] : []));

const GAMES = {
  "tic-tac-toe": [ticTacToe, (G) => free(G.cells).map((cell) => ["mark", cell])],
  "connect-four": [
    connectFour,
    (G) => [0, 1, 2, 3, 4, 5, 6].filter((c) => G.cells[35 + c] === null).map((c) => ["drop", c]),
  ],
  pig: [pig, () => [["roll"], ["hold"]]],
};

function playout(game, reducer, choices) {
  let state = InitializeGame({ game, numPlayers: 2 });
  while (state.ctx.gameover === undefined) {
    const all = choices(state.G);
    const [type, ...args] = all[Math.floor(Math.random() * all.length)];
    const payload = { type, args, playerID: state.ctx.currentPlayer };
    state = reducer(state, { type: "MAKE_MOVE", payload });
  }
}

const cpu = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

const seconds = Number(process.argv[2]);
const wanted = process.argv.slice(3);
for (const [name, [game, choices]] of Object.entries(GAMES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const reducer = CreateGameReducer({ game });
  for (let i = 0; i < 20; i += 1) playout(game, reducer, choices);
  const began = cpu();
  let games = 0;
  while (cpu() - began < seconds) {
    playout(game, reducer, choices);
    games += 1;
  }
  console.log(JSON.stringify({ game: name, "boardgame.io": games / (cpu() - began) }));
}
