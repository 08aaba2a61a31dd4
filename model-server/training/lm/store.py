"""Checkpoints of one working directory, and how far a leg is."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import torch

from . import model as models


@dataclass
class Progress:
    leg: int = 1
    epoch: int = 0
    batch: int = 0
    """Batches of the epoch already done."""
    step: int = 0
    seconds: float = 0.0
    tokens: int = 0
    emotion_input: bool = False
    """Whether `<|emo:x|>` was trained as an input."""


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
    """The network, where to go on, and the optimiser's state of an unfinished leg.

    Leg 1 starts from the base weights, leg N from `leg-(N-1).pt`.
    """
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
    before = Progress(**state["progress"])
    return network, Progress(leg=leg, epoch=before.epoch, batch=before.batch, emotion_input=before.emotion_input), None
