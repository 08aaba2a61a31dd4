"""Texts with one or more of the scores in `SCORES`: EmoBank, empathic reactions, ESConv strategies."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..constants import SCORES

COLUMN = {score.name: index for index, score in enumerate(SCORES)}

#: Folds of the empathic reactions; fold 0 is never trained on and is what is published.
FOLDS = 5
HELD_OUT_FOLD = 0


@dataclass(frozen=True)
class ScoredText:
    """A text that stands alone and its known scores in the API's units."""

    text: str
    scores: dict[str, float]

    def row(self) -> np.ndarray:
        """float32 [len(SCORES)], NaN where nothing is known."""
        row = np.full(len(SCORES), np.nan, dtype=np.float32)
        for name, value in self.scores.items():
            row[COLUMN[name]] = value
        return row


def centred(value: float) -> float:
    """EmoBank's 1…5 → −1…1."""
    return (value - 3.0) / 2.0


def unit(value: float) -> float:
    """The 1…7 of Buechel et al. (2018) → 0…1."""
    return (value - 1.0) / 6.0


def read_emobank(path: Path, split: str = "train") -> list[ScoredText]:
    """EmoBank (Buechel & Hahn 2017): valence, arousal, dominance of sentences, in its own split.

    Intensity is the share of training sentences that lie nearer to neutral (3, 3) in the valence–arousal
    plane (the radius in Russell's circumplex, 1980): a rank, so that 0…1 is used evenly.
    """
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))

    def radius(row: dict) -> float:
        return float(np.hypot(centred(float(row["V"])), centred(float(row["A"]))))

    known = np.sort([radius(row) for row in rows if row["split"] == "train"])
    return [
        ScoredText(
            row["text"],
            {
                "valence": centred(float(row["V"])),
                "arousal": centred(float(row["A"])),
                "dominance": centred(float(row["D"])),
                "intensity": float(np.searchsorted(known, radius(row)) / len(known)),
            },
        )
        for row in rows
        if row["split"] == split
    ]


def fold_of(response_id: str) -> int:
    """Fold of a writer's response: all texts of one response are on the same side."""
    return hashlib.sha256(response_id.encode()).digest()[0] % FOLDS


def read_reactions(path: Path, held_out: bool = False) -> list[ScoredText]:
    """Essays with distress and empathic concern (Buechel et al. 2018): the training folds, or the held-out one."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            ScoredText(row["essay"], {"distress": unit(float(row["distress"])), "concern": unit(float(row["empathy"]))})
            for row in csv.DictReader(lines)
            if (fold_of(row["response_id"]) == HELD_OUT_FOLD) == held_out
        ]


def read_disclosure(path: Path) -> list[ScoredText]:
    """ESConv supporter turns (Liu et al. 2021): does the text tell something about its writer (strategy
    "Self-disclosure") or not. Own train/valid/test files."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            ScoredText(text, {"self_disclosure": float("Self-disclosure" in strategies)})
            for strategies, text in _strategy_rows(csv.reader(lines))
        ]


def _strategy_rows(rows: Iterator[list[str]]) -> Iterator[tuple[str, str]]:
    for row in rows:
        text = row[-1].replace("<|endoftext|>", "").strip()
        if text:
            yield ",".join(row[:-1]), text
