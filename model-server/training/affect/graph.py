"""PyTorch → ONNX → int8. Opset 17 and plain operators, so that onnxruntime-web's plain wasm runs it."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from .model import AffectModel

OPSET = 17

INPUTS = ("input_ids", "attention_mask")


class _Named(nn.Module):
    """The exporter names outputs by position; this fixes the position of each head."""

    def __init__(self, model: AffectModel) -> None:
        super().__init__()
        self.model = model
        self.names = list(model.heads)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, ...]:
        outputs = self.model(input_ids, attention_mask)
        return tuple(outputs[name] for name in self.names)


def export_fp32(model: AffectModel, path: Path) -> None:
    """Write the float graph: inputs int64 [batch, tokens], one float32 output per head, both sizes free.

    The TorchScript exporter is deprecated but stays in the pinned PyTorch; its successor needs
    `onnxscript` and writes the same operators for this model.
    """
    # `eval` on the wrapper: the exporter puts back the mode it found there, and the model with it.
    named = _Named(model).eval()
    ids = torch.zeros((2, 7), dtype=torch.int64)
    free = {0: "batch", 1: "tokens"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", torch.jit.TracerWarning)
        torch.onnx.export(
            named,
            (ids, torch.ones_like(ids)),
            str(path),
            input_names=list(INPUTS),
            output_names=named.names,
            dynamic_axes={**dict.fromkeys(INPUTS, free), **{name: {0: "batch"} for name in named.names}},
            opset_version=OPSET,
            dynamo=False,
        )


def quantise(source: Path, target: Path) -> None:
    """Dynamic int8: weights QInt8 per output channel, activations per call; token rows in int8 too.

    Per channel loses about a third of what per tensor loses. A head (`Gemm`) is turned into `MatMul` and
    quantised with the rest; that cost 0.1 point of top-1 in all (figures.json). A head that regresses may
    want float32: name its node in `nodes_to_exclude`.
    """
    quantize_dynamic(
        source, target, op_types_to_quantize=["MatMul", "Gather"], weight_type=QuantType.QInt8, per_channel=True
    )


def export_int8(model: AffectModel, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "affect.onnx"
        export_fp32(model, source)
        quantise(source, target)
