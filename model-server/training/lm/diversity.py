"""CEM's diversity-aware loss: frequent tokens count less (Sabour et al. 2022, arXiv 2109.05739, section 3.5).

    w_i = a * RF_i + 1,  a = -1 / max_j RF_j,  then scaled to a mean of one

RF_i is token i's share of all tokens of the training replies; the weights are frequency-aware cross-entropy's
(Jiang et al. 2019). The most frequent token gets weight zero, so this loss stands *beside* the plain one and
never replaces it: CEM adds it with the factor `CEM_FACTOR`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from torch.nn import functional as F

CEM_FACTOR = 1.5
"""gamma_3 of the paper, the share of this loss beside a plain negative log likelihood of weight one."""


def token_counts(replies: Iterable[Sequence[int]], vocabulary: int) -> torch.Tensor:
    """How often each token occurs in `replies`: float64 [vocabulary].

    Replies without their end token (`Turn.ids`): it closes every reply, would pay for that with a weight near
    zero, and replies would no longer end.
    """
    flat = torch.tensor([token for reply in replies for token in reply], dtype=torch.long)
    counts = torch.bincount(flat, minlength=vocabulary).double()
    if len(counts) > vocabulary:
        raise ValueError(f"a token id beyond the vocabulary of {vocabulary}")
    return counts


def weights(counts: torch.Tensor) -> torch.Tensor:
    """Class weights for `cross_entropy(weight=…)`: float32 of the shape of `counts`, mean one, all >= 0.

    Tokens that never occur keep the greatest weight. Raises ValueError where nothing was counted.
    """
    if counts.numel() == 0 or counts.max() <= 0:
        raise ValueError("no reply token was counted")
    frequency = counts.double() / counts.sum()
    weight = 1 - frequency / frequency.max()
    if weight.max() <= 0:
        raise ValueError("all tokens are equally frequent: there is nothing to weigh")
    return (weight / weight.mean()).float()


def loss(logits: torch.Tensor, targets: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Weighted cross-entropy in nats, a scalar: `logits` [n, vocabulary], `targets` int64 [n].

    The sum is divided by n and not by the sum of the weights (which `cross_entropy` does by itself), as in the
    paper: a batch of common words then teaches little, instead of being scaled up again.
    """
    return F.cross_entropy(logits, targets, weight=weight, reduction="sum") / max(len(targets), 1)
