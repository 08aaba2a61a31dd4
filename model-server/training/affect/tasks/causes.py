"""Cause words: RECCON's spans as strong labels, a generative Bayes estimate as weak ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from ..data import EncodedConversation, speaker_ends
from ..inputs import Marks, layout
from ..text import normalise

#: Targets of tokens that are not judged: specials, marks, padding.
IGNORED = -1.0

#: log P(word | emotion) − log P(word) at and above which a word counts as fully salient (GEE, Kim et al. 2021,
#: takes the posterior; e^2.5 = twelve times as frequent under the emotion as at large).
FULL_LOG_RATIO = 2.5

#: Rarer words say nothing about an emotion.
LEAST_COUNT = 12

#: Two dialogues that share this many utterances of at least LONG letters and digits are taken for copies of one;
#: a single shared one may be a phrase.
LEAST_SHARED = 2
LONG = 20


@dataclass(frozen=True)
class CauseExample:
    """Input ids (specials included) and a target in 0…1 for each, or IGNORED."""

    ids: list[int]
    targets: np.ndarray


@dataclass(frozen=True)
class CauseTurn:
    """One turn of a RECCON conversation and the character ranges in it that are causes."""

    role: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()


def layout_with_targets(
    turns: Sequence[tuple[str, Sequence[int], Sequence[float]]], marks: Marks, max_tokens: int
) -> CauseExample:
    """`inputs.layout`, with a target for each token of a text."""
    # `layout` only moves what stands for a token, so each token may carry its target along.
    paired = [(role, list(zip(tokens, wanted, strict=True))) for role, tokens, wanted in turns]
    placed = [item if isinstance(item, tuple) else (item, IGNORED) for item in layout(paired, marks, max_tokens)]
    ids, targets = zip(*placed, strict=True)
    return CauseExample(list(ids), np.array(targets, dtype=np.float32))


#: The turns of a RECCON dialogue, as its JSON has them.
Dialogue = Sequence[dict]


def read_dialogues(path: Path) -> list[Dialogue]:
    """The dialogues of one RECCON file."""
    return [turns for (turns,) in json.loads(path.read_text(encoding="utf-8")).values()]


def conversations_of(dialogues: Sequence[Dialogue]) -> list[list[CauseTurn]]:
    """One conversation per emotional utterance with a cause: the turns up to it, its speaker as `speaker`.

    A span that is not found literally in its turn is left out (latent causes have none at all).
    """
    conversations = []
    for turns in dialogues:
        for index, turn in enumerate(turns):
            spans = _spans_before(turns, index)
            if spans:
                conversations.append(
                    [
                        CauseTurn(
                            "speaker" if said["speaker"] == turn["speaker"] else "listener",
                            said["utterance"],
                            tuple(spans.get(place, ())),
                        )
                        for place, said in enumerate(turns[: index + 1])
                    ]
                )
    return conversations


def _spans_before(turns: Dialogue, index: int) -> dict[int, list[tuple[int, int]]]:
    """Character ranges of the causes of turn `index`, by the index of their turn (at most `index`)."""
    places, texts = (turns[index].get(f"expanded emotion cause {kind}", ()) for kind in ("evidence", "span"))
    spans: dict[int, list[tuple[int, int]]] = {}
    for place, span in zip(places, texts, strict=False):
        if not isinstance(place, int) or not 1 <= place <= index + 1:
            continue
        start = turns[place - 1]["utterance"].find(span)
        if start >= 0 and span.strip():
            spans.setdefault(place - 1, []).append((start, start + len(span)))
    return spans


@dataclass(frozen=True)
class Fingerprint:
    """A dialogue's letters and digits: all of them in order, and the set of its long utterances."""

    whole: str
    long: frozenset[str]

    @classmethod
    def of(cls, dialogue: Dialogue) -> Fingerprint:
        utterances = ["".join(c for c in turn["utterance"].lower() if c.isalnum()) for turn in dialogue]
        return cls("".join(utterances), frozenset(text for text in utterances if len(text) >= LONG))

    def is_copy(self, other: Fingerprint) -> bool:
        """Whether the two are one dialogue: one inside the other, or several long utterances in common."""
        shorter, longer = sorted((self.whole, other.whole), key=len)
        return shorter in longer or len(self.long & other.long) >= LEAST_SHARED


def read_reccon_training(folder: Path) -> list[list[CauseTurn]]:
    """RECCON's training conversations without any of a dialogue that its validation or test split holds too.

    The splits overlap: by this measure 35 of 834 training dialogues are copies of held-out ones, some with another
    beginning or a longer end. (121 of the 225 test dialogues are also in DailyDialog's training split, which is
    not read at all.)
    """
    names = ("dailydialog_valid.json", "dailydialog_test.json")
    held_out = [Fingerprint.of(dialogue) for name in names for dialogue in read_dialogues(folder / name)]
    training = read_dialogues(folder / "dailydialog_train.json")
    kept = [item for item in training if not any(Fingerprint.of(item).is_copy(other) for other in held_out)]
    return conversations_of(kept)


def encode_causes(
    conversations: Sequence[Sequence[CauseTurn]], tokenizer: Tokenizer, marks: Marks, max_tokens: int
) -> list[CauseExample]:
    """Token targets: 1 inside a span, 0 outside."""
    return [
        layout_with_targets([_encode_turn(turn, tokenizer) for turn in conversation], marks, max_tokens)
        for conversation in conversations
    ]


def _encode_turn(turn: CauseTurn, tokenizer: Tokenizer) -> tuple[str, list[int], list[float]]:
    spans = [(len(normalise(turn.text[:start])), len(normalise(turn.text[:end]))) for start, end in turn.spans]
    encoding = tokenizer.encode(normalise(turn.text), add_special_tokens=False)
    wanted = [
        float(any(start < token_end and token_start < end for start, end in spans))
        for token_start, token_end in encoding.offsets
    ]
    return turn.role, encoding.ids, wanted


def bayes_table(conversations: Sequence[EncodedConversation], vocabulary: int, labels: int) -> np.ndarray:
    """Salience of each token for each emotion, float32 [labels, vocabulary] in 0…1, from the training split:
    the log ratio of P(token | emotion) to P(token), clipped to 0…FULL_LOG_RATIO and scaled."""
    counts = np.zeros((labels, vocabulary))
    for item in conversations:
        seen: Counter[int] = Counter()
        for ids in (item.situation, *(ids for role, ids in item.turns if role == "speaker")):
            seen.update(set(ids))
        for token, times in seen.items():
            counts[item.label, token] += times
    total = counts.sum(0)
    joint = (counts + 0.5 * total / max(total.sum(), 1.0)) / (counts.sum(1, keepdims=True) + 0.5)
    at_large = (total + 1e-9) / total.sum()
    ratio = np.log(joint + 1e-12) - np.log(at_large)
    ratio[:, total < LEAST_COUNT] = 0.0
    return (np.clip(ratio, 0.0, FULL_LOG_RATIO) / FULL_LOG_RATIO).astype(np.float32)


def weak_causes(
    conversations: Sequence[EncodedConversation], table: np.ndarray, marks: Marks, max_tokens: int, number: int
) -> list[CauseExample]:
    """Pass `number`: one history of each conversation with the Bayes estimate for the speaker's words; the
    listener's are not judged."""
    examples = []
    for item in conversations:
        ends = speaker_ends(item.turns)
        if not ends:
            continue
        turns = [
            (role, ids, [float(table[item.label, token]) if role == "speaker" else IGNORED for token in ids])
            for role, ids in item.turns[: ends[number % len(ends)]]
        ]
        examples.append(layout_with_targets(turns, marks, max_tokens))
    return examples
