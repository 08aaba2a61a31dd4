"""A small writer of ONNX graphs: constants and nodes in the order in which they are added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

#: ONNX Runtime's own operators; onnxruntime-web's plain wasm has the kernels of those that graph.py uses.
RUNTIME_DOMAIN = "com.microsoft"

OPSET = 17
#: Of the file format: the first that opset 17 needs.
IR_VERSION = 8

#: name → (TensorProto type, sizes; a string is a free size)
Signature = Mapping[str, tuple[int, Sequence[int | str]]]


class GraphWriter:
    """Names are given by the caller and must be unique: a node is named by its first output."""

    def __init__(self) -> None:
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []

    def constant(self, name: str, values: np.ndarray) -> str:
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, operator: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: object) -> str:
        """Adds a node with one output and returns that output; an empty input name is an omitted input."""
        return self.nodes(operator, inputs, [output], domain, **attributes)[0]

    def nodes(
        self, operator: str, inputs: Sequence[str], outputs: list[str], domain: str = "", **attributes: object
    ) -> list[str]:
        """The same for an operator with several outputs."""
        self._nodes.append(helper.make_node(operator, inputs, outputs, name=outputs[0], domain=domain, **attributes))
        return outputs

    def model(self, inputs: Signature, outputs: Signature) -> ModelProto:
        def declare(signature: Signature) -> list:
            return [helper.make_tensor_value_info(name, *declared) for name, declared in signature.items()]

        graph = helper.make_graph(self._nodes, "affect", declare(inputs), declare(outputs), self._constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(RUNTIME_DOMAIN, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="affect.graph")
