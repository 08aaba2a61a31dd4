"""Made sentences for what the corpus hardly holds: negation, and past against present feelings.

Each has a set of labels that are possible; the loss asks for all probability inside it and says nothing
about how it is spread there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..constants import LABELS

#: Adjective → labels that someone who *is* that may well have.
FEELINGS: dict[str, tuple[str, ...]] = {
    "happy": ("joyful", "content", "excited", "grateful", "proud", "confident", "hopeful"),
    "glad": ("joyful", "content", "grateful", "excited", "hopeful"),
    "excited": ("excited", "joyful", "anticipating", "hopeful"),
    "proud": ("proud", "impressed", "joyful", "confident"),
    "grateful": ("grateful", "joyful", "content", "trusting"),
    "confident": ("confident", "prepared", "proud", "hopeful", "trusting"),
    "hopeful": ("hopeful", "anticipating", "confident", "excited"),
    "calm": ("content", "confident", "trusting", "prepared"),
    "content": ("content", "joyful", "grateful"),
    "sad": ("sad", "devastated", "lonely", "disappointed", "sentimental"),
    "lonely": ("lonely", "sad", "devastated"),
    "angry": ("angry", "furious", "annoyed", "disgusted"),
    "mad": ("angry", "furious", "annoyed"),
    "annoyed": ("annoyed", "angry", "furious"),
    "scared": ("afraid", "terrified", "apprehensive", "anxious"),
    "afraid": ("afraid", "terrified", "apprehensive", "anxious"),
    "nervous": ("anxious", "apprehensive", "afraid", "anticipating"),
    "anxious": ("anxious", "apprehensive", "afraid", "terrified"),
    "worried": ("anxious", "apprehensive", "afraid", "caring"),
    "ashamed": ("ashamed", "guilty", "embarrassed"),
    "guilty": ("guilty", "ashamed"),
    "embarrassed": ("embarrassed", "ashamed"),
    "jealous": ("jealous",),
    "disappointed": ("disappointed", "sad", "devastated"),
    "upset": ("sad", "angry", "disappointed", "annoyed", "devastated", "furious"),
}

NEGATED = (
    "i am really not {} right now",
    "i'm not {} at all",
    "i'm not {} anymore",
    "i am no longer {}",
    "i don't feel {} about it",
    "honestly i wasn't {} when i heard that",
    "i can't say that i'm {}",
    "i never feel {} these days",
)

TURNED = (
    "i used to be {}, but now i am {}",
    "i was {} yesterday. today i'm just {}",
    "last year i felt so {}, these days i feel {}",
    "i am not {} anymore, i am {} now",
    "at first i was {} but then i got really {}",
)


@dataclass(frozen=True)
class PossibleLabels:
    """A speaker turn and which labels may be its own, bool [32]."""

    text: str
    possible: np.ndarray


def _mask(names: tuple[str, ...]) -> np.ndarray:
    return np.array([label in names for label in LABELS])


def made_sentences() -> list[PossibleLabels]:
    """All negated sentences, and one turned sentence for each ordered pair of feelings without a common label."""
    sentences = [
        PossibleLabels(form.format(word), ~_mask(labels)) for word, labels in FEELINGS.items() for form in NEGATED
    ]
    pairs = [(past, now) for past in FEELINGS for now in FEELINGS if not set(FEELINGS[past]) & set(FEELINGS[now])]
    sentences += [
        PossibleLabels(TURNED[place % len(TURNED)].format(past, now), _mask(FEELINGS[now]))
        for place, (past, now) in enumerate(pairs)
    ]
    return sentences
