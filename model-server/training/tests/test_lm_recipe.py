"""The recipe as one command: every step in order, none twice, a failure ends it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from lm import recipe


def plan(tmp_path: Path, minutes: float = 400, profile: str = "full") -> list[recipe.Step]:
    return recipe.steps(tmp_path / "data", tmp_path, tmp_path / "out", minutes, profile, 2)


def names(commands: Sequence[Sequence[str]]) -> list[str]:
    return [command[0] for command in commands]


def test_legs_are_as_few_as_their_limit_allows_and_share_the_time(tmp_path: Path):
    legs = [command for _, command in plan(tmp_path) if "dialogue" in command]
    assert [command[command.index("--leg") + 1] for command in legs] == ["2", "3", "4"]
    assert {round(float(command[command.index("--minutes") + 1])) for command in legs} == {133}
    assert len([1 for _, command in plan(tmp_path, 150) if "dialogue" in command]) == 1


def test_each_step_starts_from_the_result_of_the_one_before(tmp_path: Path):
    done: list[Sequence[str]] = []
    recipe.run(plan(tmp_path, 150), lambda command: done.append(command) or 0)
    assert names(done) == ["lm.train", "lm.train", "lm.preferences.pairs", "lm.preferences.dpo", "lm.export"]
    assert [command[command.index("--checkpoint") + 1] for command in done[2:]] == [
        str(tmp_path / "leg-2.pt"), str(tmp_path / "leg-2.pt"), str(tmp_path / "dpo.pt"),
    ]  # fmt: skip


def test_what_is_there_is_not_done_again_except_the_export(tmp_path: Path):
    for name in ("leg-1.pt", "leg-2.pt", "pairs.jsonl"):
        (tmp_path / name).touch()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").touch()
    done: list[Sequence[str]] = []
    recipe.run(plan(tmp_path, 150), lambda command: done.append(command) or 0)
    assert names(done) == ["lm.preferences.dpo", "lm.export"]


def test_a_step_that_fails_ends_the_recipe(tmp_path: Path):
    done: list[Sequence[str]] = []
    with pytest.raises(RuntimeError, match="lm.train"):
        recipe.run(plan(tmp_path), lambda command: done.append(command) or 1)
    assert len(done) == 1


def test_permissive_weights_see_no_preference_pairs_of_empathetic_dialogues(tmp_path: Path):
    commands = [command for _, command in plan(tmp_path, 150, "permissive")]
    assert names(commands) == ["lm.train", "lm.train", "lm.export"]
    assert all("permissive" in command for command in commands[:2])
