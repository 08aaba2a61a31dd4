"""A rougher copy of a text, as people type on a phone: no punctuation, no apostrophes, a few slips."""

from __future__ import annotations

import string

import numpy as np

#: A typo in one word of 25: enough to be met, not enough to hide the meaning.
TYPO_SHARE = 0.04

#: Shorter words carry no second clue once a letter is wrong.
SHORTEST_TYPO = 4

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def roughen(text: str, rng: np.random.Generator) -> str:
    """The same words without ASCII punctuation (`I'm` → `Im`), some with a letter dropped or two swapped."""
    bare = text.replace("-", " ").translate(_NO_PUNCTUATION)
    return " ".join(_maybe_typo(word, rng) for word in bare.split())


def _maybe_typo(word: str, rng: np.random.Generator) -> str:
    if len(word) < SHORTEST_TYPO or rng.random() >= TYPO_SHARE:
        return word
    at = int(rng.integers(1, len(word) - 1))
    if rng.random() < 0.5:
        return word[:at] + word[at + 1 :]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
