"""Ablations at equal steps: what does each part of the recipe bring?

    python -m lm.ablate --data DIR --work DIR --steps 100 [--arm full ...]

Every arm trains on the same 4,000 conversations of EmpatheticDialogues, from the same base weights, for the
same number of steps with the same schedule, and is measured on the same validation conversations (tune half).
Finished arms are kept in `ablation.jsonl` of the work folder and not trained again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
from pathlib import Path

import torch

from affect.splits import half_of

from . import batching, data, model as models, told, train
from .format import Conversation, Encoder
from .store import Progress, Store

CONVERSATIONS = 4_000
HELD_OUT = 150

ARMS: dict[str, train.Leg] = {
    "full": train.Leg(),
    "no heads": train.Leg(heads=("lm",), layout=batching.Layout(judged_share=0)),
    "no judge": train.Leg(heads=("lm", "affect", "intent"), layout=batching.Layout(judged_share=0)),
    "no emotion told": train.Leg(layout=batching.Layout(told_share=0)),
    "persona stage first": train.Leg(),
}
"""The last one trains half as many steps again on the persona stage, before."""
PERSONA_SHARE = 0.5


def subset(conversations: list[Conversation]) -> list[Conversation]:
    """The CONVERSATIONS with the smallest hash of their identifier: the same ones everywhere."""

    def rank(conversation: Conversation) -> str:
        return hashlib.sha256(conversation.conv_id.encode()).hexdigest()

    return sorted((c for c in conversations if c.emotion is not None), key=rank)[:CONVERSATIONS]


def run_arm(
    name: str, steps: int, work: Path, folder: Path, conversations: list[Conversation],
    held_out: list[Conversation], encode: Encoder, compiled: bool,
) -> dict[str, float]:  # fmt: skip
    """Train one arm from the base weights and give its figures on `held_out`."""
    torch.manual_seed(0)
    store = Store(work / name.replace(" ", "-"))
    store.work.mkdir(parents=True, exist_ok=True)
    network = models.load_base()
    if compiled:
        train.compile_layers(network)
    arm = ARMS[name]
    if name == "persona stage first":
        before = train.mixture(folder, work / "cache", encode, "persona", "full")
        leg = train.Leg(steps=max(1, round(steps * PERSONA_SHARE)))
        train.run(network, before, held_out, encode, store, Progress(leg=1), None, leg)
    leg = train.Leg(steps=steps, heads=arm.heads, layout=arm.layout)
    figures = train.run(network, conversations, held_out, encode, store, Progress(leg=2), None, leg)
    shutil.rmtree(store.work)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--arm", choices=list(ARMS), action="append", help="default: all")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--compile", action=argparse.BooleanOptionalAction, default=shutil.which("g++") is not None
    )
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    arguments.work.mkdir(parents=True, exist_ok=True)
    results = arguments.work / "ablation.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    finished = {(row["arm"], row["steps"]) for row in rows}
    encode = models.TextEncoder(models.load_tokenizer())
    cache = arguments.work / "cache"
    conversations = told.tell(subset(data.load(arguments.data, "train", encode, cache)))
    valid = data.load(arguments.data, "valid", encode, cache)
    held_out = [c for c in valid if half_of(c.conv_id) == "tune"][:HELD_OUT]
    for name in arguments.arm or ARMS:
        if (name, arguments.steps) in finished:
            continue
        figures = run_arm(
            name, arguments.steps, arguments.work, arguments.data, conversations, held_out, encode, arguments.compile
        )
        with results.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"arm": name, "steps": arguments.steps} | figures) + "\n")


if __name__ == "__main__":
    main()
