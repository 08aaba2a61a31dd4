"""Train the multi-head model for one leg.

    python -m lm.train --data DIR --work DIR --minutes 150

A leg is a stretch of wall-clock time over which the learning rate warms up and decays to
zero. A killed leg resumes from its last checkpoint; a finished leg is followed by another
one that starts from its weights with a fresh optimiser (`--leg N`).
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn import functional as F

from affect.splits import half_of

from . import batching, data, model as models, slots
from .format import Conversation, Wrapping

HEAD_WEIGHTS = {"lm": 1.0, "affect": 0.5, "intent": 0.2, "judge": 0.2}
LEARNING_RATE = 3e-4
WARMUP_STEPS = 40
CLIP = 1.0
CHECKPOINT_SECONDS = 600
EVALUATION_SECONDS = 1_200
EVALUATION_CONVERSATIONS = 120
PERSONA_REPEATS = 4
"""How often each hand-written persona dialogue occurs in one pass."""


@dataclass
class Progress:
    leg: int = 1
    epoch: int = 0
    batch: int = 0
    """Batches of the epoch already done."""
    step: int = 0
    seconds: float = 0.0
    tokens: int = 0


def losses(network, batch: batching.Batch) -> dict[str, torch.Tensor]:
    """Mean full-vocabulary cross-entropy per head (nats), heads without targets left out.

    The hidden states are gathered before the 49k-wide projection, the dear part.
    """
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = network.model(
            input_ids=batch.ids, position_ids=batch.positions, attention_mask=batch.mask,
            use_cache=False,
        ).last_hidden_state.flatten(0, 1)
        result = {}
        for head, (positions, targets) in batch.targets.items():
            if len(positions):
                logits = network.lm_head(hidden[positions]).float()
                result[head] = F.cross_entropy(logits, targets)
    return result


@torch.no_grad()
def evaluate(network, batches) -> dict[str, float]:
    """Token perplexity and slot accuracies over evaluation batches."""
    network.eval()
    total = {"nll": 0.0, "n": 0, "top1": 0, "top5": 0, "slots": 0, "mass": 0.0, "intent": 0, "intents": 0}
    low, high = slots.EMOTION_IDS[0], slots.EMOTION_IDS[-1] + 1
    for batch in batches:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = network.model(
                input_ids=batch.ids, position_ids=batch.positions, attention_mask=batch.mask,
                use_cache=False,
            ).last_hidden_state.flatten(0, 1)
            logits = {h: network.lm_head(hidden[p]).float() for h, (p, _) in batch.targets.items() if len(p)}
        total["nll"] += F.cross_entropy(logits["lm"], batch.targets["lm"][1], reduction="sum").item()
        total["n"] += len(batch.targets["lm"][1])
        if "affect" in logits:
            probabilities = logits["affect"].softmax(-1)
            gold = batch.targets["affect"][1]
            top = probabilities[:, low:high].topk(5).indices + low
            total["top1"] += (top[:, 0] == gold).sum().item()
            total["top5"] += (top == gold[:, None]).sum().item()
            total["mass"] += probabilities[:, low:high].sum().item()
            total["slots"] += len(gold)
        if "intent" in logits:
            first, last = slots.INTENT_IDS[0], slots.INTENT_IDS[-1] + 1
            gold = batch.targets["intent"][1]
            total["intent"] += (logits["intent"][:, first:last].argmax(-1) + first == gold).sum().item()
            total["intents"] += len(gold)
    network.train()
    return {
        "ppl_token": float(torch.tensor(total["nll"] / total["n"]).exp()),
        "emotion_top1": total["top1"] / max(total["slots"], 1),
        "emotion_top5": total["top5"] / max(total["slots"], 1),
        "emotion_mass": total["mass"] / max(total["slots"], 1),
        "intent_top1": total["intent"] / max(total["intents"], 1),
    }


def learning_rate(progress: Progress, leg_seconds: float) -> float:
    """Linear warm-up by steps, then linear decay to zero over the leg's wall-clock time."""
    warm = min(1.0, (progress.step + 1) / WARMUP_STEPS)
    return LEARNING_RATE * warm * max(0.0, 1.0 - progress.seconds / leg_seconds)


class Store:
    """Checkpoints of one working directory; every write is atomic."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.running = work / "running.pt"
        self.log_file = work / "log.jsonl"

    def weights(self, leg: int) -> Path:
        return self.work / f"leg-{leg}.pt"

    def log(self, row: dict) -> None:
        with self.log_file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
        print(json.dumps(row), flush=True)

    def save(self, path: Path, network, optimiser, progress: Progress) -> None:
        state = {
            "config": network.config.to_dict() | {"dtype": None, "quantization_config": None},
            "model": {k: v for k, v in network.state_dict().items() if k != "lm_head.weight"},
            "optimiser": optimiser.state_dict() if optimiser else None,
            "progress": vars(progress),
        }
        temporary = path.with_suffix(".tmp")
        torch.save(state, temporary)
        os.replace(temporary, path)


def start(store: Store, leg: int) -> tuple[torch.nn.Module, Progress, dict | None]:
    """The network, where to go on, and the optimiser's state of an unfinished leg."""
    network = models.load_base()
    if store.running.exists():
        state = torch.load(store.running, weights_only=True)
        if state["progress"]["leg"] == leg:
            network.load_state_dict(state["model"], strict=False)
            network.tie_weights()
            return network, Progress(**state["progress"]), state["optimiser"]
    if leg == 1:
        return network, Progress(), None
    state = torch.load(store.weights(leg - 1), weights_only=True)
    network.load_state_dict(state["model"], strict=False)
    network.tie_weights()
    before = state["progress"]
    return network, Progress(leg=leg, epoch=before["epoch"], batch=before["batch"]), None


def run(
    network,
    conversations: list[Conversation],
    held_out: list[Conversation],
    encode,
    store: Store,
    progress: Progress,
    optimiser_state: dict | None,
    leg_seconds: float,
    clock=time.monotonic,
) -> None:
    """Train until the leg's time is over; writes `leg-N.pt` at the end."""
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.95), weight_decay=0.01, fused=True
    )
    if optimiser_state:
        optimiser.load_state_dict(optimiser_state)
    wrapping, persona = Wrapping(encode), encode(slots.DEFAULT_PERSONA)
    network.train()
    mean: dict[str, float] = {}
    saved = evaluated = tick = clock()
    while progress.seconds < leg_seconds:
        for index, batch in enumerate(batching.epoch(conversations, wrapping, persona, progress.epoch)):
            if index < progress.batch:
                continue
            for group in optimiser.param_groups:
                group["lr"] = learning_rate(progress, leg_seconds)
            by_head = losses(network, batch)
            sum(HEAD_WEIGHTS[h] * v for h, v in by_head.items()).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            now = clock()
            progress.seconds += now - tick
            tick = now
            progress.step, progress.batch = progress.step + 1, index + 1
            progress.tokens += batch.tokens
            for head, value in by_head.items():
                mean[head] = 0.98 * mean.get(head, value.item()) + 0.02 * value.item()
            if progress.step % 20 == 0:
                store.log(vars(progress) | {h: round(v, 4) for h, v in mean.items()})
            if now - saved > CHECKPOINT_SECONDS:
                store.save(store.running, network, optimiser, progress)
                saved = now
            if now - evaluated > EVALUATION_SECONDS:
                store.log({"step": progress.step} | evaluate(network, batching.evaluation(held_out, wrapping, persona)))
                evaluated = now
            if progress.seconds >= leg_seconds:
                break
        else:
            progress.epoch, progress.batch = progress.epoch + 1, 0
    store.save(store.weights(progress.leg), network, None, progress)
    store.log({"leg": progress.leg, "done": True} | evaluate(network, batching.evaluation(held_out, wrapping, persona)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with empathetic_dialogues/ and empathetic_intents/")
    parser.add_argument("--work", type=Path, required=True, help="folder for the cache and checkpoints")
    parser.add_argument("--minutes", type=float, default=150)
    parser.add_argument("--leg", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(arguments.threads)
    encode = models.TextEncoder(models.load_tokenizer())
    train = data.load(arguments.data, "train", encode, arguments.work / "cache")
    valid = data.load(arguments.data, "valid", encode, arguments.work / "cache")
    tune = [c for c in valid if half_of(c.conv_id) == "tune"][:EVALUATION_CONVERSATIONS]
    persona = data.load_persona(encode) * PERSONA_REPEATS
    store = Store(arguments.work)
    network, progress, optimiser_state = start(store, arguments.leg)
    run(network, train + persona, tune, encode, store, progress, optimiser_state, arguments.minutes * 60)


if __name__ == "__main__":
    main()
