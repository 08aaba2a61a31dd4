"""The published table: both protocols, both halves and the whole of validation.

    python -m affect.evaluate --work DIR --model affect.int8.onnx   # or best.pt for PyTorch

*history*: one prediction per listener turn from the turns before it (5,738 on the whole split).
*situation*: the situation text alone. The label is the conversation's in both.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from . import checkpoint, metrics
from .data import EncodedConversation, history_examples, situation_examples
from .inputs import Marks
from .predict import EVALUATION_BATCH, Run, logits_of, onnx_runner, torch_runner
from .splits import half_of

PROTOCOLS = {"history": history_examples, "situation": situation_examples}

#: Of one model: protocol → half → (logits float32 [n, 32], labels int64 [n]).
Scores = dict[str, dict[str, tuple[np.ndarray, np.ndarray]]]


def score(run: Run, valid: list[EncodedConversation], marks: Marks, batch: int = EVALUATION_BATCH) -> Scores:
    """Logits of both protocols for "tune", "report" and "full" (= both halves).

    @param batch: rows of a run; 1 for an int8 graph, whose activation scales are shared within a batch.
    """
    scores: Scores = {}
    for protocol, examples_of in PROTOCOLS.items():
        parts = {}
        for half in ("tune", "report"):
            mine = [item for item in valid if half_of(item.conv_id) == half]
            parts[half] = logits_of(run, examples_of(mine, marks), marks.pad, batch)
        parts["full"] = tuple(np.concatenate(both) for both in zip(parts["tune"], parts["report"], strict=True))
        scores[protocol] = parts
    return scores


def temperature_of(scores: Scores) -> float:
    """Calibrated on histories of the tune half: that is what the product is asked."""
    return metrics.fit_temperature(*scores["history"]["tune"])


def table(scores: Scores, temperature: float) -> dict[str, dict[str, dict[str, float]]]:
    """protocol → half → measures, rounded to 4 decimals."""
    return {
        protocol: {
            half: {name: round(value, 4) for name, value in metrics.report(*pair, temperature).items()}
            for half, pair in parts.items()
        }
        for protocol, parts in scores.items()
    }


def print_table(name: str, rows: dict[str, dict[str, dict[str, float]]]) -> None:
    for protocol, halves in rows.items():
        for half, row in halves.items():
            print(f"{name:6} {protocol:9} {half:6} " + "  ".join(f"{key} {value}" for key, value in row.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    marks = Marks.of(Tokenizer.from_file(str(args.work / checkpoint.TOKENIZER)))
    is_torch = args.model.suffix == ".pt"
    run = torch_runner(checkpoint.load_model(args.model)) if is_torch else onnx_runner(str(args.model))
    scores = score(run, checkpoint.load_valid(args.work), marks, EVALUATION_BATCH if is_torch else 1)
    rows = table(scores, temperature_of(scores))
    print_table("fp32" if is_torch else "onnx", rows)
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
