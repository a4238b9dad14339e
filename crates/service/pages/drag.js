// Dragging a piece with the mouse to where it goes: the same as a click on the piece and a click on the place.

/** A mouse that moves less than this many pixels clicks. */
const CLICK = 6;

/**
 * Returns handlers for the element of a board. `pick` is called with the part that was lifted, `drop` with the part below
 * the mouse in the end, or with nothing if there is none. `wasDragged` tells whether the click that follows is to be
 * ignored.
 */
export function dragging({ pick, drop }) {
  let lifted = null;
  let is_over = false;

  const scaleOf = (drawing) => 1 / drawing.getScreenCTM().a;
  /** How far a turned board has moved what stands on it. */
  const shiftOf = (drawing, part) => {
    const { e, f } = drawing.getScreenCTM().inverse().multiply(part.parentNode.getScreenCTM());
    return [e, f];
  };

  const down = (event) => {
    is_over = false;
    const part = event.target.closest?.(".piece.live");
    const is_choice = part?.hasAttribute("data-choice");
    if (part && !is_choice && event.pointerType === "mouse" && event.button === 0) {
      lifted = { part, x: event.clientX, y: event.clientY, ghost: null };
    }
  };

  const move = (event) => {
    if (!lifted) return;
    const [x, y] = [event.clientX - lifted.x, event.clientY - lifted.y];
    const drawing = lifted.part.ownerSVGElement;
    if (!lifted.ghost && Math.hypot(x, y) > CLICK && drawing) {
      lifted.shift = shiftOf(drawing, lifted.part);
      lifted.ghost = lifted.part.cloneNode(true);
      for (const part of [lifted.ghost, ...lifted.ghost.querySelectorAll("*")]) {
        for (const name of ["id", "role", "tabindex", "data-choices", "data-choice"]) part.removeAttribute(name);
      }
      lifted.ghost.classList.add("ghost");
      drawing.append(lifted.ghost);
      pick(lifted.part);
    }
    if (lifted.ghost) {
      const scale = scaleOf(drawing);
      const [left, top] = lifted.shift;
      lifted.ghost.setAttribute("transform", `translate(${left + x * scale} ${top + y * scale})`);
    }
  };

  const up = (event) => {
    const { part, ghost } = lifted || {};
    lifted = null;
    if (!ghost) return;
    ghost.remove();
    is_over = true;
    const below = event.type === "pointerup" && document.elementFromPoint(event.clientX, event.clientY)?.closest(".live");
    drop(below && below !== part ? below : null, part);
  };

  const wasDragged = () => {
    const was = is_over;
    is_over = false;
    return was;
  };
  return { down, move, up, wasDragged };
}
