"""The slot format: every target one position before its token, no label among the inputs."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from lm_tiny import encoder, one_example, persona, sample, wrapping

from lm import slots
from lm.format import Conversation, Example, build

DISTRACTOR = (5, 6, 7)


def examples(seed: int, conversations: tuple[Conversation, ...]) -> list[Example]:
    rng = random.Random(seed)
    return [
        build(c, wrapping(), list(persona()) if rng.random() < 0.75 else None, rng, [DISTRACTOR], judged=judged_of(c, rng))
        for c in conversations
    ]


def judged_of(conversation: Conversation, rng: random.Random) -> int:
    return rng.choice([i for i, t in enumerate(conversation.turns) if not t.speaker])


@pytest.mark.parametrize("seed", range(20))
def test_emotion_and_judgement_tokens_are_never_inputs(seed: int):
    labels = {*slots.EMOTION_IDS, slots.GOOD, slots.BAD}
    for example in examples(seed, sample()):
        assert not labels & {*example.ids, *example.branches[0]}


@pytest.mark.parametrize("seed", range(20))
def test_changing_the_gold_emotion_leaves_every_input_identical(seed: int):
    changed = tuple(replace(c, emotion=(c.emotion + 7) % 32) for c in sample())
    for before, after in zip(examples(seed, sample()), examples(seed, changed), strict=True):
        assert (before.ids, before.branches, before.fork) == (after.ids, after.branches, after.fork)
        assert before.affect != after.affect


@pytest.mark.parametrize("number", range(10))
def test_every_intent_stands_right_after_its_own_intent_slot(number: int):
    known = {*slots.INTENT_IDS, slots.ANY_INTENT}
    example = one_example(number, intent_dropout=0.0)
    placed = [i for i, token in enumerate(example.ids) if token in known]
    assert placed == [i + 1 for i, token in enumerate(example.ids) if token == slots.INTENT]
    listeners = [t for t in sample()[number].turns if not t.speaker]
    assert [example.ids[i] for i in placed] == [
        slots.ANY_INTENT if t.intent is None else slots.INTENT_IDS[t.intent] for t in listeners
    ]


@pytest.mark.parametrize("turn", [1, 3])
def test_the_intent_of_a_turn_changes_no_input_before_its_own_slot(turn: int):
    conversation = sample()[0]
    turns = list(conversation.turns)
    turns[turn] = replace(turns[turn], intent=8)
    before = build(conversation, wrapping(), None, None, intent_dropout=0.0)
    after = build(replace(conversation, turns=tuple(turns)), wrapping(), None, None, intent_dropout=0.0)
    different = [i for i, (a, b) in enumerate(zip(before.ids, after.ids, strict=True)) if a != b]
    slot = [i for i, token in enumerate(before.ids) if token == slots.INTENT][turn // 2]
    assert different == [slot + 1]


def test_an_intent_may_be_dropped_to_any_without_losing_its_target():
    dropped, kept = one_example(0, intent_dropout=1.0), one_example(0, intent_dropout=0.0)
    assert dropped.intent == kept.intent
    assert not set(slots.INTENT_IDS) & set(dropped.ids)
    assert dropped.ids.count(slots.ANY_INTENT) == 2


def test_a_listener_turn_labelled_as_emotion_gives_any_and_no_intent_target():
    assert sample()[3].turns[1].intent is None
    example = one_example(3, intent_dropout=0.0)
    assert example.intent == []
    assert example.ids[example.ids.index(slots.INTENT) + 1] == slots.ANY_INTENT
    assert len(example.affect) == 1


@pytest.mark.parametrize("seed", range(20))
def test_each_target_is_the_token_that_follows_its_position(seed: int):
    for conversation, example in zip(sample(), examples(seed, sample()), strict=True):
        both = example.ids + example.branches[0]
        replies = [t.ids for t in conversation.turns if not t.speaker]
        assert all(both[p + 1] == token for p, token in example.lm)
        assert all(p < len(example.ids) for p, _ in example.lm)
        assert tuple(t for _, t in example.lm) == sum(((*r, slots.IM_END) for r in replies), ())
        assert [both[p] for p, _ in example.affect] == [slots.AFFECT] * len(replies)
        assert {t for _, t in example.affect} == {slots.EMOTION_IDS[conversation.emotion]}
        assert all(both[p] == slots.INTENT for p, _ in example.intent)


@pytest.mark.parametrize("seed", range(20))
def test_the_judged_reply_and_its_distractor_end_at_a_judge_slot_after_the_same_context(seed: int):
    for conversation, example in zip(sample(), examples(seed, sample()), strict=True):
        (good, good_label), (bad, bad_label) = example.judge
        assert (good_label, bad_label) == (slots.GOOD, slots.BAD)
        assert example.ids[good] == slots.JUDGE
        assert bad == len(example) - 1
        assert example.branches == [[*DISTRACTOR, slots.IM_END, slots.JUDGE]]
        assert example.ids[example.fork - 1] == slots.INTENT
        judged = tuple(example.ids[example.fork + 1 : good - 1])
        assert judged in [t.ids for t in conversation.turns if not t.speaker]
        assert example.ids[good - 1] == slots.IM_END


def test_the_turn_that_competes_with_distractors_has_no_intent_told():
    for index in (1, 3):
        example = build(sample()[0], wrapping(), None, None, [DISTRACTOR], intent_dropout=0.0, judged=index)
        assert example.ids[example.fork] == slots.ANY_INTENT
        assert len(set(slots.INTENT_IDS) & set(example.ids)) == 1
        assert len(example.intent) == 2


def test_an_emotion_told_is_the_predicted_one_between_the_slots_and_leaves_the_target_alone():
    turns = tuple(replace(t, told=None if t.speaker else 5) for t in sample()[0].turns)
    told = replace(sample()[0], turns=turns)
    example = build(told, wrapping(), None, random.Random(0), told_share=1.0)
    placed = [i for i, token in enumerate(example.ids) if token in slots.EMOTION_IDS]
    assert [example.ids[i - 1 : i + 2] for i in placed] == [
        [slots.AFFECT, slots.EMOTION_IDS[5], slots.INTENT]
    ] * 2
    assert {t for _, t in example.affect} == {slots.EMOTION_IDS[told.emotion]}
    assert {p for p, _ in example.affect} == {i - 1 for i in placed}


def test_no_emotion_is_told_in_evaluation_or_when_the_share_is_zero():
    turns = tuple(replace(t, told=5) for t in sample()[0].turns)
    told = replace(sample()[0], turns=turns)
    for example in (build(told, wrapping(), None, None), build(told, wrapping(), None, random.Random(0), told_share=0)):
        assert not set(slots.EMOTION_IDS) & set(example.ids)


def test_a_conversation_reads_as_chatml_with_slots():
    text = encoder().tokenizer.decode([t for t in one_example(3).ids if t < slots.BASE_VOCAB_SIZE], skip_special_tokens=False)
    assert text == (
        "<|im_start|>user\nSomeone scratched my car and drove off.<|im_end|>\n"
        "<|im_start|>assistant\nOh no! That would make me furious too.<|im_end|>\n"
    )
    system = build(sample()[3], wrapping(), list(persona()), None).ids
    assert system[len(system) - len(one_example(3).ids) :] == one_example(3).ids
    assert encoder().tokenizer.decode(system[: len(persona()) + 5], skip_special_tokens=False) == (
        f"<|im_start|>system\n{slots.DEFAULT_PERSONA}<|im_end|>\n"
    )


def test_a_trailing_speaker_turn_is_left_out():
    conversation = sample()[2]
    assert [t.speaker for t in conversation.turns] == [True, False, True]
    shorter = replace(conversation, turns=conversation.turns[:2])
    assert one_example(2) == build(shorter, wrapping(), None, None)


def test_a_conversation_without_a_reply_teaches_nothing():
    silent = replace(sample()[0], turns=sample()[0].turns[:1])
    assert build(silent, wrapping(), None, random.Random(0), [DISTRACTOR]).lm == []


def test_the_last_reply_is_judged_unless_another_one_is_named():
    example = one_example(0, distractors=[DISTRACTOR])
    last = max(i for i, token in enumerate(example.ids) if token == slots.JUDGE)
    assert example.judge[0] == (last, slots.GOOD)


def test_the_added_tokens_are_a_file_format():
    assert len(slots.ADDED_TOKENS) == len(set(slots.ADDED_TOKENS)) == 64
    assert (slots.AFFECT, slots.INTENT, slots.JUDGE) == (49_152, 49_153, 49_154)
    assert slots.EMOTION_IDS == tuple(range(49_155, 49_187))
    assert slots.INTENT_IDS == tuple(range(49_187, 49_196))
    assert (slots.ANY_INTENT, slots.GOOD, slots.BAD) == (49_196, 49_197, 49_198)
    assert list(slots.EMOTIONS) == sorted(slots.EMOTIONS)
