"""Tasks of Inspect: a model plays one seat against bots, one game a sample.

    from inspect_ai import eval
    task = wyrmgate.inspect_ai.task(wyrmgate.load("rules/gallery/connect-four"), games=20, opponents="greedy")
    eval(task, model="openai/my-model")

The score is the reward of the seat, and the share of answers that were refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspect_ai import Task  # type: ignore[import-not-found]
from inspect_ai.dataset import MemoryDataset, Sample  # type: ignore[import-not-found]
from inspect_ai.model import ChatMessageSystem, ChatMessageUser  # type: ignore[import-not-found]
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr  # type: ignore[import-not-found]
from inspect_ai.solver import Generate, Solver, TaskState, solver  # type: ignore[import-not-found]

from .arena.chat import HOW
from .game import Game
from .text import Env

__all__ = ["conversation", "outcome", "task"]


@solver
def conversation(game: Game, opponents: str | Sequence[str] = "random", changes: Sequence[str] = ()) -> Solver:
    """A conversation to the end of a game; seat and seed are metadata of the sample. Each question stands by itself: what
    happened before is in its text, so that conversations stay short."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        env = Env(game, state.metadata["seat"], opponents, changes=changes)
        text = env.reset(state.metadata["seed"])
        rules = ChatMessageSystem(content=f"{HOW}\n\n{env.rules}")
        answers = refused = 0
        while not env.is_over:
            state.messages = [rules, ChatMessageUser(content=text)]
            state = await generate(state)
            step = env.step(state.output.completion)
            answers, refused, text = answers + 1, refused + (step.refused is not None), step.text
        state.store.set("reward", env.reward)
        state.store.set("refused", refused / max(answers, 1))
        state.completed = True
        return state

    return solve


@scorer(metrics={"reward": [mean(), stderr()], "refused": [mean(), stderr()]})
def outcome() -> Scorer:
    """The reward of the seat, and the share of its answers that were refused."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value={name: float(state.store.get(name, 0.0)) for name in ("reward", "refused")})

    return score


def task(
    game: Game, games: int = 10, opponents: str | Sequence[str] = "random", *, seed: int = 0, changes: Sequence[str] = ()
) -> Task:
    """Returns a task of `games` games; the model has each seat in turn."""
    samples = [
        Sample(
            input=f"{game.name}, game {number}",
            id=f"{game.name}-{number}",
            metadata={"seat": number % game.seats, "seed": game.seed_of_game(seed, number // game.seats + 1)},
        )
        for number in range(games)
    ]
    return Task(
        dataset=MemoryDataset(samples), solver=conversation(game, opponents, changes), scorer=outcome(), name=game.name
    )
