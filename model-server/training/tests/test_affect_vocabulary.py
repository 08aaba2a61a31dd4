"""The trimmed vocabulary keeps what a fallback needs and nothing of the corpus' escapes (T09)."""

from __future__ import annotations

import json
from collections import Counter

from affect_tiny import VOCABULARY, tiny_tokenizer

from affect.data import clean
from affect.vocabulary import build_tokenizer, count_types, tokenizer_json, trim

FULL = ["[PAD]", "[unused0]", "[unused1]", "[unused2]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
        "a", "##a", "\u5f00", "the", "##ing", "rare", "_comma_"]  # fmt: skip


def kept(counts: dict[str, int], size: int) -> list[str]:
    return [FULL[index] for index in trim(FULL, Counter(counts), size)]


def test_specials_marks_and_single_characters_stay_even_when_never_seen():
    tokens = kept({"the": 5}, size=11)
    assert tokens == ["[PAD]", "[unused0]", "[unused1]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##a", "\u5f00", "the"]


def test_the_rest_is_filled_by_frequency():
    assert "##ing" in kept({"##ing": 3, "the": 2}, size=11)
    assert "the" not in kept({"##ing": 3, "the": 2}, size=11)


def test_other_unused_rows_never_fill_the_vocabulary():
    assert "[unused2]" not in kept({}, size=len(FULL))


def test_escapes_of_the_corpus_are_undone_before_counting():
    assert clean("well_comma_ I was sad_pipe_") == "well, I was sad|"
    counts = count_types(tiny_tokenizer(), [clean("sad_comma_ dog")])
    assert counts == {"sad": 1, ",": 1, "dog": 1}


def test_an_escape_in_user_text_stays_three_literal_pieces():
    tokens = tiny_tokenizer().encode("_comma_", add_special_tokens=False).tokens
    assert tokens[0] == tokens[-1] == "_"
    assert "_comma_" not in tokens


def test_the_file_declares_no_added_tokens_and_no_post_processor():
    content = json.loads(tokenizer_json(VOCABULARY))
    assert content["added_tokens"] == []
    assert content["post_processor"] is None


def test_a_word_outside_the_vocabulary_falls_back_to_its_letters():
    tokens = build_tokenizer(VOCABULARY).encode("zebra", add_special_tokens=False).tokens
    assert tokens == ["z", "##e", "##b", "##r", "##a"]
