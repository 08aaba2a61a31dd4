"""Length-bucketed batches with a mask in which a distractor branch sees only its context."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import torch

from .distractors import Distractors
from .format import MAX_TOKENS, TOLD_SHARE, Conversation, Example, Wrapping, build

T = TypeVar("T", bound=Sized)

TOKENS_PER_BATCH = 2_048
BUCKET_BATCHES = 40
"""Batches whose examples are sorted together: enough for < 5 % padding, still shuffled."""
PERSONA_SHARE = 0.75
"""Share of labelled conversations that start with the default persona; the rest have no system turn."""
JUDGED_SHARE = 0.5
"""Share of labelled conversations of which one reply competes with distractors (a third more tokens)."""


@dataclass(frozen=True)
class Layout:
    """What the random choices of a pass may add (both are switched off in ablations)."""

    judged_share: float = JUDGED_SHARE
    told_share: float = TOLD_SHARE


@dataclass
class Batch:
    """Padded tensors. Targets are flat: positions index the flattened [batch * length]."""

    ids: torch.Tensor
    """int64 [batch, length]"""
    positions: torch.Tensor
    """int64 [batch, length], restarted at the fork for a branch"""
    mask: torch.Tensor
    """bool [batch, 1, length, length], True where attention is allowed"""
    targets: dict[str, tuple[torch.Tensor, torch.Tensor]]
    """head name -> (flat positions int64 [n], token ids int64 [n])"""
    tokens: int
    groups: list[list[int]]
    """Per judged context the indices into targets["judge"]: the true reply first."""


def collate(examples: list[Example], pad: int = 0) -> Batch:
    length = -(-max(len(e) for e in examples) // 16) * 16
    ids = torch.full((len(examples), length), pad, dtype=torch.long)
    positions = torch.arange(length).repeat(len(examples), 1)
    mask = torch.ones(length, length, dtype=torch.bool).tril().repeat(len(examples), 1, 1)
    targets: dict[str, list[tuple[int, int]]] = {k: [] for k in ("lm", "affect", "intent", "judge")}
    groups: list[list[int]] = []
    for row, example in enumerate(examples):
        ids[row, : len(example)] = torch.tensor([*example.ids, *chain.from_iterable(example.branches)])
        start = len(example.ids)
        for branch in example.branches:
            end = start + len(branch)
            positions[row, start:end] = torch.arange(len(branch)) + example.fork + 1
            mask[row, start:end, example.fork + 1 : start] = False
            start = end
        if len(example.judge) > 1:
            groups.append([len(targets["judge"]) + i for i in range(len(example.judge))])
        for head in targets:
            targets[head] += [(row * length + p, t) for p, t in getattr(example, head)]
    flat = {
        head: (
            torch.tensor([p for p, _ in pairs], dtype=torch.long),
            torch.tensor([t for _, t in pairs], dtype=torch.long),
        )
        for head, pairs in targets.items()
    }
    return Batch(ids, positions, mask.unsqueeze(1), flat, sum(len(e) for e in examples), groups)


def pack(examples: Sequence[T], tokens_per_batch: int) -> list[list[T]]:
    """Cut examples, sorted by length, into batches of at most `tokens_per_batch` tokens when padded to
    the longest (`collate` pads on to a multiple of 16); one that is longer alone is a batch."""
    batches: list[list[T]] = []
    current: list[T] = []
    for example in sorted(examples, key=len):
        if current and len(example) * (len(current) + 1) > tokens_per_batch:
            batches.append(current)
            current = []
        current.append(example)
    return [*batches, current] if current else batches


def epoch(
    conversations: list[Conversation],
    wrapping: Wrapping,
    persona: list[int],
    seed: int,
    tokens_per_batch: int = TOKENS_PER_BATCH,
    layout: Layout = Layout(),
) -> Iterator[Batch]:
    """Yield one shuffled pass; the same seed gives the same batches, so a run can resume."""
    rng = random.Random(seed)
    order = [c for c in conversations if any(not t.speaker for t in c.turns)]
    rng.shuffle(order)
    pool = Distractors(order, wrapping.words)

    def example_of(conversation: Conversation) -> Example:
        labelled = conversation.emotion is not None
        system = persona if labelled and rng.random() < PERSONA_SHARE else None
        replies = [i for i, t in enumerate(conversation.turns) if not t.speaker]
        judged = rng.choice(replies)
        wrong: list[tuple[int, ...]] = []
        if labelled and rng.random() < layout.judged_share:
            wrong = pool.draw(conversation, conversation.turns[judged].ids, rng)
        own = None if conversation.persona is None else list(conversation.persona)
        return build(
            conversation, wrapping, own or system, rng, wrong, judged=judged, told_share=layout.told_share
        )

    bucket = tokens_per_batch * BUCKET_BATCHES
    pending: list[Example] = []
    size = 0
    for conversation in order:
        example = example_of(conversation)
        if len(example) > MAX_TOKENS:
            continue
        pending.append(example)
        size += len(example)
        if size >= bucket:
            yield from _shuffled(pending, tokens_per_batch, rng)
            pending, size = [], 0
    yield from _shuffled(pending, tokens_per_batch, rng)


def _shuffled(examples: list[Example], tokens: int, rng: random.Random) -> Iterator[Batch]:
    batches = pack(examples, tokens)
    rng.shuffle(batches)
    yield from (collate(b) for b in batches)


def evaluation(
    conversations: list[Conversation],
    wrapping: Wrapping,
    persona: list[int],
    intent_dropout: float = 1.0,
    tokens_per_batch: int = 2 * TOKENS_PER_BATCH,
    told: bool = False,
) -> Iterator[Batch]:
    """Yield batches by fixed choices: every intent `any` by default, the last reply against one
    random distractor of another conversation. `told` gives every reply the emotion that its turn
    was told (lm/told.py), where it was."""
    rng = random.Random(0)
    pool = Distractors(conversations, wrapping.words)
    examples = []
    for conversation in conversations:
        replies = [t.ids for t in conversation.turns if not t.speaker]
        if replies:
            wrong = pool.draw(conversation, replies[-1], rng)[-1:] if conversation.emotion is not None else []
            examples.append(
                build(conversation, wrapping, persona, None, wrong, intent_dropout, told_share=float(told))
            )
    yield from (collate(b) for b in pack(examples, tokens_per_batch))
