"""Length-bucketed batches: padding is what a CPU would otherwise spend half of its time on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from .data import Example

#: Batches that are cut from one sorted window: similar lengths inside, still shuffled across the pass.
WINDOW = 50


def shuffled_batches(lengths: Sequence[int], size: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Index arrays [≤ size] that cover every example once: shuffle, sort inside windows, cut, shuffle."""
    order = rng.permutation(len(lengths))
    window = size * WINDOW
    batches: list[np.ndarray] = []
    for start in range(0, len(order), window):
        part = order[start : start + window]
        part = part[np.argsort(np.asarray(lengths)[part], kind="stable")]
        batches += [part[at : at + size] for at in range(0, len(part), size)]
    return [batches[index] for index in rng.permutation(len(batches))]


def sorted_batches(lengths: Sequence[int], size: int) -> list[np.ndarray]:
    """The same without chance, for evaluation."""
    order = np.argsort(np.asarray(lengths), kind="stable")
    return [order[at : at + size] for at in range(0, len(order), size)]


def collate(examples: Sequence[Example], pad: int) -> tuple[Tensor, Tensor, Tensor]:
    """`input_ids`, `attention_mask` int64 [batch, tokens] and labels int64 [batch]."""
    tokens = max(len(example.ids) for example in examples)
    ids = np.full((len(examples), tokens), pad, dtype=np.int64)
    mask = np.zeros((len(examples), tokens), dtype=np.int64)
    for row, example in enumerate(examples):
        ids[row, : len(example.ids)] = example.ids
        mask[row, : len(example.ids)] = 1
    labels = np.array([example.label for example in examples], dtype=np.int64)
    return torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(labels)
