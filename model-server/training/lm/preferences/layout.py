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

from .. import batching, slots
from ..format import MAX_TOKENS, Conversation, Example, Wrapping, build

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


def collate(rows: Sequence[Row], index: Sequence[int]) -> Batch:
    """Pad rows to one length; `index[i]` is remembered for `rows[i]`."""
    padded = batching.collate(
        [Example(row.ids, fork=row.fork, branches=[row.branch] if row.branch else []) for row in rows]
    )
    length = padded.ids.shape[1]
    return Batch(
        padded.ids, padded.positions, padded.mask,
        reply=_segment([row.reply for row in rows], length),
        other=_segment([row.other for row in rows], length),
        heads={head: _segment([getattr(row, head) for row in rows], length) for head in HEADS},
        index=torch.tensor(index, dtype=torch.long),
        tokens=padded.tokens,
    )  # fmt: skip


def _segment(pairs: Sequence[list[tuple[int, int]]], length: int) -> Segment:
    flat = [(row * length + at, token, row) for row, own in enumerate(pairs) for at, token in own]
    columns = torch.tensor(flat, dtype=torch.long).reshape(-1, 3).unbind(1)
    return Segment(*columns)


@dataclass(frozen=True)
class _Numbered:
    number: int
    length: int

    def __len__(self) -> int:
        return self.length


def pack(rows: Sequence[Row], numbers: Sequence[int], tokens: int = TOKENS_PER_BATCH) -> list[list[int]]:
    """Cut the rows named by `numbers`, sorted by length, into groups of at most `tokens` tokens when each row is
    as long as the group's longest. `collate` pads on to a multiple of 16; a longer row is a group by itself."""
    groups = batching.pack([_Numbered(number, len(rows[number])) for number in sorted(numbers)], tokens)
    return [[one.number for one in group] for group in groups]


def batches(rows: Sequence[Row], groups: Sequence[list[int]], seed: int | None = None) -> Iterator[Batch]:
    """The groups as batches, shuffled by `seed` where one is given."""
    order = list(groups)
    if seed is not None:
        random.Random(seed).shuffle(order)
    for group in order:
        yield collate([rows[number] for number in group], group)
