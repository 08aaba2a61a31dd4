"""Batches: the mask keeps trunk and branch apart, and an epoch can be walked again by its seed."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
import torch
from lm_tiny import encoder, hidden, one_example, persona, sample, tiny_model, wrapping

from lm import batching, slots
from lm.distractors import DISTRACTORS, Distractors, topic_of
from lm.format import MAX_TOKENS, Conversation, Example, Turn, build

#: float32 sums in another order, over hidden states near 1.
TOLERANCE = 1e-5
DISTRACTOR = (500, 501, 502, 503, 504)


def judged(number: int = 0, *distractors: tuple[int, ...], seed: int = 1) -> Example:
    """A conversation of which a random reply competes with the given replies (default: one)."""
    rng = random.Random(seed)
    turn = rng.choice([i for i, t in enumerate(sample()[number].turns) if not t.speaker])
    wrong = distractors or (DISTRACTOR,)
    return build(sample()[number], wrapping(), list(persona()), rng, wrong, judged=turn)


def model():
    return tiny_model(sharp=True)


def close(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape == b.shape and bool((a - b).abs().max() < TOLERANCE)


@pytest.mark.parametrize("seed", range(4))
def test_the_trunk_does_not_see_the_branch(seed: int):
    one, other = judged(seed=seed), judged(0, (900, 901, 902), seed=seed)
    trunk = len(one.ids)
    a, b = hidden(model(), [one])[0], hidden(model(), [other])[0]
    assert one.ids == other.ids
    assert close(a[:trunk], b[:trunk])
    assert not close(a[trunk : trunk + 3], b[trunk : trunk + 3])


@pytest.mark.parametrize("seed", range(4))
def test_the_branch_does_not_see_the_true_reply_nor_anything_after_it(seed: int):
    example = judged(seed=seed)
    changed = replace(example, ids=example.ids[: example.fork + 1] + [7] * (len(example.ids) - example.fork - 1))
    trunk = len(example.ids)
    a, b = hidden(model(), [example])[0], hidden(model(), [changed])[0]
    assert close(a[trunk : len(example)], b[trunk : len(example)])
    assert not close(a[example.fork + 1 : trunk], b[example.fork + 1 : trunk])


@pytest.mark.parametrize("seed", range(4))
def test_the_branch_reads_like_the_plain_sequence_of_context_and_distractor(seed: int):
    example = judged(seed=seed)
    plain = Example(ids=example.ids[: example.fork + 1] + example.branches[0])
    a = hidden(model(), [example])[0, len(example.ids) : len(example)]
    b = hidden(model(), [plain])[0, example.fork + 1 : len(plain)]
    assert close(a, b)


def test_branches_do_not_see_one_another():
    together = judged(0, DISTRACTOR, (900, 901, 902), (7, 8))
    states = hidden(model(), [together])[0]
    start = len(together.ids)
    for branch in together.branches:
        alone = judged(0, tuple(branch[:-2]))
        expected = hidden(model(), [alone])[0, len(alone.ids) : len(alone)]
        assert close(states[start : start + len(branch)], expected)
        start += len(branch)


def test_a_group_names_the_true_reply_and_its_distractors_in_order():
    examples = [judged(0, DISTRACTOR, (7, 8)), one_example(1), judged(2, (9,))]
    batch = batching.collate(examples)
    assert batch.groups == [[0, 1, 2], [3, 4]]
    labels = batch.targets["judge"][1]
    assert [labels[g].tolist() for g in batch.groups] == [
        [slots.GOOD, slots.BAD, slots.BAD], [slots.GOOD, slots.BAD]
    ]  # fmt: skip


def test_the_trunk_reads_like_an_unmasked_forward_pass_of_the_model():
    example = judged()
    with torch.no_grad():
        plain = model().eval().model(input_ids=torch.tensor([example.ids])).last_hidden_state[0]
    assert close(hidden(model(), [example])[0, : len(example.ids)], plain)


def test_padding_and_neighbours_in_a_batch_change_nothing():
    examples = [judged(n) for n in range(6)]
    together = hidden(model(), examples)
    for row, example in zip(together, examples, strict=True):
        assert close(row[: len(example)], hidden(model(), [example])[0, : len(example)])


def test_flat_targets_point_at_the_same_tokens_as_the_examples():
    examples = [judged(n) for n in range(6)]
    batch = batching.collate(examples)
    flat, length = batch.ids.flatten(), batch.ids.shape[1]
    positions, targets = batch.targets["lm"]
    assert torch.equal(flat[positions + 1], targets)
    for head, slot in (("affect", slots.AFFECT), ("intent", slots.INTENT), ("judge", slots.JUDGE)):
        assert set(flat[batch.targets[head][0]].tolist()) == {slot}
    assert batch.targets["judge"][0].tolist() == [
        row * length + p for row, e in enumerate(examples) for p, _ in e.judge
    ]
    assert batch.tokens == sum(map(len, examples))


def corpus(size: int = 300) -> list[Conversation]:
    """Short made-up conversations of random ids, every fourth one without labels (persona)."""
    rng = random.Random(0)

    def turn(speaker: bool) -> Turn:
        ids = tuple(rng.randrange(100, 4_000) for _ in range(rng.randint(2, 20)))
        return Turn(speaker, ids, None if speaker else rng.randrange(9))

    return [
        Conversation(f"c:{n}", None if n % 4 == 0 else n % 3, tuple(turn(i % 2 == 0) for i in range(4)))
        for n in range(size)
    ]


def walk(
    seed: int, conversations: list[Conversation] | None = None, layout: batching.Layout = batching.Layout()
) -> list[batching.Batch]:
    return list(batching.epoch(conversations or corpus(), wrapping(), list(persona()), seed, 1_024, layout))


def first_texts(batches: list[batching.Batch]) -> Counter:
    """How often each conversation, known by its first user turn, starts a row."""
    found: Counter = Counter()
    for batch in batches:
        for row in batch.ids.tolist():
            start = row.index(slots.IM_START, 1) if row[: len(wrapping().system)] == wrapping().system else 0
            found[tuple(row[start : row.index(slots.IM_END, start)])] += 1
    return found


def test_the_same_seed_gives_the_same_batches_and_another_seed_others():
    one, again, other = walk(1), walk(1), walk(2)
    assert all(torch.equal(a.ids, b.ids) for a, b in zip(one, again, strict=True))
    assert [b.ids.tolist() for b in one] != [b.ids.tolist() for b in other]


def test_an_epoch_holds_every_conversation_once_within_the_token_budget():
    batches = walk(3)
    assert sum(len(b.ids) for b in batches) == 300
    assert first_texts(batches) == Counter(
        tuple([*wrapping().user, *c.turns[0].ids]) for c in corpus()
    )
    assert max(b.ids.numel() for b in batches) <= 1_024 + 16 * max(len(b.ids) for b in batches)


def test_three_quarters_of_the_labelled_dialogues_start_with_the_persona_and_no_other_without_one_of_its_own():
    system = wrapping().system
    persona_of = {tuple([*wrapping().user, *c.turns[0].ids]): c.emotion is None for c in corpus()}
    counts: Counter = Counter()
    for batch in walk(4):
        for row in batch.ids.tolist():
            has = row[: len(system)] == system
            start = row.index(slots.IM_START, 1) if has else 0
            counts[persona_of[tuple(row[start : row.index(slots.IM_END, start)])], has] += 1
    assert counts[True, True] == 0
    assert 0.65 < counts[False, True] / (counts[False, True] + counts[False, False]) < 0.85


def themed(n: int, emotion: int, topic: int) -> Conversation:
    """A speaker turn of a topic's word and one of its own, and a reply of its own."""
    return Conversation(f"c:{n}", emotion, (Turn(True, (1_000 + topic, n + 5_000)), Turn(False, (n + 100,))))


WORDS = frozenset(range(1_000, 1_100))


def test_distractors_are_one_of_the_emotion_one_of_the_topic_and_two_of_any_conversation():
    # Twenty-five emotions and twenty topics of ten conversations: chance alone hits neither often.
    conversations = [themed(n, n % 25, n % 20) for n in range(200)]
    pool = Distractors(conversations, WORDS)
    rng = random.Random(0)
    hits = [0, 0, 0, 0]
    for c in conversations:
        drawn = pool.draw(c, c.turns[1].ids, rng)
        assert len(drawn) == DISTRACTORS
        origins = [conversations[reply[0] - 100] for reply in drawn]
        assert c not in origins
        for place, origin in enumerate(origins):
            same_topic = origin.turns[0].ids[0] == c.turns[0].ids[0]
            hits[place] += same_topic if place == 1 else origin.emotion == c.emotion
    assert hits[:2] == [200, 200]
    assert hits[2] < 40 and hits[3] < 40


def test_a_topic_is_a_word_that_is_neither_everywhere_nor_nearly_nowhere():
    everywhere, rare, piece, topic = 1_000, 1_001, 2_000, 1_002
    frequency = Counter({everywhere: 500, rare: 2, piece: 20, topic: 20})
    conversation = Conversation("c", 0, (Turn(True, (everywhere, rare, piece, topic)), Turn(False, (1,))))
    assert topic_of(conversation, frequency, WORDS) == topic
    assert topic_of(conversation, Counter({everywhere: 500, piece: 20}), WORDS) is None


def test_words_of_the_tokenizer_begin_with_a_blank_and_have_four_letters():
    tokens = {encoder().tokenizer.id_to_token(i)[1:] for i in encoder().words}
    assert {"school", "dog"} & tokens == {"school"}
    assert len(encoder().words) > 10_000


def test_no_distractor_is_the_true_reply_or_of_the_same_conversation_even_where_that_leaves_none():
    twins = [themed(0, 0, 0), themed(1, 0, 0)]
    same = replace(twins[1], turns=(twins[1].turns[0], twins[0].turns[1]))
    assert Distractors([twins[0], same], WORDS).draw(twins[0], twins[0].turns[1].ids, random.Random(0)) == []
    assert set(Distractors(twins, WORDS).draw(twins[0], twins[0].turns[1].ids, random.Random(0))) == {(101,)}


def test_half_of_the_labelled_conversations_are_judged_and_no_other():
    groups = [g for batch in walk(5) for g in batch.groups]
    labelled = sum(c.emotion is not None for c in corpus())
    assert 0.4 < len(groups) / labelled < 0.6
    assert {len(g) for g in groups} == {1 + DISTRACTORS}
    assert not [b for b in walk(5, layout=batching.Layout(judged_share=0)) if b.groups]


def test_a_conversation_with_a_persona_of_its_own_starts_with_it():
    own = Conversation("own", None, (Turn(True, (300,)), Turn(False, (301,))), persona=(302, 303))
    (batch,) = walk(0, [own])
    start = [*wrapping().system, 302, 303, *wrapping().close()]
    assert batch.ids[0, : len(start)].tolist() == start


def test_evaluation_tells_emotions_only_when_asked():
    told = [replace(c, turns=tuple(replace(t, told=3) for t in c.turns)) for c in sample()]
    (plain,) = batching.evaluation(told, wrapping(), list(persona()), tokens_per_batch=10**6)
    (with_emotions,) = batching.evaluation(told, wrapping(), list(persona()), tokens_per_batch=10**6, told=True)
    replies = sum(not t.speaker for c in told for t in c.turns)
    assert (plain.ids == slots.EMOTION_IDS[3]).sum() == 0
    assert (with_emotions.ids == slots.EMOTION_IDS[3]).sum() >= replies - len(told)


def test_a_conversation_over_the_limit_and_one_without_a_reply_are_left_out():
    long = Conversation("long", 1, (Turn(True, (9,) * MAX_TOKENS), Turn(False, (9,))))
    silent = Conversation("silent", 1, (Turn(True, (9, 9)),))
    assert sum(len(b.ids) for b in walk(6, [*corpus(20), long, silent])) == 20


def test_packing_never_exceeds_the_budget_except_for_a_single_long_example():
    packed = batching.pack([one_example(n) for n in range(10)] * 3, 300)
    assert sum(map(len, packed)) == 30
    assert all(len(b) == 1 or max(map(len, b)) * len(b) <= 300 for b in packed)
