"""Weights as the graph holds them: float32, or int8 with one scale per output channel or row."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from onnx import TensorProto

from .graph_writer import RUNTIME_DOMAIN, GraphWriter

#: Symmetric, so that a zero point is never needed: −128 is not used.
LARGEST_INT8 = 127


def quantise(weight: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """int8 values of `weight`'s shape and float32 scales (that axis kept, size 1): weight ≈ values · scales.

    `axis` is the one that is reduced: each slice along it has a scale of its own.
    """
    largest = np.abs(weight).max(axis=axis, keepdims=True)
    scale = np.maximum(largest / LARGEST_INT8, np.finfo(np.float32).tiny).astype(np.float32)
    return np.rint(weight / scale).clip(-LARGEST_INT8, LARGEST_INT8).astype(np.int8), scale


class Weights(Protocol):
    """How a graph stores and applies its large matrices."""

    #: Operator of the activation between `widen` and `narrow`, of RUNTIME_DOMAIN.
    gelu: str

    def linear(self, graph: GraphWriter, hidden: str, name: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """`hidden` [..., in] → [..., out] under `name`; `weight` [out, in] as PyTorch keeps it."""
        ...

    def rows(self, graph: GraphWriter, ids: str, name: str, table: np.ndarray) -> str:
        """Rows of `table` [rows, width] by `ids`: [...] → float32 [..., width]."""
        ...


class Float32:
    """The reference: the graph's structure without any approximation."""

    gelu = "Gelu"

    def linear(self, graph: GraphWriter, hidden: str, name: str, weight: np.ndarray, bias: np.ndarray) -> str:
        product = graph.node("MatMul", [hidden, graph.constant(f"{name}.weight", weight.T)], f"{name}.product")
        return graph.node("Add", [product, graph.constant(f"{name}.bias", bias)], name)

    def rows(self, graph: GraphWriter, ids: str, name: str, table: np.ndarray) -> str:
        return graph.node("Gather", [graph.constant(f"{name}.weight", table), ids], name)


class Int8:
    """Weights int8, activations uint8 with one scale per call and product; sums in int32.

    GELU by its tanh form: a third of the time, and its error (below 0.001) drowns in the rounding.
    """

    gelu = "FastGelu"

    def linear(self, graph: GraphWriter, hidden: str, name: str, weight: np.ndarray, bias: np.ndarray) -> str:
        values, scale = quantise(weight.T, axis=0)
        constants = [
            graph.constant(f"{name}.weight", values),
            graph.constant(f"{name}.scale", scale[0]),
            "",  # no zero point: the weights are symmetric
            graph.constant(f"{name}.bias", bias),
        ]
        return graph.node("DynamicQuantizeMatMul", [hidden, *constants], name, RUNTIME_DOMAIN)

    def rows(self, graph: GraphWriter, ids: str, name: str, table: np.ndarray) -> str:
        values, scale = quantise(table, axis=1)
        row = graph.node("Gather", [graph.constant(f"{name}.weight", values), ids], f"{name}.int8")
        row_scale = graph.node("Gather", [graph.constant(f"{name}.scale", scale), ids], f"{name}.scales")
        return graph.node("Mul", [graph.node("Cast", [row], f"{name}.float", to=TensorProto.FLOAT), row_scale], name)
