"""The native part. Use `wyrmgate.Game` and `wyrmgate.Batch`, which wrap it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

class Broken(ValueError): ...

class Stopped(RuntimeError):
    """A game that stopped before its end: its rules exceeded a limit, or left nobody able to act."""

class Ruleset:
    name: str
    digest: str
    seats: list[int]
    @staticmethod
    def find(name: str, folder: str) -> Ruleset: ...
    @staticmethod
    def of_texts(name: str, files: list[tuple[str, str]], roots: list[str]) -> Ruleset: ...
    def warnings(self) -> list[dict[str, Any]]: ...
    def options(self, seats: int) -> dict[str, Any]: ...
    def mutants(self) -> list[tuple[str, str, int, int]]: ...
    def texts(self) -> tuple[str, list[tuple[str, str]], list[str]]: ...
    def game(
        self, seats: int | None = None, given: dict[str, Any] | None = None, points: bool | None = None
    ) -> Game: ...

class Game:
    name: str
    seats: int
    options: dict[str, Any]
    num_actions: int
    is_factored: bool
    max_game_length: int
    has_hidden_information: bool
    has_chance: bool
    has_simultaneous_decisions: bool
    observation_size: int
    def made_of(self) -> tuple[int, Ruleset, bool | None]: ...
    def clauses(self) -> list[tuple[str, str]]: ...
    def planes(self) -> list[tuple[str, list[int], int]]: ...
    def action_space(self) -> list[dict[str, Any]]: ...
    def describe_action(self, action: int) -> str: ...
    def returns_info(self) -> dict[str, Any]: ...
    @staticmethod
    def seed_of_game(seed: int | str, number: int) -> str: ...
    def new_state(self, seed: int | str) -> State: ...
    def new_node(self) -> Node: ...
    def from_bytes(self, bytes: bytes) -> State: ...
    def simulate(self, games: int, seed: int | str, players: list[str], threads: int) -> dict[str, Any]: ...
    def perft(self, depth: int, seed: int | str | None, threads: int) -> list[dict[str, int]]: ...

class State:
    """A position of a game. Seats count from 0; in documents they count from 1."""

    @property
    def is_over(self) -> bool: ...
    @property
    def seat(self) -> int | None:
        """The seat that acts next; None after the end."""
    @property
    def owing(self) -> list[int]:
        """All seats that owe a decision; several where they decide at once."""
    @property
    def is_secret(self) -> bool:
        """Whether several seats decide at once, in secret."""
    @property
    def decisions(self) -> int:
        """The number of decisions since the game began."""
    @property
    def begun(self) -> list[int]:
        """The parts of the choice that has been begun, in a factored space."""
    def clone(self) -> State:
        """Returns a copy, which goes its own way."""
    def legal_actions(self) -> list[int]:
        """Returns the legal actions of the seat that acts next."""
    def mask(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Returns an array with 1 for each legal action, or fills `out` in place and returns nothing."""
    def step(self, action: int) -> None:
        """Takes an action of the seat that acts next. Raises ValueError if it is not legal."""
    def step_legal(self, action: int, out: NDArray[np.float32] | None = None) -> list[int]:
        """Takes an action, fills `out` with what the seat observes that acts next, and returns its legal actions; none
        after the end. The fastest way to play with actions, or with observations: one call a step."""
    def restart(self, seed: int | str, out: NDArray[np.float32] | None = None) -> list[int]:
        """Begins another game in the same memory, and continues as `step_legal`."""
    def step_events(self, action: int, viewer: int | None = None) -> list[dict[str, Any]]:
        """Takes an action and returns the events as this seat is told of them; None: a spectator."""
    def action_of(self, number: int) -> list[int]:
        """Returns the action of a choice by its number; in a factored space, its parts."""
    def choice_of(self, action: list[int]) -> int:
        """Returns the number of the choice that an action, or all parts of one, completes."""
    def count(self) -> int:
        """Returns how many choices the seat has that acts next."""
    def take(self, number: int) -> int:
        """Takes the choice with this number, from 0, and returns how many choices come next; 0 after the end. The
        fastest way to play. Numbers are those of `decision`; they depend on the position, unlike actions."""
    def take_told(self, number: int) -> list[list[str]]:
        """Makes the choice with this number and returns the lines about it that each seat may read."""
    def text(self, viewer: int | None = None, room: int = 1000) -> str:
        """Returns the position in words as a seat or a spectator reads it, with the numbered choices of the seat, in about
        `room` letters, if it acts next. `str(state)` is what a spectator reads."""
    def read_choice(self, choice: str) -> dict[str, Any]:
        """Returns `{"number": …}` for a choice as JSON text, `{"option": …, "args": {…}}`; or, if it is refused, `code`,
        `message` and the `clauses` that forbid it."""
    def _recall(self, past: tuple[bytes, list[int]] | None, begun: list[int]) -> None: ...
    def view(self, viewer: int | None = None) -> dict[str, Any]:
        """Returns the view of a seat, or of a spectator, as the server sends it."""
    def decision(self, limit: int = 1000) -> dict[str, Any]:
        """Returns the decision of the seat that acts next: prompt, options, choices with labels and actions."""
    def observe(self, seat: int | None = None, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Returns what a seat may know as numbers, or fills `out` in place and returns nothing; see `Game.planes`.
        By default, the seat that acts next."""
    def returns(self) -> list[float]:
        """Returns what the game is worth to each seat; 0 before the end."""
    def outcome(self) -> dict[str, Any] | None:
        """Returns winners and ranking as the server sends them; None before the end."""
    def sample(self, seat: int, count: int = 1, seed: int = 0) -> list[State]:
        """Returns states that a seat cannot tell from this one by anything it has observed since the game began
        (determinization). Fewer if they are hard to find. They do not depend on what is hidden."""
    def bot_choice(self, bot: str, seed: int = 0) -> int:
        """Returns the number of the choice that a bot makes for the seat that acts next: `random`, `greedy`,
        `search-1` to `search-3`. For `take`."""
    def reseed(self, seed: int | str) -> None:
        """Replaces the seed of what chance will bring. The state loses its history."""
    def to_bytes(self) -> bytes:
        """Returns the state for `Game.from_bytes`. The bytes contain everything, hidden or not."""

class Node:
    """A node of a game tree whose chance the caller answers."""

    @property
    def is_over(self) -> bool: ...
    @property
    def outcomes(self) -> int:
        """How many equally likely outcomes chance has here; 0 where it does not decide."""
    @property
    def seat(self) -> int | None: ...
    @property
    def path(self) -> list[int]:
        """Every action and outcome so far."""
    label: str
    def clone(self) -> Node: ...
    def legal_actions(self) -> list[int]: ...
    def step(self, action: int) -> None:
        """Takes an action, or an outcome of chance from 0."""
    def information(self, seat: int) -> str:
        """Returns a key of everything that a seat has observed: equal where it cannot tell two games apart."""
    def observe(self, seat: int) -> NDArray[np.float32]: ...
    def returns(self) -> list[float]: ...

class Batch:
    games: int
    def __init__(self, game: Game, size: int, seed: int | str) -> None: ...
    def __len__(self) -> int: ...
    def step(self, actions: NDArray[np.int64], rewards: NDArray[np.float32], ended: NDArray[np.bool_]) -> None: ...
    def step_random(self, steps: int, rewards: NDArray[np.float32], ended: NDArray[np.bool_]) -> None: ...
    def advance(self, seat: int, rewards: NDArray[np.float32], ended: NDArray[np.bool_]) -> None: ...
    def masks(self, out: NDArray[np.int8]) -> None: ...
    def legal(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def observe(self, out: NDArray[np.float32], seat: int | None = None) -> None: ...
    def seats(self, out: NDArray[np.int64]) -> None: ...
    def states(self) -> list[State]: ...
    def course(self) -> tuple[int, int]: ...
    def resume(self, states: list[State], course: tuple[int, int]) -> None: ...
