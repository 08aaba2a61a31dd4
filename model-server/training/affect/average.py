"""Average the weights of several passes (Izmailov et al. 2018) and keep the mean if tune says so.

    python -m affect.average --work DIR pass-2.pt pass-3.pt

Writes `averaged.pt` and prints its top-1 on the tune half beside each member's; `best.pt` is replaced
only when the mean is better than it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from . import checkpoint, metrics
from .data import history_examples
from .inputs import Marks
from .model import AffectModel
from .predict import logits_of, torch_runner
from .splits import half_of

AVERAGED = "averaged.pt"


def mean_of(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Element-wise mean of state dicts with equal names and shapes."""
    return {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}


def tune_scores(model: AffectModel, work: Path) -> tuple[float, float]:
    """History top-1 on the tune half and its negative log-likelihood at the best temperature."""
    marks = Marks.of(Tokenizer.from_file(str(work / checkpoint.TOKENIZER)))
    tune = [item for item in checkpoint.load_valid(work) if half_of(item.conv_id) == "tune"]
    logits, labels = logits_of(torch_runner(model), history_examples(tune, marks), marks.pad)
    temperature = metrics.fit_temperature(logits, labels)
    return metrics.top_k(logits, labels, 1), metrics.negative_log_likelihood(logits, labels, temperature)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("members", nargs="+")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    contents = [checkpoint.load(args.work / name) for name in args.members]
    mean = {**contents[0], "model": mean_of([content["model"] for content in contents])}
    checkpoint.save(args.work / AVERAGED, mean)
    scores = {}
    for name in dict.fromkeys([*args.members, AVERAGED, checkpoint.BEST]):
        scores[name] = tune_scores(checkpoint.load_model(args.work / name), args.work)
        print(f"{name}: tune history top-1 {scores[name][0]:.4f}, negative log-likelihood {scores[name][1]:.4f}")
    if scores[AVERAGED][0] > scores[checkpoint.BEST][0]:
        checkpoint.save(args.work / checkpoint.BEST, mean)
        print(f"{checkpoint.BEST} is now the mean")


if __name__ == "__main__":
    main()
