//! How components are moved, as flags that code passes to helpers.

use wyrmgate_program::MovePlace;

/// Flags of moves.
pub(crate) const FIRST: u32 = 1;
pub(crate) const FACE_DOWN: u32 = 2;
/// The move is a part of a what-if: the words that it changes are stored before.
pub(crate) const UNDONE: u32 = 4;

/// Returns the flags of a move; `None` leaves it to the interpreter.
pub(crate) fn how_to_move(place: MovePlace, face_down: bool) -> Option<u32> {
    let first = match place {
        MovePlace::Top => 0,
        MovePlace::Bottom => FIRST,
        MovePlace::At(_) => return None,
    };
    Some(first | if face_down { FACE_DOWN } else { 0 })
}
