"""The corpora of the further tasks, read from the data folder, with each task's share of a pass and weight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from .constants import LABELS, MAX_TOKENS, SCORES
from .data import EncodedConversation
from .inputs import Marks, encode_texts, layout
from .mix import Item, Mix, Task, cause_loss, helper_loss, possible_loss, scores_loss
from .objectives import several_loss, votes_loss
from .tasks import causes, labelled, scored, templates


def load_mix(data: Path, train: Sequence[EncodedConversation], tokenizer: Tokenizer) -> Mix:
    """Reads every further corpus under `data`; about half a minute.

    @param train: EmpatheticDialogues' training split, for the weak cause labels.
    @raises ValueError when a regression score has no training text.
    """
    encode = _Encoder(tokenizer)
    emobank = encode.scored(scored.read_emobank(data / "lexicons" / "emobank" / "emobank.csv"))
    essays = encode.scored(
        scored.read_reactions(data / "empathic_reactions" / "empathic_reactions_2018_messages.csv")
    )
    disclosure = encode.scored(scored.read_disclosure(data / "esconv" / "supporter_strategy_train.csv"))
    goemotions = encode.labelled(labelled.read_goemotions(data / "goemotions" / "train.tsv"))
    edos_rows, edos_names = labelled.read_edos(data / "edos")
    edos = encode.labelled(edos_rows)
    possible = encode.possible(templates.made_sentences())
    strong = encode.causes(causes.read_reccon_training(data / "reccon"))
    table = causes.bayes_table(train, tokenizer.get_vocab_size(), len(LABELS))

    def weak(number: int) -> list[Item]:
        return items_of(causes.weak_causes(train, table, encode.marks, MAX_TOKENS, number))

    means, spread = moments([*emobank, *essays, *disclosure])
    score = scores_loss(torch.from_numpy(spread))
    return Mix(
        tasks=(
            Task("emobank", lambda _: emobank, score, batch=48, steps=130, weight=0.5),
            Task("essays", lambda _: essays, score, batch=16, steps=90, weight=0.5),
            Task("disclosure", lambda _: disclosure, score, batch=48, steps=50, weight=0.5),
            Task("causes", lambda _: strong, cause_loss, batch=24, steps=140, weight=1.0, per_token=True),
            Task("weak_causes", weak, cause_loss, batch=24, steps=40, weight=0.3, per_token=True),
            Task(
                "goemotions",
                lambda _: goemotions,
                helper_loss("goemotions", several_loss),
                batch=64,
                steps=70,
                weight=0.2,
            ),
            Task("edos", lambda _: edos, helper_loss("edos", votes_loss), batch=48, steps=70, weight=0.3),
            Task("possible", lambda _: possible, possible_loss, batch=48, steps=30, weight=0.5),
        ),
        sizes={"goemotions": labelled.GOEMOTIONS_LABELS, "edos": len(edos_names)},
        means=torch.from_numpy(means),
    )


def moments(items: Sequence[Item]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and deviation of each score's known targets, float32 [len(SCORES)] each.

    @raises ValueError naming a regression score without two different known targets.
    """
    rows = np.stack([item.target for item in items])
    for index, score in enumerate(SCORES):
        known = rows[:, index][~np.isnan(rows[:, index])]
        if score.kind == "regression" and len(np.unique(known)) < 2:
            raise ValueError(f"no training texts for {score.name}")
    return np.nanmean(rows, axis=0), np.nanstd(rows, axis=0)


def items_of(examples: Iterable[causes.CauseExample]) -> list[Item]:
    return [Item(example.ids, example.targets) for example in examples]


class _Encoder:
    """Rows of a corpus → items with input ids."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.marks = Marks.of(tokenizer)

    def alone(self, texts: Sequence[str], targets: Sequence[np.ndarray]) -> list[Item]:
        """Each text as one speaker turn."""
        encoded = encode_texts(self.tokenizer, texts)
        inputs = [layout([("speaker", ids)], self.marks) for ids in encoded]
        return [Item(ids, target) for ids, target in zip(inputs, targets, strict=True)]

    def scored(self, rows: Sequence[scored.ScoredText]) -> list[Item]:
        return self.alone([row.text for row in rows], [row.row() for row in rows])

    def possible(self, rows: Sequence[templates.PossibleLabels]) -> list[Item]:
        return self.alone([row.text for row in rows], [row.possible.astype(np.float32) for row in rows])

    def labelled(self, rows: Sequence[labelled.LabelledText]) -> list[Item]:
        encoded = iter(encode_texts(self.tokenizer, [text for row in rows for _, text in row.turns]))
        inputs = [layout([(role, next(encoded)) for role, _ in row.turns], self.marks) for row in rows]
        return [Item(ids, row.target) for ids, row in zip(inputs, rows, strict=True)]

    def causes(self, conversations: Sequence[Sequence[causes.CauseTurn]]) -> list[Item]:
        return items_of(causes.encode_causes(conversations, self.tokenizer, self.marks, MAX_TOKENS))
