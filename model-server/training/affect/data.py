"""EmpatheticDialogues as examples: histories that end on a speaker turn, and situations."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from .constants import LABELS
from .inputs import Marks, TurnIds, encode_texts, layout
from .roughen import roughen

#: Share of training examples without punctuation and with slips: people on phones, not crowd workers.
ROUGH_SHARE = 0.15

#: Columns of EDOS's files that hold text; others whose names speak of dialogues hold ids.
EDOS_TEXTS = ("Dialog", "os_dialog", "amt_dialog", "high_dialog")

LABEL_INDEX = {label: index for index, label in enumerate(LABELS)}


@dataclass(frozen=True)
class Conversation:
    """One conversation; `label` is an index of LABELS and describes the speaker, never the listener."""

    conv_id: str
    label: int
    situation: str
    turns: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class EncodedConversation:
    """The same with token ids in place of texts (ids of each text alone, no specials)."""

    conv_id: str
    label: int
    situation: list[int]
    turns: tuple[TurnIds, ...]


@dataclass(frozen=True)
class Example:
    """Input ids (specials included) and the index of the label; of training examples also where it comes
    from: index of the conversation and length of the history, 0 for the situation."""

    ids: list[int]
    label: int
    conversation: int = -1
    end: int = -1


def clean(text: str) -> str:
    """Undo the escapes of some copies of the corpus, so that no model ever learns them (case T09)."""
    return text.replace("_comma_", ",").replace("_pipe_", "|")


def read_conversations(path: Path) -> list[Conversation]:
    """EmpatheticDialogues-shaped jsonl: {conv_id, emotion, situation, turns: [{role, text}]} a line."""
    with path.open(encoding="utf-8") as lines:
        return [_conversation(json.loads(line)) for line in lines if line.strip()]


def _conversation(row: dict) -> Conversation:
    return Conversation(
        conv_id=row["conv_id"],
        label=LABEL_INDEX[row["emotion"]],
        situation=clean(row["situation"]),
        turns=tuple((turn["role"], clean(turn["text"])) for turn in row["turns"]),
    )


def encode_conversations(conversations: list[Conversation], tokenizer: Tokenizer) -> list[EncodedConversation]:
    texts = [text for item in conversations for text in (item.situation, *(turn for _, turn in item.turns))]
    ids = iter(encode_texts(tokenizer, texts))
    return [
        EncodedConversation(
            item.conv_id, item.label, next(ids), tuple((role, next(ids)) for role, _ in item.turns)
        )
        for item in conversations
    ]


def rough_copy(item: Conversation) -> Conversation:
    """The conversation as `roughen` types it; the same at every call (seeded by conv_id)."""
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(item.conv_id.encode()).digest()[:8], "big"))
    turns = tuple((role, roughen(text, rng)) for role, text in item.turns)
    return replace(item, situation=roughen(item.situation, rng), turns=turns)


def cached_encoding(path: Path, tokenizer: Tokenizer, cache: Path, rough: bool = False) -> list[EncodedConversation]:
    """`encode_conversations` of a file, kept on disk under a name made of all inputs' hashes."""
    key = hashlib.sha256(path.read_bytes() + tokenizer.to_str().encode() + bytes([rough])).hexdigest()[:16]
    kept = cache / f"{path.stem}-{key}.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())
    conversations = read_conversations(path)
    if rough:
        conversations = [rough_copy(item) for item in conversations]
    encoded = encode_conversations(conversations, tokenizer)
    cache.mkdir(parents=True, exist_ok=True)
    beside = kept.with_suffix(".partial")
    beside.write_bytes(pickle.dumps(encoded))
    os.replace(beside, kept)
    return encoded


def speaker_ends(turns: tuple[tuple[str, object], ...]) -> list[int]:
    """Lengths of the histories that end on a speaker turn: a listener turn is never labelled (E05)."""
    return [index + 1 for index, (role, _) in enumerate(turns) if role == "speaker"]


def training_examples(
    clean_texts: list[EncodedConversation],
    rough_texts: list[EncodedConversation],
    marks: Marks,
    number: int,
    seed: int,
) -> list[Example]:
    """Pass `number` (0, 1, …): one history of each conversation, and the situations of every second one.

    The histories of a conversation come in a fixed shuffled order, one a pass, so that no text is seen
    twice before all were seen once. ROUGH_SHARE of the examples come from the rough copy.
    """
    rng = np.random.default_rng([seed, number])
    examples = []
    for index, pair in enumerate(zip(clean_texts, rough_texts, strict=True)):
        ends = speaker_ends(pair[0].turns)
        order = np.random.default_rng([seed, index]).permutation(ends)
        rough, rough_situation = rng.random(2) < ROUGH_SHARE
        if ends:
            item = pair[int(rough)]
            end = int(order[number % len(ends)])
            examples.append(Example(layout(item.turns[:end], marks), item.label, index, end))
        if (index + number) % 2 == 0:
            item = pair[int(rough_situation)]
            examples.append(Example(layout([("speaker", item.situation)], marks), item.label, index, 0))
    return examples


def history_examples(conversations: list[EncodedConversation], marks: Marks) -> list[Example]:
    """The published protocol: one prediction per listener turn, from the history before it.

    5,738 on the whole validation split. Where two listener turns follow each other the same history
    counts twice, as it does in the published figures.
    """
    return [
        Example(layout(item.turns[:index], marks), item.label)
        for item in conversations
        for index, (role, _) in enumerate(item.turns)
        if role == "listener"
    ]


def situation_examples(conversations: list[EncodedConversation], marks: Marks) -> list[Example]:
    """The other protocol: the situation text alone, as one speaker turn."""
    return [Example(layout([("speaker", item.situation)], marks), item.label) for item in conversations]


def vocabulary_texts(data: Path) -> Iterator[str]:
    """Texts that say which word types are worth keeping: training texts only.

    DailyDialog is left out: RECCON's test dialogues come from it, and none of their words may count.
    """
    for item in read_conversations(data / "empathetic_dialogues" / "train.jsonl"):
        yield item.situation
        yield from (text for _, text in item.turns)
    goemotions = data / "goemotions" / "train.tsv"
    if goemotions.exists():
        with goemotions.open(encoding="utf-8", newline="") as lines:
            yield from (line.split("\t", 1)[0] for line in lines)
    for path in sorted((data / "edos").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                yield " ".join(row.get(name) or "" for name in EDOS_TEXTS)
