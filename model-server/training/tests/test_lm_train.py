"""The training loop on a tiny random model: it learns, decays, stops and goes on where it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from lm_tiny import encoder, one_example, persona, sample, tiny_config, tiny_model, wrapping

from lm import batching, diversity, slots
from lm import model as models
from lm import objectives, train

HEADS = ("lm", "affect", "intent", "judge")
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


def epoch(seed: int) -> list[batching.Batch]:
    layout = batching.Layout(judged_share=1)
    return list(batching.epoch(list(sample()), wrapping(), list(persona()), seed, 512, layout))


def test_the_loss_of_every_head_falls_within_thirty_steps():
    network = tiny_model().train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-2)
    history: list[dict[str, float]] = []
    seed = 0
    while len(history) < 30:
        for batch in epoch(seed):
            by_head = objectives.losses(network, batch)
            sum(objectives.HEAD_WEIGHTS[h] * v for h, v in by_head.items()).backward()
            optimiser.step()
            optimiser.zero_grad()
            history.append({h: v.item() for h, v in by_head.items()})
        seed += 1
    for head in HEADS:
        first = torch.tensor([row[head] for row in history[:3]]).mean()
        last = torch.tensor([row[head] for row in history[-3:]]).mean()
        assert 10 < first < 12, head
        assert last < first / 2, head


def test_the_ranking_of_one_batch_can_be_learned():
    network, batch = tiny_model().train(), epoch(0)[0]
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-2)
    history = []
    for _ in range(30):
        ranking = objectives.losses(network, batch)["ranking"]
        ranking.backward()
        optimiser.step()
        optimiser.zero_grad()
        history.append(ranking.item())
    # Guessing among five replies costs ln 5.
    assert 1.3 < history[0] < 2.0
    assert history[-1] < history[0] / 2


def test_the_loss_is_the_full_vocabulary_cross_entropy_at_the_targets():
    network, example = tiny_model(sharp=True).eval(), one_example(0, distractors=[(5, 6, 7)])
    with torch.no_grad():
        found = objectives.losses(network, batching.collate([example]))
        plain = network(input_ids=torch.tensor([example.ids])).logits[0].log_softmax(-1)
    for head in ("lm", "affect", "intent"):
        expected = -torch.stack([plain[p, t] for p, t in getattr(example, head)]).mean()
        assert found[head].item() == pytest.approx(expected.item(), rel=1e-4)


def test_a_head_without_targets_is_left_out_instead_of_giving_not_a_number():
    example = replace(one_example(3), affect=[], intent=[])
    assert set(objectives.losses(tiny_model(), batching.collate([example]))) == {"lm"}


def test_the_ranking_loss_is_the_cross_entropy_of_the_true_reply_by_log_odds():
    network, example = tiny_model(sharp=True).eval(), one_example(0, distractors=[(5, 6, 7), (8, 9)])
    batch = batching.collate([example])
    with torch.no_grad():
        found = objectives.losses(network, batch)
        logits = network.lm_head(objectives.hidden_states(network, batch)[batch.targets["judge"][0]])
    odds = (logits[:, slots.GOOD] - logits[:, slots.BAD]).tolist()
    expected = torch.logsumexp(torch.tensor(odds), 0).item() - odds[0]
    assert len(odds) == 3
    assert found["ranking"].item() == pytest.approx(expected, rel=1e-4)


def test_the_diversity_loss_stands_beside_the_plain_one_only_when_weights_are_given():
    network, batch = tiny_model(), batching.collate([one_example(0)])
    weights = torch.ones(slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS)
    plain, both = objectives.losses(network, batch), objectives.losses(network, batch, weights)
    assert "diversity" not in plain
    assert both["diversity"].item() == pytest.approx(both["lm"].item(), rel=1e-5)
    assert objectives.HEAD_WEIGHTS["diversity"] == diversity.CEM_FACTOR


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


def test_evaluation_figures_follow_the_probabilities_of_the_model():
    network = tiny_model(sharp=True)
    held_out = list(sample())
    found = objectives.evaluate(network, batching.evaluation(held_out, wrapping(), list(persona())))
    nll, count, won = 0.0, 0, []
    hits: dict[str, list[bool]] = {"emotion_top1": [], "emotion_top5": [], "intent_top1": []}
    mass: dict[str, list[float]] = {"emotion_mass": [], "intent_mass": [], "judge_mass": []}
    emotions = slice(slots.EMOTION_IDS[0], slots.EMOTION_IDS[-1] + 1)
    intents = slice(slots.INTENT_IDS[0], slots.INTENT_IDS[-1] + 1)
    for batch in batching.evaluation(held_out, wrapping(), list(persona()), tokens_per_batch=1):
        with torch.no_grad():
            hidden = objectives.hidden_states(network.eval(), batch)
            log = network.lm_head(hidden).log_softmax(-1)
        nll -= sum(log[p, t].item() for p, t in zip(*(x.tolist() for x in batch.targets["lm"]), strict=True))
        count += len(batch.targets["lm"][0])
        for p, t in zip(*(x.tolist() for x in batch.targets["affect"]), strict=True):
            order = (log[p, emotions].argsort(descending=True) + emotions.start).tolist()
            hits["emotion_top1"].append(order[0] == t)
            hits["emotion_top5"].append(t in order[:5])
            mass["emotion_mass"].append(log[p, emotions].exp().sum().item())
        for p, t in zip(*(x.tolist() for x in batch.targets["intent"]), strict=True):
            hits["intent_top1"].append(log[p, intents].argmax().item() + intents.start == t)
            mass["intent_mass"].append(log[p, intents].exp().sum().item())
        odds = [(log[p, slots.GOOD] - log[p, slots.BAD]).item() for p in batch.targets["judge"][0].tolist()]
        mass["judge_mass"] += [log[p, [slots.GOOD, slots.BAD]].exp().sum().item() for p in batch.targets["judge"][0]]
        won += [odds[true] > odds[wrong] for true, wrong in batch.groups]
    assert torch.tensor(found["ppl_token"]).log().item() == pytest.approx(nll / count, rel=1e-4)
    assert found["judge_pairwise"] == pytest.approx(sum(won) / len(won))
    for name, outcomes in hits.items():
        assert found[name] == pytest.approx(sum(outcomes) / len(outcomes)), name
    for name, shares in mass.items():
        assert found[name] == pytest.approx(sum(shares) / len(shares), rel=1e-3), name


def test_added_slot_rows_start_near_their_words_and_leave_the_base_rows_alone():
    torch.manual_seed(0)
    base = models.LlamaForCausalLM(tiny_config(slots.BASE_VOCAB_SIZE))
    before = base.get_input_embeddings().weight.detach().clone()
    models.extend_vocabulary(base, encoder())
    rows = base.get_input_embeddings().weight.detach()
    assert rows.shape[0] == slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS
    assert torch.equal(rows[: slots.BASE_VOCAB_SIZE], before)
    assert base.lm_head.weight is base.get_input_embeddings().weight
    for emotion, row in zip(slots.EMOTIONS, slots.EMOTION_IDS, strict=True):
        word = before[encoder()(f" {emotion}")].mean(dim=0)
        assert torch.cosine_similarity(rows[row], word, dim=0) > 0.9
