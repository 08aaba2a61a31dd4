"""EmpatheticDialogues with response intents, tokenised once and cached on disk."""

from __future__ import annotations

import csv
import hashlib
import json
import pickle
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from . import files, model as models, slots
from .format import Conversation, Encoder, Turn

PERSONA_FILE = Path(__file__).parent / "persona.jsonl"
SOURCES = tuple(Path(__file__).with_name(name) for name in ("data.py", "format.py", "slots.py"))
"""Code that decides what a cached conversation holds."""


def read_rows(path: Path) -> Iterator[dict]:
    """Yield the conversations of an EmpatheticDialogues-shaped jsonl file."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            if not row.get("turns"):
                raise ValueError(f"{path.name}:{number}: a conversation without turns")
            yield row


def read_intents(path: Path) -> dict[tuple[str, int], int]:
    """Map (conv_id, utterance index from 0) to an index into slots.INTENTS.

    Listener turns that carry one of the 32 emotions instead of an intent (18 %) are absent.
    """
    with path.open(encoding="utf-8", newline="") as lines:
        return {
            (row["conv_id"], int(row["utterance_idx"]) - 1): slots.INTENTS.index(row["label"])
            for row in csv.DictReader(lines, delimiter="\t")
            if row["role"] == "listener" and row["label"] in slots.INTENTS
        }


def normalise(text: str) -> str:
    """NFC, ParlAI's escapes undone, outer white space stripped."""
    text = text.replace("_comma_", ",").replace("_pipe_", "|")
    return unicodedata.normalize("NFC", text).strip()


def tokenise(
    rows: Iterator[dict], intents: dict[tuple[str, int], int], encode: Encoder
) -> list[Conversation]:
    """Tokenise every turn; the label is None where a row has no known emotion."""
    result = []
    for row in rows:
        turns = tuple(
            Turn(
                speaker=turn["role"] == "speaker",
                ids=tuple(encode(normalise(turn["text"]))),
                intent=intents.get((row["conv_id"], index)) if turn["role"] == "listener" else None,
            )
            for index, turn in enumerate(row["turns"])
        )
        emotion = slots.EMOTIONS.index(row["emotion"]) if row.get("emotion") in slots.EMOTIONS else None
        result.append(Conversation(row["conv_id"], emotion, turns))
    return result


def load(data: Path, split: str, encode: Encoder, cache: Path) -> list[Conversation]:
    """Tokenise one split ("train" or "valid"), or read it from the cache.

    The cache key covers the two files of the split, SOURCES and the base file with its tokenizer, so
    that a change of any builds it anew.
    """
    source = data / "empathetic_dialogues" / f"{split}.jsonl"
    labels = data / "empathetic_intents" / f"turn_labels_{split}.tsv"
    key = hashlib.sha256(models.BASE_SHA256.encode())
    for path in (source, labels, *SOURCES):
        key.update(hashlib.sha256(path.read_bytes()).digest())
    stored = cache / f"{split}-{key.hexdigest()[:16]}.pickle"
    if stored.exists():
        return pickle.loads(stored.read_bytes())
    conversations = tokenise(read_rows(source), read_intents(labels), encode)
    files.replace(stored, pickle.dumps(conversations))
    return conversations


def load_persona(encode: Encoder) -> list[Conversation]:
    """The hand-written dialogues about what Attune is; no emotion or intent label."""
    return tokenise(read_rows(PERSONA_FILE), {}, encode)
