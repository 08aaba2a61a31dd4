"""What preference and feedback training are measured by, before and after."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from .. import slots
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


@torch.no_grad()
def replies(network, rows: Sequence[layout.Row]) -> dict[str, float]:
    """On whole conversations, intent `any`: perplexity per token, emotion top-1 and the two heads' mass.

    A head's mass is the probability of its own tokens at its slot, over the whole vocabulary.
    """
    network.eval()
    nll, tokens, hits, emotions, intents, slots_read, plans_read = 0.0, 0, 0, 0.0, 0.0, 0, 0
    low, high = slots.EMOTION_IDS[0], slots.EMOTION_IDS[-1] + 1
    first, last = slots.INTENT_IDS[0], slots.INTENT_IDS[-1] + 1
    for batch in layout.batches(rows, layout.pack(rows, range(len(rows)))):
        hidden = network.model(
            input_ids=batch.ids, position_ids=batch.positions, attention_mask=batch.mask, use_cache=False
        ).last_hidden_state.flatten(0, 1)
        logits = network.lm_head(hidden[batch.reply.positions])
        nll += torch.nn.functional.cross_entropy(logits, batch.reply.tokens, reduction="sum").item()
        tokens += len(batch.reply.tokens)
        affect, plan = (
            network.lm_head(hidden[batch.heads[name].positions]).softmax(-1) for name in ("affect", "intent")
        )
        hits += int((affect[:, low:high].argmax(-1) + low == batch.heads["affect"].tokens).sum())
        emotions += affect[:, low:high].sum().item()
        intents += plan[:, first:last].sum().item()
        slots_read += len(affect)
        plans_read += len(plan)
    network.train()
    return {
        "ppl_token": round(math.exp(nll / max(tokens, 1)), 4),
        "emotion_top1": round(hits / max(slots_read, 1), 4),
        "emotion_mass": round(emotions / max(slots_read, 1), 4),
        "intent_mass": round(intents / max(plans_read, 1), 4),
    }
