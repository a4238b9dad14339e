// Moves per second of boardgame.io's server in memory, over its own protocol: sockets that play tic-tac-toe, each both
// seats of match after match. One line of JSON.
//
//     node boardgame.mjs serve PORT
//     node boardgame.mjs load PORT CONNECTIONS SECONDS
//
// Run in a folder where boardgame.io and socket.io-client are installed; `benches/http/beside` does all of it.

import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`);

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const ticTacToe = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    const { cells } = G;
    const isFull = (line) => cells[line[0]] !== null && line.every((cell) => cells[cell] === cells[line[0]]);
    if (LINES.some(isFull)) return { winner: ctx.currentPlayer };
    return cells.includes(null) ? undefined : { draw: true };
  },
};

function serve(port) {
  const { Server } = require("boardgame.io/server");
  return Server({ games: [ticTacToe], origins: ["http://127.0.0.1"] }).run(port);
}

/** Resolves with the next message of a kind. */
function next(socket, kind) {
  return new Promise((resolve) => socket.once(kind, (...values) => resolve(values)));
}

/** Plays matches until the time is up; when each move was sent and answered, in milliseconds. */
async function play(socket, name, until, moves) {
  for (let number = 0; performance.now() < until; number += 1) {
    const match = `${name}-${number}`;
    let answer = next(socket, "sync");
    socket.emit("sync", match, "0", undefined, 2);
    let { state } = (await answer)[1];
    for (let cell = 0; state.ctx.gameover === undefined; cell += 1) {
      const playerID = state.ctx.currentPlayer;
      const payload = { type: "mark", args: [cell], playerID };
      const sent = performance.now();
      answer = next(socket, "update");
      socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, match, playerID);
      state = (await answer)[1];
      moves.push([sent, performance.now()]);
    }
  }
}

async function load(port, connections, seconds) {
  const { io } = require("socket.io-client");
  const began = performance.now();
  const from = began + seconds * 250;
  const until = from + seconds * 1000;
  const moves = [];
  const sockets = Array.from({ length: connections }, () =>
    io(`http://127.0.0.1:${port}/tic-tac-toe`, { transports: ["websocket"] }));
  await Promise.all(sockets.map(async (socket, index) => {
    await next(socket, "connect");
    await play(socket, `match-${index}`, until, moves);
  }));
  const took = moves.filter(([sent, done]) => sent >= from && done < until).map(([sent, done]) => done - sent);
  took.sort((a, b) => a - b);
  const result = { connections, moves_per_second: took.length / seconds, median_ms: took[took.length >> 1] };
  console.log(JSON.stringify(result));
  process.exit(0);
}

const [what, port, connections, seconds] = process.argv.slice(2);
if (what === "serve") await serve(Number(port));
else await load(Number(port), Number(connections), Number(seconds));
