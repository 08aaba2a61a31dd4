"""Ablations at equal steps: what does each part of the recipe bring?

    python -m lm.ablate --data DIR --work DIR --steps 100 [--arm full ...]

Every arm trains on the same 4,000 conversations of EmpatheticDialogues, from the same base weights, for the
same number of steps with the same schedule, and is measured on the same validation conversations (tune half);
`ppl_token_told` is the perplexity with a predicted emotion told. What preferences change is measured by
lm.preferences.dpo, before and after. Finished arms are kept in `ablation.jsonl` of the work folder and not
trained again; an arm that was stopped begins anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import torch

from affect.splits import half_of

from . import batching, data, model as models, objectives, slots, told, train
from .format import Conversation, Encoder, Wrapping
from .store import Progress, Store

CONVERSATIONS = 4_000
HELD_OUT = 150

ARMS: dict[str, train.Leg] = {
    "full": train.Leg(),
    "no heads": train.Leg(heads=("lm",), layout=batching.Layout(judged_share=0, told_share=0)),
    "no judge": train.Leg(heads=("lm", "affect", "intent"), layout=batching.Layout(judged_share=0)),
    "no emotion told": train.Leg(layout=batching.Layout(told_share=0)),
    "persona stage first": train.Leg(),
}
"""The last one spends PERSONA_SHARE of its steps on the persona stage, before."""
PERSONA_SHARE = 1 / 3


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
    arm, before = ARMS[name], 0
    if name == "persona stage first":
        before = max(1, round(steps * PERSONA_SHARE))
        talk = train.all_of(train.mixture(folder, work / "cache", encode, "persona", "full"))
        train.run(network, talk, held_out, encode, store, Progress(leg=1), None, train.Leg(steps=before))
    leg = train.Leg(steps=steps - before, heads=arm.heads, layout=arm.layout)
    figures = train.run(network, conversations, held_out, encode, store, Progress(leg=2), None, leg)
    batches = batching.evaluation(held_out, Wrapping(encode), list(encode(slots.DEFAULT_PERSONA)), told=True)
    told_figures = objectives.evaluate(network, batches)
    shutil.rmtree(store.work)
    return figures | {"ppl_token_told": told_figures["ppl_token"]}


def unfinished(results: Path, arms: Sequence[str], steps: int) -> list[str]:
    """The arms that have no row for this number of steps yet, in order."""
    rows = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    finished = {(row["arm"], row["steps"]) for row in rows}
    return [arm for arm in arms if (arm, steps) not in finished]


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
    encode = models.TextEncoder(models.load_tokenizer())
    cache = arguments.work / "cache"
    conversations = told.tell(subset(data.load(arguments.data, "train", encode, cache)))
    valid = data.load(arguments.data, "valid", encode, cache)
    tune = [c for c in valid if half_of(c.conv_id) == "tune"][:HELD_OUT]
    held_out = told.tell_others(conversations, tune)
    for name in unfinished(results, arguments.arm or list(ARMS), arguments.steps):
        figures = run_arm(
            name, arguments.steps, arguments.work, arguments.data, conversations, held_out, encode, arguments.compile
        )
        with results.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"arm": name, "steps": arguments.steps} | figures) + "\n")


if __name__ == "__main__":
    main()
