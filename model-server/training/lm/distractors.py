"""Wrong replies for response prediction: random ones, and hard ones that share emotion or topic."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from .format import Conversation

DISTRACTORS = 4
"""Per judged context: two of any conversation, one of the same emotion, one of the same topic."""
RARE = range(3, 61)
"""Conversations that a token may occur in to name a topic: rarer ones are names and typing errors."""


def topic_of(conversation: Conversation, frequency: Counter[int]) -> int | None:
    """The rarest token of the speaker's turns whose document frequency is in RARE; ties by id."""
    tokens = {token for turn in conversation.turns if turn.speaker for token in turn.ids}
    rare = [token for token in tokens if frequency[token] in RARE]
    return min(rare, key=lambda token: (frequency[token], token)) if rare else None


class Distractors:
    """Replies of a corpus, by emotion and by topic."""

    def __init__(self, conversations: Sequence[Conversation]) -> None:
        labelled = [c for c in conversations if c.emotion is not None]
        frequency: Counter[int] = Counter()
        for conversation in labelled:
            frequency.update({token for turn in conversation.turns if turn.speaker for token in turn.ids})
        self._all: list[tuple[int, ...]] = []
        self._by_emotion: dict[int | None, list[tuple[int, ...]]] = {}
        self._by_topic: dict[int, list[tuple[str, tuple[int, ...]]]] = {}
        self._topic: dict[str, int | None] = {}
        for conversation in labelled:
            replies = [turn.ids for turn in conversation.turns if not turn.speaker]
            topic = topic_of(conversation, frequency)
            self._topic[conversation.conv_id] = topic
            self._all += replies
            self._by_emotion.setdefault(conversation.emotion, []).extend(replies)
            if topic is not None:
                self._by_topic.setdefault(topic, []).extend((conversation.conv_id, r) for r in replies)

    def draw(
        self, conversation: Conversation, true: tuple[int, ...], rng: random.Random, count: int = DISTRACTORS
    ) -> list[tuple[int, ...]]:
        """`count` replies that differ from the true one; a conversation without a topic gets a third random one."""
        topic = self._topic.get(conversation.conv_id)
        same_topic = [r for c, r in self._by_topic.get(topic, ()) if c != conversation.conv_id] if topic else []
        pools = [self._by_emotion.get(conversation.emotion) or self._all, same_topic or self._all]
        pools += [self._all] * max(count - len(pools), 0)
        drawn = [rng.choice(pool) for pool in pools[:count]]
        return [reply if reply != true else rng.choice(self._all) for reply in drawn]
