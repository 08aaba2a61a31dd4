"""The mean of checkpoints."""

from __future__ import annotations

import torch
from affect_tiny import tiny_model

from affect.average import mean_of


def test_the_mean_of_equal_models_is_the_model():
    state = tiny_model().state_dict()
    mean = mean_of([state, state, state])
    assert all(torch.allclose(mean[name], state[name]) for name in state)


def test_the_mean_lies_halfway_and_leaves_its_members_alone():
    first, second = tiny_model(1).state_dict(), tiny_model(2).state_dict()
    before = first["tokens.weight"].clone()
    mean = mean_of([first, second])
    assert torch.allclose(mean["tokens.weight"], (first["tokens.weight"] + second["tokens.weight"]) / 2)
    assert torch.equal(first["tokens.weight"], before)
