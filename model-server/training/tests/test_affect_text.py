"""Normalisation: what the TypeScript side does too."""

from __future__ import annotations

import numpy as np
import pytest

from affect.roughen import roughen
from affect.text import ISOLATE, REPLACE, normalise


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I am fine.", "I am fine."),
        ("it\u2019s \u201cfine\u201d", "it's \"fine\""),
        ("great\U0001f602", "great laughing "),
        ("\U0001f44d\U0001f3fd", " good "),
        ("\u2764\ufe0f", " love "),
        ("go\U0001f6f8on", "go \U0001f6f8 on"),
        ("\U0001f468\u200d\U0001f469", " \U0001f468 \u200d \U0001f469 "),
        ("\u00c7OCUK a\u0301 \u4f60", "\u00c7OCUK a\u0301 \u4f60"),
        ("", ""),
    ],
)
def test_emoji_become_words_and_everything_else_stays(text: str, wanted: str):
    assert normalise(text) == wanted


def test_every_replacement_is_one_code_point_and_stable_under_a_second_pass():
    for char, words in REPLACE.items():
        assert len(char) == 1
        assert normalise(words) == words


def test_isolated_ranges_are_ascending_and_disjoint():
    flat = [point for pair in ISOLATE for point in pair]
    assert flat == sorted(flat)


def test_roughened_text_has_no_punctuation_and_is_the_same_for_the_same_seed():
    text = "I'm so well-prepared, honestly! Aren't you? Something wonderful happened yesterday."
    once, twice = (roughen(text, np.random.default_rng(1)) for _ in range(2))
    assert once == twice
    assert once.startswith("Im so well")
    assert all(char.isalnum() or char == " " for char in once)


def test_short_words_are_never_misspelt():
    text = "I am so sad and my dog is old " * 20
    assert roughen(text, np.random.default_rng(0)).split() == text.split()
