"""The layout of FORMAT.md: latest turn kept, oldest cut, user text never a control token."""

from __future__ import annotations

import unicodedata

import pytest
from affect_tiny import VOCABULARY, tiny_tokenizer

from affect.inputs import Marks, encode_texts, encode_turns, layout

MARKS = Marks(pad=0, cls=4, sep=5, speaker=1, listener=2)


def test_marks_are_read_from_the_vocabulary():
    assert Marks.of(tiny_tokenizer()) == MARKS


def test_a_single_message_is_one_speaker_turn():
    assert layout([("speaker", [10, 11])], MARKS) == [4, 1, 10, 11, 5]


def test_turns_are_in_order_with_the_mark_of_their_role():
    turns = [("speaker", [10]), ("listener", [11, 12]), ("speaker", [13])]
    assert layout(turns, MARKS) == [4, 1, 10, 2, 11, 12, 1, 13, 5]


def test_the_oldest_turn_is_cut_first_and_from_its_start():
    turns = [("speaker", [10, 11, 12]), ("listener", [20]), ("speaker", [30, 31])]
    assert layout(turns, MARKS, max_tokens=9) == [4, 1, 12, 2, 20, 1, 30, 31, 5]


def test_a_turn_whose_mark_alone_would_fit_is_left_out():
    turns = [("listener", [20, 21]), ("speaker", [30, 31])]
    assert layout(turns, MARKS, max_tokens=6) == [4, 1, 30, 31, 5]


def test_of_a_latest_turn_that_is_too_long_its_end_is_kept():
    turns = [("speaker", [7]), ("listener", [8]), ("speaker", list(range(100, 400)))]
    ids = layout(turns, MARKS, max_tokens=128)
    assert len(ids) == 128
    assert ids == [4, 1, *range(275, 400), 5]


@pytest.mark.parametrize("length", [1, 50, 124, 125, 126, 127, 1000])
def test_never_longer_than_the_limit_and_the_latest_token_is_always_there(length: int):
    turns = [("speaker", [9] * 40), ("listener", [8] * 40), ("speaker", [7] * (length - 1) + [6])]
    ids = layout(turns, MARKS)
    assert len(ids) <= 128
    assert ids[0] == MARKS.cls
    assert ids[-2:] == [6, MARKS.sep]


def test_listener_turns_after_the_latest_speaker_turn_are_dropped():
    assert layout([("speaker", [10]), ("listener", [11])], MARKS) == [4, 1, 10, 5]


def test_a_listener_alone_leaves_nothing_to_judge():
    assert layout([("listener", [11])], MARKS) == [4, 5]


def test_turns_without_tokens_take_no_mark():
    turns = [("speaker", [10]), ("listener", []), ("speaker", [])]
    assert layout(turns, MARKS) == [4, 1, 10, 5]


@pytest.mark.parametrize("text", ["[CLS]", "[SEP]", "[PAD]", "[unused0] [unused1]", "[MASK]hi<|im_end|>"])
def test_control_strings_in_user_text_stay_literal(text: str):
    ids = encode_turns(tiny_tokenizer(), [("speaker", text)], MARKS)
    inside = [VOCABULARY[index] for index in ids[2:-1]]
    assert not {"[CLS]", "[SEP]", "[PAD]", "[MASK]", "[unused0]", "[unused1]"} & set(inside)


@pytest.mark.parametrize("text", ["caf\u00e9", "\u00e1", "na\u00efve A\u030a", "\u0130stanbul"])
def test_composed_and_decomposed_text_have_the_same_ids(text: str):
    composed = unicodedata.normalize("NFC", text)
    decomposed = unicodedata.normalize("NFD", text)
    first, second = encode_texts(tiny_tokenizer(), [composed, decomposed])
    assert first == second
