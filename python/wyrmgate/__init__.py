"""Wyrmgate in process: load games, play them, search, simulate, train.

    import wyrmgate
    game = wyrmgate.load("rules/gallery/tic-tac-toe")
    state = game.new_state(seed=7)
    while not state.is_over:
        state.step(state.legal_actions()[0])
    print(state.returns())

Seats count from 0, as in numpy. Documents (views, decisions, events, outcomes) are those of the HTTP API, in which
seats count from 1. `wyrmgate.client` speaks to a server; `wyrmgate.pettingzoo`, `wyrmgate.gymnasium`,
`wyrmgate.openspiel` and `wyrmgate.rlcard` are the hosts. `wyrmgate.tables` plays games and returns tables of them,
`wyrmgate.ray` does so on a cluster. `wyrmgate.arena` lets models, agents and bots play each other; `wyrmgate.text` makes
games conversations, of which `wyrmgate.textarena`, `wyrmgate.inspect_ai` and `wyrmgate.openenv` are the hosts.
"""

from ._native import State
from .batch import Batch
from .client import AsyncClient, Client, ServerError
from .game import Diagnostic, Game, Plane, Rules, RulesError, Stopped, load, loads, rules_of

__all__ = [
    "AsyncClient",
    "Batch",
    "Client",
    "Diagnostic",
    "Game",
    "Plane",
    "Rules",
    "RulesError",
    "ServerError",
    "State",
    "Stopped",
    "load",
    "loads",
    "rules_of",
]
