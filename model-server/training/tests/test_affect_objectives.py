"""The losses: right answers cost less, unknown targets cost nothing."""

from __future__ import annotations

import pytest
import torch

from affect.constants import LABELS, SCORES
from affect.objectives import cause_loss, emotion_loss, possible_loss, scores_loss, several_loss, votes_loss
from affect.tasks.causes import IGNORED


def test_a_score_whose_spread_is_unknown_leaves_no_nan_in_the_gradient():
    scores = torch.zeros(1, len(SCORES), requires_grad=True)
    spread = torch.tensor([1.0 if score.kind == "regression" else torch.nan for score in SCORES])
    scores_loss(scores, torch.ones(1, len(SCORES)), spread).backward()
    assert torch.isfinite(scores.grad).all()


def one_hot(index: int, size: int = len(LABELS), height: float = 8.0) -> torch.Tensor:
    row = torch.zeros(1, size)
    row[0, index] = height
    return row


def test_without_a_teacher_it_is_cross_entropy():
    logits, labels = torch.randn(4, len(LABELS)), torch.tensor([0, 1, 2, 3])
    expected = torch.nn.functional.cross_entropy(logits, labels, label_smoothing=0.1)
    assert emotion_loss(logits, labels, None, 0.7, 0.1) == pytest.approx(float(expected), rel=1e-5)
    unknown = torch.full((4, len(LABELS)), torch.nan)
    assert emotion_loss(logits, labels, unknown, 0.7, 0.1) == pytest.approx(float(expected), rel=1e-5)


def test_agreeing_with_the_teacher_costs_less_than_agreeing_with_nobody():
    labels, teacher = torch.tensor([3]), one_hot(5)
    like_teacher = emotion_loss(one_hot(5), labels, teacher, 0.9, 0.0)
    like_nobody = emotion_loss(one_hot(9), labels, teacher, 0.9, 0.0)
    assert like_teacher < like_nobody


def test_unknown_scores_take_no_part_and_have_no_gradient():
    scores = torch.zeros(2, len(SCORES), requires_grad=True)
    targets = torch.full((2, len(SCORES)), torch.nan)
    targets[0, 0] = 0.5
    loss = scores_loss(scores, targets, torch.full((len(SCORES),), 0.5))
    loss.backward()
    assert loss.item() == pytest.approx(1.0)
    assert torch.count_nonzero(scores.grad) == 1
    assert torch.isfinite(scores.grad).all()


def test_ignored_tokens_take_no_part():
    logits = torch.tensor([[4.0, -4.0, 9.0]])
    assert cause_loss(logits, torch.tensor([[1.0, 0.0, IGNORED]])) < 0.05
    assert cause_loss(logits, torch.tensor([[0.0, 1.0, IGNORED]])) > 3


def test_probability_outside_the_possible_labels_costs():
    possible = torch.ones(1, len(LABELS), dtype=torch.bool)
    possible[0, 4] = False
    assert possible_loss(one_hot(4), possible) > 3 > 0.1 > possible_loss(one_hot(5), possible)


def test_votes_and_several_labels():
    assert votes_loss(one_hot(1, 3), torch.tensor([[0.0, 1.0, 0.0]])) < 0.01
    assert several_loss(torch.tensor([[9.0, -9.0]]), torch.tensor([[1.0, 0.0]])) < 0.01
    assert several_loss(torch.tensor([[9.0, -9.0]]), torch.tensor([[0.0, 1.0]])) > 10
