"""Texts with scores: units, held-out rows, and one side for each writer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from affect.constants import SCORES
from affect.tasks import scored

EMOBANK = """id,split,V,A,D,text
a,train,3.0,3.0,3.0,plain
b,train,5.0,3.0,3.0,lovely
c,train,1.0,5.0,2.0,awful
d,test,4.0,3.0,3.0,held out
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_emobank_is_centred_and_its_test_rows_stay_out(tmp_path: Path):
    rows = scored.read_emobank(write(tmp_path / "emobank.csv", EMOBANK))
    assert [row.text for row in rows] == ["plain", "lovely", "awful"]
    assert [row.scores["valence"] for row in rows] == [0, 1, -1]
    assert rows[2].scores["arousal"] == 1
    assert rows[2].scores["dominance"] == -0.5


def test_intensity_is_the_share_of_training_sentences_nearer_to_neutral(tmp_path: Path):
    path = write(tmp_path / "emobank.csv", EMOBANK)
    assert [row.scores["intensity"] for row in scored.read_emobank(path)] == pytest.approx([0, 1 / 3, 2 / 3])
    assert scored.read_emobank(path, "test")[0].scores["intensity"] == pytest.approx(1 / 3)


def test_texts_of_one_response_are_on_the_same_side_and_the_scale_is_zero_to_one(tmp_path: Path):
    pairs = [(name, number) for name in "abcdefghij" for number in (1, 2)]
    rows = [f'"{name}_{number}","{name}","7.0","1.0","essay {name} {number}"' for name, number in pairs]
    path = write(tmp_path / "messages.csv", "\n".join(["message_id,response_id,empathy,distress,essay", *rows]))
    train = {row.text for row in scored.read_reactions(path)}
    held_out = {row.text for row in scored.read_reactions(path, held_out=True)}
    assert train and held_out and not train & held_out
    assert {text.replace(" 1", " 2") for text in held_out if text.endswith("1")} <= held_out
    assert scored.read_reactions(path)[0].scores == {"distress": 0.0, "concern": 1.0}


def test_the_held_out_fold_is_the_one_that_the_evaluation_takes():
    # The same values stand in the test of eval/folds.ts.
    assert scored.fold_of("writer-a") == 3
    assert scored.fold_of("writer-b") == 4


def test_disclosure_is_read_off_the_strategy_and_the_end_mark_is_dropped(tmp_path: Path):
    text = 'Question,How are you?<|endoftext|>\nSelf-disclosure,"I lost mine, too<|endoftext|>"\n'
    path = write(tmp_path / "s.csv", text)
    rows = scored.read_disclosure(path)
    assert [(row.text, row.scores["self_disclosure"]) for row in rows] == [("How are you?", 0), ("I lost mine, too", 1)]


def test_a_row_knows_only_its_own_scores():
    row = scored.ScoredText("x", {"arousal": 0.5}).row()
    known = [score.name for score, value in zip(SCORES, row, strict=True) if not np.isnan(value)]
    assert known == ["arousal"]
