"""The further tasks of a pass: every pass the same, each task in its share, later passes go on in the corpus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from affect_tiny import tiny_model

from affect.constants import SCORES
from affect.corpora import moments
from affect.mix import (
    Heads,
    Item,
    Mix,
    Task,
    cause_loss,
    collate,
    helper_loss,
    possible_loss,
    scores_loss,
    start_at_means,
    task_loss,
)
from affect.objectives import several_loss, votes_loss
from affect.tasks.causes import IGNORED


def item(number: int, tokens: int = 4) -> Item:
    return Item([7 + number % 20] * tokens, np.full(len(SCORES), 0.1 * number, dtype=np.float32))


SCORED = scores_loss(torch.ones(len(SCORES)))


def mix_of(*tasks: Task) -> Mix:
    return Mix(tasks, {}, torch.zeros(len(SCORES)))


def names(steps: list) -> list[str]:
    return [task.name for task, _ in steps]


def test_each_task_has_its_steps_and_a_pass_is_the_same_twice():
    items = [item(number) for number in range(10)]
    mix = mix_of(Task("emobank", lambda _: items, SCORED, 2, 3, 1.0), Task("essays", lambda _: items, SCORED, 2, 4, 1.0))
    first, again = mix.plan(1, seed=5), mix.plan(1, seed=5)
    assert sorted(names(first)) == ["emobank"] * 3 + ["essays"] * 4
    assert [[row.ids for row in rows] for _, rows in first] == [[row.ids for row in rows] for _, rows in again]


def test_passes_go_on_in_the_corpus_until_all_of_it_was_seen():
    items = [item(number) for number in range(12)]
    mix = mix_of(Task("emobank", lambda _: items, SCORED, 2, 3, 1.0))
    seen = [row.ids[0] for number in range(2) for _, rows in mix.plan(number, seed=5) for row in rows]
    assert sorted(seen) == sorted(row.ids[0] for row in items)


def test_an_empty_corpus_has_no_steps():
    assert mix_of(Task("causes", lambda _: [], cause_loss, 2, 3, 1.0)).plan(0, seed=1) == []


def test_padding_is_masked_and_its_targets_are_ignored():
    rows = [Item([7, 8, 9], np.array([0.0, 1.0, 0.0])), Item([7], np.array([1.0]))]
    batch = collate(rows, pad=0, per_token=True)
    assert batch.ids.tolist() == [[7, 8, 9], [7, 0, 0]]
    assert batch.mask.tolist() == [[1, 1, 1], [1, 0, 0]]
    assert batch.target.tolist() == [[0, 1, 0], [1, IGNORED, IGNORED]]


def test_every_kind_of_task_reaches_the_encoder():
    model = tiny_model()
    cause = Item([7, 8, 9, 10], np.array([IGNORED, 1, 0, IGNORED]))
    possible = Item([7, 8, 9], np.eye(32, dtype=np.float32)[3])
    tasks = [
        (Task("emobank", list, SCORED, 1, 1, 1.0), item(1)),
        (Task("causes", list, cause_loss, 1, 1, 1.0, per_token=True), cause),
        (Task("possible", list, possible_loss, 1, 1, 1.0), possible),
        (Task("goemotions", list, helper_loss("goemotions", several_loss), 1, 1, 1.0), Item([7, 8], np.eye(2)[0])),
        (Task("edos", list, helper_loss("edos", votes_loss), 1, 1, 1.0), Item([7, 8], np.array([0.5, 0.5, 0.0]))),
    ]
    heads = Heads(model.shape.width, {"goemotions": 2, "edos": 3})
    for task, row in tasks:
        model.zero_grad()
        task_loss(model, heads, task, [row], pad=0).backward()
        assert float(model.layers[0].qkv.weight.grad.abs().sum()) > 0, task.name


def test_moments_are_of_the_known_targets_and_a_regression_needs_some():
    rows = [item(0), item(2)]
    rows[0].target[:] = 0.0
    means, spread = moments(rows)
    assert means == pytest.approx(np.full(len(SCORES), 0.1))
    assert spread == pytest.approx(np.full(len(SCORES), 0.1))
    unknown = Item([7], np.full(len(SCORES), np.nan, dtype=np.float32))
    with pytest.raises(ValueError, match="valence"):
        moments([unknown, unknown])


def test_regressions_start_at_the_mean_of_their_targets(tmp_path: Path):
    model = tiny_model().eval()
    start_at_means(model, torch.arange(len(SCORES), dtype=torch.float32))
    ids = torch.tensor([[7, 8]])
    scores = model(ids, torch.ones_like(ids))["scores"][0].tolist()
    for index, score in enumerate(SCORES):
        if score.kind == "regression":
            assert abs(scores[index] - index) < 1e-6
