"""The teacher's logits find their examples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from affect_tiny import corpus, tiny_tokenizer

from affect.constants import LABELS
from affect.data import Example, encode_conversations, training_examples
from affect.inputs import Marks
from affect.soft import SoftLabels


def soft_of(tmp_path: Path) -> SoftLabels:
    history, situation = np.zeros((3, len(LABELS))), np.zeros((2, len(LABELS)))
    history[:, 0], situation[:, 0] = (10, 11, 12), (20, 21)
    path = tmp_path / "soft.npz"
    np.savez(path, history=history, situation=situation, conversation=[0, 0, 1], end=[1, 3, 1])
    return SoftLabels(path)


def test_histories_and_situations_are_found_by_conversation_and_length(tmp_path: Path):
    examples = [Example([], 0, 0, 3), Example([], 0, 1, 0), Example([], 0, 1, 1)]
    assert soft_of(tmp_path).of(examples)[:, 0].tolist() == [11, 21, 12]


def test_what_the_teacher_was_not_asked_is_nan(tmp_path: Path):
    rows = soft_of(tmp_path).of([Example([], 0, 7, 1), Example([], 0)])
    assert np.isnan(rows).all()


def test_training_examples_say_where_they_come_from():
    tokenizer = tiny_tokenizer()
    encoded = encode_conversations(corpus(6), tokenizer)
    examples = training_examples(encoded, encoded, Marks.of(tokenizer), 0, seed=1)
    assert {example.conversation for example in examples} == set(range(6))
    assert all(example.label == encoded[example.conversation].label for example in examples)
    assert {example.end for example in examples} <= {0, 1, 3}
