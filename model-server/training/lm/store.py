"""Checkpoints of one working directory, and how far a leg is."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

import torch
from transformers import LlamaConfig

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
    stage: str = ""
    profile: str = "full"
    sources: list[str] = field(default_factory=list)
    """Every data source that the weights have seen, those of earlier legs included."""


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
        state = {k: v for k, v in network.state_dict().items() if k != "lm_head.weight"}
        write(path, network.config, state, vars(progress), optimiser.state_dict() if optimiser else None)


def write(
    path: Path, config: LlamaConfig, state: dict[str, torch.Tensor], progress: dict, optimiser: dict | None = None,
    **more: object,
) -> None:  # fmt: skip
    """Write a checkpoint, atomically: configuration, weights without the tied output, progress."""
    content = {
        "config": config.to_dict() | {"dtype": None, "quantization_config": None},
        "model": state, "optimiser": optimiser, "progress": progress, **more,
    }  # fmt: skip
    temporary = path.with_suffix(".tmp")
    torch.save(content, temporary)
    os.replace(temporary, path)


def start(
    store: Store, leg: int, stage: str = "", profile: str = "full"
) -> tuple[torch.nn.Module, Progress, dict | None]:
    """The network, where to go on, and the optimiser's state of an unfinished leg.

    Leg 1 starts from the base weights, leg N from `leg-(N-1).pt`; it goes on in the data where that one
    stopped if it was of the same stage. Raises ValueError for a leg that is finished, or that was begun
    with another stage or profile.
    """
    if store.weights(leg).exists():
        raise ValueError(f"leg {leg} is finished: {store.weights(leg)}")
    network = models.load_base()
    if store.running.exists():
        state = torch.load(store.running, weights_only=True)
        progress = Progress(**state["progress"])
        if progress.leg == leg:
            if (progress.stage, progress.profile) != (stage, profile):
                raise ValueError(f"leg {leg} was begun with stage {progress.stage}, profile {progress.profile}")
            network.load_state_dict(state["model"], strict=False)
            network.tie_weights()
            return network, progress, state["optimiser"]
    fresh = Progress(leg=leg, stage=stage, profile=profile)
    if leg == 1:
        return network, fresh, None
    state = torch.load(store.weights(leg - 1), weights_only=True)
    network.load_state_dict(state["model"], strict=False)
    network.tie_weights()
    before = Progress(**state["progress"])
    fresh.emotion_input, fresh.sources = before.emotion_input, before.sources
    if before.profile != profile and before.profile != "permissive":
        raise ValueError(f"leg {leg - 1} has seen data of the profile {before.profile}: {', '.join(before.sources)}")
    if before.stage == stage:
        fresh.epoch, fresh.batch = before.epoch, before.batch
    return network, fresh, None
