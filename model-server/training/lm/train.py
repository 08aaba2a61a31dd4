"""Train the multi-head model for one leg.

    python -m lm.train --data DIR --work DIR --stage dialogue --minutes 150

A leg is a stretch of wall-clock time (or of steps) over which the learning rate warms up and decays
to zero. A killed leg resumes from its last checkpoint; a finished leg is followed by another one that
starts from its weights with a fresh optimiser (`--leg N`). Stages: `persona` (persona chat, everyday
talk, emotional support, Attune's own persona), then `dialogue` (EmpatheticDialogues with all heads, a
share of the persona stage against forgetting); lm.preferences follows.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from affect.splits import half_of

from . import batching, corpora, data, diversity, model as models, profiles, slots, told
from .format import Conversation, Encoder, Wrapping
from .objectives import HEAD_WEIGHTS, evaluate, losses
from .store import Progress, Store, start

LEARNING_RATE = 3e-4
WARMUP_STEPS = 40
CLIP = 1.0
CHECKPOINT_SECONDS = 600
EVALUATION_SECONDS = 1_200
EVALUATION_CONVERSATIONS = 120
PERSONA_REPEATS = 4
"""How often each hand-written persona dialogue occurs in one pass."""
PERSONA_STAGE = {"synthetic_persona_chat": 600, "dailydialog": 1_400, "esconv": 300}
"""Dialogues of each source in one pass of the persona stage."""
REPLAYED = {"synthetic_persona_chat": 400, "dailydialog": 600, "esconv": 150}
"""The same in one pass of the dialogue stage, against forgetting."""


@dataclass(frozen=True)
class Leg:
    """What one leg trains on and how long."""

    seconds: float = float("inf")
    steps: float = float("inf")
    """Whichever comes first ends the leg; the learning rate reaches zero there."""
    heads: tuple[str, ...] = tuple(HEAD_WEIGHTS)
    """Losses that count."""
    layout: batching.Layout = batching.Layout()
    token_weights: torch.Tensor | None = None
    peak: float = LEARNING_RATE

    def done(self, progress: Progress) -> float:
        """Share of the leg that is over, 0…1."""
        return min(1.0, max(progress.seconds / self.seconds, progress.step / self.steps))


def learning_rate(progress: Progress, leg: Leg) -> float:
    """Linear warm-up by steps, then linear decay to zero over the leg."""
    return leg.peak * min(1.0, (progress.step + 1) / WARMUP_STEPS) * (1.0 - leg.done(progress))


def run(
    network,
    conversations: list[Conversation],
    held_out: list[Conversation],
    encode: Encoder,
    store: Store,
    progress: Progress,
    optimiser_state: dict | None,
    leg: Leg,
    clock=time.monotonic,
) -> dict[str, float]:
    """Train until the leg is over; writes `leg-N.pt` and gives the figures on `held_out`."""
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=leg.peak, betas=(0.9, 0.95), weight_decay=0.01, fused=True
    )
    if optimiser_state:
        optimiser.load_state_dict(optimiser_state)
    wrapping, persona = Wrapping(encode), list(encode(slots.DEFAULT_PERSONA))
    progress.emotion_input |= leg.layout.told_share > 0 and any(
        turn.told is not None for conversation in conversations for turn in conversation.turns
    )
    network.train()
    mean: dict[str, float] = {}
    saved = evaluated = tick = clock()
    while leg.done(progress) < 1:
        batches = batching.epoch(conversations, wrapping, persona, progress.epoch, layout=leg.layout)
        index = -1
        for index, batch in enumerate(batches):
            if index < progress.batch:
                continue
            for group in optimiser.param_groups:
                group["lr"] = learning_rate(progress, leg)
            by_head = losses(network, batch, leg.token_weights)
            sum(HEAD_WEIGHTS[h] * by_head[h] for h in leg.heads if h in by_head).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            now = clock()
            progress.seconds += now - tick
            tick = now
            progress.step, progress.batch = progress.step + 1, index + 1
            progress.tokens += batch.tokens
            for head, value in by_head.items():
                mean[head] = 0.98 * mean.get(head, value.item()) + 0.02 * value.item()
            if progress.step % 20 == 0:
                store.log(vars(progress) | {h: round(v, 4) for h, v in mean.items()})
            if now - saved > CHECKPOINT_SECONDS:
                store.save(store.running, network, optimiser, progress)
                saved = now
            if now - evaluated > EVALUATION_SECONDS:
                store.log({"step": progress.step} | evaluate(network, batching.evaluation(held_out, wrapping, persona)))
                evaluated = tick = clock()
            if leg.done(progress) >= 1:
                break
        else:
            if index < 0:
                raise ValueError("a pass without a single batch: no conversation fits")
            progress.epoch, progress.batch = progress.epoch + 1, 0
    store.save(store.weights(progress.leg), network, None, progress)
    store.running.unlink(missing_ok=True)
    figures = evaluate(network, batching.evaluation(held_out, wrapping, persona))
    store.log({"leg": progress.leg, "done": True} | figures)
    return figures


def some(conversations: list[Conversation], count: int) -> list[Conversation]:
    """A fixed random choice of `count`."""
    return random.Random(0).sample(conversations, min(count, len(conversations)))


def mixture(
    folder: Path, cache: Path, encode: Encoder, stage: str, profile: profiles.Profile,
    synthesised: Sequence[Path] = (),
) -> dict[str, list[Conversation]]:  # fmt: skip
    """The conversations of one pass of a stage by source, as far as the profile allows it."""
    own = tuple(encode(slots.DEFAULT_PERSONA))
    found = {"persona": [replace(c, persona=own) for c in data.load_persona(encode)] * PERSONA_REPEATS}
    for source, count in (PERSONA_STAGE if stage == "persona" else REPLAYED).items():
        if profiles.allowed(source, profile):
            found[source] = some(corpora.load(folder, source, encode), count)
    if stage == "dialogue":
        if profiles.allowed("empathetic_dialogues", profile):
            found["empathetic_dialogues"] = told.tell(data.load(folder, "train", encode, cache))
        if synthesised:
            rows = [row for path in synthesised for row in data.read_rows(path)]
            found["synthesised"] = told.tell(data.tokenise(iter(rows), {}, encode))
    return found


def all_of(found: dict[str, list[Conversation]]) -> list[Conversation]:
    return [conversation for conversations in found.values() for conversation in conversations]


def reply_weights(conversations: list[Conversation]) -> torch.Tensor:
    """Token weights of the diversity loss over the replies of a mixture."""
    replies = (turn.ids for c in conversations for turn in c.turns if not turn.speaker)
    return diversity.weights(diversity.token_counts(replies, slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS))


def compile_layers(network) -> None:
    """Fuse the element-wise operations: 1.4 times as many tokens a second on two CPU cores."""
    for layer in network.model.layers:
        layer.compile(dynamic=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with empathetic_dialogues/ and the others")
    parser.add_argument("--work", type=Path, required=True, help="folder for the cache and checkpoints")
    parser.add_argument("--stage", choices=["persona", "dialogue"], default="dialogue")
    parser.add_argument("--minutes", type=float, default=150)
    parser.add_argument("--steps", type=int, help="end after this many steps if the minutes are not over before")
    parser.add_argument("--leg", type=int, default=1)
    parser.add_argument("--peak", type=float, default=LEARNING_RATE, help="highest learning rate")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--data-profile", choices=profiles.PROFILES, default="full")
    parser.add_argument("--synthesised", type=Path, nargs="*", default=[], help="files of lm.synthesise")
    parser.add_argument("--diversity", action="store_true", help="add the loss of lm/diversity.py")
    parser.add_argument(
        "--compile", action=argparse.BooleanOptionalAction, default=shutil.which("g++") is not None,
        help="fuse operations with torch.compile (needs a C++ compiler)",
    )
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(arguments.threads)
    encode = models.TextEncoder(models.load_tokenizer())
    cache = arguments.work / "cache"
    stage, profile = arguments.stage, arguments.data_profile
    found = mixture(arguments.data, cache, encode, stage, profile, arguments.synthesised)
    for line in profiles.refused([*PERSONA_STAGE, "empathetic_dialogues"], profile):
        print(f"left out by the profile {profile}: {line}", flush=True)
    train = all_of(found)
    valid = data.load(arguments.data, "valid", encode, cache)
    tune = [c for c in valid if half_of(c.conv_id) == "tune"][:EVALUATION_CONVERSATIONS]
    store = Store(arguments.work)
    network, progress, optimiser_state = start(store, arguments.leg, stage, profile)
    labels = {"empathetic_intents"} if "empathetic_dialogues" in found else set()
    progress.sources = sorted({*progress.sources, *found, *labels})
    if arguments.compile:
        compile_layers(network)
    leg = Leg(
        seconds=arguments.minutes * 60,
        steps=arguments.steps or float("inf"),
        token_weights=reply_weights(train) if arguments.diversity else None,
        peak=arguments.peak,
    )
    run(network, train, tune, encode, store, progress, optimiser_state, leg)


if __name__ == "__main__":
    main()
