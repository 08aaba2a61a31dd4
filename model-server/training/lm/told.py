"""Emotions to tell the model: predictions for conversations that the predictor did not see.

`<|emo:x|>` is an input at serving time (the edge's reading, or the caller's). Told the gold label in
training, the model would trust it blindly; told in-sample predictions, nearly so. Here a linear
classifier over the tokens said so far predicts each half of the conversations after learning from the
other one, so its errors are those of an honest, weaker reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import nn

from . import slots
from .format import Conversation

EPOCHS = 4
BATCH = 256
LEARNING_RATE = 5e-3


class Bag(nn.Module):
    """Softmax regression over the mean of token vectors (a bag of words of low rank)."""

    def __init__(self, vocabulary: int = slots.BASE_VOCAB_SIZE, width: int = 64) -> None:
        super().__init__()
        self.embed = nn.EmbeddingBag(vocabulary, width, mode="mean")
        self.head = nn.Linear(width, len(slots.EMOTIONS))

    def forward(self, tokens: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        return self.head(self.embed(tokens, offsets))


def histories(conversation: Conversation) -> list[tuple[int, list[int]]]:
    """(index, distinct tokens of the speaker so far) of each listener turn that follows a speaker turn."""
    said: set[int] = set()
    found = []
    for index, turn in enumerate(conversation.turns):
        if turn.speaker:
            said.update(turn.ids)
        elif said:
            found.append((index, sorted(said)))
    return found


def _batch(rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    lengths = torch.tensor([0, *map(len, rows[:-1])])
    return torch.tensor([token for row in rows for token in row]), lengths.cumsum(0)


def _fit(examples: list[tuple[list[int], int]], seed: int) -> Bag:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        bag = Bag()
        optimiser = torch.optim.Adam(bag.parameters(), lr=LEARNING_RATE)
        for _ in range(EPOCHS):
            order = torch.randperm(len(examples)).tolist()
            for start in range(0, len(order), BATCH):
                chosen = [examples[i] for i in order[start : start + BATCH]]
                tokens, offsets = _batch([tokens for tokens, _ in chosen])
                labels = torch.tensor([label for _, label in chosen])
                nn.functional.cross_entropy(bag(tokens, offsets), labels).backward()
                optimiser.step()
                optimiser.zero_grad()
    return bag


def tell(conversations: Sequence[Conversation], folds: int = 2) -> list[Conversation]:
    """The conversations with `Turn.told` set on listener turns of labelled ones, from the other folds."""
    result = list(conversations)
    labelled = [i for i, c in enumerate(result) if c.emotion is not None]
    if len(labelled) < folds:
        return result
    for fold in range(folds):
        outside = [result[i] for other in range(folds) if other != fold for i in labelled[other::folds]]
        bag = _fit(_examples(outside), fold).eval()
        for i in labelled[fold::folds]:
            result[i] = _told_by(bag, result[i])
    return result


def tell_others(known: Sequence[Conversation], others: Sequence[Conversation]) -> list[Conversation]:
    """`others` with `Turn.told` set by a reader of the labelled conversations of `known`."""
    bag = _fit(_examples(known), 0).eval()
    return [_told_by(bag, conversation) for conversation in others]


def _examples(conversations: Sequence[Conversation]) -> list[tuple[list[int], int]]:
    return [(said, c.emotion) for c in conversations if c.emotion is not None for _, said in histories(c)]


def _told_by(bag: Bag, conversation: Conversation) -> Conversation:
    found = histories(conversation)
    if not found:
        return conversation
    with torch.no_grad():
        best = bag(*_batch([said for _, said in found])).argmax(-1).tolist()
    told = {index: emotion for (index, _), emotion in zip(found, best, strict=True)}
    return replace(conversation, turns=tuple(replace(t, told=told.get(n)) for n, t in enumerate(conversation.turns)))
