"""Corpora with labels of their own, and the made sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from affect.constants import LABELS
from affect.tasks import labelled, templates


def test_goemotions_rows_hold_several_labels(tmp_path: Path):
    path = tmp_path / "train.tsv"
    path.write_text("What a day\t0,27\tabc\n", encoding="utf-8")
    (row,) = labelled.read_goemotions(path)
    assert np.flatnonzero(row.target).tolist() == [0, 27]
    assert row.turns == (("speaker", "What a day"),)


def test_edos_votes_are_shares_and_the_last_turn_is_the_speakers(tmp_path: Path):
    (tmp_path / "1.csv").write_text(
        'DialogID,Dialog,Agreed emotion (2/3 vote),Worker 1 answer,Worker 2 answer,Worker 3 answer\n'
        '1,"- Run !\n- I am bleeding .",-,Anxious,Afraid,weird (other)\n', encoding="utf-8"
    )
    (tmp_path / "2.csv").write_text('emotion,os_dialog\nAfraid,"- Oh no ."\n', encoding="utf-8")
    rows, names = labelled.read_edos(tmp_path)
    assert names == ["afraid", "anxious"]
    assert [row.target.tolist() for row in rows] == [[0.5, 0.5], [1, 0]]
    assert rows[0].turns == (("listener", "Run !"), ("speaker", "I am bleeding ."))


def test_a_negated_feeling_excludes_its_labels_and_a_turned_one_asks_for_the_present():
    made = {row.text: row.possible for row in templates.made_sentences()}
    not_happy = made["i am really not happy right now"]
    assert not not_happy[LABELS.index("joyful")] and not_happy[LABELS.index("sad")]
    turned = next(made[text] for text in made if "sad" in text.split("happy")[0] and text.endswith("happy"))
    assert turned[LABELS.index("joyful")] and not turned[LABELS.index("sad")]


def test_every_made_sentence_leaves_a_label():
    assert all(row.possible.any() and not row.possible.all() for row in templates.made_sentences())
