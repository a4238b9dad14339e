// The board as one sees it from the other side, and the own hand in order. Both are only ways to look: nothing of the game changes.

/** Parts of a board that look the same from both sides. Others have arrows or points, which would point the wrong way. */
const SQUARE = ":scope > rect, :scope > polygon";

const boardsOf = (drawn) => [...drawn.querySelectorAll("g.board")].filter((board) => {
  const spaces = [...board.querySelectorAll(":scope > .space")];
  const isEven = (space) => {
    const shape = space.querySelector(SQUARE);
    return shape && (shape.localName === "rect" || shape.points.length % 2 === 0);
  };
  return spaces.length > 3 && spaces.every(isEven) && board.querySelector(":scope > rect");
});

export const canTurn = (drawn) => boardsOf(drawn).length > 0;

const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/** Whether all that a seat has on the boards lies in their farther halves. */
export function isFar(drawn, isOwn) {
  const sides = boardsOf(drawn).flatMap((board) => {
    const [, center] = middle(board.querySelector(":scope > rect").getBBox());
    const own = [...board.querySelectorAll(".piece[id]")].filter((piece) => isOwn(piece.id));
    return own.map((piece) => middle(piece.getBBox())[1] < center);
  });
  return sides.length > 3 && sides.every(Boolean);
}

/** Turns the boards of a picture by half a turn; what stands on them stays upright. */
export function turn(drawn) {
  for (const board of boardsOf(drawn)) {
    const [x, y] = middle(board.querySelector(":scope > rect").getBBox());
    for (const part of board.children) {
      if (part.matches("title, :scope > rect")) continue;
      if (part.matches(".space, text")) {
        const [left, top] = middle((part.querySelector(SQUARE) ?? part).getBBox());
        part.setAttribute("transform", `translate(${2 * (x - left)} ${2 * (y - top)})`);
      } else part.setAttribute("transform", `rotate(180 ${x} ${y})`);
    }
  }
}

/** The zones of a seat in which several things lie side by side. */
const handsOf = (drawn, seat) => [...drawn.querySelectorAll(`[id="player:${seat}"] g.zone`)].map((zone) => ({
  zone, pieces: [...zone.querySelectorAll(":scope > .piece[id]")],
})).filter(({ pieces }) => pieces.length > 2);

function compare(one, other) {
  const at = one.findIndex((value, number) => value !== other[number]);
  return at < 0 ? 0 : one[at] < other[at] ? -1 : 1;
}

const inOrder = (pieces, orderOf) =>
  pieces.map((piece, at) => ({ piece, at, order: orderOf(piece.id) })).sort((one, other) => compare(one.order, other.order));

/** Whether something of a seat is not in order. */
export const canSort = (drawn, seat, orderOf) => Boolean(seat)
  && handsOf(drawn, seat).some(({ pieces }) => inOrder(pieces, orderOf).some(({ at }, to) => at !== to));

/** Puts what lies in the zones of a seat in order: each thing where another one was. `orderOf` returns a list of numbers for an id. */
export function sort(drawn, seat, orderOf) {
  for (const { zone, pieces } of handsOf(drawn, seat)) {
    const places = pieces.map((piece) => piece.getBBox());
    inOrder(pieces, orderOf).forEach(({ piece, at }, to) => {
      piece.setAttribute("transform", `translate(${places[to].x - places[at].x} ${places[to].y - places[at].y})`);
      zone.append(piece);
    });
  }
}
