"""The losses, one per kind of label. All take logits in float32 and return a mean in nats or a relative error."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from .constants import SCORES
from .tasks.causes import IGNORED

#: Softmax temperature of the distillation (Hinton et al. 2015): shows what the teacher thinks of the runners-up.
DISTILLATION_TEMPERATURE = 2.0


def emotion_loss(logits: Tensor, labels: Tensor, soft: Tensor | None, share: float, smoothing: float) -> Tensor:
    """Cross-entropy with the label, and `share` of the teacher's distribution where there is one.

    @param logits: [batch, 32]; labels int64 [batch]; soft: the teacher's logits [batch, 32], NaN rows unknown.
    """
    hard = F.cross_entropy(logits, labels, label_smoothing=smoothing, reduction="none")
    if soft is None:
        return hard.mean()
    known = ~soft.isnan().any(1)
    distilled = _divergence(logits, soft.nan_to_num())
    return torch.where(known, share * distilled + (1 - share) * hard, hard).mean()


def _divergence(logits: Tensor, soft: Tensor) -> Tensor:
    """Kullback–Leibler divergence at the distillation temperature, scaled back by its square; [batch]."""
    target = F.softmax(soft / DISTILLATION_TEMPERATURE, dim=1)
    student = F.log_softmax(logits / DISTILLATION_TEMPERATURE, dim=1)
    return F.kl_div(student, target, reduction="none").sum(1) * DISTILLATION_TEMPERATURE**2


def scores_loss(scores: Tensor, targets: Tensor, spread: Tensor) -> Tensor:
    """Squared error in units of each column's variance (1 = no better than the mean); cross-entropy for
    probabilities. Unknown targets are NaN. [batch, len(SCORES)] twice; `spread` [len(SCORES)] are deviations."""
    known = ~targets.isnan()
    wanted = targets.nan_to_num()
    is_probability = torch.tensor([score.kind == "probability" for score in SCORES])
    # A probability's spread is not used; it may be unknown, and NaN would reach the gradient through `where`.
    squared = ((scores - wanted) / torch.where(is_probability, torch.ones_like(spread), spread)) ** 2
    crossed = F.binary_cross_entropy_with_logits(scores, wanted, reduction="none")
    each = torch.where(is_probability, crossed, squared)
    return (each * known).sum() / known.sum().clamp(min=1)


def cause_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Binary cross-entropy over the judged tokens; [batch, tokens] twice, targets in 0…1 or IGNORED."""
    judged = targets != IGNORED
    each = F.binary_cross_entropy_with_logits(logits, targets.clamp(min=0.0), reduction="none")
    return (each * judged).sum() / judged.sum().clamp(min=1)


def possible_loss(logits: Tensor, possible: Tensor) -> Tensor:
    """−log of the probability on the labels that are possible; bool [batch, 32]."""
    return -torch.logsumexp(F.log_softmax(logits, dim=1).masked_fill(~possible, -torch.inf), dim=1).mean()


def votes_loss(logits: Tensor, shares: Tensor) -> Tensor:
    """Cross-entropy with a distribution of votes [batch, labels]."""
    return -(shares * F.log_softmax(logits, dim=1)).sum(1).mean()


def several_loss(logits: Tensor, present: Tensor) -> Tensor:
    """Binary cross-entropy over labels, several of which may be present; 0/1 [batch, labels], summed over them."""
    return F.binary_cross_entropy_with_logits(logits, present, reduction="none").sum(1).mean()
