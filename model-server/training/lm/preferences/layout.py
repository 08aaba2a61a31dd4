"""A context with its reply, and beside it a second reply, as one row of tokens.

Both replies share the context, so it is evaluated once: the trunk holds context and reply, the branch holds the
other reply, which sees the trunk only up to the token before the reply begins (as the distractors of
`lm.batching`). That is about three fifths of the tokens of two separate rows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import torch

from .. import slots
from ..format import MAX_TOKENS, Conversation, Wrapping, build

HEADS = ("affect", "intent", "judge")
TOKENS_PER_BATCH = 1_024


@dataclass
class Row:
    """Token ids and, as (position, next token) pairs, what is scored in them."""

    ids: list[int]
    fork: int
    """Position in `ids` that predicts the reply's first token."""
    reply: list[tuple[int, int]]
    """The reply's tokens and its end token; for a replayed conversation those of all its replies."""
    branch: list[int] = field(default_factory=list)
    other: list[tuple[int, int]] = field(default_factory=list)
    """The other reply's tokens and its end token; empty without a branch."""
    affect: list[tuple[int, int]] = field(default_factory=list)
    intent: list[tuple[int, int]] = field(default_factory=list)
    judge: list[tuple[int, int]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids) + len(self.branch)


def row_of(
    conversation: Conversation,
    wrapping: Wrapping,
    persona: list[int] | None,
    other: Sequence[int] | None = None,
    good: bool | None = None,
    other_good: bool | None = None,
) -> Row:
    """Lay out a conversation whose last turn is the reply, every intent `any`.

    `good` and `other_good` are the judge's targets for the two replies, None for no target. Oldest turns are
    left out until the row has at most MAX_TOKENS; a reply that is too long by itself raises ValueError.
    """
    turns = conversation.turns
    if not turns or turns[-1].speaker:
        raise ValueError("a conversation that does not end in a reply")
    row = _lay_out(conversation, wrapping, persona, other, good, other_good)
    while len(row) > MAX_TOKENS:
        if len(turns) == 1:
            raise ValueError(f"a reply of more than {MAX_TOKENS} tokens")
        turns = turns[1:]
        row = _lay_out(replace(conversation, turns=turns), wrapping, persona, other, good, other_good)
    return row


def _lay_out(
    conversation: Conversation, wrapping: Wrapping, persona: list[int] | None,
    other: Sequence[int] | None, good: bool | None, other_good: bool | None,
) -> Row:  # fmt: skip
    example = build(conversation, wrapping, persona, None, intent_dropout=1.0)
    # The reply's targets are the last ones: its tokens and the end token.
    reply = example.lm[-(len(conversation.turns[-1].ids) + 1) :]
    row = Row(example.ids, reply[0][0], reply, affect=example.affect, intent=example.intent)
    end = reply[-1][0] + 1  # position of the end token, behind which stands the judge slot
    if row.ids[end + 1] != slots.JUDGE:
        raise ValueError("the slot format has changed: no judge slot behind the reply")
    if good is not None:
        row.judge.append((end + 1, slots.GOOD if good else slots.BAD))
    if other is not None:
        trunk = len(row.ids)
        row.branch = [*other, slots.IM_END, slots.JUDGE]
        at = [row.fork, *range(trunk, trunk + len(other))]
        row.other = list(zip(at, row.branch[:-1], strict=True))
        if other_good is not None:
            row.judge.append((len(row) - 1, slots.GOOD if other_good else slots.BAD))
    return row


def whole(conversation: Conversation, wrapping: Wrapping, persona: list[int] | None) -> Row | None:
    """A conversation of which every reply is a target; None without a reply or beyond MAX_TOKENS."""
    example = build(conversation, wrapping, persona, None, intent_dropout=1.0)
    if not example.lm or len(example) > MAX_TOKENS:
        return None
    return Row(example.ids, example.lm[0][0], list(example.lm), affect=example.affect, intent=example.intent)


@dataclass(frozen=True)
class Segment:
    """Flat positions in [rows * length], the tokens predicted there, and each one's row: int64 [n]."""

    positions: torch.Tensor
    tokens: torch.Tensor
    rows: torch.Tensor


@dataclass(frozen=True)
class Batch:
    ids: torch.Tensor
    """int64 [rows, length]"""
    positions: torch.Tensor
    """int64 [rows, length], restarted at the fork for a branch"""
    mask: torch.Tensor
    """bool [rows, 1, length, length], True where attention is allowed"""
    reply: Segment
    other: Segment
    heads: dict[str, Segment]
    index: torch.Tensor
    """int64 [rows]: the rows' numbers in the list they were taken from"""
    tokens: int
    """Without padding."""


def collate(rows: Sequence[Row], index: Sequence[int], pad: int = 0) -> Batch:
    """Pad rows to one length; `index[i]` is remembered for `rows[i]`."""
    length = -(-max(len(row) for row in rows) // 16) * 16
    ids = torch.full((len(rows), length), pad, dtype=torch.long)
    positions = torch.arange(length).repeat(len(rows), 1)
    mask = torch.ones(length, length, dtype=torch.bool).tril().repeat(len(rows), 1, 1)
    for number, row in enumerate(rows):
        trunk, total = len(row.ids), len(row)
        ids[number, :total] = torch.tensor(row.ids + row.branch)
        if row.branch:
            positions[number, trunk:total] = torch.arange(total - trunk) + row.fork + 1
            mask[number, trunk:total, row.fork + 1 : trunk] = False
    return Batch(
        ids, positions, mask.unsqueeze(1),
        reply=_segment([row.reply for row in rows], length),
        other=_segment([row.other for row in rows], length),
        heads={head: _segment([getattr(row, head) for row in rows], length) for head in HEADS},
        index=torch.tensor(index, dtype=torch.long),
        tokens=sum(len(row) for row in rows),
    )  # fmt: skip


def _segment(pairs: Sequence[list[tuple[int, int]]], length: int) -> Segment:
    flat = [(row * length + at, token, row) for row, own in enumerate(pairs) for at, token in own]
    columns = torch.tensor(flat, dtype=torch.long).reshape(-1, 3).unbind(1)
    return Segment(*columns)


def pack(rows: Sequence[Row], numbers: Sequence[int], tokens: int = TOKENS_PER_BATCH) -> list[list[int]]:
    """Cut the rows named by `numbers`, sorted by length, into groups of at most `tokens` padded tokens."""
    groups: list[list[int]] = []
    for number in sorted(numbers, key=lambda n: (len(rows[n]), n)):
        if groups and len(rows[number]) * (len(groups[-1]) + 1) <= tokens:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def batches(rows: Sequence[Row], groups: Sequence[list[int]], seed: int | None = None) -> Iterator[Batch]:
    """The groups as batches, shuffled by `seed` where one is given."""
    order = list(groups)
    if seed is not None:
        random.Random(seed).shuffle(order)
    for group in order:
        yield collate([rows[number] for number in group], group)
