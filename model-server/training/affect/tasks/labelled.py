"""Corpora with emotion labels of their own: GoEmotions (28, several a text) and EDOS (41, one a dialogue).

Their heads exist in training only; they are there for what they teach the encoder.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

#: GoEmotions (Demszky et al. 2020): 27 emotions and neutral.
GOEMOTIONS_LABELS = 28


@dataclass(frozen=True)
class LabelledText:
    """(role, text) turns and a target vector over the corpus's labels."""

    turns: tuple[tuple[str, str], ...]
    target: np.ndarray


def read_goemotions(path: Path) -> list[LabelledText]:
    """`train.tsv`: text, comma-separated label ids, comment id. Targets are 0/1."""
    texts = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            text, ids, _ = line.rstrip("\n").split("\t")
            target = np.zeros(GOEMOTIONS_LABELS, dtype=np.float32)
            target[[int(index) for index in ids.split(",")]] = 1.0
            texts.append(LabelledText((("speaker", text),), target))
    return texts


def read_edos(folder: Path) -> tuple[list[LabelledText], list[str]]:
    """The labelled dialogues of EDOS (Welivita, Xie & Pu 2021) and their label names, sorted.

    The label is of the last turn, so that is the speaker's; targets are votes as shares. A row without
    two agreeing workers keeps its three votes.
    """
    rows: list[tuple[str, list[str]]] = []
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                rows += _edos_row(row)
    names = sorted({vote for _, votes in rows for vote in votes})
    index = {name: place for place, name in enumerate(names)}
    texts = []
    for dialogue, votes in rows:
        target = np.zeros(len(names), dtype=np.float32)
        for vote in votes:
            target[index[vote]] += 1.0 / len(votes)
        texts.append(LabelledText(_edos_turns(dialogue), target))
    return texts, names


def _edos_row(row: dict[str, str]) -> list[tuple[str, list[str]]]:
    """The four files name their columns differently; votes of workers where there are any, else one label."""
    dialogue = row.get("os_dialog") or row.get("Dialog") or ""
    answers = [value for name, value in row.items() if name.startswith("Worker ")] or [row.get("emotion", "")]
    votes = [answer.strip().lower() for answer in answers]
    # Free answers ("thankful (other)") are 127 spellings of a few dozen votes.
    votes = [vote for vote in votes if vote not in ("", "-") and not vote.endswith("(other)")]
    return [(dialogue, votes)] if dialogue.strip() and votes else []


def _edos_turns(dialogue: str) -> tuple[tuple[str, str], ...]:
    """Lines of a dialogue are turns of two who take turns; the last is the one whose feeling is labelled."""
    lines = [line.strip(" -") for line in dialogue.splitlines() if line.strip(" -")]
    roles = ("speaker", "listener")
    return tuple((roles[(len(lines) - 1 - place) % 2], line) for place, line in enumerate(lines))
