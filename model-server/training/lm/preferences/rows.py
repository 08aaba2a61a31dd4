"""The file of preference pairs: one JSON object a line.

    {"conv_id": "hit:1_conv:2", "turn": 1, "kind": "opposite", "emotion": "afraid",
     "context": [{"role": "speaker", "text": "…"}, …], "chosen": "…", "rejected": "…"}

`turn` is the index of the reply in its conversation. A listener turn of the context may carry its `intent`, a
pair of kind "own" its `prior` (mean log probability per token of the rejected reply without context).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .. import files, slots
from ..format import Conversation, Encoder, Turn, Wrapping
from . import layout

KINDS = ("opposite", "own")


@dataclass(frozen=True)
class Context:
    """The turns before a reply, as texts."""

    conv_id: str
    turn: int
    emotion: str
    turns: tuple[tuple[str, str, str | None], ...]
    """(role "speaker" or "listener", text, intent or None)"""
    reply: str


@dataclass(frozen=True)
class Pair:
    context: Context
    """Its `reply` is the chosen one."""
    rejected: str
    kind: str
    prior: float | None = None


def write(path: Path, pairs: Iterable[Pair]) -> None:
    """Replace `path` in one step."""
    lines = [json.dumps(_to_row(pair), ensure_ascii=False) + "\n" for pair in pairs]
    files.replace(path, "".join(lines).encode())


def _to_row(pair: Pair) -> dict:
    context = pair.context
    turns = [
        {"role": role, "text": text} | ({"intent": intent} if intent is not None else {})
        for role, text, intent in context.turns
    ]
    row = {
        "conv_id": context.conv_id, "turn": context.turn, "kind": pair.kind, "emotion": context.emotion,
        "context": turns, "chosen": context.reply, "rejected": pair.rejected,
    }  # fmt: skip
    return row | ({"prior": round(pair.prior, 4)} if pair.prior is not None else {})


def read(path: Path) -> list[Pair]:
    """Raises ValueError with the file's name and line where a row does not have the form above."""
    pairs = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                turns = tuple((t["role"], t["text"], t.get("intent")) for t in row["context"])
                context = Context(row["conv_id"], row["turn"], row["emotion"], turns, row["chosen"])
                pair = Pair(context, row["rejected"], row["kind"], row.get("prior"))
                slots.EMOTIONS.index(context.emotion)
                KINDS.index(pair.kind)
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path.name}:{number}: not a preference pair ({type(error).__name__})") from error
            pairs.append(pair)
    if not pairs:
        raise ValueError(f"{path.name}: no preference pairs")
    return pairs


def conversation(context: Context, encode: Encoder) -> Conversation:
    """The context with its reply, tokenised; the reply's own intent is left out."""
    turns = [
        Turn(role == "speaker", tuple(encode(text)), slots.INTENTS.index(intent) if intent in slots.INTENTS else None)
        for role, text, intent in context.turns
    ]
    reply = Turn(False, tuple(encode(context.reply)))
    return Conversation(context.conv_id, slots.EMOTIONS.index(context.emotion), (*turns, reply))


def lay_out(pairs: Iterable[Pair], encode: Encoder, wrapping: Wrapping, persona: list[int]) -> list[layout.Row]:
    """One row a pair. The judge learns the chosen reply as good and a reply from another dialogue as bad; the
    model's own sample fits its context, so the judge has no target there."""
    return [
        layout.row_of(
            conversation(pair.context, encode), wrapping, persona, other=encode(pair.rejected),
            good=True, other_good=False if pair.kind == "opposite" else None,
        )
        for pair in pairs
    ]  # fmt: skip


def held_out(conv_id: str) -> bool:
    """One conversation in twenty is never trained on: by a hash, so that it holds across files."""
    return hashlib.sha256(b"preferences:" + conv_id.encode()).digest()[0] < 256 // 20
