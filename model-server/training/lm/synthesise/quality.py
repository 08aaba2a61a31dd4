"""The quality filter: measured rules, each with a name that is counted, and optionally a scorer of the user's."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Sequence

from .seeds import Seed

WORDS = (3, 60)
"""Fewest and most words of a turn."""
MOST_REPEATED = 0.5
"""Greatest share of a dialogue's three-word runs that have occurred before."""
MOST_COPIED = 0.6
"""Greatest share of a turn's three-word runs that stand in the situation it was made from."""
FEWEST_ENGLISH_LETTERS = 0.9
"""Smallest share of ASCII letters among a turn's letters."""
REFUSALS = re.compile(
    r"\b(as an? (ai\b|artificial|language model)|i('m| am) (just |only )?an? (ai|language model)"
    r"|i (can't|cannot|can not) (assist|comply|fulfil|write|create|help (you )?with)"
    r"|i('m| am) (unable|not able) to (help|assist|write|create|comply|fulfil)"
    r"|here('s| is) (a|the|your) dialogue|language model)\b",
    re.IGNORECASE,
)
SCORER_SECONDS = 3_600


def words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.casefold().replace("\u2019", "'"))


def runs(text: str) -> list[tuple[str, ...]]:
    """All runs of three words."""
    found = words(text)
    return list(zip(found, found[1:], found[2:]))


def fault(turns: Sequence[dict[str, str]], seed: Seed) -> str | None:
    """The name of the first rule that the dialogue breaks, None where it breaks none."""
    texts = [turn["text"] for turn in turns]
    if any(not WORDS[0] <= len(words(text)) <= WORDS[1] for text in texts):
        return "length"
    if any(REFUSALS.search(text.replace("\u2019", "'")) for text in texts):
        return "refusal"
    letters = [char for text in texts for char in text if char.isalpha()]
    if sum(char.isascii() for char in letters) < FEWEST_ENGLISH_LETTERS * max(len(letters), 1):
        return "letters"
    if "{" in "".join(texts) or "[" in "".join(texts) or "\u2026" in texts:
        return "placeholder"
    every = [run for text in texts for run in runs(text)]
    if every and 1 - len(set(every)) / len(every) > MOST_REPEATED:
        return "repetition"
    if len({text.casefold() for text in texts}) < len(texts):
        return "repetition"
    told = set(runs(seed.situation or ""))
    for text in texts:
        own = runs(text)
        if told and own and sum(run in told for run in own) / len(own) > MOST_COPIED:
            return "copy"
    return None


def scores(rows: Sequence[dict], command: str) -> list[float]:
    """One number per row from a command that reads the rows as jsonl and writes a number a line.

    Raises ValueError where it fails or writes another number of lines. No shell is involved.
    """
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    run = subprocess.run(
        shlex.split(command), input=lines, capture_output=True, text=True, encoding="utf-8", timeout=SCORER_SECONDS
    )
    if run.returncode != 0:
        raise ValueError(f"the scorer ended with status {run.returncode}")
    try:
        found = [float(line) for line in run.stdout.splitlines() if line.strip()]
    except ValueError as error:
        raise ValueError("the scorer wrote a line that is no number") from error
    if len(found) != len(rows):
        raise ValueError(f"the scorer wrote {len(found)} numbers for {len(rows)} rows")
    return found
