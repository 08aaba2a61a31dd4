"""Write `parity.json`: token ids and probabilities that every other runtime must reproduce.

    python -m affect.make_parity --out ../../src/affect/model

Read from the exported files only, so the fixture cannot disagree with what ships. Lone surrogates are
not in it: a request that holds one is refused before the tokenizer.
"""

from __future__ import annotations

import argparse
import json
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from .export import DESCRIPTION, ONNX, sha256
from .inputs import Marks, encode_turns
from .metrics import softmax
from .predict import Run, onnx_runner

CASES = Path(__file__).parent / "parity_cases.json"
FIXTURE = "parity.json"

#: A turn of a case as it is written to the fixture.
Turn = tuple[str, str]


def read_cases(path: Path = CASES) -> dict[str, list[Turn]]:
    """Name → turns (role, text), with the repeated ones spelled out."""
    content = json.loads(path.read_text(encoding="utf-8"))
    cases: dict[str, list[Turn]] = {name: [("speaker", text)] for name, text in content["single"].items()}
    cases |= {name: [(role, text) for role, text in turns] for name, turns in content["conversations"].items()}
    for name, repeated in content["repeated"].items():
        cases[name] = [("speaker", repeated["text"] * repeated["times"] + repeated.get("then", ""))]
    long = content["long_conversation"]
    cases["long conversation, oldest cut"] = [
        (role, text) for role, text in [*(long["turn_pair"] * long["times"]), long["then"]]
    ]
    return cases


def expected(turns: list[Turn], tokenizer: Tokenizer, marks: Marks, run: Run, temperature: float) -> dict:
    """Ids and calibrated probabilities; probabilities are null where there is nothing to classify."""
    ids = encode_turns(tokenizer, turns, marks)
    row: dict = {"turns": [{"role": role, "text": text} for role, text in turns], "input_ids": ids}
    if len(ids) == 2:  # [CLS] [SEP]: no words
        return {**row, "probabilities": None}
    batch = np.array([ids], dtype=np.int64)
    probabilities = softmax(run(batch, np.ones_like(batch)), temperature)[0]
    return {**row, "probabilities": [round(float(value), 6) for value in probabilities]}


def make(out: Path) -> dict:
    described = json.loads((out / DESCRIPTION).read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    run = onnx_runner(str(out / ONNX))
    marks = Marks.of(tokenizer)
    return {
        "generator": {
            "command": "python -m affect.make_parity",
            "python": platform.python_version(),
            **{name: version(name) for name in ("tokenizers", "onnxruntime", "numpy")},
        },
        "model_sha256": sha256(out / ONNX),
        "cases": [
            {"name": name, **expected(turns, tokenizer, marks, run, described["temperature"])}
            for name, turns in read_cases().items()
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    fixture = make(args.out)
    (args.out / FIXTURE).write_text(json.dumps(fixture, ensure_ascii=True) + "\n", encoding="utf-8")
    print(f"{len(fixture['cases'])} cases")


if __name__ == "__main__":
    main()
