"""Feedback training: the three kinds of rows, what each does to the model, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from lm_preferences_tiny import SOURCE, tune_batches, write_checkpoint
from lm_tiny import encoder, sample, tiny_model

from lm import export, feedback, feedback_rows, slots
from lm.preferences import layout, reference, stage

USER = [{"role": "user", "content": "My cat died last week."}]
SFT = {"kind": "sft", "messages": USER, "reply": "I'm so sorry. What was she like?"}
PREFERENCE = {"kind": "preference", "messages": USER, "chosen": "What was she called?", "rejected": "That is great!"}
NEGATIVE = {"kind": "negative", "messages": USER, "reply": "It was only a cat, get over it."}


@pytest.fixture(autouse=True)
def one_thread():
    """Sums in a fixed order, so that equal runs are equal to the bit."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def parsed(*values: object) -> list[feedback_rows.Row]:
    return feedback_rows.parse("f.jsonl", [json.dumps(value) for value in values])


def laid_out(*values: object, replay: bool = False) -> feedback.Laid:
    return feedback.lay_out(parsed(*values), sample() if replay else [], encoder())


def trained(
    tmp_path: Path, laid: feedback.Laid, share: float, passes: int = 8, start: torch.nn.Module | None = None
) -> tuple[torch.nn.Module, list[dict]]:
    network = start if start is not None else tiny_model()
    tmp_path.mkdir(exist_ok=True)
    count = sum(kind is not None for kind in laid.kinds)
    known = reference.compute(network, laid.rows[:count], tmp_path / "reference.jsonl")
    run = stage.Stage("feedback", tmp_path, "k", stage.Plan(1e6, passes, 3e-3), dict(SOURCE))
    feedback.train(network, laid, known, tune_batches(), feedback.Settings(replay_share=share), run, 256)
    return network, [json.loads(line) for line in (tmp_path / "feedback.jsonl").read_text().splitlines()]


def test_each_kind_of_row_is_read():
    sft, preference, negative = parsed(SFT, PREFERENCE, NEGATIVE)
    assert (sft.kind, sft.reply, sft.rejected) == ("sft", SFT["reply"], None)
    assert (preference.reply, preference.rejected) == ("What was she called?", "That is great!")
    assert negative.messages == (("user", "My cat died last week."),)


def test_the_system_message_becomes_the_persona_and_without_one_the_default_is_taken():
    system = [{"role": "system", "content": "You are Bo."}, *USER]
    own, default = laid_out({**SFT, "messages": system}, SFT).rows
    text = encoder().tokenizer.decode
    assert "You are Bo." in text(own.ids, skip_special_tokens=False)
    assert slots.DEFAULT_PERSONA in text(default.ids, skip_special_tokens=False)


def test_control_strings_in_a_message_stay_text_T08():
    (row,) = laid_out({**SFT, "messages": [{"role": "user", "content": "<|im_end|><|emo:sad|>"}]}).rows
    assert row.ids.count(slots.IM_END) == laid_out(SFT).rows[0].ids.count(slots.IM_END)
    assert not set(slots.EMOTION_IDS) & set(row.ids)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({**SFT, "kind": "praise"}, "kind must be"),
        ({**SFT, "kind": ["sft"]}, "kind must be"),
        ({"messages": USER, "reply": "x"}, "kind must be"),
        ({**SFT, "reply": "  "}, "reply must be a text"),
        ({**SFT, "reply": None}, "reply must be a text"),
        ({**SFT, "reply": "half \ud800 pair"}, "reply must be a text"),
        ({**PREFERENCE, "rejected": 3}, "rejected must be a text"),
        ({**PREFERENCE, "rejected": " What was she called? "}, "are the same"),
        ({**SFT, "messages": []}, "messages must be a list"),
        ({**SFT, "messages": "hello"}, "messages must be a list"),
        ({**SFT, "messages": [5]}, r"messages\[0\] must be an object"),
        ({**SFT, "messages": [*USER, {"role": "system", "content": "x"}]}, r"messages\[1\].role"),
        ({**SFT, "messages": [{"role": "tool", "content": "x"}]}, r"messages\[0\].role"),
        ({**SFT, "messages": [{"role": "user", "content": ""}]}, r"messages\[0\].content"),
        ({**SFT, "messages": [{"role": "system", "content": "x"}]}, "last message must be the user's"),
        ({**SFT, "messages": [*USER, {"role": "assistant", "content": "x"}]}, "last message must be the user's"),
        ([], "not an object"),
    ],
)  # fmt: skip
def test_a_row_of_another_form_is_refused_with_its_line_and_reason(row: object, reason: str):
    with pytest.raises(feedback_rows.FeedbackError, match=rf"^f\.jsonl:2: .*{reason}"):
        parsed(SFT, row)


def test_all_faulty_lines_are_named_at_once_and_no_text_is_repeated():
    with pytest.raises(feedback_rows.FeedbackError) as caught:
        feedback_rows.parse("f.jsonl", ["{secret", json.dumps({**SFT, "kind": "secret"}), json.dumps(SFT)])
    assert str(caught.value).splitlines() == [
        "f.jsonl:1: not JSON", "f.jsonl:2: kind must be sft, preference or negative",
    ]  # fmt: skip


def test_a_long_list_of_faults_is_cut_and_counted():
    with pytest.raises(feedback_rows.FeedbackError) as caught:
        feedback_rows.parse("f.jsonl", ["{"] * 50)
    lines = str(caught.value).splitlines()
    assert len(lines) == feedback_rows.MOST_ERRORS + 1
    assert lines[-1] == "… 30 more"


@pytest.mark.parametrize("lines", [[], ["\n", "  \n"]])
def test_an_empty_file_is_refused(lines: list[str]):
    with pytest.raises(feedback_rows.FeedbackError, match="no feedback"):
        feedback_rows.parse("f.jsonl", lines)


def test_a_reply_becomes_likely_when_edited_to_and_unlikely_when_reported(tmp_path: Path):
    as_edit = {**SFT, "reply": NEGATIVE["reply"]}
    network, learned = trained(tmp_path / "sft", laid_out(as_edit), share=0.0, passes=60)
    _, unlearned = trained(tmp_path / "negative", laid_out(NEGATIVE), share=0.0, passes=25, start=network)
    before, after = (row["sft_logp"] for row in learned if "when" in row)
    assert after > before + 4
    before, after = (row["negative_logp"] for row in unlearned if "when" in row)
    assert after < before - 1


def test_unlikelihood_is_taken_of_the_words_and_not_of_the_end_of_the_reply():
    laid, network = laid_out(NEGATIVE), tiny_model()
    loss_of = feedback.loss_of(network, laid, reference.Reference(torch.zeros(1), torch.zeros(1)), feedback.Settings())
    row = replace(laid.rows[0], judge=[])

    def loss(scored: list[tuple[int, int]]) -> float:
        return loss_of(layout.collate([replace(row, reply=scored)], [0]))[0].item()

    assert row.reply[-1][1] == slots.IM_END
    assert loss(row.reply) == pytest.approx(loss(row.reply[:-1]))
    assert loss(row.reply) > 0
    assert loss(row.reply[-1:]) == 0


def test_a_preference_widens_the_margin_between_its_replies(tmp_path: Path):
    _, log = trained(tmp_path, laid_out(PREFERENCE), share=0.0, passes=20)
    before, after = (row for row in log if "when" in row)
    assert before["margin"] == pytest.approx(0, abs=1e-4)
    assert after["margin"] > 0.1


def test_the_judge_learns_that_a_reported_reply_is_bad_and_an_edited_one_good():
    laid = laid_out(SFT, NEGATIVE, PREFERENCE)
    assert [[target for _, target in row.judge] for row in laid.rows] == [[slots.GOOD], [slots.BAD], [slots.GOOD]]


def test_replay_is_the_asked_share_of_all_batches_and_each_batch_is_of_one_kind():
    laid = laid_out(*[SFT] * 30, *[NEGATIVE] * 30, replay=True)
    for share in (0.25, 0.5, 0.75):
        groups = feedback.schedule(laid, share, seed=0, tokens=200)
        kinds = [{laid.kinds[number] for number in group} for group in groups]
        assert all(len(kind) == 1 for kind in kinds)
        assert sum(kind == {None} for kind in kinds) / len(kinds) == pytest.approx(share, abs=0.02)
        fed = [number for group in groups for number in group if laid.kinds[number] is not None]
        assert sorted(fed) == list(range(60))


def test_every_pass_has_the_same_number_of_batches_in_another_order():
    laid = laid_out(SFT, NEGATIVE, PREFERENCE, replay=True)
    passes = [feedback.schedule(laid, 0.5, seed, tokens=128) for seed in (0, 0, 1, 2, 3)]
    assert passes[0] == passes[1]
    assert len({len(groups) for groups in passes}) == 1
    assert any(groups != passes[0] for groups in passes[2:])


def test_replay_keeps_the_heads_better_than_feedback_alone(tmp_path: Path):
    mass = {}
    for share in (0.0, 0.75):
        folder = tmp_path / str(share)
        folder.mkdir()
        _, log = trained(folder, laid_out(*[SFT] * 6, replay=share > 0), share, passes=12)
        mass[share] = log[-1]["emotion_mass"]
    assert mass[0.75] > 2 * mass[0.0]


def test_the_command_trains_on_a_mixed_file_and_writes_what_export_reads(tmp_path: Path):
    file = tmp_path / "feedback.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in (SFT, PREFERENCE, NEGATIVE)), encoding="utf-8")
    checkpoint = write_checkpoint(tmp_path / "leg-2.pt")
    feedback.main(["--feedback", str(file), "--checkpoint", str(checkpoint), "--work", str(tmp_path / "w"),
                   "--minutes", "5", "--replay-share", "0", "--threads", "1"])  # fmt: skip
    state, config, training = export.read_checkpoint(str(tmp_path / "w" / "feedback.pt"))
    assert config.vocab_size == slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS
    assert training["step"] > SOURCE["step"]
    assert "feedback" in training["sources"] and "empathetic_dialogues" in training["sources"]
    assert "lm_head.weight" not in state


def test_the_command_stops_at_a_faulty_file_before_it_loads_anything(tmp_path: Path):
    file = tmp_path / "feedback.jsonl"
    file.write_text("{\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"feedback\.jsonl:1: not JSON"):
        feedback.main(["--feedback", str(file), "--checkpoint", str(tmp_path / "none.pt"), "--work",
                       str(tmp_path / "w"), "--minutes", "1", "--replay-share", "0"])  # fmt: skip


@pytest.mark.parametrize("wrong", [[], ["--replay-share", "1"], ["--replay-share", "-0.1"]])
def test_the_command_refuses_replay_without_data_and_a_share_that_leaves_nothing(tmp_path: Path, wrong: list[str]):
    with pytest.raises(SystemExit) as stopped:
        feedback.main(["--feedback", "f", "--checkpoint", "c", "--work", str(tmp_path), "--minutes", "1", *wrong])
    assert stopped.value.code == 2
