"""Length-bucketed batches with a mask in which a distractor branch sees only its context."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from .format import Conversation, Example, MAX_TOKENS, Wrapping, build

TOKENS_PER_BATCH = 2_048
BUCKET_BATCHES = 40
"""Batches whose examples are sorted together: enough for < 5 % padding, still shuffled."""
PERSONA_SHARE = 0.75
"""Share of conversations that start with the default persona; the rest have no system turn."""
HARD_DISTRACTOR_SHARE = 0.5
"""Share of distractors taken from a conversation of the same emotion."""


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


def collate(examples: list[Example], pad: int = 0) -> Batch:
    length = -(-max(len(e) for e in examples) // 16) * 16
    ids = torch.full((len(examples), length), pad, dtype=torch.long)
    positions = torch.arange(length).repeat(len(examples), 1)
    mask = torch.ones(length, length, dtype=torch.bool).tril().repeat(len(examples), 1, 1)
    targets: dict[str, list[tuple[int, int]]] = {k: [] for k in ("lm", "affect", "intent", "judge")}
    for row, example in enumerate(examples):
        trunk, total = len(example.ids), len(example)
        ids[row, :total] = torch.tensor(example.ids + example.branch)
        if example.branch:
            positions[row, trunk:total] = torch.arange(total - trunk) + example.fork + 1
            mask[row, trunk:total, example.fork + 1 : trunk] = False
        for head in targets:
            targets[head] += [(row * length + p, t) for p, t in getattr(example, head)]
    flat = {
        head: (
            torch.tensor([p for p, _ in pairs], dtype=torch.long),
            torch.tensor([t for _, t in pairs], dtype=torch.long),
        )
        for head, pairs in targets.items()
    }
    return Batch(ids, positions, mask.unsqueeze(1), flat, sum(len(e) for e in examples))


def pack(examples: list[Example], tokens_per_batch: int) -> list[list[Example]]:
    """Cut a length-sorted list into batches of at most `tokens_per_batch` padded tokens."""
    batches: list[list[Example]] = []
    current: list[Example] = []
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
) -> Iterator[Batch]:
    """Yield one shuffled pass; the same seed gives the same batches, so a run can resume."""
    rng = random.Random(seed)
    order = [c for c in conversations if any(not t.speaker for t in c.turns)]
    rng.shuffle(order)
    replies = [(c.emotion, t.ids) for c in order if c.emotion is not None for t in c.turns if not t.speaker]
    same: dict[int | None, list[tuple[int, ...]]] = {}
    for emotion, ids in replies:
        same.setdefault(emotion, []).append(ids)

    def example_of(conversation: Conversation) -> Example:
        hard = rng.random() < HARD_DISTRACTOR_SHARE
        pool = same.get(conversation.emotion) if hard else None
        distractor = rng.choice(pool) if pool else rng.choice(replies)[1]
        system = persona if conversation.emotion is None or rng.random() < PERSONA_SHARE else None
        return build(conversation, wrapping, system, rng, distractor)

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
) -> Iterator[Batch]:
    """Yield batches without any random choice; every intent is `any` by default."""
    examples = [
        build(c, wrapping, persona, None, intent_dropout=intent_dropout) for c in conversations
    ]
    yield from (collate(b) for b in pack([e for e in examples if e.lm], tokens_per_batch))


