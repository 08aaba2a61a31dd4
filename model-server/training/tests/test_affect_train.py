"""Training on a tiny corpus: loss falls, a killed run goes on where it was, base weights are checked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from affect_tiny import corpus, tiny_model, tiny_tokenizer

from affect import checkpoint
from affect.data import encode_conversations, history_examples, rough_copy
from affect.inputs import Marks
from affect.model import Shape, from_bert, load_base
from affect.train import Corpus, Recipe, rate_factor, train

TOKENIZER = tiny_tokenizer()
MARKS = Marks.of(TOKENIZER)
RECIPE = Recipe(passes=3, cycle_passes=3, batch=8, learning_rate=3e-3, warm_up_steps=2, save_every=3, log_every=1)


def tiny_corpus() -> Corpus:
    conversations = corpus(64)
    clean = encode_conversations(conversations, TOKENIZER)
    rough = encode_conversations([rough_copy(item) for item in conversations], TOKENIZER)
    return Corpus(clean, rough, history_examples(clean[:16], MARKS))


def run(work: Path, recipe: Recipe = RECIPE) -> None:
    train(tiny_model(), tiny_corpus(), MARKS, recipe, work, half=False)


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


def test_the_rate_warms_up_falls_to_zero_and_starts_again_lower():
    recipe = Recipe(warm_up_steps=10, cycle_shrink=0.7)
    factors = [rate_factor(step, 100, recipe) for step in range(200)]
    assert factors[0] == pytest.approx(0.1)
    assert max(factors[:100]) == pytest.approx(1.0, abs=0.02)
    assert factors[99] == pytest.approx(0.0, abs=0.02)
    assert max(factors[100:]) == pytest.approx(0.7, abs=0.02)


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
