"""Train the judge. One command, minutes on one core:

    python -m epitome.train --data DIR --work DIR

--data is the folder of the corpora (`epitome/*.csv`, and `empathetic_dialogues/train.jsonl` for the vocabulary).
Leaves `--work/best.pt`: the pass with the best mean macro-F1 on the validation part.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from affect import checkpoint
from affect.batches import shuffled_batches, sorted_batches
from affect.constants import BASE_WEIGHTS_SHA256
from affect.data import read_conversations
from affect.export import sha256
from affect.text import normalise
from affect.train import base_folder
from affect.vocabulary import build_tokenizer, count_types, read_vocabulary, tokenizer_json, trim

from .constants import LEVELS, MECHANISMS, VOCABULARY_SIZE
from .data import Encoded, Pair, encode, part, read_pairs
from .measures import confusion, macro_f1
from .model import JudgeModel, from_base


@dataclass(frozen=True)
class Recipe:
    """Hyper-parameters, with the reason for those that are not plain custom."""

    passes: int = 5
    seed: int = 7
    batch: int = 32
    learning_rate: float = 1.5e-4
    #: The heads start at random, the encoder does not.
    head_learning_rate: float = 1e-3
    warm_up_steps: int = 30
    weight_decay: float = 0.01
    clip: float = 1.0
    #: Weight of a level ∝ frequency^−power: 3 to 5 % of the pairs carry the rarest level.
    balance: float = 0.5


def level_weights(encoded: Sequence[Encoded], power: float) -> Tensor:
    """Loss weights float32 [mechanisms, levels], with a mean of 1 over the pairs."""
    levels = np.array([item.levels for item in encoded])
    rows = []
    for column in levels.T:
        share = np.bincount(column, minlength=LEVELS).clip(min=1) / len(column)
        weight = share**-power
        rows.append(weight / (weight * share).sum())
    return torch.tensor(np.array(rows), dtype=torch.float32)


def collate(encoded: Sequence[Encoded], pad: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """`INPUTS` int64 [batch, tokens] and levels int64 [batch, mechanisms]."""
    tokens = max(len(item.ids) for item in encoded)
    ids = np.full((len(encoded), tokens), pad, dtype=np.int64)
    mask, response = np.zeros_like(ids), np.zeros_like(ids)
    for row, item in enumerate(encoded):
        ids[row, : len(item.ids)] = item.ids
        mask[row, : len(item.ids)] = 1
        response[row, item.response_at : len(item.ids) - 1] = 1
    levels = np.array([item.levels for item in encoded], dtype=np.int64)
    return tuple(torch.from_numpy(array) for array in (ids, mask, response, levels))


def loss_of(logits: Tensor, levels: Tensor, weights: Tensor) -> Tensor:
    """Sum over the mechanisms of the weighted cross-entropy."""
    losses = [
        F.cross_entropy(logits[:, column], levels[:, column], weight=weights[column])
        for column in range(levels.shape[1])
    ]
    return torch.stack(losses).sum()


def predict(model: JudgeModel, encoded: Sequence[Encoded], pad: int) -> tuple[np.ndarray, np.ndarray]:
    """Most probable and true levels, int64 [n, mechanisms]."""
    model.eval()
    predicted = np.zeros((len(encoded), len(MECHANISMS)), dtype=np.int64)
    with torch.inference_mode():
        for chosen in sorted_batches([len(item.ids) for item in encoded], 64):
            ids, mask, response, _ = collate([encoded[index] for index in chosen], pad)
            predicted[chosen] = model(ids, mask, response).argmax(dim=-1).numpy()
    return predicted, np.array([item.levels for item in encoded])


def mean_macro_f1(predicted: np.ndarray, levels: np.ndarray) -> float:
    pairs = zip(levels.T, predicted.T, strict=True)
    return float(np.mean([macro_f1(confusion(level, one)) for level, one in pairs]))


def fit(model: JudgeModel, train: list[Encoded], valid: list[Encoded], pad: int, recipe: Recipe, work: Path) -> None:
    """All passes; `work/best.pt` is written after each that is the best so far."""
    torch.manual_seed(recipe.seed)
    heads = [parameter for name, parameter in model.named_parameters() if name.startswith("heads.")]
    body = [parameter for name, parameter in model.named_parameters() if not name.startswith("heads.")]
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": recipe.learning_rate}, {"params": heads, "lr": recipe.head_learning_rate}],
        weight_decay=recipe.weight_decay,
    )
    lengths = [len(item.ids) for item in train]
    plans = [
        shuffled_batches(lengths, recipe.batch, np.random.default_rng([recipe.seed, number]))
        for number in range(recipe.passes)
    ]
    steps = sum(len(plan) for plan in plans)

    def rate(step: int) -> float:
        return min((step + 1) / recipe.warm_up_steps, (steps - step) / max(1, steps - recipe.warm_up_steps))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, rate)
    weights, best, started = level_weights(train, recipe.balance), 0.0, time.monotonic()
    for number, plan in enumerate(plans):
        model.train()
        losses = []
        for chosen in plan:
            ids, mask, response, levels = collate([train[index] for index in chosen], pad)
            loss = loss_of(model(ids, mask, response), levels, weights)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            schedule.step()
            losses.append(loss.item())
        score = mean_macro_f1(*predict(model, valid, pad))
        seconds = round(time.monotonic() - started)
        row = {"pass": number + 1, "loss": round(float(np.mean(losses)), 4), "valid_macro_f1": round(score, 4)}
        print(json.dumps({**row, "seconds": seconds}), flush=True)
        if score > best:
            best = score
            checkpoint.save(work / checkpoint.BEST, checkpoint.content_of(model, number + 1))


def prepare_vocabulary(data: Path, pairs: Sequence[Pair], base: Path, work: Path) -> np.ndarray:
    """Write the trimmed `tokenizer.json`; returns the kept ids of the base vocabulary, int64."""
    full = read_vocabulary(base / "vocab.txt")
    texts = [text for pair in pairs for text in (pair.seeker, pair.response)]
    for conversation in read_conversations(data / "empathetic_dialogues" / "train.jsonl"):
        texts += [text for _, text in conversation.turns]
    kept = trim(full, count_types(build_tokenizer(full), map(normalise, texts)), VOCABULARY_SIZE)
    (work / checkpoint.TOKENIZER).write_text(tokenizer_json([full[index] for index in kept]), encoding="utf-8")
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--base", type=Path, help="folder of all-MiniLM-L6-v2; default: the installed package")
    parser.add_argument("--passes", type=int, default=Recipe.passes)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    base = args.base or base_folder()
    weights = base / "model.safetensors"
    if sha256(weights) != BASE_WEIGHTS_SHA256:
        raise SystemExit(f"{weights.name}: expected sha256 {BASE_WEIGHTS_SHA256}, found {sha256(weights)}")
    pairs = read_pairs(args.data / "epitome")
    kept = prepare_vocabulary(args.data, part(pairs, "train"), base, args.work)
    tokenizer = Tokenizer.from_file(str(args.work / checkpoint.TOKENIZER))
    torch.manual_seed(Recipe.seed)
    model = from_base(weights, torch.from_numpy(kept))
    pad = tokenizer.token_to_id("[PAD]")
    train, valid = (encode(part(pairs, name), tokenizer) for name in ("train", "valid"))
    fit(model, train, valid, pad, Recipe(passes=args.passes), args.work)


if __name__ == "__main__":
    main()
