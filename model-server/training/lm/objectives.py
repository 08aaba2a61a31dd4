"""The joint loss of the four heads, and their figures on held-out conversations."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch.nn import functional as F

from . import diversity, slots
from .batching import Batch

HEAD_WEIGHTS = {
    "lm": 1.0, "affect": 0.5, "intent": 0.2, "judge": 0.2, "ranking": 0.2, "diversity": diversity.CEM_FACTOR,
}  # fmt: skip


def hidden_states(network, batch: Batch) -> torch.Tensor:
    """Last hidden states, flattened to [batch * length, width]."""
    return network.model(
        input_ids=batch.ids, position_ids=batch.positions, attention_mask=batch.mask, use_cache=False,
    ).last_hidden_state.flatten(0, 1)


def losses(network, batch: Batch, token_weights: torch.Tensor | None = None) -> dict[str, torch.Tensor]:
    """Mean loss per head (nats), heads without targets left out.

    Full-vocabulary cross-entropy everywhere, so that the slots carry the mass; `ranking` is the
    cross-entropy of the true reply among its distractors by ln P(good) - ln P(bad). `token_weights`
    [vocabulary] adds `diversity`, see there. The hidden states are gathered before the 49k-wide
    projection, the dear part.
    """
    hidden = hidden_states(network, batch)
    result = {}
    for head, (positions, targets) in batch.targets.items():
        if len(positions):
            logits = network.lm_head(hidden[positions])
            result[head] = F.cross_entropy(logits, targets)
            if head == "lm" and token_weights is not None:
                result["diversity"] = diversity.loss(logits, targets, token_weights)
            if head == "judge" and batch.groups:
                odds = logits[:, slots.GOOD] - logits[:, slots.BAD]
                true = torch.zeros(1, dtype=torch.long)
                result["ranking"] = torch.stack([F.cross_entropy(odds[g][None], true) for g in batch.groups]).mean()
    return result


@torch.no_grad()
def evaluate(network, batches: Iterable[Batch]) -> dict[str, float]:
    """Token perplexity, slot accuracies, and the judge's share of won pairs."""
    network.eval()
    total = dict.fromkeys(
        ("nll", "n", "top1", "top5", "slots", "mass", "intent", "intent_mass", "intents",
         "judge_mass", "judged", "won", "pairs"), 0.0,
    )
    low, high = slots.EMOTION_IDS[0], slots.EMOTION_IDS[-1] + 1
    first, last = slots.INTENT_IDS[0], slots.INTENT_IDS[-1] + 1
    for batch in batches:
        hidden = hidden_states(network, batch)
        logits = {h: network.lm_head(hidden[p]) for h, (p, _) in batch.targets.items() if len(p)}
        total["nll"] += F.cross_entropy(logits["lm"], batch.targets["lm"][1], reduction="sum").item()
        total["n"] += len(batch.targets["lm"][1])
        if "affect" in logits:
            probabilities = logits["affect"].softmax(-1)
            gold = batch.targets["affect"][1]
            top = probabilities[:, low:high].topk(5).indices + low
            total["top1"] += (top[:, 0] == gold).sum().item()
            total["top5"] += (top == gold[:, None]).sum().item()
            total["mass"] += probabilities[:, low:high].sum().item()
            total["slots"] += len(gold)
        if "intent" in logits:
            gold = batch.targets["intent"][1]
            total["intent"] += (logits["intent"][:, first:last].argmax(-1) + first == gold).sum().item()
            total["intent_mass"] += logits["intent"].softmax(-1)[:, first:last].sum().item()
            total["intents"] += len(gold)
        if "judge" in logits:
            odds = logits["judge"][:, slots.GOOD] - logits["judge"][:, slots.BAD]
            total["judge_mass"] += logits["judge"].softmax(-1)[:, [slots.GOOD, slots.BAD]].sum().item()
            total["judged"] += len(odds)
            for true, *wrong in batch.groups:
                total["won"] += (odds[true] > odds[wrong]).sum().item()
                total["pairs"] += len(wrong)
    network.train()

    def share(part: str, whole: str) -> float:
        return total[part] / max(total[whole], 1)

    return {
        "ppl_token": float(torch.tensor(total["nll"] / max(total["n"], 1)).exp()),
        "emotion_top1": share("top1", "slots"),
        "emotion_top5": share("top5", "slots"),
        "emotion_mass": share("mass", "slots"),
        "intent_top1": share("intent", "intents"),
        "intent_mass": share("intent_mass", "intents"),
        "judge_mass": share("judge_mass", "judged"),
        "judge_pairwise": share("won", "pairs"),
    }
