"""What happens to a text before the tokenizer: the same few lines exist in `src/affect/` (see FORMAT.md).

BertNormalizer does the rest (control characters, lower case, NFD, accents). What it cannot do is
emoji: it leaves them glued to the word before, and WordPiece then gives the whole word up as [UNK].
"""

from __future__ import annotations

import json
from pathlib import Path

#: Single code points and what replaces them. A file of its own, because it is exported as it is.
REPLACE: dict[str, str] = json.loads((Path(__file__).parent / "replace.json").read_text(encoding="utf-8"))

#: Inclusive code point ranges that are set apart by blanks: emoji and symbol blocks of Unicode, and the
#: ideographs beyond the basic plane, which BertNormalizer isolates in Python but not in JavaScript.
ISOLATE = ((0x2600, 0x27BF), (0x1F000, 0x1FAFF), (0x20000, 0x2FA1F))


def normalise(text: str) -> str:
    """Replace or isolate emoji, straighten quotes; one pass over code points, everything else kept.

    >>> normalise("great😂 it’s")
    "great laughing  it's"
    """
    return "".join(_normalise_char(char) for char in text)


def _normalise_char(char: str) -> str:
    replacement = REPLACE.get(char)
    if replacement is not None:
        return replacement
    point = ord(char)
    if any(first <= point <= last for first, last in ISOLATE):
        return f" {char} "
    return char
