"""The model's own replies, sampled in batches over a key-value cache, and how generic they are."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .. import slots
from ..format import Conversation, Turn, Wrapping
from . import layout, objective

TEMPERATURE = 0.8
TOP_P = 0.9
TOP_K = 256
MAX_NEW_TOKENS = 40
"""98 % of EmpatheticDialogues' replies are no longer; an unfinished reply is left out."""


@torch.no_grad()
def sample(
    network, prompts: Sequence[Sequence[int]], generator: torch.Generator,
    max_new: int = MAX_NEW_TOKENS, temperature: float = TEMPERATURE, top_p: float = TOP_P,
) -> list[tuple[int, ...] | None]:  # fmt: skip
    """One reply per prompt (token ids without the end token), None where it did not end within `max_new`.

    Prompts are padded on the left, so that all rows go on at the same column. Slot tokens and frame tokens are
    never drawn.
    """
    from transformers import DynamicCache

    width = max(len(p) for p in prompts)
    ids = torch.tensor([[slots.IM_END] * (width - len(p)) + list(p) for p in prompts])
    mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts])
    positions = (mask.cumsum(1) - 1).clamp(min=0)
    cache = DynamicCache(config=network.config)
    replies: list[list[int]] = [[] for _ in prompts]
    ended = [False] * len(prompts)
    active = list(range(len(prompts)))
    network.eval()
    for _ in range(max_new + 1):
        hidden = network.model(
            input_ids=ids, attention_mask=mask, position_ids=positions, past_key_values=cache, use_cache=True
        ).last_hidden_state[:, -1]
        drawn = draw(network.lm_head(hidden), generator, temperature, top_p)
        going = (drawn != slots.IM_END).nonzero().flatten()
        for row in set(range(len(active))).difference(going.tolist()):
            ended[active[row]] = True
        active = [active[row] for row in going.tolist()]
        if not active:
            break
        if len(going) < len(drawn):  # most replies are short: the others do not wait for them
            cache.batch_select_indices(going)
            drawn, mask, positions = drawn[going], mask[going], positions[going]
        for number, token in zip(active, drawn.tolist(), strict=True):
            replies[number].append(token)
        ids, positions = drawn[:, None], positions[:, -1:] + 1
        mask = torch.cat([mask, torch.ones(len(active), 1, dtype=mask.dtype)], dim=1)
    return [tuple(r) if done else None for r, done in zip(replies, ended, strict=True)]


def draw(logits: torch.Tensor, generator: torch.Generator, temperature: float, top_p: float) -> torch.Tensor:
    """Nucleus sampling among the TOP_K likeliest tokens: int64 [rows] from logits [rows, vocabulary].

    The likeliest token always stays in.
    """
    logits = logits.clone()
    logits[:, slots.BASE_VOCAB_SIZE :] = -torch.inf
    logits[:, slots.IM_START] = -torch.inf
    # A sort of all 49k tokens would cost more than the network's step.
    probability, order = (logits / temperature).softmax(-1).topk(TOP_K)
    outside = probability.cumsum(-1) - probability >= top_p
    kept = probability.masked_fill(outside, 0.0)
    return order.gather(1, torch.multinomial(kept, 1, generator=generator)).flatten()


@torch.no_grad()
def priors(network, replies: Sequence[Sequence[int]], wrapping: Wrapping) -> list[float]:
    """Mean log probability per token of each reply without any context (nats): high means generic.

    Training never shows a reply without a user turn before it, so this is a context the model does not know; the
    number serves to order replies, not as a probability. The model server's prior is the same.
    """
    rows = [layout.row_of(Conversation("", None, (Turn(False, tuple(r)),)), wrapping, None) for r in replies]
    found = [0.0] * len(rows)
    network.eval()
    for batch in layout.batches(rows, layout.pack(rows, range(len(rows)))):
        count = len(batch.index)
        total = objective.per_row(objective.score(network, batch).reply, batch.reply, count)
        means = total / objective.lengths(batch.reply, count)
        for number, value in zip(batch.index.tolist(), means.tolist(), strict=True):
            found[number] = value
    return found
