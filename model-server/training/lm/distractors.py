"""Wrong replies for response prediction: random ones, and hard ones that share emotion or topic."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence

from .format import Conversation

DISTRACTORS = 4
"""Per judged context: one of the same emotion, one of the same topic, two of any conversation."""
RARE = range(8, 61)
"""Conversations that a word may occur in to name a topic: rarer ones are names, and leave too few replies."""

Reply = tuple[str, tuple[int, ...]]
"""Identifier of the conversation, token ids."""


def topic_of(conversation: Conversation, frequency: Counter[int], words: Collection[int]) -> int | None:
    """The word of the speaker's turns that is in the middle of those with a document frequency in RARE."""
    tokens = {token for turn in conversation.turns if turn.speaker for token in turn.ids}
    rare = sorted((t for t in tokens if t in words and frequency[t] in RARE), key=lambda t: (frequency[t], t))
    return rare[len(rare) // 2] if rare else None


class Distractors:
    """Replies of the labelled conversations of a corpus, by emotion and by topic."""

    def __init__(self, conversations: Sequence[Conversation], words: Collection[int]) -> None:
        labelled = [c for c in conversations if c.emotion is not None]
        frequency: Counter[int] = Counter()
        for conversation in labelled:
            frequency.update({token for turn in conversation.turns if turn.speaker for token in turn.ids})
        self._all: list[Reply] = []
        self._by_emotion: dict[int | None, list[Reply]] = {}
        self._by_topic: dict[int, list[Reply]] = {}
        self._topic: dict[str, int] = {}
        for conversation in labelled:
            replies = [(conversation.conv_id, turn.ids) for turn in conversation.turns if not turn.speaker]
            self._all += replies
            self._by_emotion.setdefault(conversation.emotion, []).extend(replies)
            topic = topic_of(conversation, frequency, words)
            if topic is not None:
                self._topic[conversation.conv_id] = topic
                self._by_topic.setdefault(topic, []).extend(replies)

    def draw(
        self, conversation: Conversation, true: tuple[int, ...], rng: random.Random, count: int = DISTRACTORS
    ) -> list[tuple[int, ...]]:
        """`count` replies of other conversations that differ from the true one.

        Without another reply of its emotion or topic a random one takes that place. Fewer than `count`
        where the corpus has no reply that may stand there.
        """
        topic = self._topic.get(conversation.conv_id)
        pools = [self._by_emotion.get(conversation.emotion, []), self._by_topic.get(topic, []) if topic else []]
        drawn = []
        for place in range(count):
            pool = pools[place] if place < len(pools) else self._all
            reply = self._one(pool, conversation, true, rng) or self._one(self._all, conversation, true, rng)
            if reply is not None:
                drawn.append(reply)
        return drawn

    def _one(
        self, pool: Sequence[Reply], conversation: Conversation, true: tuple[int, ...], rng: random.Random
    ) -> tuple[int, ...] | None:
        """A reply of `pool` that may compete; None when none was found within a few draws."""
        for _ in range(8 if pool else 0):
            conv_id, reply = rng.choice(pool)
            if conv_id != conversation.conv_id and reply != true:
                return reply
        return None
