"""What is kept in the work folder, written so that a kill at any moment leaves a whole file."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import torch

from .data import EncodedConversation
from .model import AffectModel, Shape

TOKENIZER = "tokenizer.json"
VALID = "valid.pickle"
LAST = "last.pt"
BEST = "best.pt"


def content_of(model: AffectModel, step: int) -> dict:
    """What every checkpoint holds; enough for `load_model`."""
    return {"model": model.state_dict(), "shape": model.shape.as_dict(), "step": step}


def save(path: Path, content: dict) -> None:
    """Write beside, then rename: the old checkpoint stays until the new one is complete."""
    beside = path.with_suffix(".partial")
    torch.save(content, beside)
    os.replace(beside, path)


def load(path: Path) -> dict:
    return torch.load(path, map_location="cpu", weights_only=True)


def load_model(path: Path) -> AffectModel:
    """The model of a checkpoint, in evaluation mode. Heads that it does not know yet start at random.

    @raises ValueError when anything else is missing, or the checkpoint holds what the model lacks.
    """
    content = load(path)
    model = AffectModel(Shape(**content["shape"]))
    missing, unexpected = model.load_state_dict(content["model"], strict=False)
    if unexpected or any(not name.startswith("heads.") for name in missing):
        raise ValueError(f"{path.name} does not fit: missing {missing}, unexpected {unexpected}")
    return model.eval()


def save_valid(work: Path, valid: list[EncodedConversation]) -> None:
    """Token ids of the validation split, so that the export can calibrate without the data folder."""
    (work / VALID).write_bytes(pickle.dumps(valid))


def load_valid(work: Path) -> list[EncodedConversation]:
    return pickle.loads((work / VALID).read_bytes())
