"""The judge as an ONNX graph: `affect.graph`'s encoder with other outputs, int8 or float32."""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import TensorProto

from affect.graph import EncoderGraph
from affect.graph_weights import Float32, Int8, Weights

from .constants import INPUTS, LEVELS, MECHANISMS, OUTPUT
from .model import JudgeModel

RESPONSE_MASK = INPUTS[2]


def export_int8(model: JudgeModel, path: Path) -> None:
    """Layers and token rows in int8, one scale per output channel or row; the heads stay float32."""
    _export(model, Int8(), path)


def export_fp32(model: JudgeModel, path: Path) -> None:
    _export(model, Float32(), path)


def _export(model: JudgeModel, weights: Weights, path: Path) -> None:
    """Inputs `INPUTS`, output `OUTPUT` float32 [batch, mechanisms · levels]; batch and tokens are free sizes."""
    graph = _JudgeGraph(model, weights).written()
    columns = len(MECHANISMS) * LEVELS
    written = graph.model(
        {name: (TensorProto.INT64, ("batch", "tokens")) for name in INPUTS},
        {OUTPUT: (TensorProto.FLOAT, ("batch", columns))},
    )
    onnx.checker.check_model(written)
    onnx.save(written, path)


class _JudgeGraph(EncoderGraph):
    def _answer(self, hidden: str, mask: str) -> None:
        response = self.graph.node("Cast", [RESPONSE_MASK], "response.mask", to=TensorProto.FLOAT)
        self._head(OUTPUT, self._mean_pool(hidden, response), list(MECHANISMS))
