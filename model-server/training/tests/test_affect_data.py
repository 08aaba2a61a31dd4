"""Examples: the label is the speaker's (E05), the published protocol is counted, passes do not repeat."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from affect_tiny import conversation, corpus, tiny_tokenizer

from affect.batches import collate, shuffled_batches, sorted_batches
from affect.constants import LABELS
from affect.data import (
    cached_encoding,
    encode_conversations,
    history_examples,
    read_conversations,
    rough_copy,
    situation_examples,
    speaker_ends,
    training_examples,
)
from affect.inputs import Marks

TOKENIZER = tiny_tokenizer()
MARKS = Marks.of(TOKENIZER)


def encoded(size: int):
    return encode_conversations(corpus(size), TOKENIZER)


def last_mark(ids: list[int]) -> int:
    return [index for index in ids if index in (MARKS.speaker, MARKS.listener)][-1]


def test_there_are_32_labels_in_alphabetical_order():
    assert len(LABELS) == 32
    assert list(LABELS) == sorted(set(LABELS))


def test_a_listener_turn_is_never_what_is_labelled():
    items = encoded(20)
    examples = [
        *history_examples(items, MARKS),
        *situation_examples(items, MARKS),
        *training_examples(items, items, MARKS, 0, seed=1),
        *training_examples(items, items, MARKS, 1, seed=1),
    ]
    assert examples
    assert all(last_mark(example.ids) == MARKS.speaker for example in examples)


def test_histories_end_on_speaker_turns_only():
    turns = (("speaker", ""), ("listener", ""), ("listener", ""), ("speaker", ""))
    assert speaker_ends(turns) == [1, 4]


def test_the_protocol_has_one_prediction_per_listener_turn():
    items = encode_conversations([conversation(1, turns=6), conversation(2, turns=3)], TOKENIZER)
    assert len(history_examples(items, MARKS)) == 3 + 1


def test_no_prediction_reads_the_listener_turn_that_it_comes_before():
    (first, second) = history_examples(encode_conversations([conversation(1, turns=4)], TOKENIZER), MARKS)
    assert MARKS.listener not in first.ids
    assert second.ids.count(MARKS.listener) == 1


def test_two_passes_show_every_history_and_every_situation_once():
    items = encoded(10)
    seen = [
        sum(MARKS.listener in example.ids for example in training_examples(items, items, MARKS, number, seed=3))
        for number in (0, 1)
    ]
    assert sum(seen) == 10  # the longer of each conversation's two histories
    both = [len(training_examples(items, items, MARKS, number, seed=3)) for number in (0, 1)]
    assert both == [15, 15]


def test_a_pass_is_the_same_again_for_the_same_seed():
    items = encoded(10)
    assert training_examples(items, items, MARKS, 1, seed=3) == training_examples(items, items, MARKS, 1, seed=3)


def test_a_rough_copy_keeps_conversation_label_and_number_of_turns():
    item = conversation(1)
    rough = rough_copy(item)
    assert rough == rough_copy(item)
    assert (rough.conv_id, rough.label, len(rough.turns)) == (item.conv_id, item.label, len(item.turns))


def test_token_ids_are_read_from_disk_the_second_time(tmp_path: Path):
    row = {"conv_id": "c", "emotion": "sad", "situation": "lost", "turns": [{"role": "speaker", "text": "my dog_comma_"}]}
    source = tmp_path / "valid.jsonl"
    source.write_text(json.dumps(row) + "\n\n", encoding="utf-8")
    assert read_conversations(source)[0].turns == (("speaker", "my dog,"),)
    first = cached_encoding(source, TOKENIZER, tmp_path / "cache")
    (kept,) = (tmp_path / "cache").iterdir()
    before = kept.stat().st_mtime_ns
    assert cached_encoding(source, TOKENIZER, tmp_path / "cache") == first
    assert kept.stat().st_mtime_ns == before


def test_batches_cover_every_example_once():
    lengths = list(np.random.default_rng(0).integers(3, 60, size=501))
    for batches in (shuffled_batches(lengths, 8, np.random.default_rng(1)), sorted_batches(lengths, 8)):
        assert sorted(np.concatenate(batches)) == list(range(501))
        assert max(len(batch) for batch in batches) == 8


def test_padding_is_masked():
    short, long = encode_conversations([conversation(1, turns=1), conversation(2, turns=3)], TOKENIZER)
    examples = [*training_examples([short], [short], MARKS, 1, 0), *training_examples([long], [long], MARKS, 1, 0)]
    ids, mask, labels = collate(examples, MARKS.pad)
    assert ids.shape == mask.shape
    assert mask.sum(1).tolist() == [len(example.ids) for example in examples]
    assert bool((ids[mask == 0] == MARKS.pad).all())
    assert labels.tolist() == [example.label for example in examples]
