"""Direct preference optimisation with cached reference log probabilities.

    python -m lm.preferences.dpo --pairs pairs.jsonl --checkpoint WORK/leg-3.pt --work WORK --minutes 25 --data DIR

    loss = DPO + sft_weight * NLL per token of the chosen reply + head_weight * (0.5 affect + 0.2 intent + 0.2 judge)

The second term (as in iterative RPO, arXiv 2404.19733) keeps the perplexity where it was, the third the heads.
Writes WORK/dpo.pt for lm.export, and the figures before and after on held-out pairs into WORK/dpo.jsonl. With
`--data` also perplexity and heads on the tune half of the validation split.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from affect.splits import half_of

from .. import batching, data, model as models, objectives, slots
from ..format import Wrapping
from . import judged, layout, objective, reference, rows, stage

LEARNING_RATE = 2e-6
BETA = 0.1
BETA_BY_LENGTH = 1.5
"""BETA times the mean length: EmpatheticDialogues' replies have 15 tokens with the end token on average."""
SFT_WEIGHT = 0.3
HEAD_WEIGHT = 0.2
DATA = ("empathetic_dialogues", "empathetic_intents")
"""What pairs are made from (lm/profiles.py)."""
TUNE_CONVERSATIONS = 120
"""As many as lm.train looks at, so that its figures and these compare."""


@dataclass(frozen=True)
class Settings:
    beta: float = BETA
    sft_weight: float = SFT_WEIGHT
    head_weight: float = HEAD_WEIGHT
    by_length: bool = False
    """Compare mean instead of summed log probabilities."""


def margins(scored: objective.Scored, batch: layout.Batch, known: reference.Reference, by_length: bool) -> torch.Tensor:
    """log(pi/ref)(chosen) - log(pi/ref)(rejected) by row: float32 [rows], nats (nats per token if `by_length`)."""
    count = len(batch.index)
    chosen = objective.per_row(scored.reply, batch.reply, count) - known.reply[batch.index]
    rejected = objective.per_row(scored.other, batch.other, count) - known.other[batch.index]
    if by_length:
        return chosen / objective.lengths(batch.reply, count) - rejected / objective.lengths(batch.other, count)
    return chosen - rejected


def loss_of(network, known: reference.Reference, settings: Settings) -> stage.Loss:
    """The stage's loss on a batch whose `index` numbers the entries of `known`."""

    def loss(batch: layout.Batch) -> tuple[torch.Tensor, dict[str, float]]:
        scored = objective.score(network, batch)
        margin = margins(scored, batch, known, settings.by_length)
        preference = objective.dpo(margin, settings.beta).mean()
        nll = -scored.reply.mean()
        total = preference + settings.sft_weight * nll
        total = total + settings.head_weight * objective.head_loss(scored.heads)
        figures = {"dpo": preference.item(), "margin": settings.beta * margin.mean().item(), "nll": nll.item()}
        figures["accuracy"] = (margin > 0).float().mean().item()
        return total, figures | {name: value.item() for name, value in scored.heads.items()}

    return loss


def split(pairs: Sequence[rows.Pair]) -> tuple[list[int], list[int]]:
    """Numbers of the pairs to train on and of those held out."""
    held = [number for number, pair in enumerate(pairs) if rows.held_out(pair.context.conv_id)]
    return [number for number in range(len(pairs)) if number not in set(held)], held


def tune_batches(folder: Path, encode: models.TextEncoder, cache: Path) -> list[batching.Batch]:
    """Whole conversations of the tune half, laid out as lm.train evaluates them."""
    valid = data.load(folder, "valid", encode, cache)
    chosen = [c for c in valid if half_of(c.conv_id) == "tune"][:TUNE_CONVERSATIONS]
    return list(batching.evaluation(chosen, Wrapping(encode), encode(slots.DEFAULT_PERSONA)))


def train(
    network, pairs: Sequence[rows.Pair], laid_out: Sequence[layout.Row], known: reference.Reference,
    tune: Sequence[batching.Batch], settings: Settings, run: stage.Stage, tokens: int = layout.TOKENS_PER_BATCH,
) -> None:  # fmt: skip
    """The stage from resumption to its result, with the figures around it."""
    numbers, held = split(pairs)
    if not numbers:
        raise ValueError("all pairs are held out: too few to train on")
    groups = layout.pack(laid_out, numbers, tokens)

    def figures(when: str) -> None:
        held_rows = [laid_out[n] for n in held]
        part = reference.Reference(known.reply[held], known.other[held])
        row: dict = {"when": when}
        row |= judged.pairs(network, held_rows, part, settings.beta, settings.by_length) if held else {}
        run.log(row | (objectives.evaluate(network, tune) if tune else {}))

    run.resume(network)
    if run.done.step == 0:
        figures("before")
    run.run(
        network, len(groups), lambda number: layout.batches(laid_out, groups, run.plan.seed + number),
        loss_of(network, known, settings),
    )  # fmt: skip
    figures("after")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True, help="file of lm.preferences.pairs")
    parser.add_argument("--checkpoint", type=Path, required=True, help="start and reference, a .pt file of lm.train")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True, help="training alone, without the reference pass")
    parser.add_argument("--data", type=Path, help="for perplexity and heads on the tune half")
    parser.add_argument("--passes", type=int, default=1, help="at most so many passes over the pairs")
    parser.add_argument("--lr", type=float, default=LEARNING_RATE)
    parser.add_argument("--beta", type=float, help=f"default {BETA}, or {BETA_BY_LENGTH} with --by-length")
    parser.add_argument("--sft-weight", type=float, default=SFT_WEIGHT)
    parser.add_argument("--head-weight", type=float, default=HEAD_WEIGHT)
    parser.add_argument("--by-length", action="store_true", help="mean log probabilities per token instead of sums")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args(argv)
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    beta = arguments.beta if arguments.beta is not None else BETA_BY_LENGTH if arguments.by_length else BETA
    settings = Settings(beta, arguments.sft_weight, arguments.head_weight, arguments.by_length)
    plan = stage.Plan(arguments.minutes * 60, arguments.passes, arguments.lr, arguments.seed)
    encode = models.TextEncoder(models.load_tokenizer())
    pairs = rows.read(arguments.pairs)
    laid_out = rows.lay_out(pairs, encode, Wrapping(encode), encode(slots.DEFAULT_PERSONA))
    network, progress = stage.load(arguments.checkpoint)
    cache = arguments.work / "cache"
    key = stage.digest(arguments.pairs, arguments.checkpoint, *layout_files())
    started = time.monotonic()
    known = reference.compute(network, laid_out, cache / f"reference-{key}.jsonl")
    run_key = stage.digest(key, settings, plan.passes, plan.learning_rate, plan.seed)
    run = stage.Stage("dpo", arguments.work, run_key, plan, progress, DATA)
    run.work.mkdir(parents=True, exist_ok=True)
    run.log({"reference_seconds": round(time.monotonic() - started, 1), "tokens": sum(map(len, laid_out))})
    tune = tune_batches(arguments.data, encode, cache) if arguments.data else []
    train(network, pairs, laid_out, known, tune, settings, run)


def layout_files() -> tuple[Path, ...]:
    """Sources that decide how a pair becomes tokens: a change of theirs makes cached log probabilities stale."""
    here = Path(__file__).parent
    return here / "layout.py", here / "rows.py", here.parent / "format.py", here.parent / "slots.py"


if __name__ == "__main__":
    main()
