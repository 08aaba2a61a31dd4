"""Asking the teacher: its logits of the training examples, and its own figures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

from . import metrics
from .batches import collate, sorted_batches
from .constants import LABELS
from .data import (
    EncodedConversation,
    Example,
    cached_encoding,
    history_examples,
    situation_examples,
    speaker_ends,
)
from .inputs import Marks, layout
from .splits import half_of
from .teacher_model import Teacher, load_teacher, teacher_marks, teacher_tokenizer

CHECKPOINT = "teacher.pt"
SOFT = "soft.npz"
CACHE = "teacher-cache"

def predict(model: nn.Module, examples: list[Example], marks: Marks, batch: int = 64) -> np.ndarray:
    """Logits float32 [n, 32], in the order of `examples`."""
    model.eval()
    logits = np.empty((len(examples), len(LABELS)), dtype=np.float32)
    for chosen in sorted_batches([len(item.ids) for item in examples], batch):
        ids, mask, _ = collate([examples[index] for index in chosen], marks.pad)
        with torch.inference_mode():
            logits[chosen] = model(ids, mask).numpy()
    return logits


def quantised(model: Teacher) -> nn.Module:
    """int8 weights and activations, for asking only. The second product of each feed-forward stays float32: its
    inputs have outliers, and with it in int8 top-1 fell from .549 to .456 (tune half, 2,887 histories)."""
    config = torch.ao.quantization.per_channel_dynamic_qconfig
    layers = {
        name: config
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and ".output.dense" not in name and name != "head"
    }
    return torch.ao.quantization.quantize_dynamic(model.eval(), layers)



def label(base: Path, data: Path, work: Path) -> None:
    """Write `soft.npz`: logits of every training history (`history`, with `conversation` and `end`) and situation."""
    tokenizer = teacher_tokenizer(base)
    marks, path = teacher_marks(tokenizer), data / "empathetic_dialogues" / "train.jsonl"
    conversations = cached_encoding(path, tokenizer, work / CACHE)
    places = [(index, end) for index, item in enumerate(conversations) for end in speaker_ends(item.turns)]
    examples = [
        Example(layout(conversations[index].turns[:end], marks), conversations[index].label) for index, end in places
    ]
    model = trained(base, work)
    np.savez(
        work / SOFT,
        history=predict(model, examples, marks).astype(np.float16),
        conversation=np.array([index for index, _ in places], dtype=np.int32),
        end=np.array([end for _, end in places], dtype=np.int16),
        situation=predict(model, situation_examples(conversations, marks), marks).astype(np.float16),
    )


def trained(base: Path, work: Path) -> nn.Module:
    """The fine-tuned teacher as it is asked."""
    model = load_teacher(base, 0)
    model.load_state_dict(torch.load(work / CHECKPOINT, map_location="cpu", weights_only=True)["model"])
    return quantised(model)


def judge(base: Path, data: Path, work: Path) -> None:
    """Print the teacher's own figures, as it is asked, on the tune half, both protocols."""
    tokenizer = teacher_tokenizer(base)
    valid = cached_encoding(data / "empathetic_dialogues" / "valid.jsonl", tokenizer, work / CACHE)
    report_table(trained(base, work), valid, teacher_marks(tokenizer))


def report_table(model: nn.Module, valid: list[EncodedConversation], marks: Marks) -> None:
    """The teacher's own figures on the tune half, both protocols."""
    tune = [item for item in valid if half_of(item.conv_id) == "tune"]
    for name, examples in (("history", history_examples(tune, marks)), ("situation", situation_examples(tune, marks))):
        logits, labels = predict(model, examples, marks), np.array([item.label for item in examples])
        top = {f"top{k}": round(metrics.top_k(logits, labels, k), 4) for k in (1, 5)}
        print(json.dumps({"protocol": name, "half": "tune", "n": len(labels), **top}), flush=True)
