"""Train on what users of the service edited, preferred and reported (CAiRE's active learning and negative training).

    python -m lm.feedback --feedback FILE --checkpoint FILE --work DIR --minutes 10 --data DIR

Edited replies are learned as they are (SFT), preferences by DPO against the checkpoint, reported replies by
unlikelihood. Between them stand batches of EmpatheticDialogues (`--replay-share`), so that the model keeps what it
knows. `lm/feedback_rows.py` describes the file. Writes WORK/feedback.pt for lm.export.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from . import batching, data, feedback_rows, model as models, objectives, slots
from .format import Conversation, Wrapping
from .preferences import dpo, judged, layout, objective, reference, stage

LEARNING_RATE = 5e-6
PASSES = 3
"""A handful of rows must not be learned by heart, however long the clock runs."""
REPLAY_SHARE = 0.5
NEGATIVE_WEIGHT = 0.5
UNLIKELIHOOD_CAP = 4.0
"""In nats: a token with p > 0.982 is the rest of a word or fixed grammar and is left alone."""
TOKENS_PER_BATCH = 768
KINDS: tuple[feedback_rows.Kind, ...] = ("sft", "preference", "negative")


@dataclass(frozen=True)
class Settings:
    preference: dpo.Settings = dpo.Settings()
    negative_weight: float = NEGATIVE_WEIGHT
    cap: float = UNLIKELIHOOD_CAP
    replay_share: float = REPLAY_SHARE
    """Share of the batches that are replayed conversations, 0 to below 1."""


@dataclass(frozen=True)
class Laid:
    """Rows of tokens: the feedback first, then the conversations for replay."""

    rows: list[layout.Row]
    kinds: list[feedback_rows.Kind | None]
    """None for a replayed conversation."""

    def numbers(self, kind: feedback_rows.Kind | None) -> list[int]:
        return [number for number, own in enumerate(self.kinds) if own == kind]


def lay_out(feedback: Sequence[feedback_rows.Row], replayed: Sequence[Conversation], encode) -> Laid:
    """One row each. Edited and preferred replies are good for the judge, reported ones bad; a reply that was only
    less liked is neither. Replies beyond the format's length raise ValueError."""
    wrapping, default = Wrapping(encode), encode(slots.DEFAULT_PERSONA)
    rows: list[layout.Row] = []
    for entry in feedback:
        persona = default if entry.persona is None else encode(entry.persona)
        other = None if entry.rejected is None else encode(entry.rejected)
        conversation = feedback_rows.conversation(entry, encode)
        rows.append(layout.row_of(conversation, wrapping, persona, other, good=entry.kind != "negative"))
    kinds: list[feedback_rows.Kind | None] = [entry.kind for entry in feedback]
    kept = [row for c in replayed if (row := layout.whole(c, wrapping, default)) is not None]
    return Laid(rows + kept, kinds + [None] * len(kept))


def loss_of(network, laid: Laid, known: reference.Reference, settings: Settings) -> stage.Loss:
    """A batch holds rows of one kind only (see `schedule`); the loss is that kind's."""
    of_preference = dpo.loss_of(network, known, settings.preference)

    def loss(batch: layout.Batch) -> tuple[torch.Tensor, dict[str, float]]:
        kind = laid.kinds[int(batch.index[0])]
        if kind == "preference":
            return of_preference(batch)
        scored = objective.score(network, batch)
        heads = settings.preference.head_weight * objective.head_loss(scored.heads)
        if kind == "negative":
            words = batch.reply.tokens != slots.IM_END  # what was reported is the words, not that they end
            value = objective.unlikelihood(scored.reply[words], settings.cap).sum() / words.sum().clamp(min=1)
            return settings.negative_weight * value + heads, {"unlikelihood": value.item()}
        nll = -scored.reply.mean()
        return nll + heads, {"replay_nll" if kind is None else "sft_nll": nll.item()}

    return loss


def schedule(laid: Laid, share: float, seed: int, tokens: int = TOKENS_PER_BATCH) -> list[list[int]]:
    """The groups of one pass: all feedback once, and replay as `share` of all batches, in a random order.

    Each group is of one kind. Other conversations are replayed in another pass.
    """
    rng = random.Random(seed)
    groups = [group for kind in KINDS for group in layout.pack(laid.rows, laid.numbers(kind), tokens)]
    replay = laid.numbers(None)
    rng.shuffle(replay)
    wanted = round(len(groups) * share / (1 - share))
    at_hand = layout.pack(laid.rows, replay[: wanted * 40], tokens)  # far more rows than the batches can hold
    rng.shuffle(at_hand)
    # Every pass has the same number of groups, which is what resumption counts by.
    groups += [at_hand[number % len(at_hand)] for number in range(wanted)] if at_hand else []
    rng.shuffle(groups)
    return groups


def report(network, laid: Laid, known: reference.Reference, settings: Settings) -> dict[str, float]:
    """What the stage did to the feedback itself: mean log probability per token (nats) of the edited replies and of
    the reported ones' words, and the figures of the preferences."""
    figures: dict[str, float] = {}
    sft, negative, preference = (laid.numbers(kind) for kind in ("sft", "negative", "preference"))
    if sft:
        figures["sft_logp"] = _mean_log_probability(network, [laid.rows[n] for n in sft])
    if negative:
        said = [replace(laid.rows[n], reply=laid.rows[n].reply[:-1]) for n in negative]  # without the end token
        figures["negative_logp"] = _mean_log_probability(network, said)
    if preference:
        part = reference.Reference(known.reply[preference], known.other[preference])
        figures |= judged.pairs(network, [laid.rows[n] for n in preference], part, settings.preference.beta)
    return figures


@torch.no_grad()
def _mean_log_probability(network, rows: Sequence[layout.Row]) -> float:
    network.eval()
    batches = layout.batches(rows, layout.pack(rows, range(len(rows))))
    values = torch.cat([objective.score(network, batch).reply for batch in batches])
    network.train()
    return round(values.mean().item(), 4)


def train(
    network, laid: Laid, known: reference.Reference, tune: Sequence[batching.Batch], settings: Settings,
    run: stage.Stage, tokens: int = TOKENS_PER_BATCH,
) -> None:  # fmt: skip
    """The stage from resumption to its result, with the figures around it."""
    per_pass = len(schedule(laid, settings.replay_share, run.plan.seed, tokens))

    def batches(number: int) -> Iterator[layout.Batch]:
        groups = schedule(laid, settings.replay_share, run.plan.seed + number, tokens)
        return layout.batches(laid.rows, groups)

    def figures(when: str) -> None:
        row = {"when": when} | report(network, laid, known, settings)
        run.log(row | (objectives.evaluate(network, tune) if tune else {}))

    run.resume(network)
    if run.done.step == 0:
        figures("before")
    run.run(network, per_pass, batches, loss_of(network, laid, known, settings))
    figures("after")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--feedback", type=Path, required=True, help="jsonl of the form of lm/feedback_rows.py")
    parser.add_argument("--checkpoint", type=Path, required=True, help="start and reference, a .pt file of lm.train")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--data", type=Path, help="EmpatheticDialogues for replay, needed for a share above 0")
    parser.add_argument("--replay-share", type=float, default=REPLAY_SHARE, help="share of the batches, below 1")
    parser.add_argument("--passes", type=int, default=PASSES, help="at most so many passes over the feedback")
    parser.add_argument("--lr", type=float, default=LEARNING_RATE)
    parser.add_argument("--beta", type=float, default=dpo.BETA)
    parser.add_argument("--negative-weight", type=float, default=NEGATIVE_WEIGHT)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args(argv)
    if not 0 <= arguments.replay_share < 1:
        parser.error("--replay-share: 0 to below 1")
    if arguments.replay_share > 0 and arguments.data is None:
        parser.error("--data is needed for replay (or --replay-share 0)")
    try:
        feedback = feedback_rows.read(arguments.feedback)
    except feedback_rows.FeedbackError as error:
        sys.exit(str(error))
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    encode, cache = models.TextEncoder(models.load_tokenizer()), arguments.work / "cache"
    replayed = data.load(arguments.data, "train", encode, cache) if arguments.replay_share > 0 else []
    laid = lay_out(feedback, replayed, encode)
    network, progress = stage.load(arguments.checkpoint)
    key = stage.digest(arguments.feedback, arguments.checkpoint, *dpo.layout_files(), Path(feedback_rows.__file__))
    # The feedback's rows come first, so the reference's numbers are theirs.
    known = reference.compute(network, laid.rows[: len(feedback)], cache / f"feedback-reference-{key}.jsonl")
    plan = stage.Plan(arguments.minutes * 60, arguments.passes, arguments.lr, arguments.seed)
    settings = Settings(
        dpo.Settings(beta=arguments.beta), arguments.negative_weight, replay_share=arguments.replay_share
    )
    run_key = stage.digest(key, settings, plan.passes, plan.learning_rate, plan.seed)
    tune = dpo.tune_batches(arguments.data, encode, cache) if arguments.data else []
    sources = ("feedback", *(dpo.DATA if replayed else ()))
    run = stage.Stage("feedback", arguments.work, run_key, plan, progress, sources)
    train(network, laid, known, tune, settings, run)


if __name__ == "__main__":
    main()
