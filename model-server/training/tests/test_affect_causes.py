"""Cause labels: spans to tokens, the Bayes estimate, and nothing of RECCON's held-out dialogues."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from affect_tiny import corpus, tiny_tokenizer

from affect.constants import LABELS
from affect.data import encode_conversations
from affect.inputs import Marks, layout
from affect.tasks import causes

TOKENIZER = tiny_tokenizer()
MARKS = Marks.of(TOKENIZER)


def turn(number: int, speaker: str, text: str, emotion: str = "neutral", **cause: list) -> dict:
    return {
        "turn": number,
        "speaker": speaker,
        "utterance": text,
        "emotion": emotion,
        **{f"expanded emotion cause {kind}": value for kind, value in cause.items()},
    }


DIALOGUE = [
    turn(1, "A", "Why?"),
    turn(2, "B", "I lost my dog.", "sadness", evidence=[2], span=["lost my dog"]),
    turn(3, "A", "My dog got lost, too.", "sadness", evidence=[2, 3, "b"], span=["lost my dog", "got lost", "latent"]),
]


def folder_of(tmp_path: Path, train: dict, valid: dict, test: dict) -> Path:
    for name, content in (("train", train), ("valid", valid), ("test", test)):
        wrapped = {key: [turns] for key, turns in content.items()}
        (tmp_path / f"dailydialog_{name}.json").write_text(json.dumps(wrapped), encoding="utf-8")
    return tmp_path


def tokens_with_cause(example: causes.CauseExample) -> list[str]:
    pairs = zip(example.ids, example.targets, strict=True)
    return [TOKENIZER.id_to_token(token) for token, wanted in pairs if wanted == 1]


def test_one_conversation_for_each_emotional_turn_seen_from_its_speaker(tmp_path: Path):
    read = causes.read_reccon_training(folder_of(tmp_path, {"d1": DIALOGUE}, {}, {}))
    assert [[said.role for said in conversation] for conversation in read] == [
        ["listener", "speaker"],
        ["speaker", "listener", "speaker"],
    ]


def test_tokens_of_a_span_are_causes_and_marks_are_not_judged(tmp_path: Path):
    read = causes.read_reccon_training(folder_of(tmp_path, {"d1": DIALOGUE}, {}, {}))
    first, second = causes.encode_causes(read, TOKENIZER, MARKS, 128)
    assert tokens_with_cause(first) == ["lost", "my", "dog"]
    assert tokens_with_cause(second) == ["lost", "my", "dog", "got", "lost"]
    judged = [token for token, wanted in zip(first.ids, first.targets, strict=True) if wanted != causes.IGNORED]
    assert not {MARKS.cls, MARKS.sep, MARKS.speaker, MARKS.listener} & set(judged)


def test_the_ids_are_those_of_the_layout_that_serves(tmp_path: Path):
    read = causes.read_reccon_training(folder_of(tmp_path, {"d1": DIALOGUE}, {}, {}))
    for limit in (128, 9):
        example = causes.encode_causes(read, TOKENIZER, MARKS, limit)[1]
        roles = ["speaker" if said["speaker"] == "A" else "listener" for said in DIALOGUE]
        ids = [TOKENIZER.encode(said["utterance"], add_special_tokens=False).ids for said in DIALOGUE]
        wanted = layout(list(zip(roles, ids, strict=True)), MARKS, limit)
        assert example.ids == wanted
        assert len(example.targets) == len(wanted)


OTHER = [turn(1, "A", "Great dog!", "happiness", evidence=[1], span=["Great dog"])]
LONG_DIALOGUE = [
    turn(1, "A", "I lost my dog in the park last night."),
    turn(2, "B", "How did you get that great job so fast?"),
    turn(3, "A", "My job is great, but my dog is lost.", "sadness", evidence=[3], span=["my dog is lost"]),
]


@pytest.mark.parametrize("split", ["valid", "test"])
@pytest.mark.parametrize(
    ("copy", "held_out"),
    [
        # The same words in other case and spacing, as DailyDialog's own copy has them.
        ([{**said, "utterance": said["utterance"].lower().replace(" ", "  ")} for said in DIALOGUE], DIALOGUE),
        # Another first turn.
        ([turn(1, "A", "So?"), *LONG_DIALOGUE[1:]], LONG_DIALOGUE),
        # The held-out one is the end, or the middle, of a longer one.
        ([turn(1, "B", "Laughing."), *LONG_DIALOGUE], LONG_DIALOGUE),
        ([turn(1, "B", "Laughing."), *DIALOGUE, turn(5, "B", "How great.")], DIALOGUE),
        # It goes on, or ends early.
        (DIALOGUE[:2], DIALOGUE),
    ],
)
def test_a_dialogue_of_the_held_out_splits_is_never_trained_on(
    tmp_path: Path, split: str, copy: list[dict], held_out: list[dict]
):
    splits = {"valid": {}, "test": {}, split: {"x": held_out}}
    read = causes.read_reccon_training(folder_of(tmp_path, {"d1": copy, "d2": OTHER}, **splits))
    assert [said.text for conversation in read for said in conversation] == ["Great dog!"]


def test_a_phrase_in_common_does_not_make_two_dialogues_one(tmp_path: Path):
    other = [turn(1, "A", LONG_DIALOGUE[0]["utterance"], "sadness", evidence=[1], span=["lost my dog"])]
    mine = [*other, turn(2, "B", "Why?")]
    folder = folder_of(tmp_path, {"d1": mine}, {}, {"x": [LONG_DIALOGUE[0], turn(2, "B", "Got it.")]})
    assert len(causes.read_reccon_training(folder)) == 1


def test_words_that_tell_an_emotion_are_salient_and_words_of_all_are_not():
    encoded = encode_conversations(corpus(40), TOKENIZER)
    table = causes.bayes_table(encoded, TOKENIZER.get_vocab_size(), len(LABELS))
    sad, joyful = LABELS.index("sad"), LABELS.index("joyful")
    lost, job = TOKENIZER.token_to_id("lost"), TOKENIZER.token_to_id("job")
    assert table[sad, lost] > 0.2 > table[joyful, lost]
    assert table[joyful, job] > 0.2 > table[sad, job]
    assert table.min() >= 0 and table.max() <= 1


def test_the_weak_labels_judge_the_speaker_only():
    encoded = encode_conversations(corpus(40), TOKENIZER)
    table = causes.bayes_table(encoded, TOKENIZER.get_vocab_size(), len(LABELS))
    example = causes.weak_causes(encoded[:1], table, MARKS, 128, 1)[0]
    listener = set(TOKENIZER.encode("why how", add_special_tokens=False).ids)
    pairs = zip(example.ids, example.targets, strict=True)
    targets = np.array([wanted for token, wanted in pairs if token in listener])
    assert len(targets) and (targets == causes.IGNORED).all()
