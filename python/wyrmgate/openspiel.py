"""OpenSpiel games, with chance nodes, observation tensors and information states.

    name = wyrmgate.openspiel.register(wyrmgate.load("rules/gallery/kuhn-poker"))
    solver = open_spiel.python.algorithms.cfr.CFRSolver(pyspiel.load_game(name))

Small games are solved faster as a whole tree in OpenSpiel's own memory:

    tree = pyspiel.load_efg_game(wyrmgate.openspiel.efg(wyrmgate.load("rules/gallery/leduc-poker")))
    solver = pyspiel.CFRPlusSolver(tree)
"""

from __future__ import annotations

import copyreg
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]

from ._native import Node
from .game import Game

__all__ = ["efg", "register"]

_GAMES: dict[str, Game] = {}


def _restored(name: str, path: list[int]) -> Node:
    node = _node(name)
    for step in path:
        node.step(step)
    return node


def _node(name: str) -> Node:
    node = _GAMES[name].new_node()
    node.label = name
    return node


# OpenSpiel pickles states to serialize them.
copyreg.pickle(Node, lambda node: (_restored, (node.label, node.path)))

_FAR = 1e6  # OpenSpiel wants bounds of returns, also where nobody knows them


def register(game: Game, name: str | None = None, *, max_chance_outcomes: int = 256) -> str:
    """Registers a game with OpenSpiel under a name, by default `wyrmgate_…`, and returns the name for
    `pyspiel.load_game`. Register a game anew in each process that loads it."""
    name = name or "wyrmgate_" + re.sub(r"\W", "_", f"{game.name}_{game.seats}")
    _GAMES[name] = game
    if name not in pyspiel.registered_names():
        pyspiel.register_game(_type_of(game, name), _maker(game, name, max_chance_outcomes))
    return name


def _type_of(game: Game, name: str) -> Any:
    kinds = pyspiel.GameType
    zero_sum = game.returns["zero_sum"]
    perfect = not game.has_hidden_information and not game.has_simultaneous_decisions
    return kinds(
        short_name=name,
        long_name=f"Wyrmgate {game.name}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if game.has_chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION if perfect else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.seats,
        min_num_players=game.seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


def _maker(game: Game, name: str, max_chance_outcomes: int) -> Any:
    returns = game.returns
    info = {
        "num_distinct_actions": game.num_actions,
        "max_chance_outcomes": max_chance_outcomes if game.has_chance else 0,
        "num_players": game.seats,
        "min_utility": -_FAR if returns["low"] is None else returns["low"],
        "max_utility": _FAR if returns["high"] is None else returns["high"],
        "max_game_length": game.max_game_length,
    }
    if returns["zero_sum"]:
        info["utility_sum"] = 0.0
    game_type, game_info = _type_of(game, name), pyspiel.GameInfo(**info)

    class WyrmgateGame(pyspiel.Game):  # type: ignore[misc]
        """A game of Wyrmgate."""

        def __init__(self, params: Any = None):
            super().__init__(game_type, game_info, params or {})
            self.game = game

        def new_initial_state(self) -> Any:
            return _State(self, name)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return _Observer(game, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    return WyrmgateGame


class _State(pyspiel.State):  # type: ignore[misc]
    """A node of the game tree."""

    def __init__(self, spiel_game: Any, name: str):
        super().__init__(spiel_game)
        self.node = _node(name)

    def current_player(self) -> Any:
        node = self.node
        if node.is_over:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if node.outcomes else node.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        count = self.node.outcomes
        return [(outcome, 1.0 / count) for outcome in range(count)]

    def _apply_action(self, action: int) -> None:
        self.node.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"outcome {action}"
        return _GAMES[self.node.label].describe_action(action)

    def is_terminal(self) -> bool:
        return self.node.is_over

    def returns(self) -> list[float]:
        return self.node.returns()

    def __str__(self) -> str:
        return " ".join(str(action) for action in self.history())


class _Observer:
    """What a player may know: all of it at once in the tensor, and, with perfect recall, a key in the string."""

    def __init__(self, game: Game, kind: Any, params: Any):
        if params:
            raise ValueError(f"observers have no parameters, not {params}")
        self._recalls = kind.perfect_recall
        self.tensor = np.zeros(game.observation_size, np.float32)
        self.dict = {} if self._recalls else {plane.name: plane.of(self.tensor) for plane in game.planes}

    def set_from(self, state: _State, player: int) -> None:
        self.tensor[:] = state.node.observe(player)

    def string_from(self, state: _State, player: int) -> str:
        if self._recalls:
            return f"{player}:{state.node.information(player)}"
        seen = state.node.observe(player)
        places = np.flatnonzero(seen)
        return f"{player}:" + " ".join(f"{place}={seen[place]:g}" for place in places)


class _Tree:
    """The tree of a game. Equal subtrees are kept once."""

    def __init__(self, game: Game, most: int):
        self.game, self.left = game, most
        self.parts: list[tuple[Any, ...]] = []
        self._known: dict[tuple[Any, ...], int] = {}
        self.sets: list[dict[str, int]] = [{} for _ in range(game.seats)]

    def _keep(self, part: tuple[Any, ...]) -> int:
        number = self._known.setdefault(part, len(self.parts))
        if number == len(self.parts):
            self.parts.append(part)
        return number

    def add(self, node: Node) -> int:
        self.left -= 1
        if self.left < 0:
            raise ValueError("the tree has more nodes than `most`")
        if node.is_over:
            return self._keep(("t", *node.returns()))
        if node.outcomes:
            return self._chance(node)
        seat = node.seat
        assert seat is not None
        sets = self.sets[seat]
        number = sets.setdefault(node.information(seat), len(sets) + 1)
        ways = tuple((action, self.add(_after(node, action))) for action in node.legal_actions())
        return self._keep(("p", seat, number, ways))

    def _chance(self, node: Node) -> int:
        """Chance after chance is one node, and outcomes that lead to equal trees are one outcome."""
        ways: dict[int, Fraction] = {}
        for outcome in range(node.outcomes):
            after = self.add(_after(node, outcome))
            part = self.parts[after]
            inner = part[1] if part[0] == "c" else ((after, Fraction(1)),)
            for way, share in inner:
                ways[way] = ways.get(way, Fraction(0)) + share / node.outcomes
        if len(ways) == 1:
            return next(iter(ways))
        return self._keep(("c", tuple(ways.items())))

    def write(self, number: int, lines: list[str], ends: dict[int, int]) -> None:
        part = self.parts[number]
        if part[0] == "t":
            worth = ", ".join(f"{value:g}" for value in part[1:])
            end = ends.setdefault(number, len(ends) + 1)
            lines.append(f't "" {end} "" {{ {worth} }}')
        elif part[0] == "c":
            shares = " ".join(f'"{at}" {share}' for at, (_, share) in enumerate(part[1]))
            lines.append(f'c "" {number + 1} "" {{ {shares} }} 0')
            for way, _ in part[1]:
                self.write(way, lines, ends)
        else:
            _, seat, information, ways = part
            names = " ".join(f'"{self.game.describe_action(action)}"' for action, _ in ways)
            lines.append(f'p "" {seat + 1} {information} "" {{ {names} }} 0')
            for _, way in ways:
                self.write(way, lines, ends)


def _after(node: Node, step: int) -> Node:
    after = node.clone()
    after.step(step)
    return after


def efg(game: Game, most: int = 1_000_000) -> str:
    """Returns the whole tree of a small game as an extensive form, for `pyspiel.load_efg_game`, Gambit and other solvers.
    Raises ValueError if the tree has more than `most` nodes."""
    tree = _Tree(game, most)
    root = tree.add(game.new_node())
    seats = " ".join(f'"Seat {seat + 1}"' for seat in range(game.seats))
    lines = [f'EFG 2 R "{game.name}" {{ {seats} }}']
    tree.write(root, lines, {})
    return "\n".join(lines) + "\n"
