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

from affect.tasks.causes import Fingerprint, read_dialogues

from .data import normalise
from .format import MAX_TOKENS, Conversation, Encoder, Turn

PERSONA_CHAT = ("Synthetic-Persona-Chat_valid.csv", "Synthetic-Persona-Chat_test.csv")
"""Both are test and validation files of that set; no figure of ours is measured on it."""
DAILY_DIALOG = ("train_partial.jsonl", "validation.jsonl")
RECCON = ("dailydialog_valid.json", "dailydialog_test.json")
"""Annotated DailyDialog dialogues that figures of the edge model are measured on: left out of the corpus."""
ESCONV = ("multiesc_valid.jsonl", "multiesc_test.jsonl")
"""The only whole dialogues at hand; both are held-out splits of other works and of no figure of ours."""
FRAME = 14
"""Tokens that a turn's frame and slots take at most, besides its text (lm/format.py)."""

_SECOND_PERSON = (
    (r"\bI am not\b|\bI'm not\b", "you are not"), (r"\bI am\b|\bI'm\b", "you are"),
    (r"\bI wasn't\b", "you weren't"), (r"\bI was\b", "you were"), (r"\bI've\b", "you have"),
    (r"\bI'd\b", "you would"), (r"\bI'll\b", "you will"), (r"\bI\b", "you"), (r"\bmy\b", "your"),
    (r"\bme\b", "you"), (r"\bmine\b", "yours"), (r"\bmyself\b", "yourself"),
)  # fmt: skip


def second_person(line: str) -> str:
    """A persona line as an instruction: "i love my dog." becomes "You love your dog."

    >>> second_person("i love my dog.")
    'You love your dog.'
    """
    for pattern, replacement in _SECOND_PERSON:
        line = re.sub(pattern, replacement, line, flags=re.IGNORECASE)
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


Said = tuple[str, list[tuple[bool, str]], str | None]
"""Identifier, turns as (whether the other side speaks, text), persona of the one who replies."""


def _persona_chat(path: Path) -> Iterator[Said]:
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


def _daily_dialog(path: Path) -> Iterator[Said]:
    reccon = path.parent.parent / "reccon"
    held_out = [Fingerprint.of(dialogue) for name in RECCON for dialogue in read_dialogues(reccon / name)]
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            said = json.loads(line)["turns"]
            found = Fingerprint.of([{"utterance": text} for text in said])
            if any(found.is_copy(other) for other in held_out):
                continue
            turns = [(n % 2 == 0, untokenise(text)) for n, text in enumerate(said)]
            yield f"daily_dialog:{path.stem}:{number}", turns, None


def _esconv(path: Path) -> Iterator[Said]:
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
    """The dialogues of one source from the first turn of the other side on, cut after the last whole
    turn that leaves the laid out example within MAX_TOKENS.

    Raises KeyError for an unknown source, FileNotFoundError where its folder is not there.
    """
    names, reader = READERS[source]
    result = []
    for name in names:
        for conv_id, said, persona in reader(data / source / name):
            while said and not said[0][0]:
                said = said[1:]
            own = None if persona is None else tuple(encode(normalise(persona)))
            turns, room = [], MAX_TOKENS - FRAME - len(own or ())
            for speaker, text in said:
                ids = tuple(encode(normalise(text)))
                room -= len(ids) + FRAME
                if room < 0:
                    break
                if ids:
                    turns.append(Turn(speaker, ids))
            if any(not turn.speaker for turn in turns):
                result.append(Conversation(conv_id, None, tuple(turns), own))
    return result
