"""Ablation arms: the same conversations everywhere, finished arms are not trained again."""

from __future__ import annotations

from pathlib import Path

import pytest
from lm_tiny import encoder, sample, tiny_model

from lm import ablate
from lm import model as models
from lm.format import Conversation, Turn


def conversation(n: int) -> Conversation:
    return Conversation(f"c:{n}", n % 32, (Turn(True, (5,)), Turn(False, (6,))))


def test_the_subset_depends_on_the_identifiers_and_not_on_the_order():
    some = [conversation(n) for n in range(5_000)]
    one, other = ablate.subset(some), ablate.subset(list(reversed(some)))
    assert len(one) == ablate.CONVERSATIONS
    assert one == other
    assert one != some[: ablate.CONVERSATIONS]


@pytest.mark.parametrize("arm", ["full", "no heads", "no emotion told"])
def test_an_arm_trains_for_its_steps_and_leaves_only_its_figures(arm: str, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(models, "load_base", tiny_model)
    figures = ablate.run_arm(arm, 2, tmp_path, tmp_path, list(sample()), list(sample())[:2], encoder(), False)
    assert figures["ppl_token"] > 1
    assert figures["ppl_token_told"] > 1
    assert list(tmp_path.iterdir()) == []


def test_an_arm_with_a_row_for_these_steps_is_finished(tmp_path: Path):
    results = tmp_path / "ablation.jsonl"
    assert ablate.unfinished(results, ["full", "no heads"], 10) == ["full", "no heads"]
    results.write_text('{"arm": "full", "steps": 10}\n{"arm": "no heads", "steps": 20}\n')
    assert ablate.unfinished(results, ["full", "no heads"], 10) == ["no heads"]
