"""The judge: measures, loss, graph against PyTorch, and that it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from affect_tiny import VOCABULARY, tiny_tokenizer

from affect import checkpoint
from affect.model import Shape
from epitome import measures
from epitome.constants import INPUTS, LEVELS, MAX_TOKENS, MECHANISMS, OUTPUT
from epitome.data import Encoded, Pair, encode
from epitome.graph import export_fp32, export_int8
from epitome.model import JudgeModel
from epitome.train import Recipe, collate, fit, level_weights, loss_of, mean_macro_f1, predict


def tiny_judge(seed: int = 0) -> JudgeModel:
    torch.manual_seed(seed)
    return JudgeModel(Shape(len(VOCABULARY), MAX_TOKENS, width=32, inner=64, layers=2, attention_heads=4))


def pairs(count: int) -> list[Encoded]:
    """The response's word tells the level of every mechanism; the seeker's tells nothing."""
    words = ["dog", "sad", "happy"]
    made = [Pair(f"s{n}", words[n // 3 % 3], words[n % 3], (n % 3, 2 - n % 3, n % 3)) for n in range(count)]
    return encode(made, tiny_tokenizer())


def test_kappa_is_one_for_agreement_zero_for_chance_and_negative_for_reversal() -> None:
    levels = np.array([0, 1, 2, 0, 1, 2])
    assert measures.quadratic_kappa(measures.confusion(levels, levels)) == pytest.approx(1)
    assert measures.quadratic_kappa(measures.confusion(levels, np.zeros(6, dtype=int))) == pytest.approx(0)
    assert measures.quadratic_kappa(measures.confusion(levels, 2 - levels)) == pytest.approx(-1)


def test_figures_have_the_majority_beside_them() -> None:
    levels = np.array([0, 0, 0, 2])
    row = measures.figures(levels, np.array([0, 0, 2, 2]), majority_level=0)
    assert row["accuracy"] == 0.75
    assert row["macro_f1"] == pytest.approx((0.8 + 2 / 3) / 2, abs=1e-4)
    assert row["majority_accuracy"] == 0.75
    assert row["majority_macro_f1"] == pytest.approx((6 / 7) / 2, abs=1e-4)


def test_rare_levels_weigh_more_and_the_mean_weight_is_one() -> None:
    items = [Encoded((1,), 0, (level, 0, 1)) for level in [0] * 81 + [1] * 9 + [2] * 10]
    weights = level_weights(items, 0.5)
    assert weights.shape == (len(MECHANISMS), LEVELS)
    assert weights[0, 1] / weights[0, 0] == pytest.approx(3)
    assert weights[0] @ torch.tensor([0.81, 0.09, 0.10]) == pytest.approx(1)


def test_padding_and_the_seeker_are_outside_the_pool() -> None:
    model = tiny_judge().eval()
    items = pairs(9)
    alone = [model(*collate([item], 0)[:3]) for item in items]
    together = model(*collate([*items, Encoded((4, *[7] * 40, 2, 5), 41, (0, 0, 0))], 0)[:3])[: len(items)]
    torch.testing.assert_close(torch.cat(alone), together, atol=1e-5, rtol=1e-5)
    _, mask, response, _ = collate(items[:1], 0)
    assert response.sum() == 2 and mask.sum() == 6


def test_the_graph_gives_what_pytorch_gives(tmp_path: Path) -> None:
    model = tiny_judge().eval()
    arrays = collate(pairs(5), 0)[:3]
    expected = model(*arrays).detach().numpy().reshape(5, -1)
    feed = {name: array.numpy() for name, array in zip(INPUTS, arrays, strict=True)}
    for export, tolerance in ((export_fp32, 1e-4), (export_int8, 0.2)):
        path = tmp_path / "judge.onnx"
        export(model, path)
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        assert session.run([OUTPUT], feed)[0] == pytest.approx(expected, abs=tolerance)


def test_training_learns_and_leaves_its_best_pass(tmp_path: Path) -> None:
    model, items = tiny_judge(), pairs(90)
    recipe = Recipe(passes=8, learning_rate=3e-3, head_learning_rate=1e-2, warm_up_steps=2)
    fit(model, items, items, 0, recipe, tmp_path)
    assert mean_macro_f1(*predict(model, items, 0)) > 0.9
    assert checkpoint.load(tmp_path / checkpoint.BEST)["step"] >= 1


def test_the_loss_is_least_for_the_right_levels() -> None:
    levels = torch.tensor([[0, 1, 2]])
    right = torch.nn.functional.one_hot(levels, LEVELS).float() * 10
    weights = torch.ones(len(MECHANISMS), LEVELS)
    assert loss_of(right, levels, weights) < loss_of(-right, levels, weights)
