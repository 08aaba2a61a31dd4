"""What the export writes: the description matches the files, figures and parity cases are whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from affect_tiny import VOCABULARY, corpus, tiny_model, tiny_tokenizer

from affect import checkpoint, export, make_parity
from affect.constants import LABELS, OUTPUTS, SCORES
from affect.data import encode_conversations
from affect.inputs import Marks
from affect.vocabulary import tokenizer_json


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
    assert described["format_version"] == 2
    assert described["labels"] == list(LABELS)
    assert described["outputs"] == list(OUTPUTS)
    assert [score["name"] for score in described["scores"]] == [score.name for score in SCORES]
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
