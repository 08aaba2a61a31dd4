"""Told emotions are predictions by a reader that did not see the conversation."""

from __future__ import annotations

import random
from dataclasses import replace

from lm import told
from lm.format import Conversation, Turn


def corpus(size: int = 400) -> list[Conversation]:
    """Each of four emotions has a word of its own, among others that say nothing."""
    rng = random.Random(0)

    def turn(speaker: bool, emotion: int) -> Turn:
        noise = [rng.randrange(1_000, 1_050) for _ in range(4)]
        return Turn(speaker, tuple([*noise, 500 + emotion] if speaker else noise))

    return [
        Conversation(f"c:{n}", n // 2 % 4, tuple(turn(i % 2 == 0, n // 2 % 4) for i in range(4)))
        for n in range(size)
    ]


def test_the_words_of_the_speaker_predict_and_only_listener_turns_are_told():
    found = told.tell(corpus(4_000))
    hits = [t.told == c.emotion for c in found for t in c.turns if not t.speaker]
    assert len(hits) == 8_000
    assert sum(hits) / len(hits) > 0.9
    assert {t.told for c in found for t in c.turns if t.speaker} == {None}


def test_a_conversation_is_told_by_the_others_and_never_by_its_own_label():
    before = corpus()
    changed = [replace(before[0], emotion=3), *before[1:]]
    one, other = told.tell(before), told.tell(changed)
    assert [t.told for t in one[0].turns] == [t.told for t in other[0].turns]


def test_conversations_without_a_label_stay_as_they_are():
    plain = [Conversation("p", None, (Turn(True, (5,)), Turn(False, (6,)))), *corpus(8)]
    assert told.tell(plain)[0] == plain[0]


def test_telling_twice_gives_the_same():
    assert told.tell(corpus(40)) == told.tell(corpus(40))
