"""From a conversation to token ids with its slots and targets.

One pass over a conversation trains every listener turn. The gold emotion is only ever a
*target* at `<|affect|>`, never an input, so no label leaks into a later turn. The gold
intent is an input (teacher forcing) and is dropped to `<|int:any|>` for a share of turns.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from . import slots

INTENT_DROPOUT = 0.3
TOLD_SHARE = 0.25
"""Share of listener turns that are told a predicted emotion (`<|emo:x|>`) in training."""
MAX_TOKENS = 512
"""Longest conversation kept whole; 99.9 % of EmpatheticDialogues is shorter."""


class Encoder(Protocol):
    """Text to ids with special tokens off: control strings in a text stay literal."""

    words: frozenset[int]
    """Ids that begin a word of some length: what a topic may be named by (lm/distractors.py)."""

    def __call__(self, text: str) -> list[int]: ...


@dataclass(frozen=True)
class Turn:
    """One utterance, already tokenised. `intent` is an index into slots.INTENTS or None."""

    speaker: bool
    ids: tuple[int, ...]
    intent: int | None = None
    told: int | None = None
    """Listener turns: a *predicted* emotion (index into slots.EMOTIONS) that may be an input; never the label."""


@dataclass(frozen=True)
class Conversation:
    conv_id: str
    emotion: int | None
    """Index into slots.EMOTIONS; None masks the emotion loss (persona dialogues)."""
    turns: tuple[Turn, ...]
    persona: tuple[int, ...] | None = None
    """Its own system turn, where the reply depends on one (persona chat)."""


@dataclass
class Example:
    """Token ids and, by position, what the *next* token must be.

    The trunk is the conversation; each of `branches` is a distractor reply that sees the trunk
    only up to and including `fork` and is judged bad. The first of `judge` is the true reply,
    the others belong to the branches in their order.
    """

    ids: list[int] = field(default_factory=list)
    lm: list[tuple[int, int]] = field(default_factory=list)
    affect: list[tuple[int, int]] = field(default_factory=list)
    intent: list[tuple[int, int]] = field(default_factory=list)
    judge: list[tuple[int, int]] = field(default_factory=list)
    fork: int = -1
    branches: list[list[int]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids) + sum(map(len, self.branches))


class Wrapping:
    """The literal pieces of the ChatML frame, tokenised once."""

    def __init__(self, encode: Encoder) -> None:
        self.words = encode.words
        self.newline = encode("\n")
        self.system = [slots.IM_START, *encode("system\n")]
        self.user = [slots.IM_START, *encode("user\n")]
        self.assistant = [slots.IM_START, *encode("assistant\n")]

    def close(self) -> list[int]:
        return [slots.IM_END, *self.newline]


def build(
    conversation: Conversation,
    wrapping: Wrapping,
    persona: list[int] | None,
    rng: random.Random | None,
    distractors: Sequence[tuple[int, ...]] = (),
    intent_dropout: float = INTENT_DROPOUT,
    judged: int | None = None,
    told_share: float | None = None,
) -> Example:
    """Lay a conversation out in the slot format.

    `rng=None` means evaluation: no dropout, no choice; an emotion is told only where `told_share` is
    1. `intent_dropout=1.0` gives the layout of the headline figures (every intent `any`). `judged` is
    the index of the turn that the distractors compete with (default: the last reply). A trailing
    speaker turn is left out, since nothing follows it to be learned.
    """
    example = Example()
    if persona is not None:
        example.ids += [*wrapping.system, *persona, *wrapping.close()]
    last = max((i for i, t in enumerate(conversation.turns) if not t.speaker), default=-1)
    judged = last if judged is None else judged
    told_share = told_share if told_share is not None else (TOLD_SHARE if rng else 0.0)
    for index, turn in enumerate(conversation.turns[: last + 1]):
        if turn.speaker:
            example.ids += [*wrapping.user, *turn.ids, *wrapping.close()]
            continue
        forced_any = turn.intent is None or (
            intent_dropout >= 1.0 or (rng is not None and rng.random() < intent_dropout)
        )
        told = turn.told if (rng.random() if rng else 0.5) < told_share else None
        # Ranking and judging are served under `any`, and a gold intent would tell which reply is the true one.
        competes = index == judged and bool(distractors)
        _listener_turn(example, turn, wrapping, conversation.emotion, forced_any or competes, told)
        if competes:
            example.judge.append((len(example.ids) - 1, slots.GOOD))
            example.fork = example.lm[-(len(turn.ids) + 1)][0]
        example.ids += wrapping.newline
    if example.fork >= 0:
        for distractor in distractors:
            example.branches.append([*distractor, slots.IM_END, slots.JUDGE])
            example.judge.append((len(example) - 1, slots.BAD))
    return example


def _listener_turn(
    example: Example, turn: Turn, wrapping: Wrapping, emotion: int | None, forced_any: bool, told: int | None
) -> None:
    example.ids += wrapping.assistant
    example.ids.append(slots.AFFECT)
    if emotion is not None:
        example.affect.append((len(example.ids) - 1, slots.EMOTION_IDS[emotion]))
    if told is not None:
        example.ids.append(slots.EMOTION_IDS[told])
    example.ids.append(slots.INTENT)
    if turn.intent is not None:
        example.intent.append((len(example.ids) - 1, slots.INTENT_IDS[turn.intent]))
    known = slots.ANY_INTENT if forced_any or turn.intent is None else slots.INTENT_IDS[turn.intent]
    example.ids.append(known)
    for token in (*turn.ids, slots.IM_END):
        example.lm.append((len(example.ids) - 1, token))
        example.ids.append(token)
    example.ids.append(slots.JUDGE)
