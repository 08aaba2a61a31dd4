"""Make preference pairs from training conversations (EmPO, arXiv 2406.19071).

    python -m lm.preferences.pairs --data DIR --checkpoint FILE --out pairs.jsonl

The chosen reply is the human one. The rejected reply is one from a dialogue of the opposite emotion on
Plutchik's wheel, of about the same length; for a share of the contexts it is the checkpoint's own sample, of
which the more generic half is kept (by its log probability without a context). The same arguments give the same
file. EmpatheticDialogues' train split only, so the pairs belong to the data profile `full`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import Path

import torch

from .. import data, files, model as models, slots
from ..format import Encoder, Wrapping
from . import plutchik, rows, sampling, stage
from .layout import row_of
from .rows import Context, Pair

MOST_PAIRS = 3_000
OWN_SHARE = 0.3
FEWEST_TOKENS = 4
"""Shorter replies ("Oh no!") fit anywhere: nothing is learned from preferring one."""
LENGTH_TOLERANCE = 0.1
SAMPLES_PER_KEPT = 2
"""Own samples drawn for each one kept: the generic half."""
SAMPLING_BATCH = 32
SAME_REPLY_AT_MOST = 5
"""One generic sentence must not be a tenth of all pairs."""


def contexts(read: Sequence[dict], intents: dict[tuple[str, int], int]) -> list[Context]:
    """Every listener turn that answers a speaker, in the order of the rows."""
    found = []
    for row in read:
        if row.get("emotion") not in slots.EMOTIONS:
            continue
        turns = [
            (turn["role"], data.normalise(turn["text"]), _intent(intents, row["conv_id"], index))
            for index, turn in enumerate(row["turns"])
        ]
        for index in range(1, len(turns)):
            if turns[index][0] == "listener" and turns[index - 1][0] == "speaker":
                before = tuple(turns[:index])
                found.append(Context(row["conv_id"], index, row["emotion"], before, turns[index][1]))
    return found


def _intent(intents: dict[tuple[str, int], int], conv_id: str, turn: int) -> str | None:
    index = intents.get((conv_id, turn))
    return None if index is None else slots.INTENTS[index]


def one_of_each(found: Sequence[Context], encode: Encoder, rng: random.Random) -> list[Context]:
    """One context per conversation, in a random order, with a reply long enough to be preferred."""
    order = list(found)
    rng.shuffle(order)
    taken: dict[str, Context] = {}
    for context in order:
        if context.conv_id not in taken and len(encode(context.reply)) >= FEWEST_TOKENS:
            taken[context.conv_id] = context
    return list(taken.values())


class Pool:
    """The replies to dialogues of each emotion, sorted by length in tokens."""

    def __init__(self, found: Sequence[Context], encode: Encoder) -> None:
        self.by_emotion: dict[str, list[tuple[int, str, str]]] = {}
        for context in found:
            entry = (len(encode(context.reply)), context.reply, context.conv_id)
            self.by_emotion.setdefault(context.emotion, []).append(entry)
        for entries in self.by_emotion.values():
            entries.sort()

    def opposite(self, context: Context, length: int, rng: random.Random) -> str | None:
        """A reply of about `length` tokens to a dialogue of an opposite emotion.

        None where the data has no such dialogue with another reply.
        """
        labels = [name for name in plutchik.opposites(context.emotion) if self.by_emotion.get(name)]
        if not labels:
            return None
        entries = self.by_emotion[rng.choice(labels)]
        reach = max(1, round(length * LENGTH_TOLERANCE))
        low = bisect_left(entries, (length - reach,))
        high = bisect_right(entries, (length + reach + 1,))
        near = entries[low:high] or [min(entries, key=lambda e: abs(e[0] - length))]
        other = [text for _, text, _ in near if text.casefold() != context.reply.casefold()]
        return rng.choice(other) if other else None


def opposite_pairs(
    wanted: Sequence[Context], found: Sequence[Context], encode: Encoder, rng: random.Random
) -> list[Pair]:
    """The pairs of kind "opposite" for the contexts in `wanted`, replies drawn from all of `found`.

    Held-out conversations lend their replies to each other alone: a reply that training made likelier or less
    likely somewhere else would measure nothing.
    """
    pools = {
        held: Pool([context for context in found if rows.held_out(context.conv_id) == held], encode)
        for held in (False, True)
    }
    drawn = (
        (context, pools[rows.held_out(context.conv_id)].opposite(context, len(encode(context.reply)), rng))
        for context in wanted
    )
    return [Pair(context, text, "opposite") for context, text in drawn if text is not None]


def own_pairs(
    network, wanted: Sequence[Context], count: int, encode: models.TextEncoder, seed: int, kept: Path | None = None
) -> list[Pair]:
    """Sample one reply per context and keep the `count` most generic; `kept` as in `sampled`."""
    wrapping, persona = Wrapping(encode), encode(slots.DEFAULT_PERSONA)
    prompts = []
    for context in wanted:
        row = row_of(rows.conversation(context, encode), wrapping, persona)
        prompts.append(row.ids[: row.fork + 1])
    if kept is not None:
        kept = kept.with_name(f"{kept.name}-{stage.digest(prompts, seed, SAMPLING_BATCH)}.jsonl")
    drawn = sampled(network, prompts, seed, kept)
    replies = {number: reply for number, reply in sorted(drawn.items()) if reply}
    priors = sampling.priors(network, list(replies.values()), wrapping)
    decoded = [encode.tokenizer.decode(list(ids)) for ids in replies.values()]
    made = [
        Pair(wanted[number], data.normalise(text), "own", prior)
        for number, text, prior in zip(replies, decoded, priors, strict=True)
    ]
    return most_generic(made, count)


def sampled(
    network, prompts: Sequence[Sequence[int]], seed: int, kept: Path | None
) -> dict[int, tuple[int, ...] | None]:
    """One reply by number of its prompt, None where it did not end.

    `kept` is appended to batch by batch, so that a run that was killed goes on where it was. Each batch has a
    seed of its own: what is drawn does not depend on where a run was stopped.
    """
    known: dict[int, tuple[int, ...] | None] = {}
    for line in files.whole_lines(kept) if kept is not None else []:
        number, reply = json.loads(line)
        known[number] = None if reply is None else tuple(reply)
    order = sorted(range(len(prompts)), key=lambda n: (len(prompts[n]), n))
    for start in range(0, len(order), SAMPLING_BATCH):
        part = order[start : start + SAMPLING_BATCH]
        if all(number in known for number in part):
            continue
        generator = torch.Generator().manual_seed(int(stage.digest(seed, start), 16) % 2**63)
        drawn = dict(zip(part, sampling.sample(network, [prompts[n] for n in part], generator), strict=True))
        known |= drawn
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with kept.open("a", encoding="utf-8") as out:
                out.writelines(json.dumps(item) + "\n" for item in drawn.items())
        print(f"sampled {start + len(part)}/{len(order)}", file=sys.stderr, flush=True)
    return known


def most_generic(made: Sequence[Pair], count: int) -> list[Pair]:
    """The `count` pairs with the greatest prior, no sentence more than SAME_REPLY_AT_MOST times."""
    seen: dict[str, int] = {}
    kept = []
    for pair in sorted(made, key=lambda p: (-(p.prior or 0.0), p.context.conv_id)):
        text = pair.rejected.casefold()
        if not text or "\ufffd" in text or text == pair.context.reply.casefold():
            continue
        seen[text] = seen.get(text, 0) + 1
        if seen[text] <= SAME_REPLY_AT_MOST and len(kept) < count:
            kept.append(pair)
    return kept


def make(
    read: Sequence[dict], intents: dict[tuple[str, int], int], network, encode: models.TextEncoder,
    count: int, own_share: float, seed: int, kept: Path | None = None,
) -> list[Pair]:  # fmt: skip
    """At most `count` pairs in a random order; `network` is only used for a positive `own_share`.

    `kept` begins the name of a file that keeps own samples over a kill; it must name the network.
    """
    rng = random.Random(seed)
    found = contexts(read, intents)
    order = one_of_each(found, encode, rng)
    own = round(count * own_share)
    opposite = opposite_pairs(order[: count - own], found, encode, rng)
    samples = order[count - own : count - own + own * SAMPLES_PER_KEPT]
    pairs = [*opposite, *(own_pairs(network, samples, own, encode, seed, kept) if own and samples else [])]
    rng.shuffle(pairs)
    return pairs


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with empathetic_dialogues/")
    parser.add_argument("--checkpoint", type=Path, help="a .pt file of lm.train; needed for an own share above 0")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=MOST_PAIRS, help=f"at most {MOST_PAIRS}")
    parser.add_argument("--own-share", type=float, default=OWN_SHARE, help="share rejected in favour of own samples")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args(argv)
    if not 1 <= arguments.pairs <= MOST_PAIRS:
        parser.error(f"--pairs: 1 to {MOST_PAIRS}")
    if not 0 <= arguments.own_share <= 1:
        parser.error("--own-share: 0 to 1")
    if arguments.own_share > 0 and arguments.checkpoint is None:
        parser.error("--checkpoint is needed for own samples (or --own-share 0)")
    torch.set_num_threads(arguments.threads)
    encode = models.TextEncoder(models.load_tokenizer())
    read = list(data.read_rows(arguments.data / "empathetic_dialogues" / "train.jsonl"))
    intents = data.read_intents(arguments.data / "empathetic_intents" / "turn_labels_train.tsv")
    network = stage.load(arguments.checkpoint)[0] if arguments.own_share > 0 else None
    kept = None
    if network is not None:
        made_by = stage.digest(arguments.checkpoint, Path(sampling.__file__))
        kept = arguments.out.with_name(f"{arguments.out.name}.samples-{made_by}")
    pairs = make(read, intents, network, encode, arguments.pairs, arguments.own_share, arguments.seed, kept)
    rows.write(arguments.out, pairs)
    own = sum(pair.kind == "own" for pair in pairs)
    print(f"{arguments.out}: {len(pairs)} pairs, {own} against own samples")


if __name__ == "__main__":
    main()
