"""The reference model's log probabilities of both replies of every row, computed once and kept on disk.

The reference is the checkpoint that training starts from. Holding it in memory beside the policy would double
both memory and time; a file of two numbers a row does the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from .. import files
from . import layout, objective


@dataclass(frozen=True)
class Reference:
    """Sums of natural log probabilities over the reply and its end token: float32 [rows]."""

    reply: torch.Tensor
    other: torch.Tensor


@torch.no_grad()
def compute(network, rows: Sequence[layout.Row], cache: Path) -> Reference:
    """Both sums for every row; rows already in `cache` (jsonl) are not computed again.

    `cache` must be named after everything that the numbers depend on. Lines are appended batch by batch, so a
    computation that was killed goes on where it was; a torn last line is dropped.
    """
    known = _read(cache)
    missing = [number for number in range(len(rows)) if number not in known]
    if missing:
        cache.parent.mkdir(parents=True, exist_ok=True)
        network.eval()
        with cache.open("a", encoding="utf-8") as out:
            for batch in layout.batches(rows, layout.pack(rows, missing)):
                scored, count = objective.score(network, batch), len(batch.index)
                reply = objective.per_row(scored.reply, batch.reply, count).tolist()
                other = objective.per_row(scored.other, batch.other, count).tolist()
                for number, *sums in zip(batch.index.tolist(), reply, other, strict=True):
                    known[number] = (sums[0], sums[1])
                    out.write(json.dumps([number, *sums]) + "\n")
                out.flush()
    sums = torch.tensor([known[number] for number in range(len(rows))]).reshape(-1, 2)
    return Reference(sums[:, 0], sums[:, 1])


def _read(cache: Path) -> dict[int, tuple[float, float]]:
    rows = (json.loads(line) for line in files.whole_lines(cache))
    return {number: (reply, other) for number, reply, other in rows}
