"""What preference and feedback training are measured by beside lm.objectives.evaluate, before and after."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from . import layout, objective
from .reference import Reference

ROUNDING = 1e-4
"""A smaller margin is the order of additions in another batch, not a preference."""


@torch.no_grad()
def pairs(
    network, rows: Sequence[layout.Row], reference: Reference, beta: float, by_length: bool = False
) -> dict[str, float]:
    """On held-out pairs: how often the chosen reply is the likelier one, and DPO's implicit reward.

    `likelier`: share of pairs with log P(chosen) > log P(rejected); `likelier_mean` by the mean per token, which
    takes the lengths out. `accuracy` and `margin` (mean, in units of beta x nats) are those of DPO's reward; before
    training the policy is the reference, so they are 0 by definition.
    """
    network.eval()
    count = len(rows)
    sums = {"reply": torch.zeros(count), "other": torch.zeros(count)}
    tokens = {"reply": torch.ones(count), "other": torch.ones(count)}
    for batch in layout.batches(rows, layout.pack(rows, range(count))):
        scored, size = objective.score(network, batch), len(batch.index)
        for name, values, segment in (
            ("reply", scored.reply, batch.reply), ("other", scored.other, batch.other)
        ):  # fmt: skip
            sums[name][batch.index] = objective.per_row(values, segment, size)
            tokens[name][batch.index] = objective.lengths(segment, size)
    network.train()
    shifts = {"reply": sums["reply"] - reference.reply, "other": sums["other"] - reference.other}
    by = tokens if by_length else {"reply": 1.0, "other": 1.0}
    margin = beta * (shifts["reply"] / by["reply"] - shifts["other"] / by["other"])
    means = sums["reply"] / tokens["reply"] - sums["other"] / tokens["other"]
    return {
        "pairs": count,
        "likelier": _share(sums["reply"] > sums["other"]),
        "likelier_mean": _share(means > 0),
        "accuracy": _share(margin > ROUNDING),
        "margin": round(margin.mean().item(), 4),
        "chosen_shift": round(shifts["reply"].mean().item(), 4),
        "rejected_shift": round(shifts["other"].mean().item(), 4),
    }


def _share(hits: torch.Tensor) -> float:
    return round(hits.float().mean().item(), 4)
