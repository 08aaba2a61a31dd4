"""The exported graph says what PyTorch says, and the description matches the files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from affect_tiny import VOCABULARY, corpus, tiny_model, tiny_tokenizer

from affect import checkpoint, export, make_parity
from affect.constants import EMOTION_OUTPUT, LABELS
from affect.data import encode_conversations
from affect.graph import export_fp32, export_int8
from affect.inputs import Marks
from affect.metrics import softmax
from affect.predict import onnx_runner, torch_runner
from affect.vocabulary import tokenizer_json

#: float32 sums in another order.
FP32_TOLERANCE = 1e-5
#: int8 weights and activations, on probabilities: measured below 0.01 for random tiny models.
INT8_TOLERANCE = 0.03


def batch(rows: int, tokens: int, padding: int = 0) -> tuple[np.ndarray, np.ndarray]:
    ids = np.random.default_rng(rows * 100 + tokens).integers(7, len(VOCABULARY), (rows, tokens))
    mask = np.ones_like(ids)
    if padding:
        mask[0, -padding:] = 0
        ids[0, -padding:] = 0
    return ids, mask


@pytest.mark.parametrize(("rows", "tokens", "padding"), [(1, 3, 0), (1, 32, 0), (3, 9, 4), (5, 17, 16)])
def test_onnx_equals_pytorch_for_every_batch_and_length(tmp_path: Path, rows: int, tokens: int, padding: int):
    model = tiny_model().eval()
    path = tmp_path / "float.onnx"
    export_fp32(model, path)
    ids, mask = batch(rows, tokens, padding)
    difference = np.abs(onnx_runner(str(path))(ids, mask) - torch_runner(model)(ids, mask)).max()
    assert difference < FP32_TOLERANCE


def test_int8_stays_near_pytorch(tmp_path: Path):
    model = tiny_model().eval()
    path = tmp_path / "int8.onnx"
    export_int8(model, path)
    ids, mask = batch(8, 20)
    difference = softmax(onnx_runner(str(path))(ids, mask)) - softmax(torch_runner(model)(ids, mask))
    assert np.abs(difference).max() < INT8_TOLERANCE


def test_export_leaves_the_model_in_evaluation_mode(tmp_path: Path):
    model = tiny_model().eval()
    export_fp32(model, tmp_path / "float.onnx")
    assert not model.training


def test_padding_does_not_change_the_answer(tmp_path: Path):
    path = tmp_path / "float.onnx"
    export_fp32(tiny_model().eval(), path)
    run = onnx_runner(str(path))
    ids, mask = batch(1, 9)
    padded = np.pad(ids, ((0, 0), (0, 5))), np.pad(mask, ((0, 0), (0, 5)))
    assert np.abs(run(ids, mask) - run(*padded)).max() < FP32_TOLERANCE


def test_the_graph_has_the_agreed_names_types_and_only_standard_operators(tmp_path: Path):
    path = tmp_path / "int8.onnx"
    export_int8(tiny_model().eval(), path)
    graph = onnx.load(path).graph
    assert [item.name for item in graph.input] == ["input_ids", "attention_mask"]
    assert {item.type.tensor_type.elem_type for item in graph.input} == {onnx.TensorProto.INT64}
    assert [item.name for item in graph.output] == [EMOTION_OUTPUT]
    assert {node.domain for node in graph.node} == {""}
    assert "MatMulInteger" in {node.op_type for node in graph.node}


def test_a_further_head_becomes_a_further_output(tmp_path: Path):
    model = tiny_model()
    model.heads["intensity"] = torch.nn.Linear(model.shape.width, 1)
    path = tmp_path / "float.onnx"
    export_fp32(model.eval(), path)
    assert [item.name for item in onnx.load(path).graph.output] == [EMOTION_OUTPUT, "intensity"]
    ids, mask = batch(2, 5)
    assert onnx_runner(str(path))(ids, mask).shape == (2, len(LABELS))


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The export command on a tiny work folder."""
    work, out = tmp_path / "work", tmp_path / "out"
    work.mkdir()
    model = tiny_model()
    content = {"model": model.state_dict(), "shape": model.shape.as_dict()}
    checkpoint.save(work / checkpoint.BEST, content)
    (work / checkpoint.TOKENIZER).write_text(tokenizer_json(VOCABULARY), encoding="utf-8")
    checkpoint.save_valid(work, encode_conversations(corpus(40), tiny_tokenizer()))
    monkeypatch.setattr("sys.argv", ["export", "--work", str(work), "--out", str(out), "--threads", "1"])
    export.main()
    return out


def test_the_description_matches_the_files(exported: Path):
    described = json.loads((exported / export.DESCRIPTION).read_text(encoding="utf-8"))
    assert described["format_version"] == 1
    assert described["labels"] == list(LABELS)
    assert described["outputs"] == [EMOTION_OUTPUT]
    assert described["temperature"] > 0
    for name, file in described["files"].items():
        assert file == {"sha256": export.sha256(exported / name), "bytes": (exported / name).stat().st_size}
    marks = Marks.of(tiny_tokenizer())
    assert described["marks"] == {"speaker": marks.speaker, "listener": marks.listener}
    assert described["special"] == {"pad": marks.pad, "cls": marks.cls, "sep": marks.sep}


def test_figures_hold_both_precisions_protocols_and_halves(exported: Path):
    figures = json.loads((exported / export.FIGURES).read_text(encoding="utf-8"))
    for precision in ("fp32", "int8"):
        for protocol, turns in (("history", 2), ("situation", 1)):
            parts = figures[precision][protocol]
            assert parts["tune"]["n"] + parts["report"]["n"] == parts["full"]["n"] == 40 * turns
            assert 0 <= parts["report"]["ece"] <= 1


def test_a_graph_over_the_limit_is_refused(exported: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(export, "MOST_BYTES", 10)
    with pytest.raises(SystemExit, match="more than 10"):
        export.main()


def test_the_parity_fixture_covers_the_hazards(exported: Path):
    fixture = make_parity.make(exported)
    assert fixture["model_sha256"] == export.sha256(exported / export.ONNX)
    by_name = {case["name"]: case for case in fixture["cases"]}
    assert by_name["precomposed"]["input_ids"] == by_name["decomposed"]["input_ids"]
    assert by_name["only white space"]["probabilities"] is None
    filled = [case["probabilities"] for case in fixture["cases"] if case["probabilities"]]
    assert filled
    assert all(sum(row) == pytest.approx(1, abs=1e-4) for row in filled)


def test_there_are_about_eighty_parity_cases():
    assert len(make_parity.read_cases()) >= 80
