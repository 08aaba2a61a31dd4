"""Reading answers, the rules of the quality filter, and the selection of synthetic dialogues."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from lm.synthesise import centres, quality, seeds

SEED = seeds.Seed("sad", "My cat died last week after a very long illness and I miss her")


@pytest.mark.parametrize(
    "text",
    [
        "Speaker: Hello there.\nListener: Hi, how are you?",
        "**Speaker:** Hello there.\n\n**Listener:** Hi, how are you?",
        "speaker : Hello\nthere.\nLISTENER: Hi, how are you?\nSpeaker: and so on",
        "Here you go:\n- Speaker: Hello there.\n- Listener: Hi, how are you?",
    ],
)  # fmt: skip
def test_a_dialogue_is_read_from_the_forms_that_models_give_it(text: str):
    assert seeds.parse(text) == [
        {"role": "speaker", "text": "Hello there."}, {"role": "listener", "text": "Hi, how are you?"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["", "Sorry, no.", "Listener: Hi.\nSpeaker: Hello.", "Speaker: a\nSpeaker: b\nListener: c", "Speaker: alone",
     "Speaker:\nListener: Hi.", "Speaker: a\nListener: b\n" * 5],
)  # fmt: skip
def test_an_answer_that_is_no_dialogue_is_none(text: str):
    assert seeds.parse(text) is None


def fault(*texts: str, seed: seeds.Seed = SEED) -> str | None:
    roles = ("speaker", "listener")
    return quality.fault([{"role": roles[n % 2], "text": text} for n, text in enumerate(texts)], seed)


def test_a_good_dialogue_passes_the_filter():
    turns = seeds.parse(
        "Speaker: My dog passed away on Monday and the house feels empty.\n"
        "Listener: Oh no, losing a dog hurts. How long did you two have together?"
    )
    assert turns is not None
    assert quality.fault(turns, SEED) is None


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("length", ("Sad.", "I am sorry to hear about it.")),
        ("length", ("I lost my friend.", "word " * 61)),
        ("refusal", ("I lost my friend.", "As an AI language model I cannot feel that.")),
        ("refusal", ("I lost my friend.", "I\u2019m unable to help with this today.")),
        ("letters", ("Мне очень грустно сегодня", "Почему тебе так грустно")),
        ("placeholder", ("I lost my friend [Name].", "That must be hard on you.")),
        ("repetition", ("It hurts so it hurts so it hurts so it hurts so it hurts so", "I see you there.")),
        ("repetition", ("It is so hard now.", "it is so hard now.")),
        ("copy", ("My cat died last week after a very long illness", "I am so sorry for you.")),
    ],
)  # fmt: skip
def test_each_rule_of_the_filter_has_its_name(name: str, texts: tuple[str, str]):
    assert fault(*texts) == name


@pytest.mark.parametrize("text", ["I can't help but smile with you.", "You said it as an aid worker would."])
def test_a_phrase_that_looks_like_a_refusal_is_none(text: str):
    assert fault("I won the race of my life!", text) is None


def test_names_and_accents_of_another_language_do_not_fail_an_english_dialogue():
    assert fault("My café in Kraków burned down last night.", "Oh no, was anyone hurt in the fire?") is None


@pytest.mark.parametrize(
    ("code", "reason"),
    [("print('x')", "no number"), ("print(1); print(2)", "2 numbers for 1 rows"), ("raise SystemExit(3)", "status 3")],
)  # fmt: skip
def test_a_scorer_that_fails_is_named_and_its_numbers_are_not_guessed(tmp_path: Path, code: str, reason: str):
    script = tmp_path / "score.py"
    script.write_text(code)
    with pytest.raises(ValueError, match=reason):
        quality.scores([{"turns": []}], f"{sys.executable} {script}")


def test_k_centre_takes_one_of_each_cluster_before_a_second_of_any():
    rng = np.random.default_rng(0)
    middles = np.array([[0, 0], [10, 0], [0, 10], [10, 10]], dtype=np.float32)
    points = np.concatenate([middle + rng.normal(0, 0.1, (20, 2)) for middle in middles]).astype(np.float32)
    assert {number // 20 for number in centres.greedy(points, 4)} == {0, 1, 2, 3}


def test_k_centre_covers_at_least_as_well_as_twice_the_best_choice():
    points = np.random.default_rng(1).normal(size=(14, 3)).astype(np.float32)

    def radius(chosen: list[int]) -> float:
        return float(np.linalg.norm(points[:, None] - points[chosen], axis=2).min(axis=1).max())

    best = min(radius([a, b, c]) for a in range(14) for b in range(a) for c in range(b))
    assert radius(centres.greedy(points, 3)) <= 2 * best


def test_k_centre_gives_each_point_once_even_where_points_coincide():
    assert sorted(centres.greedy(np.zeros((5, 3), dtype=np.float32), 9)) == [0, 1, 2, 3, 4]
    assert centres.greedy(np.zeros((0, 3), dtype=np.float32), 2) == []


def test_texts_with_the_same_words_lie_together_and_others_apart():
    points = centres.embed(["my dog died today", "today my dog died", "we won the football cup", "!!!"])
    assert points[0] @ points[1] == pytest.approx(1, abs=1e-5)
    assert abs(points[0] @ points[2]) < 0.2
    assert not points[3].any()


@pytest.mark.parametrize(
    ("rows", "reason"), [([{"emotion": "sad"}, {"emotion": "hungry"}], r":2: emotion"), ([{}], ":1")]
)  # fmt: skip
def test_seeds_without_a_known_emotion_are_refused_with_their_line(tmp_path: Path, rows: list[dict], reason: str):
    path = tmp_path / "seeds.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"seeds\.jsonl{reason}"):
        seeds.read(path)


def test_an_empty_file_of_seeds_is_refused(tmp_path: Path):
    path = tmp_path / "seeds.jsonl"
    path.write_text("\n")
    with pytest.raises(ValueError, match="no seeds"):
        seeds.read(path)
