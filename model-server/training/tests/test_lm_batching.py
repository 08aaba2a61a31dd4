"""Batches: the mask keeps trunk and branch apart, and an epoch can be walked again by its seed."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
import torch
from lm_tiny import hidden, one_example, persona, sample, tiny_model, wrapping

from lm import batching, slots
from lm.format import MAX_TOKENS, Conversation, Example, Turn, build

#: float32 sums in another order, over hidden states near 1.
TOLERANCE = 1e-5
DISTRACTOR = (500, 501, 502, 503, 504)


def judged(number: int = 0, distractor: tuple[int, ...] = DISTRACTOR, seed: int = 1) -> Example:
    return build(sample()[number], wrapping(), list(persona()), random.Random(seed), distractor)


def model():
    return tiny_model(sharp=True)


def close(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape == b.shape and bool((a - b).abs().max() < TOLERANCE)


@pytest.mark.parametrize("seed", range(4))
def test_the_trunk_does_not_see_the_branch(seed: int):
    one, other = judged(seed=seed), judged(seed=seed, distractor=(900, 901, 902))
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
    plain = Example(ids=example.ids[: example.fork + 1] + example.branch)
    a = hidden(model(), [example])[0, len(example.ids) : len(example)]
    b = hidden(model(), [plain])[0, example.fork + 1 : len(plain)]
    assert close(a, b)


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


def walk(seed: int, conversations: list[Conversation] | None = None) -> list[batching.Batch]:
    return list(batching.epoch(conversations or corpus(), wrapping(), list(persona()), seed, 1_024))


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


def test_three_quarters_of_the_labelled_and_all_persona_dialogues_start_with_the_persona():
    system = wrapping().system
    persona_of = {tuple([*wrapping().user, *c.turns[0].ids]): c.emotion is None for c in corpus()}
    counts: Counter = Counter()
    for batch in walk(4):
        for row in batch.ids.tolist():
            has = row[: len(system)] == system
            start = row.index(slots.IM_START, 1) if has else 0
            counts[persona_of[tuple(row[start : row.index(slots.IM_END, start)])], has] += 1
    assert counts[True, False] == 0
    assert 0.65 < counts[False, True] / (counts[False, True] + counts[False, False]) < 0.85


def test_half_of_the_distractors_come_from_the_same_emotion():
    conversations = [c for c in corpus() if c.emotion is not None]
    emotion_of = {t.ids: c.emotion for c in conversations for t in c.turns if not t.speaker}
    same = total = 0
    for batch in walk(5, conversations):
        (_, labels), length = batch.targets["judge"], batch.ids.shape[1]
        ends = batch.targets["judge"][0][labels == slots.BAD].tolist()
        affect = dict(zip((batch.targets["affect"][0] // length).tolist(), batch.targets["affect"][1].tolist()))
        for end in ends:
            row, column = divmod(end, length)
            ids = batch.ids[row, : column - 1].tolist()
            start = len(ids) - 1 - ids[::-1].index(slots.IM_END) if slots.IM_END in ids else 0
            # A branch follows the trunk's closing newline.
            reply = tuple(ids[start + 2 + len(wrapping().newline) :])
            same += slots.EMOTION_IDS[emotion_of[reply]] == affect[row]
            total += 1
    assert total == len(conversations)
    # Half by choice and a third of the others by chance (three emotions): two thirds.
    assert 0.57 < same / total < 0.77


def test_a_conversation_over_the_limit_and_one_without_a_reply_are_left_out():
    long = Conversation("long", 1, (Turn(True, (9,) * MAX_TOKENS), Turn(False, (9,))))
    silent = Conversation("silent", 1, (Turn(True, (9, 9)),))
    assert sum(len(b.ids) for b in walk(6, [*corpus(20), long, silent])) == 20


def test_packing_never_exceeds_the_budget_except_for_a_single_long_example():
    packed = batching.pack([one_example(n) for n in range(10)] * 3, 300)
    assert sum(map(len, packed)) == 30
    assert all(len(b) == 1 or max(map(len, b)) * len(b) <= 300 for b in packed)
