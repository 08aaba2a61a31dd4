"""Write what `npm run eval -- reply --judge` runs, from a finished training:

    python -m epitome.export --data DIR --work DIR --out ../../eval/judge/model

Prints and writes the figures of the int8 graph on the test part, which no choice has seen.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from affect import checkpoint
from affect.export import sha256, write_json
from affect.inputs import Marks
from affect.text import ISOLATE, REPLACE

from .constants import (
    FORMAT_VERSION,
    INPUTS,
    LEVELS,
    MECHANISMS,
    OUTPUT,
    RESPONSE_TOKENS,
    SEEKER_TOKENS,
)
from .data import Encoded, Pair, encode, part, read_pairs
from .graph import export_int8
from .measures import figures
from .model import JudgeModel, judge_shape
from .train import collate, predict

ONNX = "epitome.int8.onnx"
DESCRIPTION = "epitome.json"
FIGURES = "figures.json"
PARITY = "parity.json"

#: Written for the reader's test (`test/node/eval/judge`), so that no post of the data set is needed.
PARITY_PAIRS = (
    ("my cat is gone since monday", "I'm so sorry to hear that, I feel sad for you."),
    ("my cat is gone since monday", "What happened? Did you look in the garden?"),
    ("I failed the exam again", "I understand how you feel, the same happened to me last year."),
    ("I failed the exam again", "ok"),
    ("We won the game!!! 😂", "That’s great! How did you celebrate?"),
    ("x " * 200, "Why? " * 100),
)

#: A pair whose best two levels are this near may fall to either side in another runtime's rounding.
CLEAR_MARGIN = 0.5

#: The repository keeps every version of a weight file for ever.
MOST_BYTES = 11_000_000


def load_model(path: Path) -> JudgeModel:
    content = checkpoint.load(path)
    model = JudgeModel(judge_shape(content["shape"]["vocabulary"]))
    model.load_state_dict(content["model"])
    return model.eval()


def run_graph(path: Path, encoded: Sequence[Encoded], pad: int) -> np.ndarray:
    """Logits float32 [n, mechanisms, levels], one pair a run as in eval."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    rows = []
    for item in encoded:
        arrays = collate([item], pad)[:3]
        feed = {name: array.numpy() for name, array in zip(INPUTS, arrays, strict=True)}
        rows.append(session.run([OUTPUT], feed)[0].reshape(len(MECHANISMS), LEVELS))
    return np.array(rows)


def parity(graph: Path, tokenizer: Tokenizer, pad: int) -> list[dict]:
    """Levels of `PARITY_PAIRS` by mechanism, without those that are not clear."""
    pairs = [Pair("", seeker, response, (0,) * len(MECHANISMS)) for seeker, response in PARITY_PAIRS]
    cases = []
    for pair, logits in zip(pairs, run_graph(graph, encode(pairs, tokenizer), pad), strict=True):
        ordered = np.sort(logits, axis=1)
        clear = ordered[:, -1] - ordered[:, -2] > CLEAR_MARGIN
        levels = {
            name: int(row.argmax()) for name, row, sure in zip(MECHANISMS, logits, clear, strict=True) if sure
        }
        cases.append({"seeker": pair.seeker, "response": pair.response, "levels": levels})
    return cases


def measure(predicted: np.ndarray, levels: np.ndarray, train: np.ndarray) -> dict[str, dict[str, float]]:
    """Figures by mechanism; `train` gives the baseline's level."""
    return {
        name: figures(levels[:, column], predicted[:, column], int(np.bincount(train[:, column]).argmax()))
        for column, name in enumerate(MECHANISMS)
    }


def description(out: Path, marks: Marks) -> dict:
    """`epitome.json`: everything that the reader must know and must not guess."""
    files = (ONNX, checkpoint.TOKENIZER)
    return {
        "format_version": FORMAT_VERSION,
        "mechanisms": list(MECHANISMS),
        "levels": LEVELS,
        "seeker_tokens": SEEKER_TOKENS,
        "response_tokens": RESPONSE_TOKENS,
        "ids": asdict(marks),
        "inputs": list(INPUTS),
        "output": OUTPUT,
        "files": {name: {"sha256": sha256(out / name), "bytes": (out / name).stat().st_size} for name in files},
        "normalise": {"isolate": [list(pair) for pair in ISOLATE], "replace": REPLACE},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(args.work / checkpoint.TOKENIZER, args.out / checkpoint.TOKENIZER)
    tokenizer = Tokenizer.from_file(str(args.out / checkpoint.TOKENIZER))
    marks = Marks.of(tokenizer)
    model = load_model(args.work / checkpoint.BEST)
    export_int8(model, args.out / ONNX)
    size = (args.out / ONNX).stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{ONNX} has {size} bytes, more than {MOST_BYTES}")
    pairs = read_pairs(args.data / "epitome")
    train, test = (encode(part(pairs, name), tokenizer) for name in ("train", "test"))
    fp32, levels = predict(model, test, marks.pad)
    int8 = run_graph(args.out / ONNX, test, marks.pad).argmax(axis=-1)
    train_levels = np.array([item.levels for item in train])
    measured = {"fp32": measure(fp32, levels, train_levels), "int8": measure(int8, levels, train_levels)}
    write_json(args.out / DESCRIPTION, description(args.out, marks))
    write_json(args.out / FIGURES, measured)
    write_json(args.out / PARITY, parity(args.out / ONNX, tokenizer, marks.pad))
    print(json.dumps(measured, indent=1))
    print(f"{size} bytes; train {len(train)}, test {len(test)} pairs")


if __name__ == "__main__":
    main()
