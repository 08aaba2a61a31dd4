"""Feedback of a service's users: one JSON object a line, three kinds.

    {"kind": "sft",        "messages": […], "reply": "…"}                      an edited reply
    {"kind": "preference", "messages": […], "chosen": "…", "rejected": "…"}    one reply preferred to another
    {"kind": "negative",   "messages": […], "reply": "…"}                      a reported reply

`messages` is the conversation before the reply in the form of chat completions: `{"role", "content"}` with the
roles user, assistant and, at the first place only, system; the last message is the user's. Other fields of a row
are allowed and not read. No error carries any text of a row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from . import data
from .format import Conversation, Encoder, Turn

Kind = Literal["sft", "preference", "negative"]
REPLY_FIELDS: dict[Kind, tuple[str, ...]] = {
    "sft": ("reply",), "preference": ("chosen", "rejected"), "negative": ("reply",),
}  # fmt: skip
MOST_ERRORS = 20
"""As many as one reads; the count of all is given."""


@dataclass(frozen=True)
class Row:
    kind: Kind
    messages: tuple[tuple[str, str], ...]
    """(role, content) without the system message."""
    persona: str | None
    """The system message, None for the default persona."""
    reply: str
    """The edited, preferred or reported reply."""
    rejected: str | None = None


class FeedbackError(ValueError):
    """The file cannot be used; its message names file, lines and reasons."""


def read(path: Path) -> list[Row]:
    """Every row of the file. Raises FeedbackError, with all faulty lines, where a row is not of the form above
    or where there is none."""
    with path.open(encoding="utf-8") as lines:
        return parse(path.name, lines)


def parse(name: str, lines: Iterable[str]) -> list[Row]:
    """As `read`, for lines of a file called `name`; blank lines are skipped."""
    rows: list[Row] = []
    errors: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = parse_row(line)
        if isinstance(row, Row):
            rows.append(row)
        else:
            errors.append(f"{name}:{number}: {row}")
    if errors:
        more = [f"… {len(errors) - MOST_ERRORS} more"] if len(errors) > MOST_ERRORS else []
        raise FeedbackError("\n".join([*errors[:MOST_ERRORS], *more]))
    if not rows:
        raise FeedbackError(f"{name}: no feedback")
    return rows


def parse_row(line: str) -> Row | str:
    """The row, or what is wrong with it."""
    try:
        value = json.loads(line)
    except ValueError:
        return "not JSON"
    if not isinstance(value, dict):
        return "not an object"
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in REPLY_FIELDS:
        return "kind must be sft, preference or negative"
    messages = _messages(value.get("messages"))
    if isinstance(messages, str):
        return messages
    replies = []
    for field in REPLY_FIELDS[kind]:
        text = _text(value.get(field))
        if text is None:
            return f"{field} must be a text that is not blank"
        replies.append(text)
    if len(set(replies)) < len(replies):
        return "chosen and rejected are the same"
    persona = messages[0][1] if messages[0][0] == "system" else None
    turns = tuple(messages[1:] if persona is not None else messages)
    return Row(kind, turns, persona, replies[0], replies[1] if kind == "preference" else None)


def _messages(value: object) -> list[tuple[str, str]] | str:
    if not isinstance(value, list) or not value:
        return "messages must be a list with at least one message"
    found: list[tuple[str, str]] = []
    for index, message in enumerate(value):
        if not isinstance(message, dict):
            return f"messages[{index}] must be an object"
        role, text = message.get("role"), _text(message.get("content"))
        if role not in ("user", "assistant") and not (role == "system" and index == 0):
            return f"messages[{index}].role must be user or assistant (system only at the first place)"
        if text is None:
            return f"messages[{index}].content must be a text that is not blank"
        found.append((role, text))
    if found[-1][0] != "user":
        return "the last message must be the user's"
    return found


def _text(value: object) -> str | None:
    """The text as the format has it, None where it is no text, blank or not well-formed Unicode."""
    if not isinstance(value, str):
        return None
    try:
        value.encode("utf-8")  # JSON may hold half a surrogate pair, which the tokenizer refuses
    except UnicodeEncodeError:
        return None
    return data.normalise(value) or None


def conversation(row: Row, encode: Encoder) -> Conversation:
    """The messages and the reply as turns; feedback carries no emotion or intent label."""
    turns = [Turn(role == "user", tuple(encode(text))) for role, text in row.messages]
    return Conversation("feedback", None, (*turns, Turn(False, tuple(encode(row.reply)))))
