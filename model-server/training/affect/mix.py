"""The further tasks of a pass: which batches, in which order, with which weight. `corpora.py` fills it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from . import objectives
from .batches import shuffled_batches
from .constants import CAUSE_OUTPUT, EMOTION_OUTPUT, SCORES, SCORES_OUTPUT
from .model import AffectModel, mean_pool
from .tasks.causes import IGNORED


@dataclass(frozen=True)
class Item:
    """Input ids and a target: a vector per text, or one number per token for causes."""

    ids: list[int]
    target: np.ndarray


class Heads(nn.Module):
    """Heads that exist in training only."""

    def __init__(self, width: int, sizes: dict[str, int]) -> None:
        super().__init__()
        self.heads = nn.ModuleDict({name: nn.Linear(width, size) for name, size in sizes.items()})


@dataclass(frozen=True)
class Batch:
    """ids and mask int64 [batch, tokens]; target float32 [batch, size], or [batch, tokens] with IGNORED."""

    ids: Tensor
    mask: Tensor
    target: Tensor


#: (model, helper heads, batch) → mean loss.
Loss = Callable[[AffectModel, Heads, Batch], Tensor]


@dataclass(frozen=True)
class Task:
    """One further task.

    @param items of pass 0, 1, …; where they are the same in every pass, each pass goes on in them where
    the last one stopped. @param batch rows of a step. @param steps of a pass. @param weight of its loss
    beside the emotion loss.
    """

    name: str
    items: Callable[[int], Sequence[Item]]
    loss: Loss
    batch: int
    steps: int
    weight: float
    per_token: bool = False


@dataclass(frozen=True)
class Mix:
    """All further tasks, the sizes of their helper heads, and the mean of each score in training (NaN: unknown)."""

    tasks: tuple[Task, ...]
    sizes: dict[str, int]
    means: Tensor

    def plan(self, number: int, seed: int) -> list[tuple[Task, list[Item]]]:
        """The batches of pass `number` in order: all tasks, shuffled; the same for the same seed."""
        steps: list[tuple[Task, list[Item]]] = []
        for place, task in enumerate(self.tasks):
            items = task.items(number)
            if len(items) == 0:
                continue
            rng = np.random.default_rng([seed, place])
            batches: list[np.ndarray] = []
            # Enough shuffles of the corpus to reach this pass's place in it.
            while len(batches) < (number + 1) * task.steps:
                batches += shuffled_batches([len(item.ids) for item in items], task.batch, rng)
            mine = batches[number * task.steps : (number + 1) * task.steps]
            steps += [(task, [items[index] for index in chosen]) for chosen in mine]
        order = np.random.default_rng([seed, number, 3]).permutation(len(steps))
        return [steps[index] for index in order]


def task_loss(model: AffectModel, heads: Heads, task: Task, items: Sequence[Item], pad: int) -> Tensor:
    """The weighted loss of one batch."""
    return task.weight * task.loss(model, heads, collate(items, pad, task.per_token))


def collate(items: Sequence[Item], pad: int, per_token: bool) -> Batch:
    """Padded to the longest; targets per token are IGNORED there."""
    tokens = max(len(item.ids) for item in items)
    ids = np.full((len(items), tokens), pad, dtype=np.int64)
    mask = np.zeros((len(items), tokens), dtype=np.int64)
    targets = np.full((len(items), tokens if per_token else len(items[0].target)), IGNORED, dtype=np.float32)
    for row, item in enumerate(items):
        ids[row, : len(item.ids)] = item.ids
        mask[row, : len(item.ids)] = 1
        targets[row, : len(item.target)] = item.target
    return Batch(torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(targets))


def scores_loss(spread: Tensor) -> Loss:
    """Of texts with scores; `spread` [len(SCORES)] as `objectives.scores_loss` takes it."""
    return lambda model, _, batch: objectives.scores_loss(
        model(batch.ids, batch.mask)[SCORES_OUTPUT], batch.target, spread
    )


def cause_loss(model: AffectModel, _: Heads, batch: Batch) -> Tensor:
    return objectives.cause_loss(model(batch.ids, batch.mask)[CAUSE_OUTPUT], batch.target)


def possible_loss(model: AffectModel, _: Heads, batch: Batch) -> Tensor:
    return objectives.possible_loss(model(batch.ids, batch.mask)[EMOTION_OUTPUT], batch.target > 0)


def helper_loss(name: str, loss: Callable[[Tensor, Tensor], Tensor]) -> Loss:
    """Of the helper head `name`, on the pooled state."""
    return lambda model, heads, batch: loss(
        heads.heads[name](model.dropout(mean_pool(model.encode(batch.ids, batch.mask), batch.mask))), batch.target
    )


def start_at_means(model: AffectModel, means: Tensor) -> None:
    """Regression heads start at the mean of their training targets with zero weights: nothing to unlearn."""
    with torch.no_grad():
        for index, score in enumerate(SCORES):
            if score.kind == "regression":
                model.heads[score.name].weight.zero_()
                model.heads[score.name].bias.fill_(means[index])
