"""DPO on a tiny model: it learns the preference, keeps the heads, resumes, and writes what lm.export reads."""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from lm_preferences_tiny import SOURCE, sample_pairs, sample_rows, ticking, tune_batches, write_checkpoint
from lm_tiny import persona, sample, tiny_model, wrapping

from lm import export, objectives, slots
from lm import model as models
from lm.format import build
from lm.preferences import dpo, judged, layout, objective, reference, rows, stage

SETTINGS = dpo.Settings(beta=0.1)


@pytest.fixture(autouse=True)
def one_thread():
    """Sums in a fixed order, so that equal runs are equal to the bit."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def new_stage(work: Path, passes: int = 4, seconds: float = 1e6, key: str = "k", **options) -> stage.Stage:
    return stage.Stage("dpo", work, key, stage.Plan(seconds, passes, 3e-3), dict(SOURCE), **options)


def known(network, tmp_path: Path) -> reference.Reference:
    return reference.compute(network, sample_rows(), tmp_path / "reference.jsonl")


def trained(tmp_path: Path, settings: dpo.Settings = SETTINGS, **options) -> tuple[torch.nn.Module, list[dict]]:
    network = tiny_model()
    run = new_stage(tmp_path / "work", **options)
    dpo.train(network, sample_pairs(), sample_rows(), known(network, tmp_path), tune_batches(), settings, run, 400)
    lines = (tmp_path / "work" / "dpo.jsonl").read_text(encoding="utf-8").splitlines()
    return network, [json.loads(line) for line in lines]


def test_training_makes_the_chosen_replies_likelier_than_the_rejected_against_the_reference(tmp_path: Path):
    network = tiny_model()
    before = known(network, tmp_path)
    first = judged.pairs(network, sample_rows(), before, SETTINGS.beta)
    run = new_stage(tmp_path / "work", passes=20)
    dpo.train(network, sample_pairs(), sample_rows(), before, [], SETTINGS, run, 400)
    last = judged.pairs(network, sample_rows(), before, SETTINGS.beta)
    assert first["margin"] == pytest.approx(0, abs=1e-4)
    assert last["accuracy"] > 0.8
    assert last["margin"] > 0.1
    assert last["chosen_shift"] > max(0, last["rejected_shift"])


def test_the_sft_term_keeps_the_chosen_replies_likely_where_dpo_alone_does_not(tmp_path: Path):
    shifts = {}
    for name, weight in (("alone", 0.0), ("with", 2.0)):
        (tmp_path / name).mkdir()
        network, _ = trained(tmp_path / name, replace(SETTINGS, sft_weight=weight, head_weight=0.0), passes=6)
        before = reference.compute(tiny_model(), sample_rows(), tmp_path / "reference.jsonl")
        shifts[name] = judged.pairs(network, sample_rows(), before, SETTINGS.beta)["chosen_shift"]
    assert shifts["with"] > shifts["alone"]


def test_the_heads_are_trained_beside_the_preference(tmp_path: Path):
    mass = {}
    for name, weight in (("without", 0.0), ("with", 1.0)):
        (tmp_path / name).mkdir()
        _, log = trained(tmp_path / name, replace(SETTINGS, head_weight=weight), passes=10)
        mass[name] = log[-1]["emotion_mass"]
    assert mass["with"] > 2 * mass["without"]


def test_by_length_a_longer_reply_has_no_smaller_margin_for_its_length():
    batch = layout.collate(sample_rows()[:3], range(3))
    scored = objective.Scored(-torch.ones(len(batch.reply.tokens)), -torch.ones(len(batch.other.tokens)), {})
    nothing = reference.Reference(torch.zeros(3), torch.zeros(3))
    assert dpo.margins(scored, batch, nothing, by_length=True).tolist() == pytest.approx([0, 0, 0])
    summed = dpo.margins(scored, batch, nothing, by_length=False)
    expected = [len(row.other) - len(row.reply) for row in sample_rows()[:3]]
    assert summed.tolist() == pytest.approx(expected)


def test_the_reference_is_read_from_disk_and_not_computed_twice(tmp_path: Path):
    first = known(tiny_model(), tmp_path)
    again = reference.compute(None, sample_rows(), tmp_path / "reference.jsonl")  # no network to compute with
    assert torch.equal(first.reply, again.reply) and torch.equal(first.other, again.other)


def test_a_reference_that_was_cut_short_goes_on_where_it_was(tmp_path: Path):
    whole = known(tiny_model(), tmp_path)
    cache = tmp_path / "reference.jsonl"
    lines = cache.read_text(encoding="utf-8").splitlines(keepends=True)
    altered = json.dumps([json.loads(lines[0])[0], -1.0, -2.0]) + "\n"
    cache.write_text(altered + lines[1][:5], encoding="utf-8")  # one whole line and a torn one
    mended = known(tiny_model(), tmp_path)
    number = json.loads(lines[0])[0]
    assert mended.reply[number] == -1.0  # kept, so not computed again
    others = [n for n in range(len(sample_rows())) if n != number]
    assert torch.allclose(mended.reply[others], whole.reply[others], atol=1e-4)


def test_a_reference_on_disk_is_never_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    known(tiny_model(), tmp_path)
    cache = tmp_path / "reference.jsonl"
    first = cache.read_bytes().splitlines(keepends=True)[0]
    cache.write_bytes(first + b"[1, -2")

    def killed(path: Path, *_: object, **__: object) -> int:
        path.open("w").close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", killed)
    monkeypatch.setattr(Path, "write_bytes", killed)
    with contextlib.suppress(KeyboardInterrupt):
        known(tiny_model(), tmp_path)
    assert cache.read_bytes().startswith(first)


def test_a_stage_of_minutes_leaves_a_checkpoint_before_its_end(tmp_path: Path):
    class Killed(Exception):
        pass

    class Dying(stage.Stage):
        def log(self, row):
            super().log(row)
            if "step" in row:
                raise Killed

    network = tiny_model()
    before = known(network, tmp_path)
    # A ten-minute stage that is killed at its 20th step, after six minutes.
    plan = stage.Plan(600.0, 1_000, 1e-4)
    dying = Dying("dpo", tmp_path / "w", "k", plan, dict(SOURCE), clock=ticking(18.0))
    with pytest.raises(Killed):
        dpo.train(network, sample_pairs(), sample_rows(), before, [], SETTINGS, dying, 400)
    again = stage.Stage("dpo", tmp_path / "w", "k", plan, dict(SOURCE))
    again.resume(tiny_model())
    assert again.done.seconds >= 150


def test_weights_name_the_data_of_the_stage_beside_that_of_their_start(tmp_path: Path):
    network = tiny_model()
    own = {"sources": ["persona", "synthetic_persona_chat"], "profile": "permissive"}
    run = stage.Stage("dpo", tmp_path, "k", stage.Plan(1.0, 1, 1e-3), SOURCE | own, dpo.DATA)
    run.save(run.result, network, None)
    progress = torch.load(run.result, weights_only=True)["progress"]
    assert progress["sources"] == [
        "empathetic_dialogues", "empathetic_intents", "persona", "synthetic_persona_chat",
    ]  # fmt: skip
    assert progress["profile"] == "full"


def test_a_stage_that_was_stopped_ends_with_the_weights_of_one_that_was_not(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    whole, _ = trained(tmp_path / "a")

    class Killed(Exception):
        pass

    class Dying(stage.Stage):
        def save(self, path, network, optimiser):
            super().save(path, network, optimiser)
            if path == self.running:
                raise Killed

    network = tiny_model()
    before = known(network, tmp_path / "b")
    plan = new_stage(tmp_path).plan
    dying = Dying("dpo", tmp_path / "b" / "work", "k", plan, dict(SOURCE), clock=ticking(200.0))
    with pytest.raises(Killed):
        dpo.train(network, sample_pairs(), sample_rows(), before, [], SETTINGS, dying, 400)
    assert 0 < dying.done.step < 4 * len(layout.pack(sample_rows(), dpo.split(sample_pairs())[0], 400))

    fresh = tiny_model(seed=3)  # its weights must all be replaced
    on = new_stage(tmp_path / "b" / "work")
    on.resume(fresh)
    assert on.done.step == dying.done.step
    dpo.train(fresh, sample_pairs(), sample_rows(), before, [], SETTINGS, new_stage(tmp_path / "b" / "work"), 400)
    for name, value in whole.state_dict().items():
        assert torch.allclose(fresh.state_dict()[name], value, atol=1e-6), name


def test_an_unfinished_stage_of_other_settings_is_not_continued(tmp_path: Path):
    network = tiny_model()
    run = new_stage(tmp_path)
    run.resume(network)
    run.save(run.running, network, None)
    with pytest.raises(ValueError, match="delete it or use another"):
        new_stage(tmp_path, key="other").resume(network)


def test_the_clock_ends_a_stage_and_its_rate_has_fallen_to_zero_by_then(tmp_path: Path):
    rates = []

    class Watching(torch.optim.AdamW):
        def step(self, closure=None):
            rates.append(self.param_groups[0]["lr"])
            return super().step(closure)

    network = tiny_model()
    run = new_stage(tmp_path / "work", passes=1_000, seconds=100.0, clock=ticking(5.0))
    before = known(network, tmp_path)
    original = torch.optim.AdamW
    torch.optim.AdamW = Watching
    try:
        dpo.train(network, sample_pairs(), sample_rows(), before, [], SETTINGS, run, 400)
    finally:
        torch.optim.AdamW = original
    assert 15 <= len(rates) <= 20
    assert rates[-1] < 0.1 * max(rates)
    assert rates[0] < max(rates)


def test_passes_end_a_stage_before_the_clock(tmp_path: Path):
    network, groups = tiny_model(), layout.pack(sample_rows(), dpo.split(sample_pairs())[0], 400)
    run = new_stage(tmp_path / "work", passes=2)
    dpo.train(network, sample_pairs(), sample_rows(), known(network, tmp_path), [], SETTINGS, run, 400)
    assert run.done.step == 2 * len(groups)


def test_held_out_pairs_are_never_trained_on(monkeypatch):
    sad = {pair.context.conv_id for pair in sample_pairs() if pair.context.emotion == "sad"}
    monkeypatch.setattr(rows, "held_out", sad.__contains__)
    train, held = dpo.split(sample_pairs())
    assert held and all(sample_pairs()[n].context.emotion == "sad" for n in held)
    assert sorted(train + held) == list(range(len(sample_pairs())))


def test_about_one_conversation_in_twenty_is_held_out():
    assert 60 < sum(rows.held_out(f"c{n}") for n in range(2_000)) < 140


def test_the_command_writes_weights_that_export_reads_and_figures_before_and_after(tmp_path: Path):
    checkpoint = write_checkpoint(tmp_path / "leg-2.pt")
    rows.write(tmp_path / "pairs.jsonl", sample_pairs())
    dpo.main(["--pairs", str(tmp_path / "pairs.jsonl"), "--checkpoint", str(checkpoint), "--work",
              str(tmp_path / "w"), "--minutes", "5", "--lr", "1e-3", "--threads", "1"])  # fmt: skip
    state, config, training = export.read_checkpoint(str(tmp_path / "w" / "dpo.pt"))
    start = torch.load(checkpoint, weights_only=True)
    assert models.from_state(state, config.to_dict()).config.vocab_size == config.vocab_size
    assert training["step"] > SOURCE["step"] and training["tokens"] > SOURCE["tokens"]
    assert any(not torch.equal(state[name], value) for name, value in start["model"].items())
    log = [json.loads(line) for line in (tmp_path / "w" / "dpo.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["when"] for row in log if "when" in row] == ["before", "after"]
    assert not (tmp_path / "w" / "dpo-running.pt").exists()


def test_figures_on_whole_conversations_agree_with_a_plain_forward_pass():
    network = tiny_model().eval()
    nll, mass = [], []
    for conversation in sample():
        row = build(conversation, wrapping(), list(persona()), None, intent_dropout=1.0)
        with torch.no_grad():
            logits = network(torch.tensor([row.ids])).logits[0].log_softmax(-1)
        nll += [-logits[at, token].item() for at, token in row.lm]
        mass += [logits[at, list(slots.EMOTION_IDS)].exp().sum().item() for at, _ in row.affect]
    found = objectives.evaluate(network, tune_batches())
    assert math.log(found["ppl_token"]) == pytest.approx(sum(nll) / len(nll), rel=1e-3)
    assert found["emotion_mass"] == pytest.approx(sum(mass) / len(mass), abs=1e-4)
