"""The hand-written graph says what PyTorch says: all outputs, every batch and length, float32 and int8."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from affect_tiny import VOCABULARY, tiny_model

from affect.constants import CAUSE_OUTPUT, EMOTION_OUTPUT, LABELS, OUTPUTS, SCORES, SCORES_OUTPUT
from affect.graph import INPUTS, export_fp32, export_int8
from affect.graph_weights import quantise
from affect.graph_writer import RUNTIME_DOMAIN
from affect.model import AffectModel

#: float32 sums in another order.
FP32_TOLERANCE = 2e-5
#: int8 weights and activations, on outputs of size about 1: measured below 0.05 for the seeds used here.
INT8_TOLERANCE = 0.1

#: Operators outside the standard that were run in onnxruntime-web 1.30.0's plain wasm.
RUN_IN_PLAIN_WASM = {"DynamicQuantizeMatMul", "FastGelu", "FusedMatMul", "Gelu"}

SIZES = [(1, 2, 0), (1, 3, 0), (1, 32, 0), (1, 128, 0), (3, 9, 4), (5, 17, 16)]

Outputs = dict[str, np.ndarray]


def random_model(seed: int = 0) -> AffectModel:
    """`tiny_model` with norms that scale and shift: fresh ones do neither, which would hide a mistake."""
    model = tiny_model(seed)
    with torch.no_grad():
        for name, values in model.named_parameters():
            if "norm" in name:
                values.add_(0.3 * torch.randn_like(values))
    return model.eval()


def batch(rows: int, tokens: int, padding: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Ids and mask; the first row ends in `padding`."""
    ids = np.random.default_rng(rows * 100 + tokens).integers(7, len(VOCABULARY), (rows, tokens))
    mask = np.ones_like(ids)
    if padding:
        mask[0, -padding:] = 0
        ids[0, -padding:] = 0
    return ids, mask


def by_pytorch(model: AffectModel, ids: np.ndarray, mask: np.ndarray) -> Outputs:
    with torch.inference_mode():
        return {name: value.numpy() for name, value in model(torch.from_numpy(ids), torch.from_numpy(mask)).items()}


def by_runtime(path: Path, ids: np.ndarray, mask: np.ndarray, *, optimise: bool = False) -> Outputs:
    """As the Worker runs it: the runtime takes the graph as it is, unless told to optimise."""
    options = onnxruntime.SessionOptions()
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_ENABLE_ALL if optimise else levels.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return dict(zip(OUTPUTS, session.run(list(OUTPUTS), dict(zip(INPUTS, (ids, mask), strict=True))), strict=True))


def largest_difference(left: Outputs, right: Outputs, mask: np.ndarray) -> float:
    """Over all outputs; what a cause logit says of padding means nothing."""
    assert left.keys() == right.keys()
    return max(
        np.abs((left[name] - right[name]) * (mask if name == CAUSE_OUTPUT else 1)).max().item() for name in left
    )


@pytest.fixture
def int8(tmp_path: Path) -> Path:
    path = tmp_path / "int8.onnx"
    export_int8(random_model(), path)
    return path


@pytest.mark.parametrize(("rows", "tokens", "padding"), SIZES)
def test_the_float_graph_equals_pytorch_for_every_batch_and_length(
    tmp_path: Path, rows: int, tokens: int, padding: int
):
    model = random_model()
    path = tmp_path / "float.onnx"
    export_fp32(model, path)
    ids, mask = batch(rows, tokens, padding)
    difference = largest_difference(by_runtime(path, ids, mask), by_pytorch(model, ids, mask), mask)
    assert difference < FP32_TOLERANCE


@pytest.mark.parametrize(("rows", "tokens", "padding"), SIZES)
def test_the_int8_graph_stays_near_pytorch(int8: Path, rows: int, tokens: int, padding: int):
    ids, mask = batch(rows, tokens, padding)
    difference = largest_difference(by_runtime(int8, ids, mask), by_pytorch(random_model(), ids, mask), mask)
    assert difference < INT8_TOLERANCE


def test_the_outputs_have_the_agreed_shapes(int8: Path):
    outputs = by_runtime(int8, *batch(3, 9))
    shapes = {name: values.shape for name, values in outputs.items()}
    assert shapes == {EMOTION_OUTPUT: (3, len(LABELS)), CAUSE_OUTPUT: (3, 9), SCORES_OUTPUT: (3, len(SCORES))}
    assert {values.dtype for values in outputs.values()} == {np.dtype(np.float32)}


def test_padding_does_not_change_the_answer(tmp_path: Path):
    path = tmp_path / "float.onnx"
    export_fp32(random_model(), path)
    ids, mask = batch(1, 9)
    padded = by_runtime(path, np.pad(ids, ((0, 0), (0, 5))), np.pad(mask, ((0, 0), (0, 5))))
    padded[CAUSE_OUTPUT] = padded[CAUSE_OUTPUT][:, :9]
    assert largest_difference(by_runtime(path, ids, mask), padded, mask) < FP32_TOLERANCE


def test_a_row_of_padding_alone_gives_finite_outputs(int8: Path):
    outputs = by_runtime(int8, np.zeros((1, 4), np.int64), np.zeros((1, 4), np.int64))
    assert all(np.isfinite(values).all() for values in outputs.values())


def test_optimising_the_graph_again_changes_nothing_but_rounding(int8: Path):
    ids, mask = batch(1, 20)
    difference = largest_difference(by_runtime(int8, ids, mask), by_runtime(int8, ids, mask, optimise=True), mask)
    assert difference < INT8_TOLERANCE


def test_the_graph_has_the_agreed_names_and_types_and_only_operators_of_plain_wasm(int8: Path):
    graph = onnx.load(int8).graph
    assert [item.name for item in graph.input] == list(INPUTS)
    assert {item.type.tensor_type.elem_type for item in graph.input} == {onnx.TensorProto.INT64}
    assert [item.name for item in graph.output] == list(OUTPUTS)
    assert {node.domain for node in graph.node} == {"", RUNTIME_DOMAIN}
    assert {node.op_type for node in graph.node if node.domain == RUNTIME_DOMAIN} <= RUN_IN_PLAIN_WASM


def test_every_matrix_of_a_layer_and_the_token_rows_are_int8(int8: Path):
    stored = {item.name: item.data_type for item in onnx.load(int8).graph.initializer}
    matrices = [
        f"layers.{layer}.{name}.weight" for layer in range(2) for name in ("qkv", "mix", "widen", "narrow")
    ]
    assert {stored[name] for name in ["tokens.weight", *matrices]} == {onnx.TensorProto.INT8}


def test_the_same_model_gives_the_same_file_and_the_same_answers(tmp_path: Path, int8: Path):
    again = tmp_path / "again.onnx"
    export_int8(random_model(), again)
    assert again.read_bytes() == int8.read_bytes()
    ids, mask = batch(1, 20)
    assert largest_difference(by_runtime(int8, ids, mask), by_runtime(again, ids, mask), mask) == 0


def test_exporting_changes_neither_the_weights_nor_the_mode_of_the_model(tmp_path: Path):
    model, untouched = random_model(), random_model()
    export_int8(model, tmp_path / "int8.onnx")
    assert not model.training
    for name, values in model.state_dict().items():
        assert torch.equal(values, untouched.state_dict()[name])


def test_quantised_weights_are_within_half_a_step_and_use_no_minus_128():
    weight = np.random.default_rng(1).normal(size=(16, 5)).astype(np.float32)
    weight[:, 2] = 0
    values, scale = quantise(weight, axis=0)
    assert values.dtype == np.int8
    assert scale.shape == (1, 5)
    assert values.min() >= -127
    assert (np.abs(weight - values * scale) <= scale / 2 + 1e-7).all()
