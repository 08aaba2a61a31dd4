"""Two replies in one row: each is scored as if it stood alone behind the context."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from lm_tiny import encoder, persona, sample, tiny_model, wrapping

from lm import slots
from lm.format import MAX_TOKENS, Conversation, Turn
from lm.preferences import layout, objective

OTHER = "That sounds wonderful, congratulations!"


def ends_in_reply(number: int) -> Conversation:
    conversation = sample()[number]
    last = max(i for i, turn in enumerate(conversation.turns) if not turn.speaker)
    return replace(conversation, turns=conversation.turns[: last + 1])


def row(number: int, other: str | None = OTHER, **options) -> layout.Row:
    ids = None if other is None else encoder()(other)
    return layout.row_of(ends_in_reply(number), wrapping(), list(persona()), ids, **options)


@torch.no_grad()
def sums(rows: list[layout.Row]) -> tuple[torch.Tensor, torch.Tensor]:
    network = tiny_model(sharp=True).eval()
    batch = layout.collate(rows, range(len(rows)))
    scored = objective.score(network, batch)
    return tuple(
        objective.per_row(values, segment, len(rows))
        for values, segment in ((scored.reply, batch.reply), (scored.other, batch.other))
    )  # type: ignore[return-value]


def test_the_other_reply_is_scored_as_if_it_stood_alone_behind_the_context():
    rows = [row(number) for number in range(4)]
    alone = []
    for number in range(4):
        conversation = ends_in_reply(number)
        turns = (*conversation.turns[:-1], Turn(False, tuple(encoder()(OTHER))))
        alone.append(layout.row_of(replace(conversation, turns=turns), wrapping(), list(persona())))
    _, beside = sums(rows)
    expected, _ = sums(alone)
    assert torch.allclose(beside, expected, rtol=1e-4, atol=1e-3)
    assert (expected < -10).all()  # the sharp model has opinions; equal zeros would pass as well


def test_the_reply_is_not_touched_by_the_branch_beside_it():
    with_branch, _ = sums([row(number) for number in range(4)])
    without, nothing = sums([row(number, other=None) for number in range(4)])
    assert torch.allclose(with_branch, without, rtol=1e-4, atol=1e-3)
    assert nothing.tolist() == [0, 0, 0, 0]


def test_the_scored_tokens_are_the_two_replies_with_their_end_tokens():
    one = row(0)
    assert [t for _, t in one.reply] == [*ends_in_reply(0).turns[-1].ids, slots.IM_END]
    assert [t for _, t in one.other] == [*encoder()(OTHER), slots.IM_END]
    assert one.other[0][0] == one.reply[0][0] == one.fork
    assert one.ids[one.fork] == slots.ANY_INTENT


def test_the_judge_reads_each_reply_at_its_own_slot():
    one = row(1, good=True, other_good=False)
    ids = one.ids + one.branch
    assert [target for _, target in one.judge] == [slots.GOOD, slots.BAD]
    assert [ids[at] for at, _ in one.judge] == [slots.JUDGE, slots.JUDGE]
    assert row(1).judge == []


def test_oldest_turns_are_left_out_of_a_conversation_that_is_too_long():
    long = Turn(True, tuple(encoder()("I am so very tired of it all. " * 40)))
    conversation = Conversation("x", 0, (long, Turn(False, (500, 501)), long, Turn(False, (600, 601, 602))))
    made = layout.row_of(conversation, wrapping(), list(persona()))
    assert len(made) <= MAX_TOKENS
    assert [t for _, t in made.reply] == [600, 601, 602, slots.IM_END]


def test_a_reply_that_is_too_long_by_itself_is_refused():
    with pytest.raises(ValueError, match="more than"):
        layout.row_of(Conversation("x", 0, (Turn(False, (7,) * MAX_TOKENS),)), wrapping(), None)


def test_a_conversation_that_ends_with_the_speaker_is_refused():
    with pytest.raises(ValueError, match="end in a reply"):
        layout.row_of(Conversation("x", 0, (Turn(True, (7,)),)), wrapping(), None)


def test_packing_keeps_every_row_once_within_the_budget_of_padded_tokens():
    rows = [row(number) for number in range(8)]
    groups = layout.pack(rows, range(8), tokens=512)
    assert sorted(number for group in groups for number in group) == list(range(8))
    for group in groups:
        assert len(group) == 1 or max(len(rows[n]) for n in group) * len(group) <= 512


def test_batches_of_one_seed_are_the_same_and_of_another_seed_in_another_order():
    rows = [row(number) for number in range(8)]
    groups = [[number] for number in range(8)]
    order = [[int(b.index[0]) for b in layout.batches(rows, groups, seed)] for seed in (1, 1, 2)]
    assert order[0] == order[1] != order[2]
    assert sorted(order[2]) == list(range(8))


def test_dpo_is_log_two_without_a_preference_and_falls_with_the_margin():
    losses = objective.dpo(torch.tensor([0.0, 5.0, -5.0]), beta=0.5)
    assert losses[0] == pytest.approx(0.693147, abs=1e-5)
    assert losses[1] < losses[0] < losses[2]


def test_unlikelihood_is_the_loss_of_not_saying_the_token():
    p = torch.tensor([0.5, 0.1])
    assert torch.allclose(objective.unlikelihood(p.log(), cap=4.0), -(1 - p).log())


def test_a_certain_token_costs_the_cap_and_is_not_pushed_down():
    log_p = torch.tensor([-1e-9, -0.7], requires_grad=True)
    losses = objective.unlikelihood(log_p, cap=4.0)
    losses.sum().backward()
    assert losses[0].item() == pytest.approx(4.0, abs=1e-3)
    assert log_p.grad is not None
    assert log_p.grad[0] == 0 and log_p.grad[1] > 0
