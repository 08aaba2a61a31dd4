"""Log probabilities of a batch of rows, and the losses on them. Pure apart from the network's forward pass."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from ..objectives import HEAD_WEIGHTS, hidden_states
from .layout import Batch, Segment


@dataclass(frozen=True)
class Scored:
    """Natural log probabilities, float32: per token of the reply and of the other reply, per head its mean loss."""

    reply: torch.Tensor
    other: torch.Tensor
    heads: dict[str, torch.Tensor]


def score(network, batch: Batch) -> Scored:
    """One forward pass; only the positions that are scored go through the 49k-wide projection."""
    hidden = hidden_states(network, batch)

    def token_losses(segment: Segment) -> torch.Tensor:
        return F.cross_entropy(network.lm_head(hidden[segment.positions]), segment.tokens, reduction="none")

    heads = {name: token_losses(part).mean() for name, part in batch.heads.items() if len(part.tokens)}
    return Scored(-token_losses(batch.reply), -token_losses(batch.other), heads)


def per_row(values: torch.Tensor, segment: Segment, rows: int) -> torch.Tensor:
    """Sum of token values by row: float32 [rows]."""
    return values.new_zeros(rows).index_add(0, segment.rows, values)


def lengths(segment: Segment, rows: int) -> torch.Tensor:
    """Tokens by row, at least one so that it may be divided by: float32 [rows]."""
    return torch.bincount(segment.rows, minlength=rows).clamp(min=1).float()


def dpo(margin: torch.Tensor, beta: float) -> torch.Tensor:
    """Rafailov et al. 2023 (arXiv 2305.18290), equation 7, per pair.

    `margin` [n] is log(pi/ref)(chosen) - log(pi/ref)(rejected), in nats.
    """
    return -F.logsigmoid(beta * margin)


def unlikelihood(log_probabilities: torch.Tensor, cap: float) -> torch.Tensor:
    """-log(1 - p) per token (Welleck et al. 2019, arXiv 1908.04319, equation 4), at most `cap` nats.

    A token that costs more than `cap` has no gradient: with p > 1 - exp(-cap) it is the rest of a word or fixed
    grammar, which a reported reply is not to unteach.
    """
    ceiling = math.log1p(-math.exp(-cap))
    # Beyond the ceiling the clamp has a zero gradient and keeps log(0) away.
    p = log_probabilities.clamp(max=ceiling).exp()
    return -torch.log1p(-p)


def head_loss(heads: dict[str, torch.Tensor]) -> torch.Tensor | float:
    """The heads' losses in the proportions of lm.train; 0.0 where a batch has none."""
    return sum((HEAD_WEIGHTS[name] * value for name, value in heads.items()), start=0.0)
