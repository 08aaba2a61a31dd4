"""Filtering synthetic dialogues by the numbers of a command."""

from __future__ import annotations

import sys
from pathlib import Path

from lm_dialogues import PETS, SEED, dialogue

from lm.synthesise import seeds, stages


def test_a_scorer_command_decides_by_its_numbers(tmp_path: Path):
    script = tmp_path / "score.py"
    script.write_text("import sys, json\nfor line in sys.stdin:\n    print(1 if 'dog' in line else 0)\n")
    run = stages.Stages(tmp_path / "out.jsonl", "m", [seeds.Seed("sad", None)])
    run.generate(lambda _, number: dialogue(PETS[number]), 4)
    passed, dropped = run.filter(4, f"{sys.executable} {script}", least=0.5)
    assert [row["score"] for row in passed] == [1.0]
    assert dropped["score"] == 3


def counting_scorer(folder: Path) -> str:
    """A command that gives one point for a dog, and notes how many rows it was asked about."""
    script = folder / "score.py"
    script.write_text(
        "import sys\nlines = list(sys.stdin)\n"
        f"open({str(folder / 'asked.txt')!r}, 'a').write(f'{{len(lines)}}\\n')\n"
        "for line in lines:\n    print(1 if 'dog' in line else 0)\n"
    )
    return f"{sys.executable} {script}"


def test_a_scorer_is_asked_about_each_dialogue_once(tmp_path: Path):
    command = counting_scorer(tmp_path)
    run = stages.Stages(tmp_path / "out.jsonl", "m", [SEED])
    for wanted in (4, 4, 6):
        run.generate(lambda _, number: dialogue(PETS[number]), wanted)
        passed, dropped = run.filter(wanted, command, least=0.5)
        assert [row["score"] for row in passed] == [1.0]
        assert dropped["score"] == wanted - 1
    assert (tmp_path / "asked.txt").read_text().split() == ["4", "2"]


def test_another_scorer_is_asked_anew(tmp_path: Path):
    command = counting_scorer(tmp_path)
    run = stages.Stages(tmp_path / "out.jsonl", "m", [SEED])
    run.generate(lambda _, number: dialogue(PETS[number]), 4)
    run.filter(4, command)
    run.filter(4, f"{command} --strict")
    assert (tmp_path / "asked.txt").read_text().split() == ["4", "4"]
