"""PyTorch → ONNX, float32 or int8, in the operators that onnxruntime-web's plain wasm runs quickest.

The graph is written node by node, in step with model.py: what an exporter and an optimiser make of
the model is five times the nodes, and the Worker would fuse them anew at every
cold start (docs/decisions/2026-11-30-the-graph-is-written-by-hand.md has the figures).

States are [tokens, batch, width], time first: `FusedMatMul` then reads the heads of queries, keys and
values where they lie, and three transpositions a layer fall away.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto

from .constants import CAUSE_OUTPUT, EMOTION_OUTPUT, LABELS, SCORES, SCORES_OUTPUT
from .graph_fold import fold_norms, norm_before
from .graph_weights import Float32, Int8, Weights
from .graph_writer import RUNTIME_DOMAIN, GraphWriter
from .model import AffectModel

IDS, MASK = INPUTS = ("input_ids", "attention_mask")


def export_fp32(model: AffectModel, path: Path) -> None:
    """Write the float graph: inputs int64 [batch, tokens], the float32 `OUTPUTS`, both sizes free."""
    _export(model, Float32(), path)


def export_int8(model: AffectModel, path: Path) -> None:
    """The same with the layers and the token rows in int8; the heads (one product each) stay float32.

    Activations share one scale per call and product, so a sequence must be run alone to get the
    answer that the Worker gets.
    """
    _export(model, Int8(), path)


def _export(model: AffectModel, weights: Weights, path: Path) -> None:
    """Initialisers are written into the file: it stays far below protobuf's 2 GB."""
    both = ("batch", "tokens")
    signature = {
        EMOTION_OUTPUT: (TensorProto.FLOAT, ("batch", len(LABELS))),
        CAUSE_OUTPUT: (TensorProto.FLOAT, both),
        SCORES_OUTPUT: (TensorProto.FLOAT, ("batch", len(SCORES))),
    }
    graph = EncoderGraph(model, weights).written()
    written = graph.model({name: (TensorProto.INT64, both) for name in INPUTS}, signature)
    onnx.checker.check_model(written)
    onnx.save(written, path)


class EncoderGraph:
    """One method per part of `AffectModel`; each adds nodes and returns the name of its output."""

    def __init__(self, model: AffectModel, weights: Weights) -> None:
        self.shape = model.shape
        state = {name: value.detach().float().cpu().numpy() for name, value in model.state_dict().items()}
        self.state = fold_norms(state, model.shape.layers)
        self.weights = weights
        self.graph = GraphWriter()

    def written(self) -> GraphWriter:
        heads, width = self.shape.attention_heads, self.shape.width
        # 0 keeps a size: tokens and batch.
        self.graph.constant("split heads", np.array([0, 0, 3 * heads, width // heads]))
        self.graph.constant("heads each", np.array([heads] * 3))
        self.graph.constant("merge heads", np.array([0, 0, width]))
        self.graph.constant("one", np.float32(1))
        for axis in range(3):
            self.graph.constant(f"axis {axis}", np.array([axis]))

        mask = self.graph.node("Cast", [MASK], "mask", to=TensorProto.FLOAT)
        bias = self._attention_bias(mask)
        hidden = self._embed()
        for index in range(self.shape.layers):
            hidden = self._layer(index, hidden, bias)
        self._answer(hidden, mask)
        return self.graph

    def _attention_bias(self, mask: str) -> str:
        """[batch, tokens] → [batch, 1, 1, tokens]: 0 for tokens, −10⁴ for padding, as in model.py."""
        padding = self.graph.node("Sub", [mask, "one"], "padding")
        bias = self.graph.node("Mul", [padding, self.graph.constant("1e4", np.float32(1e4))], "padding.bias")
        return self.graph.node("Unsqueeze", [bias, self.graph.constant("axes 1 2", np.array([1, 2]))], "attention.bias")

    def _embed(self) -> str:
        ids = self.graph.node("Transpose", [IDS], "ids", perm=[1, 0])
        tokens = self.weights.rows(self.graph, ids, "tokens", self.state["tokens.weight"])
        # Positions stay float32: 0.2 MB, and a slice needs no arithmetic.
        table = self.graph.constant("positions.weight", self.state["positions.weight"][:, None, :])
        length = self.graph.node("Shape", [IDS], "length", start=1, end=2)
        first = self.graph.constant("first", np.array([0]))
        positions = self.graph.node("Slice", [table, first, length, "axis 0"], "positions")
        return self._norm(self.graph.node("Add", [tokens, positions], "embedded"), "norm")

    def _layer(self, index: int, hidden: str, bias: str) -> str:
        """States before and after are normalised, without scale and shift (graph_fold.py)."""
        name = f"layers.{index}"
        mixed = self._linear(f"{name}.mix", self._attend(name, hidden, bias))
        hidden = self._norm(self._add_residual(mixed, hidden, norm_before(index)), f"{name}.attention_norm")
        wide = self._linear(f"{name}.widen", hidden)
        active = self.graph.node(self.weights.gelu, [wide], f"{name}.gelu", RUNTIME_DOMAIN)
        narrow = self._linear(f"{name}.narrow", active)
        return self._norm(self._add_residual(narrow, hidden, f"{name}.attention_norm"), f"{name}.output_norm")

    def _attend(self, name: str, hidden: str, bias: str) -> str:
        """Scaled dot-product attention of all heads: [tokens, batch, width] → the same."""
        graph = self.graph
        split = graph.node("Reshape", [self._linear(f"{name}.qkv", hidden), "split heads"], f"{name}.heads")
        query, key, value = graph.nodes(
            "Split", [split, "heads each"], [f"{name}.{part}" for part in ("query", "key", "value")], axis=2
        )
        scale = float(1 / np.sqrt(self.shape.width / self.shape.attention_heads))
        # `transBatch`: the first axis is the matrix's, those between are the batch: [tokens, batch, heads, size].
        products = graph.node(
            "FusedMatMul",
            [query, key],
            f"{name}.products",
            RUNTIME_DOMAIN,
            transBatchA=1,
            transBatchB=1,
            transB=1,
            alpha=scale,
        )
        biased = graph.node("Add", [products, bias], f"{name}.biased")
        shares = graph.node("Softmax", [biased], f"{name}.shares", axis=-1)
        attended = graph.node("FusedMatMul", [shares, value], f"{name}.attended", RUNTIME_DOMAIN, transBatchB=1)
        time_first = graph.node("Transpose", [attended], f"{name}.time_first", perm=[2, 0, 1, 3])
        return graph.node("Reshape", [time_first, "merge heads"], f"{name}.merged")

    def _answer(self, hidden: str, mask: str) -> None:
        graph = self.graph
        pooled = self._mean_pool(hidden, mask)
        self._head(EMOTION_OUTPUT, pooled, ["emotion"])
        self._head(SCORES_OUTPUT, pooled, [score.name for score in SCORES])
        weight = graph.constant("heads.cause.weight", self.state["heads.cause.weight"][0])
        bias = graph.constant("heads.cause.bias", self.state["heads.cause.bias"])
        saliency = graph.node("Add", [graph.node("MatMul", [hidden, weight], "cause.product"), bias], "cause")
        graph.node("Transpose", [saliency], CAUSE_OUTPUT, perm=[1, 0])

    def _mean_pool(self, hidden: str, mask: str) -> str:
        """[tokens, batch, width] → [batch, width] over the tokens that are not padding."""
        graph = self.graph
        time_first = graph.node("Transpose", [mask], "mask.time_first", perm=[1, 0])
        kept = graph.node("Mul", [hidden, graph.node("Unsqueeze", [time_first, "axis 2"], "mask.column")], "kept")
        total = graph.node("ReduceSum", [kept, "axis 0"], "total", keepdims=0)
        count = graph.node("ReduceSum", [mask, "axis 1"], "count", keepdims=1)
        # A row of padding alone stays finite.
        return graph.node("Div", [total, graph.node("Max", [count, "one"], "count.least_one")], "pooled")

    def _head(self, output: str, pooled: str, heads: list[str]) -> None:
        """[batch, width] → [batch, sum of the heads' sizes] as one product in float32."""
        parts = {
            kind: np.concatenate([self.state[f"heads.{head}.{kind}"] for head in heads]) for kind in ("weight", "bias")
        }
        constants = [self.graph.constant(f"{output}.{kind}", values) for kind, values in parts.items()]
        self.graph.node("Gemm", [pooled, *constants], output, transB=1)

    def _linear(self, name: str, hidden: str) -> str:
        weight, bias = self.state[f"{name}.weight"], self.state[f"{name}.bias"]
        return self.weights.linear(self.graph, hidden, name, weight, bias)

    def _add_residual(self, update: str, hidden: str, norm: str) -> str:
        """`update` + `hidden` · the scale of `norm`, which gave `hidden`."""
        scale = self.graph.constant(f"{norm}.weight", self.state[f"{norm}.weight"])
        residual = self.graph.node("Mul", [hidden, scale], f"{update}.residual")
        return self.graph.node("Add", [update, residual], f"{update}.sum")

    def _norm(self, hidden: str, name: str) -> str:
        """Mean 0 and variance 1 along the width. Its 1e-9 beside the deviation is smaller than any state."""
        return self.graph.node("MeanVarianceNormalization", [hidden], name, axes=[2])
