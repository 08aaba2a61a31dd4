"""Training on a tiny corpus: loss falls, a killed run goes on where it was, base weights are checked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from affect_tiny import corpus, tiny_model, tiny_tokenizer

from affect import checkpoint
from affect.constants import CAUSE_OUTPUT, SCORES, SCORES_OUTPUT
from affect.data import encode_conversations, history_examples, rough_copy
from affect.inputs import Marks
from affect.mix import Heads, Item, Mix, Task, cause_loss, helper_loss, scores_loss
from affect.model import Shape, from_bert, load_base
from affect.objectives import several_loss
from affect.tasks.causes import IGNORED
from affect.train import Corpus, Recipe, rate_factor, train

TOKENIZER = tiny_tokenizer()
MARKS = Marks.of(TOKENIZER)
RECIPE = Recipe(passes=3, batch=8, learning_rate=3e-3, warm_up_steps=2, save_every=3, log_every=1)


def tiny_corpus() -> Corpus:
    conversations = corpus(64)
    clean = encode_conversations(conversations, TOKENIZER)
    rough = encode_conversations([rough_copy(item) for item in conversations], TOKENIZER)
    return Corpus(clean, rough, history_examples(clean[:16], MARKS), mix=tiny_mix())


def tiny_mix() -> Mix:
    """One task with a helper head, one with scores, one per token; items differ, so that their order matters."""
    words = ["my dog", "my job", "my how", "my why"]
    encoded = [TOKENIZER.encode(text, add_special_tokens=False).ids for text in words]
    inputs = [[MARKS.cls, MARKS.speaker, *ids, MARKS.sep] for ids in encoded]
    valences = [np.array([0.1 * number + 0.2, *[np.nan] * (len(SCORES) - 1)], dtype=np.float32) for number in range(4)]
    cause = np.array([IGNORED, IGNORED, 1, 0, IGNORED], dtype=np.float32)
    labels = [Item(ids, np.eye(2, dtype=np.float32)[number % 2]) for number, ids in enumerate(inputs)]
    scored = [Item(ids, valence) for ids, valence in zip(inputs, valences, strict=True)]
    causes = [Item(ids, cause) for ids in inputs]
    return Mix(
        tasks=(
            Task("goemotions", lambda _: labels, helper_loss("goemotions", several_loss), 2, 2, 1.0),
            Task("emobank", lambda _: scored, scores_loss(torch.ones(len(SCORES))), 2, 2, 1.0),
            Task("causes", lambda _: causes, cause_loss, 2, 2, 1.0, per_token=True),
        ),
        sizes={"goemotions": 2},
        means=torch.zeros(len(SCORES)),
    )


def run(work: Path, recipe: Recipe = RECIPE) -> None:
    torch.manual_seed(0)
    model = tiny_model()
    heads = Heads(model.shape.width, {"goemotions": 2})
    train(model, heads, tiny_corpus(), MARKS, recipe, work)


def lines(work: Path, key: str) -> list[float]:
    rows = [json.loads(line) for line in (work / "log.jsonl").read_text().splitlines()]
    return [row[key] for row in rows if key in row]


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_loss_falls_and_the_two_emotions_are_told_apart(tmp_path: Path):
    run(tmp_path)
    losses = lines(tmp_path, "loss")
    assert losses[-1] < 0.5 * losses[0]
    assert lines(tmp_path, "tune_top1")[-1] == 1.0


def test_a_killed_run_goes_on_and_ends_as_if_never_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    run(whole)

    real_save = checkpoint.save
    saves = 0

    def save_then_die(path: Path, content: dict) -> None:
        nonlocal saves
        real_save(path, content)
        saves += 1
        if saves == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint, "save", save_then_die)
    with pytest.raises(KeyboardInterrupt):
        run(broken)
    monkeypatch.undo()
    run(broken)

    first, second = (checkpoint.load(folder / checkpoint.LAST)["model"] for folder in (whole, broken))
    assert all(torch.allclose(first[name], second[name], atol=1e-6) for name in first)


def test_a_finished_run_is_left_as_it_is(tmp_path: Path):
    run(tmp_path)
    before = (tmp_path / checkpoint.LAST).read_bytes()
    run(tmp_path)
    assert (tmp_path / checkpoint.LAST).read_bytes() == before


def test_the_rate_warms_up_and_falls_to_zero_at_the_end():
    recipe = Recipe(warm_up_steps=10)
    factors = [rate_factor(step, 100, recipe) for step in range(100)]
    assert factors[0] == pytest.approx(0.1)
    assert max(factors) == pytest.approx(1.0, abs=0.02)
    assert factors[99] == pytest.approx(0.0, abs=0.02)


def test_the_further_tasks_are_learnt_beside_the_emotions(tmp_path: Path):
    run(tmp_path, replace(RECIPE, passes=8))
    model = checkpoint.load_model(tmp_path / checkpoint.LAST)
    words = TOKENIZER.encode("my dog", add_special_tokens=False).ids
    ids = torch.tensor([[MARKS.cls, MARKS.speaker, *words, MARKS.sep]])
    outputs = model(ids, torch.ones_like(ids))
    my, dog = outputs[CAUSE_OUTPUT][0, 2:4].tolist()
    assert my > dog
    assert abs(outputs[SCORES_OUTPUT][0, 0].item() - 0.35) < 0.25


def test_base_weights_with_another_hash_are_refused(tmp_path: Path):
    wrong = tmp_path / "model.safetensors"
    wrong.write_bytes(b"not the weights")
    with pytest.raises(ValueError, match="expected sha256 53aa5117.*found"):
        load_base(wrong, np.arange(3), Shape())


def test_kept_rows_of_the_base_vocabulary_come_in_their_new_order():
    shape = Shape(vocabulary=2, positions=3, width=4, inner=8, layers=0, attention_heads=2)
    words = torch.arange(20.0).reshape(5, 4)
    bert = {
        "embeddings.word_embeddings.weight": words,
        "embeddings.position_embeddings.weight": torch.zeros(9, 4),
        "embeddings.token_type_embeddings.weight": torch.ones(2, 4),
        "embeddings.LayerNorm.weight": torch.ones(4),
        "embeddings.LayerNorm.bias": torch.zeros(4),
    }
    ours = from_bert(bert, np.array([1, 4]), shape)
    assert torch.equal(ours["tokens.weight"], words[[1, 4]])
    assert torch.equal(ours["positions.weight"], torch.ones(3, 4))
