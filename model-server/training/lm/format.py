"""From a conversation to token ids with its slots and targets.

One pass over a conversation trains every listener turn. The gold emotion is only ever a
*target* at `<|affect|>`, never an input, so no label leaks into a later turn. The gold
intent is an input (teacher forcing) and is dropped to `<|int:any|>` for a share of turns.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Protocol

from . import slots

INTENT_DROPOUT = 0.3
MAX_TOKENS = 512
"""Longest conversation kept whole; 99.9 % of EmpatheticDialogues is shorter."""


class Encoder(Protocol):
    """Text to ids with special tokens off: control strings in a text stay literal."""

    def __call__(self, text: str) -> list[int]: ...


@dataclass(frozen=True)
class Turn:
    """One utterance, already tokenised. `intent` is an index into slots.INTENTS or None."""

    speaker: bool
    ids: tuple[int, ...]
    intent: int | None = None


@dataclass(frozen=True)
class Conversation:
    conv_id: str
    emotion: int | None
    """Index into slots.EMOTIONS; None masks the emotion loss (persona dialogues)."""
    turns: tuple[Turn, ...]


@dataclass
class Example:
    """Token ids and, by position, what the *next* token must be.

    The trunk is the conversation; `branch` holds a distractor reply that sees the trunk
    only up to and including `fork` and is judged bad.
    """

    ids: list[int] = field(default_factory=list)
    lm: list[tuple[int, int]] = field(default_factory=list)
    affect: list[tuple[int, int]] = field(default_factory=list)
    intent: list[tuple[int, int]] = field(default_factory=list)
    judge: list[tuple[int, int]] = field(default_factory=list)
    fork: int = -1
    branch: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids) + len(self.branch)


class Wrapping:
    """The literal pieces of the ChatML frame, tokenised once."""

    def __init__(self, encode: Encoder) -> None:
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
    distractor: tuple[int, ...] | None = None,
    intent_dropout: float = INTENT_DROPOUT,
) -> Example:
    """Lay a conversation out in the slot format.

    `rng=None` means evaluation: no dropout and no choice, the judged turn is the last one.
    `intent_dropout=1.0` gives the layout of the headline figures (every intent `any`).
    A trailing speaker turn is left out, since nothing follows it to be learned.
    """
    example = Example()
    if persona is not None:
        example.ids += [*wrapping.system, *persona, *wrapping.close()]
    last = max((i for i, t in enumerate(conversation.turns) if not t.speaker), default=-1)
    replies = [i for i in range(last + 1) if not conversation.turns[i].speaker]
    judged = (rng.choice(replies) if rng else replies[-1]) if replies else -1
    for index, turn in enumerate(conversation.turns[: last + 1]):
        if turn.speaker:
            example.ids += [*wrapping.user, *turn.ids, *wrapping.close()]
            continue
        forced_any = turn.intent is None or (
            intent_dropout >= 1.0 or (rng is not None and rng.random() < intent_dropout)
        )
        _listener_turn(example, turn, wrapping, conversation.emotion, forced_any)
        if index == judged and distractor is not None:
            example.judge.append((_last_judge(example), slots.GOOD))
            example.fork = example.lm[-(len(turn.ids) + 1)][0]
            example.branch = [*distractor, slots.IM_END, slots.JUDGE]
        example.ids += wrapping.newline
    if example.branch:
        example.judge.append((len(example) - 1, slots.BAD))
    return example


def _listener_turn(
    example: Example, turn: Turn, wrapping: Wrapping, emotion: int | None, forced_any: bool
) -> None:
    example.ids += wrapping.assistant
    example.ids.append(slots.AFFECT)
    if emotion is not None:
        example.affect.append((len(example.ids) - 1, slots.EMOTION_IDS[emotion]))
    example.ids.append(slots.INTENT)
    if turn.intent is not None:
        example.intent.append((len(example.ids) - 1, slots.INTENT_IDS[turn.intent]))
    known = slots.ANY_INTENT if forced_any or turn.intent is None else slots.INTENT_IDS[turn.intent]
    example.ids.append(known)
    for token in (*turn.ids, slots.IM_END):
        example.lm.append((len(example.ids) - 1, token))
        example.ids.append(token)
    example.ids.append(slots.JUDGE)


def _last_judge(example: Example) -> int:
    return len(example.ids) - 1
