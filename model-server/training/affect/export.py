"""Write what the Worker ships, from a finished training:

    python -m affect.export --work DIR --out ../../src/affect/model

Prints the fp32 and int8 tables and their difference; the temperature is calibrated on the int8 graph,
because that is the one that answers.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from dataclasses import asdict
from pathlib import Path

import torch
from tokenizers import Tokenizer

from . import checkpoint
from .constants import FORMAT_VERSION, LABELS, MAX_TOKENS, OUTPUTS, SCORES
from .evaluate import Scores, print_table, score, table, temperature_of
from .graph import INPUTS, export_fp32, export_int8
from .inputs import Marks
from .predict import onnx_runner, torch_runner
from .text import ISOLATE, REPLACE

ONNX = "affect.int8.onnx"
DESCRIPTION = "affect.json"
FIGURES = "figures.json"

#: The Worker's script limit is 64 MiB and its memory 128 MB: the model's share of both (design.md section 5).
MOST_BYTES = 16_000_000


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def description(out: Path, marks: Marks, temperature: float) -> dict:
    """`affect.json`: everything that the Worker must know and must not guess."""
    return {
        "format_version": FORMAT_VERSION,
        "labels": list(LABELS),
        "temperature": round(temperature, 4),
        "max_tokens": MAX_TOKENS,
        "special": {"pad": marks.pad, "cls": marks.cls, "sep": marks.sep},
        "marks": {"speaker": marks.speaker, "listener": marks.listener},
        "inputs": list(INPUTS),
        "outputs": list(OUTPUTS),
        "scores": [asdict(score) for score in SCORES],
        "files": {
            name: {"sha256": sha256(out / name), "bytes": (out / name).stat().st_size}
            for name in (ONNX, checkpoint.TOKENIZER)
        },
        "normalise": {
            "note": "One pass over code points: replace, else isolate by blanks, else keep. See FORMAT.md.",
            "isolate": [list(pair) for pair in ISOLATE],
            "replace": REPLACE,
        },
    }


def loss_of_int8(fp32: dict, int8: dict) -> dict[str, float]:
    """int8 − fp32 in points of top-1, on the whole validation split, by protocol."""
    return {
        protocol: round(100 * (int8[protocol]["full"]["top1"] - fp32[protocol]["full"]["top1"]), 2)
        for protocol in int8
    }


def figures(fp32: Scores, int8: Scores) -> dict:
    tables = {"fp32": table(fp32, temperature_of(fp32)), "int8": table(int8, temperature_of(int8))}
    return {**tables, "int8_minus_fp32_top1_points": loss_of_int8(tables["fp32"], tables["int8"])}


def write_json(path: Path, content: dict) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fp32", type=Path, help="write the float32 graph here, too (for comparisons; not shipped)")
    parser.add_argument("--checkpoint", type=Path, help="default: best.pt of the work folder")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.out.mkdir(parents=True, exist_ok=True)

    model = checkpoint.load_model(args.checkpoint or args.work / checkpoint.BEST)
    shutil.copyfile(args.work / checkpoint.TOKENIZER, args.out / checkpoint.TOKENIZER)
    export_int8(model, args.out / ONNX)
    if args.fp32:
        export_fp32(model, args.fp32)
    size = (args.out / ONNX).stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{ONNX} has {size} bytes, more than {MOST_BYTES}")

    marks = Marks.of(Tokenizer.from_file(str(args.out / checkpoint.TOKENIZER)))
    valid = checkpoint.load_valid(args.work)
    int8 = score(onnx_runner(str(args.out / ONNX)), valid, marks, batch=1)
    fp32 = score(torch_runner(model), valid, marks)
    measured = figures(fp32, int8)
    write_json(args.out / DESCRIPTION, description(args.out, marks, temperature_of(int8)))
    write_json(args.out / FIGURES, measured)
    print_table("fp32", measured["fp32"])
    print_table("int8", measured["int8"])
    print(f"{size} bytes, temperature {temperature_of(int8):.4f}")
    print(f"int8 − fp32, points of top-1: {measured['int8_minus_fp32_top1_points']}")


if __name__ == "__main__":
    main()
