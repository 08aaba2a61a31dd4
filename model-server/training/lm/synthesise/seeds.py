"""What a dialogue is made from, how it is asked for, and how the answer is read."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from .. import data, slots

PROMPT_VERSION = 1
"""Counted up with every change of the prompt, so that no run mixes two."""
SYSTEM = "You write natural, short dialogues between two people. You answer with the dialogue alone."
MOST_TURNS = 8


@dataclass(frozen=True)
class Seed:
    """An emotion and, where there is one, the situation it was felt in."""

    emotion: str
    situation: str | None


def read(path: Path) -> list[Seed]:
    """Rows `{"emotion", "situation"?}`, so EmpatheticDialogues' train file does as well. Raises ValueError with the
    line where the emotion is none of the 32, and for an empty file."""
    found = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            row = json.loads(line)
            if row.get("emotion") not in slots.EMOTIONS:
                raise ValueError(f"{path.name}:{number}: emotion must be one of the 32 labels")
            situation = row.get("situation")
            found.append(Seed(row["emotion"], data.normalise(situation) if isinstance(situation, str) else None))
    if not found:
        raise ValueError(f"{path.name}: no seeds")
    return found


def messages(seed: Seed) -> list[dict[str, str]]:
    """The request's messages."""
    told = f" This is what happened to them: {seed.situation}" if seed.situation else ""
    text = (
        f"Write a dialogue of four turns. The speaker feels {seed.emotion}.{told}\n"
        "The speaker tells it in everyday words and does not have to name the feeling. The listener answers with "
        "empathy: takes up what was said, asks or comforts where it fits, gives no lecture and no list.\n"
        "One or two sentences a turn, each turn on its own line, in exactly this form:\n"
        "Speaker: …\nListener: …\nSpeaker: …\nListener: …"
    )
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}]


def parse(text: str) -> list[dict[str, str]] | None:
    """The turns `{"role", "text"}` of an answer, None where it is no dialogue.

    A dialogue begins with the speaker, changes turns and ends with the listener; a last speaker turn is cut off.
    Marks around the names (`**Speaker:**`) are taken off, lines without a name belong to the turn before.
    """
    turns: list[dict[str, str]] = []
    for line in text.splitlines():
        named = re.match(r"^[\s*_#>-]*(speaker|listener)\s*[*_]*\s*:[*_]*\s*(.*)$", line, re.IGNORECASE)
        if named:
            turns.append({"role": named[1].lower(), "text": named[2].strip()})
        elif turns and line.strip():
            turns[-1]["text"] = f"{turns[-1]['text']} {line.strip()}".strip()
    if turns and turns[-1]["role"] == "speaker":
        turns.pop()
    roles = [turn["role"] for turn in turns]
    expected = ["speaker", "listener"] * (len(turns) // 2)
    if not turns or len(turns) > MOST_TURNS or roles != expected or not all(turn["text"] for turn in turns):
        return None
    return [{"role": turn["role"], "text": data.normalise(turn["text"])} for turn in turns]
