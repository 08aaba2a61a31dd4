"""From turns to token ids: the layout of FORMAT.md, section 3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

from .constants import MARK_TOKENS, MAX_TOKENS, SPECIAL_TOKENS
from .text import normalise


@dataclass(frozen=True)
class Marks:
    """Ids that are put around texts and never come from one."""

    pad: int
    cls: int
    sep: int
    speaker: int
    listener: int

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Marks:
        def id_of(token: str) -> int:
            index = tokenizer.token_to_id(token)
            if index is None:
                raise ValueError(f"the vocabulary lacks {token}")
            return index

        names = SPECIAL_TOKENS
        return cls(
            pad=id_of(names["pad"]),
            cls=id_of(names["cls"]),
            sep=id_of(names["sep"]),
            speaker=id_of(MARK_TOKENS["speaker"]),
            listener=id_of(MARK_TOKENS["listener"]),
        )


#: One turn: role ("speaker" or "listener") and the token ids of its text.
TurnIds = tuple[str, Sequence[int]]


def layout(turns: Sequence[TurnIds], marks: Marks, max_tokens: int = MAX_TOKENS) -> list[int]:
    """`[CLS] mark text … mark text [SEP]`, at most `max_tokens` ids, latest turn kept.

    Turns after the latest speaker turn are dropped: the model judges speaker turns only (case E05).
    What does not fit is cut from the oldest side, inside a turn too.
    """
    rest = max_tokens - 2
    sequence: list[int] = []
    for role, ids in reversed(until_speaker(turns)):
        if len(ids) == 0:
            continue
        room = rest - 1
        if room < 1:
            break
        kept = list(ids[-room:])
        sequence = [marks.speaker if role == "speaker" else marks.listener, *kept, *sequence]
        rest = room - len(kept)
        if len(ids) > room:
            break
    return [marks.cls, *sequence, marks.sep]


def until_speaker(turns: Sequence[TurnIds]) -> Sequence[TurnIds]:
    """The turns up to and including the latest one of the speaker; none if the speaker said nothing."""
    for end in range(len(turns), 0, -1):
        if turns[end - 1][0] == "speaker":
            return turns[:end]
    return turns[:0]


def encode_texts(tokenizer: Tokenizer, texts: Sequence[str]) -> list[list[int]]:
    """Token ids of each text alone, without specials."""
    normalised = [normalise(text) for text in texts]
    return [encoding.ids for encoding in tokenizer.encode_batch(normalised, add_special_tokens=False)]


def encode_turns(tokenizer: Tokenizer, turns: Sequence[tuple[str, str]], marks: Marks) -> list[int]:
    """Input ids of (role, text) turns: what the Worker does for one request."""
    ids = encode_texts(tokenizer, [text for _, text in turns])
    return layout([(role, turn) for (role, _), turn in zip(turns, ids, strict=True)], marks)
