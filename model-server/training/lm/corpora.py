"""Further dialogues for the persona stage: persona chat, everyday talk, emotional support.

The reply is always the second speaker's (persona chat: either one's, with that one's persona as the
system turn). None of these has one of the 32 emotions or the nine intents, so only the language
model learns from them.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

from .data import normalise
from .format import Conversation, Encoder, Turn

PERSONA_CHAT = ("Synthetic-Persona-Chat_valid.csv", "Synthetic-Persona-Chat_test.csv")
DAILY_DIALOG = ("train_partial.jsonl", "validation.jsonl")
"""Its test split stays unseen; RECCON's test dialogues (see affect/tasks/causes.py) do not matter for text."""
ESCONV = ("multiesc_valid.jsonl", "multiesc_test.jsonl")
TOKENS = 320
"""A longer dialogue is cut after the last whole turn within this many tokens of text."""

_SECOND_PERSON = (
    (r"\bI am\b|\bI'm\b|\bi am\b|\bi'm\b", "You are"), (r"\bI was\b|\bi was\b", "You were"),
    (r"\bI've\b|\bi've\b", "You have"), (r"\b[Ii]\b", "You"), (r"\b[Mm]y\b", "your"),
    (r"\bme\b", "you"), (r"\bmine\b", "yours"), (r"\bmyself\b", "yourself"),
)  # fmt: skip


def second_person(line: str) -> str:
    """A persona line as an instruction: "i love my dog." becomes "You love your dog."

    >>> second_person("i love my dog.")
    'You love your dog.'
    """
    for pattern, replacement in _SECOND_PERSON:
        line = re.sub(pattern, replacement, line)
    line = line.strip()
    return line[:1].upper() + line[1:]


def untokenise(text: str) -> str:
    """Undo the spaces that DailyDialog and ESConv put before punctuation and in contractions.

    >>> untokenise("I ’ m fine , thanks .")
    "I'm fine, thanks."
    """
    text = text.replace("’", "'").replace("‘", "'")
    text = re.sub(r"\s+([.,!?;:%])", r"\1", text)
    text = re.sub(r"(\w)\s*'\s*(s|m|t|re|ve|ll|d|S|M|T|Re|Ve|Ll|D)\b", lambda m: f"{m[1]}'{m[2].lower()}", text)
    return re.sub(r"\s{2,}", " ", text).strip()


def _persona_chat(path: Path) -> Iterator[tuple[str, list[tuple[bool, str]], str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines)):
            said = []
            for line in row["Best Generated Conversation"].splitlines():
                found = re.fullmatch(r"User ([12]): (.+)", line.strip())
                if found:
                    said.append((found[1], found[2]))
            if any("[" in text for _, text in said) or not said:
                continue  # placeholders such as "[User 1's name]"
            for replier in ("1", "2"):
                persona = row[f"user {replier} personas"].splitlines()
                told = " ".join(second_person(line) for line in persona if line.strip())
                turns = [(who != replier, text) for who, text in said]
                yield f"persona_chat:{path.stem}:{number}:{replier}", turns, told


def _daily_dialog(path: Path) -> Iterator[tuple[str, list[tuple[bool, str]], None]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            turns = [(n % 2 == 0, untokenise(text)) for n, text in enumerate(json.loads(line)["turns"])]
            yield f"daily_dialog:{path.stem}:{number}", turns, None


def _esconv(path: Path) -> Iterator[tuple[str, list[tuple[bool, str]], None]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            turns: list[tuple[bool, str]] = []
            for turn in json.loads(line)["dialog"]:
                speaker, text = turn["speaker"] == "usr", untokenise(turn["text"])
                if turns and turns[-1][0] == speaker:
                    turns[-1] = (speaker, f"{turns[-1][1]} {text}")
                else:
                    turns.append((speaker, text))
            yield f"esconv:{path.stem}:{number}", turns, None


READERS = {
    "synthetic_persona_chat": (PERSONA_CHAT, _persona_chat),
    "dailydialog": (DAILY_DIALOG, _daily_dialog),
    "esconv": (ESCONV, _esconv),
}


def load(data: Path, source: str, encode: Encoder) -> list[Conversation]:
    """The dialogues of one source that begin with the other speaker, cut to TOKENS.

    Raises KeyError for an unknown source, FileNotFoundError where its folder is not there.
    """
    names, reader = READERS[source]
    result = []
    for name in names:
        for conv_id, said, persona in reader(data / source / name):
            while said and not said[0][0]:
                said = said[1:]
            turns, room = [], TOKENS
            for speaker, text in said:
                ids = tuple(encode(normalise(text)))
                if len(ids) > room:
                    break
                room -= len(ids)
                if ids:
                    turns.append(Turn(speaker, ids))
            if any(not turn.speaker for turn in turns):
                own = None if persona is None else tuple(encode(normalise(persona)))
                result.append(Conversation(conv_id, None, tuple(turns), own))
    return result
