"""The three files of EPITOME as one list of pairs, and its split. Pure after reading."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tokenizers import Tokenizer

from affect.inputs import Marks, encode_texts

from .constants import MECHANISMS, RESPONSE_TOKENS, SEEKER_TOKENS, TRAIN_BELOW, VALID_BELOW

Part = Literal["train", "valid", "test"]


@dataclass(frozen=True)
class Pair:
    """A post, an answer to it, and the level (0, 1, 2) of each mechanism in the order of MECHANISMS."""

    seeker_id: str
    seeker: str
    response: str
    levels: tuple[int, ...]


@dataclass(frozen=True)
class Encoded:
    """`ids` as the graph reads them; tokens from `response_at` to before the last are the response's."""

    ids: tuple[int, ...]
    response_at: int
    levels: tuple[int, ...]


def read_pairs(folder: Path) -> list[Pair]:
    """All pairs, each once: a pair that stands in the files again is left out.

    @raises ValueError when the three files do not hold the same pairs in the same order.
    """
    tables = []
    for name in MECHANISMS.values():
        with (folder / name).open(encoding="utf-8", newline="") as file:
            tables.append(list(csv.DictReader(file)))
    pairs: dict[tuple[str, str], Pair] = {}
    for rows in zip(*tables, strict=True):
        keys = {(row["sp_id"], row["rp_id"]) for row in rows}
        if len(keys) != 1:
            raise ValueError(f"the files differ at {sorted(keys)}")
        levels = tuple(int(row["level"]) for row in rows)
        pair = Pair(rows[0]["sp_id"], rows[0]["seeker_post"], rows[0]["response_post"], levels)
        pairs.setdefault(keys.pop(), pair)
    return list(pairs.values())


def part_of(seeker_id: str) -> Part:
    """70 / 15 / 15 of the seekers, by a hash: all answers to one post are in one part."""
    place = int.from_bytes(hashlib.sha256(seeker_id.encode()).digest()[:4], "big") % 100
    if place < TRAIN_BELOW:
        return "train"
    return "valid" if place < VALID_BELOW else "test"


def part(pairs: Iterable[Pair], name: Part) -> list[Pair]:
    return [pair for pair in pairs if part_of(pair.seeker_id) == name]


def layout(seeker: Sequence[int], response: Sequence[int], marks: Marks) -> tuple[list[int], int]:
    """`[CLS] mark seeker mark response [SEP]` and the position of the second mark.

    Each text's beginning is kept, as by the authors.
    """
    head = [marks.cls, marks.speaker, *seeker[:SEEKER_TOKENS]]
    return [*head, marks.listener, *response[:RESPONSE_TOKENS], marks.sep], len(head)


def encode(pairs: Sequence[Pair], tokenizer: Tokenizer) -> list[Encoded]:
    marks = Marks.of(tokenizer)
    seekers = encode_texts(tokenizer, [pair.seeker for pair in pairs])
    responses = encode_texts(tokenizer, [pair.response for pair in pairs])
    encoded = []
    for pair, seeker, response in zip(pairs, seekers, responses, strict=True):
        ids, response_at = layout(seeker, response, marks)
        encoded.append(Encoded(tuple(ids), response_at, pair.levels))
    return encoded
