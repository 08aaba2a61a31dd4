"""The training loop on a tiny random model: it learns, decays, stops and goes on where it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from lm_tiny import encoder, persona, sample, tiny_model, wrapping

from lm import batching, slots, train
from lm import model as models

SECONDS_PER_STEP = 200.0
"""Of the fake clock: every fourth step writes a checkpoint."""


@pytest.fixture(autouse=True)
def one_thread():
    """Sums in a fixed order, so that equal runs are equal to the bit."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def clock() -> Callable[[], float]:
    now = 0.0

    def read() -> float:
        nonlocal now
        now += SECONDS_PER_STEP
        return now

    return read


def test_a_leg_may_end_by_steps_and_may_leave_heads_out(store: train.Store):
    network, progress, state = train.start(store, 1)
    leg = train.Leg(steps=3, heads=("lm",), layout=batching.Layout(judged_share=0, told_share=0))
    before = network.get_input_embeddings().weight[slots.JUDGE].clone()
    figures = train.run(network, list(sample()), list(sample())[:2], encoder(), store, progress, state, leg)
    stored = torch.load(store.weights(1), weights_only=True)
    assert stored["progress"]["step"] == 3
    assert stored["progress"]["emotion_input"] is False
    assert "ppl_token" in figures
    # Only weight decay moved the row of a slot that no loss looks at and no input holds after the reply.
    assert torch.cosine_similarity(before, network.get_input_embeddings().weight[slots.JUDGE], dim=0) > 0.9


def test_the_learning_rate_warms_up_by_steps_and_reaches_zero_at_the_end_of_the_leg():
    def rate(step: int, seconds: float) -> float:
        return train.learning_rate(train.Progress(step=step, seconds=seconds), train.Leg(seconds=1_000.0))

    assert rate(0, 0) == pytest.approx(train.LEARNING_RATE / train.WARMUP_STEPS)
    assert rate(train.WARMUP_STEPS - 1, 0) == train.LEARNING_RATE
    assert rate(500, 500) == train.LEARNING_RATE / 2
    rates = [rate(100 + s, s) for s in range(0, 1_001, 100)]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] == rate(9_000, 1_200) == 0.0


class Killed(Exception):
    """Stands for the process being killed in the middle of a step."""


class Watch:
    """Notes the ids of every training batch that a network is given; may kill a run."""

    def __init__(self, network: torch.nn.Module, kill_at: int | None = None) -> None:
        self.seen: list[list[list[int]]] = []
        self.network, self.kill_at = network, kill_at
        network.model.register_forward_pre_hook(self.note, with_kwargs=True)

    def note(self, module, arguments, named) -> None:
        if not self.network.training:
            return
        if len(self.seen) == self.kill_at:
            raise Killed
        self.seen.append(named["input_ids"].tolist())


def run(store: train.Store, leg: int, steps: int, kill_at: int | None = None) -> Watch:
    """The way of train.main, from what is stored, for `steps` of the fake clock."""
    network, progress, optimiser_state = train.start(store, leg)
    watch = Watch(network, kill_at)
    train.run(
        network, list(sample()) * 6, list(sample())[:2], encoder(), store, progress,
        optimiser_state, train.Leg(seconds=steps * SECONDS_PER_STEP), clock(),
    )  # fmt: skip
    return watch


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> train.Store:
    """A working directory whose base weights are the tiny model's."""
    monkeypatch.setattr(models, "load_base", tiny_model)
    return train.Store(tmp_path)


def test_a_killed_leg_goes_on_with_the_same_batches_and_ends_with_the_same_weights(
    store: train.Store, tmp_path: Path
):
    (tmp_path / "whole").mkdir()
    whole = train.Store(tmp_path / "whole")
    undisturbed = run(whole, 1, 8)
    assert len(undisturbed.seen) == 8
    with pytest.raises(Killed):
        run(store, 1, 8, kill_at=6)
    assert not store.weights(1).exists()
    done = torch.load(store.running, weights_only=True)["progress"]["step"]
    assert 0 < done < 6
    resumed = run(store, 1, 8)
    assert resumed.seen == undisturbed.seen[done:]
    one, other = (torch.load(s.weights(1), weights_only=True) for s in (whole, store))
    assert one["progress"] == other["progress"]
    assert all(torch.equal(values, other["model"][name]) for name, values in one["model"].items())


def test_a_finished_leg_is_not_trained_again_and_leaves_no_running_checkpoint(store: train.Store):
    run(store, 1, 8)
    assert not store.running.exists()
    with pytest.raises(ValueError, match="leg 1 is finished"):
        train.start(store, 1)


def test_a_leg_begun_with_another_stage_or_profile_is_refused(store: train.Store):
    with pytest.raises(Killed):
        run(store, 1, 8, kill_at=6)
    for stage, profile in (("persona", "full"), ("", "permissive")):
        with pytest.raises(ValueError, match="was begun with"):
            train.start(store, 1, stage, profile)


def test_a_leg_of_another_stage_begins_its_data_anew_and_keeps_what_the_weights_have_seen(store: train.Store):
    run(store, 1, 5)
    stored = torch.load(store.weights(1), weights_only=True)
    stored["progress"] |= {"sources": ["dailydialog"], "emotion_input": True}
    torch.save(stored, store.weights(1))
    _, progress, _ = train.start(store, 2, "dialogue")
    assert (progress.epoch, progress.batch) == (0, 0)
    assert (progress.sources, progress.emotion_input) == (["dailydialog"], True)


def test_permissive_weights_never_start_from_others(store: train.Store):
    run(store, 1, 2)
    with pytest.raises(ValueError, match="profile full"):
        train.start(store, 2, "", "permissive")


def test_emotions_count_as_an_input_only_where_some_turn_was_told_one(store: train.Store):
    run(store, 1, 2)
    assert torch.load(store.weights(1), weights_only=True)["progress"]["emotion_input"] is False
    network, progress, state = train.start(store, 2)
    told = [replace(c, turns=tuple(replace(t, told=3) for t in c.turns)) for c in sample()]
    train.run(network, told, list(sample())[:2], encoder(), store, progress, state, train.Leg(steps=1))
    assert torch.load(store.weights(2), weights_only=True)["progress"]["emotion_input"] is True


def test_a_mixture_of_which_nothing_fits_ends_with_an_error(store: train.Store):
    network, progress, state = train.start(store, 1)
    with pytest.raises(ValueError, match="no conversation fits"):
        train.run(network, [], list(sample())[:2], encoder(), store, progress, state, train.Leg(steps=1))


def test_the_next_leg_starts_from_the_weights_with_fresh_time_and_goes_on_in_the_data(store: train.Store):
    first = run(store, 1, 5)
    network, progress, optimiser_state = train.start(store, 2)
    stored = torch.load(store.weights(1), weights_only=True)
    assert torch.equal(network.state_dict()["model.norm.weight"], stored["model"]["model.norm.weight"])
    assert torch.equal(network.lm_head.weight, stored["model"]["model.embed_tokens.weight"])
    assert (progress.leg, progress.step, progress.seconds, optimiser_state) == (2, 0, 0.0, None)
    second = run(store, 2, 3)
    epochs = (
        batching.epoch(list(sample()) * 6, wrapping(), list(persona()), seed) for seed in range(3)
    )
    assert first.seen + second.seen == [b.ids.tolist() for e in epochs for b in e][:8]


def test_a_checkpoint_rebuilds_the_model_it_came_from(store: train.Store):
    run(store, 1, 2)
    stored = torch.load(store.weights(1), weights_only=True)
    network = models.from_state(stored["model"], stored["config"])
    assert torch.equal(network.lm_head.weight, stored["model"]["model.embed_tokens.weight"])
    with pytest.raises(ValueError, match="not this model"):
        models.from_state({"model.norm.weight": stored["model"]["model.norm.weight"]}, stored["config"])
