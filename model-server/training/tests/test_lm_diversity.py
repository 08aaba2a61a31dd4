"""CEM's diversity-aware loss: the weights follow the formula and pull mass away from frequent tokens."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from lm import diversity


def test_the_weights_follow_the_formula_of_the_paper():
    counts = torch.tensor([8.0, 4.0, 2.0, 0.0])
    raw = torch.tensor([0.0, 0.5, 0.75, 1.0])  # 1 - count / greatest count
    assert torch.allclose(diversity.weights(counts), raw / raw.mean())


def test_the_most_frequent_token_weighs_nothing_and_an_unseen_one_most():
    weight = diversity.weights(torch.tensor([1.0, 50.0, 0.0, 7.0]))
    assert weight[1] == 0
    assert weight.argmax() == 2
    assert weight.mean() == pytest.approx(1)


def test_counts_cover_all_replies():
    assert diversity.token_counts([[5, 5], [5, 3]], vocabulary=8).tolist() == [0, 0, 0, 1, 0, 3, 0, 0]


def test_a_token_outside_the_vocabulary_is_refused():
    with pytest.raises(ValueError, match="vocabulary of 4"):
        diversity.token_counts([[1, 9]], vocabulary=4)


@pytest.mark.parametrize("replies", [[], [[]]])
def test_replies_without_a_counted_token_are_refused(replies: list[list[int]]):
    with pytest.raises(ValueError, match="no reply token"):
        diversity.weights(diversity.token_counts(replies, vocabulary=4))


def test_equal_frequencies_are_refused_instead_of_dividing_by_zero():
    with pytest.raises(ValueError, match="equally frequent"):
        diversity.weights(torch.ones(4))


def test_the_loss_is_the_weighted_mean_over_the_number_of_tokens():
    logits = torch.randn(3, 4, generator=torch.Generator().manual_seed(0))
    targets, weight = torch.tensor([0, 1, 1]), torch.tensor([0.5, 2.0, 1.0, 1.0])
    by_hand = (weight[targets] * -logits.log_softmax(-1)[torch.arange(3), targets]).sum() / 3
    assert torch.allclose(diversity.loss(logits, targets, weight), by_hand)


def test_an_empty_batch_costs_nothing():
    assert diversity.loss(torch.zeros(0, 4), torch.zeros(0, dtype=torch.long), torch.ones(4)) == 0


def test_training_with_the_weights_gives_rare_tokens_more_mass_than_without():
    targets = torch.tensor([0] * 80 + [1] * 15 + [2] * 5)
    weight = diversity.weights(torch.bincount(targets, minlength=4))

    def fitted(plain: bool) -> torch.Tensor:
        logits = torch.zeros(4, requires_grad=True)
        optimiser = torch.optim.SGD([logits], lr=0.5)
        for _ in range(300):
            rows = logits.expand(len(targets), 4)
            value = F.cross_entropy(rows, targets)
            if not plain:
                value = value + diversity.CEM_FACTOR * diversity.loss(rows, targets, weight)
            optimiser.zero_grad()
            value.backward()
            optimiser.step()
        return logits.detach().softmax(-1)

    assert fitted(plain=False)[2] > 1.5 * fitted(plain=True)[2]
    assert fitted(plain=False)[0] < fitted(plain=True)[0]
