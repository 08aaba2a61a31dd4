"""A tiny checkpoint, pairs and rows for the tests of preference and feedback training."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from lm_tiny import SAMPLE, encoder, persona, sample, tiny_config, tiny_model, wrapping

from lm import batching, data, store
from lm.preferences import layout, pairs, rows

SOURCE = {"leg": 2, "epoch": 1, "batch": 7, "step": 900, "seconds": 60.0, "tokens": 5_000}
"""`progress` of the tiny checkpoint."""


@cache
def sample_pairs() -> tuple[rows.Pair, ...]:
    read = list(data.read_rows(SAMPLE / "empathetic_dialogues" / "train.jsonl"))
    intents = data.read_intents(SAMPLE / "empathetic_intents" / "turn_labels_train.tsv")
    return tuple(pairs.make(read, intents, None, encoder(), 10, 0.0, 0))


@cache
def sample_rows() -> tuple[layout.Row, ...]:
    return tuple(rows.lay_out(sample_pairs(), encoder(), wrapping(), list(persona())))


@cache
def tune_batches() -> tuple[batching.Batch, ...]:
    """The sample as lm.train evaluates it."""
    return tuple(batching.evaluation(list(sample()), wrapping(), list(persona())))


def write_checkpoint(path: Path) -> Path:
    """Weights of `tiny_model(0)` in the form of lm.train's checkpoints."""
    state = {k: v for k, v in tiny_model().state_dict().items() if k != "lm_head.weight"}
    store.write(path, tiny_config(), state, dict(SOURCE))
    return path


def ticking(seconds: float) -> Callable[[], float]:
    """A clock that is `seconds` further at every reading."""
    now = 0.0

    def read() -> float:
        nonlocal now
        now += seconds
        return now

    return read
