"""The honest halves of EmpatheticDialogues' validation split, as a rule and as committed lists.

    python -m affect.splits --data DIR      # write splits/tune.txt and splits/report.txt again

*tune* chooses (pass, temperature, thresholds); *report* is what is published. Whole conversations go to
one half, so no conversation is on both sides.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

from .data import read_conversations

HALVES = ("tune", "report")
FOLDER = Path(__file__).parent / "splits"


def half_of(conv_id: str) -> str:
    """"tune" when the first byte of sha256(conv_id) is even, else "report"."""
    return HALVES[hashlib.sha256(conv_id.encode()).digest()[0] % 2]


def ids_of(half: str) -> list[str]:
    """The committed list of one half, in the order of the corpus."""
    return (FOLDER / f"{half}.txt").read_text(encoding="utf-8").split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args()
    ids = [item.conv_id for item in read_conversations(args.data / "empathetic_dialogues" / "valid.jsonl")]
    FOLDER.mkdir(exist_ok=True)
    for half in HALVES:
        mine = [conv_id for conv_id in ids if half_of(conv_id) == half]
        (FOLDER / f"{half}.txt").write_text("\n".join(mine) + "\n", encoding="utf-8")
        print(f"{half}: {len(mine)} conversations")


if __name__ == "__main__":
    main()
