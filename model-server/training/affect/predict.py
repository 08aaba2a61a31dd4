"""Logits of many examples, by PyTorch or by ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from .batches import collate, sorted_batches
from .constants import EMOTION_OUTPUT
from .data import Example
from .model import AffectModel

#: Rows of an evaluation batch: memory is no concern below this.
EVALUATION_BATCH = 64

#: ids, mask (int64 [batch, tokens]) → emotion logits, float32 [batch, 32].
Run = Callable[[np.ndarray, np.ndarray], np.ndarray]


def torch_runner(model: AffectModel) -> Run:
    def run(ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            return model(torch.from_numpy(ids), torch.from_numpy(mask))[EMOTION_OUTPUT].numpy()

    return run


def onnx_runner(path: str) -> Run:
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])

    def run(ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return session.run([EMOTION_OUTPUT], {"input_ids": ids, "attention_mask": mask})[0]

    return run


def logits_of(
    run: Run, examples: Sequence[Example], pad: int, batch: int = EVALUATION_BATCH
) -> tuple[np.ndarray, np.ndarray]:
    """Logits float32 [n, 32] and labels int64 [n], in the order of `examples`."""
    logits: np.ndarray | None = None
    for chosen in sorted_batches([len(example.ids) for example in examples], batch):
        ids, mask, _ = collate([examples[index] for index in chosen], pad)
        part = run(ids.numpy(), mask.numpy())
        if logits is None:
            logits = np.empty((len(examples), part.shape[1]), dtype=np.float32)
        logits[chosen] = part
    if logits is None:
        raise ValueError("no examples")
    return logits, np.array([example.label for example in examples], dtype=np.int64)
