"""PettingZoo environments: `aec` for all games, `parallel` for games in which seats decide at once.

    env = wyrmgate.pettingzoo.aec(wyrmgate.load("rules/gallery/connect-four"))

An observation is a dictionary: `observation`, what the agent may know (see `Game.planes`), and `action_mask`, with 1 for
each legal action. Agents are called `seat_0`, `seat_1` …; rewards come at the end of a game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]

from ._native import State
from .game import Game

__all__ = ["Aec", "Parallel", "aec", "parallel"]


def _space(game: Game, actions: int) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, (game.observation_size,), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def aec(game: Game, render_mode: str | None = None) -> "Aec":
    """Returns an environment in which agents act one after the other."""
    return Aec(game, render_mode)


def parallel(game: Game, render_mode: str | None = None) -> "Parallel":
    """Returns an environment in which all agents act at once; one more action stands for waiting."""
    return Parallel(game, render_mode)


class _Table:
    """What both kinds of environments share."""

    def __init__(self, game: Game, actions: int, render_mode: str | None):
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._actions = actions
        self.observation_spaces = {agent: _space(game, actions) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._random = np.random.default_rng()
        self._state: State | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    @property
    def position(self) -> State:
        """The position in play. It knows everything, hidden or not."""
        if self._state is None:
            raise RuntimeError("call `reset` first")
        return self._state

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._state = self.game.new_state(int(self._random.integers(2**63)))
        self.agents = list(self.possible_agents)

    def render(self) -> str | None:
        return None if self._state is None else str(self._state.view())

    def close(self) -> None:
        pass


class Aec(_Table, AECEnv):  # type: ignore[misc]
    """Agents act one after the other."""

    def __init__(self, game: Game, render_mode: str | None = None):
        AECEnv.__init__(self)
        _Table.__init__(self, game, game.num_actions, render_mode)
        self.metadata = {"name": game.name, "render_modes": ["ansi"], "is_parallelizable": False}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        seat = self.position.seat
        self.agent_selection = self.agents[0] if seat is None else self.possible_agents[seat]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seats[agent]
        state = self.position
        mask = state.mask() if state.seat == seat else np.zeros(self._actions, np.int8)
        return {"observation": state.observe(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self.position
        state.step(int(action))  # type: ignore[arg-type]
        # Before the end, all rewards are 0, and so are their sums.
        if state.is_over:
            self.rewards = dict(zip(self.possible_agents, state.returns()))
            self.terminations = dict.fromkeys(self.possible_agents, True)
            self._accumulate_rewards()
        self._select()


class Parallel(_Table, ParallelEnv):  # type: ignore[misc]
    """All agents act at once. The last action stands for waiting: it is the only legal one of agents that owe no
    decision."""

    def __init__(self, game: Game, render_mode: str | None = None):
        _Table.__init__(self, game, game.num_actions + 1, render_mode)
        self.metadata = {"name": game.name, "render_modes": ["ansi"]}

    def _acting(self) -> dict[int, np.ndarray[Any, Any]]:
        """Returns the masks of the seats that act now. Secret answers do not depend on each other."""
        state = self.position
        if state.seat is None:
            return {}
        if not state.is_secret or self.game.is_factored:
            return {state.seat: state.mask()}
        masks, ahead = {}, state.clone()
        for seat in state.owing:
            masks[seat] = ahead.mask()
            if seat != state.owing[-1]:
                ahead.take(0)
        return masks

    def _observe(self) -> dict[str, Any]:
        acting, state = self._acting(), self.position
        found = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = np.zeros(self._actions, np.int8)
            if seat in acting:
                mask[:-1] = acting[seat]
            else:
                mask[-1] = 1
            found[agent] = {"observation": state.observe(seat), "action_mask": mask}
        return found

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._begin(seed)
        return self._observe(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Any:
        state = self.position
        for seat in sorted(self._acting()):
            state.step(int(actions[self.possible_agents[seat]]))
        agents, is_over = self.agents, state.is_over
        rewards = dict(zip(self.possible_agents, state.returns()))
        if is_over:
            self.agents = []
        return (
            self._observe(),
            {agent: rewards[agent] for agent in agents},
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def state(self) -> np.ndarray[Any, Any]:
        return np.concatenate([self.position.observe(seat) for seat in range(self.game.seats)])
