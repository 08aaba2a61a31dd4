"""Preference pairs: opposite emotion, similar length, the model's own generic samples, the same file each time."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from lm_tiny import SAMPLE, encoder, persona, tiny_config, tiny_model, wrapping

from lm import data, slots, store
from lm.preferences import layout, pairs, plutchik, rows, sampling


def read() -> list[dict]:
    return list(data.read_rows(SAMPLE / "empathetic_dialogues" / "train.jsonl"))


def intents() -> dict[tuple[str, int], int]:
    return data.read_intents(SAMPLE / "empathetic_intents" / "turn_labels_train.tsv")


def made(own_share: float = 0.0, seed: int = 0, count: int = 8) -> list[rows.Pair]:
    network = tiny_model(sharp=True) if own_share else None
    return pairs.make(read(), intents(), network, encoder(), count, own_share, seed)


@pytest.fixture
def replies_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A random model hardly ever draws the end token: here every fourth token is one."""
    draw = sampling.draw

    def ending(logits: torch.Tensor, generator: torch.Generator, temperature: float, top_p: float) -> torch.Tensor:
        drawn = draw(logits, generator, temperature, top_p)
        ends = torch.rand(len(drawn), generator=generator) < 0.25
        return drawn.masked_fill(ends, slots.IM_END)

    monkeypatch.setattr(sampling, "draw", ending)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A checkpoint of a tiny model and the place for the pairs."""
    network = tiny_model(sharp=True)
    state = {k: v for k, v in network.state_dict().items() if k != "lm_head.weight"}
    progress = {"leg": 1, "epoch": 0, "batch": 0, "step": 9, "seconds": 1.0, "tokens": 99}
    checkpoint = tmp_path / "leg-1.pt"
    store.write(checkpoint, tiny_config(), state, progress)
    return checkpoint, tmp_path / "out" / "pairs.jsonl"


def test_every_emotion_has_a_primary_and_every_primary_faces_another():
    assert set(plutchik.PRIMARY) == set(slots.EMOTIONS)
    assert set(plutchik.PRIMARY.values()) == set(plutchik.OPPOSITE)
    for primary, against in plutchik.OPPOSITE.items():
        assert against != primary
        assert plutchik.OPPOSITE[against] == primary


@pytest.mark.parametrize(
    ("emotion", "against"),
    [("joyful", "sad"), ("devastated", "excited"), ("terrified", "furious"), ("trusting", "disgusted"),
     ("surprised", "anticipating")],
)  # fmt: skip
def test_opposites_on_the_wheel_go_both_ways(emotion: str, against: str):
    assert against in plutchik.opposites(emotion)
    assert emotion in plutchik.opposites(against)


def test_the_rejected_reply_was_said_in_a_dialogue_of_an_opposite_emotion():
    said = {}
    for row in read():
        for turn in row["turns"]:
            said.setdefault(data.normalise(turn["text"]), set()).add(row["emotion"])
    result = made()
    assert len(result) >= 6  # of ten emotions, those with an opposite among the ten
    for pair in result:
        assert said[pair.rejected] & set(plutchik.opposites(pair.context.emotion)), pair
        assert pair.rejected != pair.context.reply


def test_the_chosen_reply_is_the_human_one_of_its_place():
    by_id = {row["conv_id"]: row for row in read()}
    for pair in made():
        turns = by_id[pair.context.conv_id]["turns"]
        assert pair.context.reply == data.normalise(turns[pair.context.turn]["text"])
        assert [text for _, text, _ in pair.context.turns] == [
            data.normalise(turn["text"]) for turn in turns[: pair.context.turn]
        ]
        assert pair.context.turns[-1][0] == "speaker"


def test_a_reply_of_the_same_length_is_taken_where_there_is_one():
    found = pairs.contexts(read(), intents())
    context = next(c for c in found if c.emotion == "sad")
    near, far = "word " * 12, "word " * 40
    joyful = [rows.Context(f"x{n}", 1, "joyful", context.turns, text) for n, text in enumerate([far, near, far])]
    pool = pairs.Pool(joyful, encoder())
    length = len(encoder()(near))
    assert {pool.opposite(context, length, random.Random(seed)) for seed in range(8)} == {near}


@pytest.mark.usefixtures("replies_end")
def test_the_same_seed_gives_the_same_pairs_and_another_one_others():
    assert made(own_share=0.5) == made(own_share=0.5)
    assert made(seed=1) != made(seed=2)


def test_a_held_out_conversation_lends_its_replies_to_held_out_pairs_alone(monkeypatch: pytest.MonkeyPatch):
    found = pairs.contexts(read(), intents())
    context = next(c for c in found if c.emotion == "sad")
    crowd = [
        replace(context, conv_id=f"{held}{n}", emotion=emotion, reply=f"{held} {emotion} reply number {n} of many")
        for held in ("held", "free") for emotion in ("sad", "joyful") for n in range(20)
    ]  # fmt: skip
    monkeypatch.setattr(rows, "held_out", lambda conv_id: conv_id.startswith("held"))
    made = pairs.opposite_pairs(crowd, crowd, encoder(), random.Random(0))
    assert len(made) == 80
    for pair in made:
        assert pair.rejected.split()[0] == pair.context.reply.split()[0], pair


@pytest.mark.usefixtures("replies_end")
def test_own_samples_of_a_run_that_was_killed_are_not_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pairs, "SAMPLING_BATCH", 3)
    real, prompted = sampling.sample, []

    def make(kept: Path, dies_at: int) -> list[rows.Pair]:
        def sample(network, prompts, *rest):
            if len(prompted) == dies_at:
                raise KeyboardInterrupt
            prompted.append(len(prompts))
            return real(network, prompts, *rest)

        monkeypatch.setattr(sampling, "sample", sample)
        return pairs.make(read(), intents(), tiny_model(sharp=True), encoder(), 8, 1.0, 0, kept)

    whole = make(tmp_path / "whole", 99)
    batches = len(prompted)
    prompted.clear()
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "cut", 2)
    (file,) = (path for path in tmp_path.iterdir() if path.name.startswith("cut"))
    file.write_bytes(file.read_bytes() + b"[7, [1")  # and in the middle of a line
    assert make(tmp_path / "cut", 99) == whole
    assert batches > 2 and len(prompted) == batches


@pytest.mark.usefixtures("replies_end")
def test_own_samples_are_marked_and_carry_their_prior():
    own = [pair for pair in made(own_share=0.5) if pair.kind == "own"]
    assert own
    assert all(pair.prior is not None and pair.prior < 0 and pair.rejected for pair in own)


def test_the_most_generic_samples_are_kept_and_one_sentence_not_too_often():
    context = pairs.contexts(read(), intents())[0]
    texts = ["I'm sorry.", *["Oh no!"] * 9, "A rare one about Ulm.", "\ufffd", "", context.reply]
    priors = [-1.0, *[-2.0] * 9, -5.0, -0.1, -0.1, -0.1]
    samples = [rows.Pair(context, text, "own", prior) for text, prior in zip(texts, priors, strict=True)]
    kept = [pair.rejected for pair in pairs.most_generic(samples, 6)]
    assert kept == ["I'm sorry.", *["Oh no!"] * pairs.SAME_REPLY_AT_MOST]
    assert pairs.most_generic(samples, 20)[-1].rejected == "A rare one about Ulm."


def test_a_prior_is_the_mean_log_probability_of_the_reply_without_context():
    network = tiny_model(sharp=True).eval()
    replies = [(400, 401, 402), (700,)]
    ids = [*wrapping().assistant, slots.AFFECT, slots.INTENT, slots.ANY_INTENT]
    expected = []
    for reply in replies:
        with torch.no_grad():
            logits = network(torch.tensor([[*ids, *reply]])).logits[0, len(ids) - 1 :].log_softmax(-1)
        targets = torch.tensor([*reply, slots.IM_END])
        expected.append(logits[torch.arange(len(targets)), targets].mean().item())
    assert sampling.priors(network, replies, wrapping()) == pytest.approx(expected, abs=1e-3)


def test_a_cached_batch_of_prompts_goes_on_as_each_prompt_alone_without_a_cache(monkeypatch: pytest.MonkeyPatch):
    network = tiny_model(sharp=True).eval()
    laid = [
        layout.row_of(rows.conversation(c, encoder()), wrapping(), list(persona()))
        for c in pairs.contexts(read(), intents())[:12]
    ]
    prompts = [row.ids[: row.fork + 1] for row in laid]
    assert len({len(p) for p in prompts}) > 1  # or the padding is not tried

    def unlikeliest(logits: torch.Tensor, *_: object) -> torch.Tensor:
        """The likeliest token of a random tied model is the last one for ever; the unlikeliest one wanders.
        A fifth of the vocabulary ends the reply, so that the rows end at different steps."""
        token = logits[:, : slots.BASE_VOCAB_SIZE].argmin(-1)
        return token.masked_fill(token % 5 == 0, slots.IM_END)

    @torch.no_grad()
    def alone(prompt: list[int], steps: int) -> tuple[int, ...] | None:
        ids = list(prompt)
        for _ in range(steps + 1):
            ids.append(int(unlikeliest(network(torch.tensor([ids])).logits[:, -1])))
            if ids[-1] == slots.IM_END:
                return tuple(ids[len(prompt) : -1])
        return None

    monkeypatch.setattr(sampling, "draw", unlikeliest)
    drawn = sampling.sample(network, prompts, torch.Generator(), max_new=8)
    assert drawn == [alone(prompt, 8) for prompt in prompts]
    assert len({len(reply) for reply in drawn if reply is not None}) > 2


def test_a_drawn_token_is_never_a_slot_or_a_frame_token_and_stays_in_the_nucleus():
    logits = torch.full((64, slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS), -50.0)
    logits[:, [10, 11, 12]] = torch.tensor([3.0, 2.0, -3.0])
    logits[:, [slots.IM_START, slots.AFFECT, slots.GOOD]] = 99.0
    drawn = sampling.draw(logits, torch.Generator().manual_seed(0), temperature=1.0, top_p=0.9)
    assert set(drawn.tolist()) == {10, 11}


def test_a_sample_ends_before_the_end_token_and_one_that_does_not_end_is_none():
    class Ending(torch.nn.Module):
        """After its first step row 0 ends, row 1 goes on for ever."""

        def __init__(self) -> None:
            super().__init__()
            self.inner, self.config, self.steps = tiny_model(), tiny_config(), 0

        def model(self, **options):
            return self.inner.model(**options)

        def lm_head(self, hidden: torch.Tensor) -> torch.Tensor:
            self.steps += 1
            logits = torch.full((len(hidden), tiny_config().vocab_size), -99.0)
            logits[:, 77] = 0.0
            if self.steps == 2:
                logits[0, slots.IM_END] = 99.0
            return logits

    drawn = sampling.sample(Ending(), [[5, 6], [7]], torch.Generator().manual_seed(0), max_new=4)
    assert drawn == [(77,), None]


@pytest.mark.usefixtures("replies_end")
def test_the_file_of_pairs_reads_back_as_it_was_written(tmp_path: Path):
    path = tmp_path / "deep" / "pairs.jsonl"
    rows.write(path, made(own_share=0.5))
    back = rows.read(path)
    assert [(p.kind, p.rejected, p.context) for p in back] == [(p.kind, p.rejected, p.context) for p in made(0.5)]


@pytest.mark.parametrize("line", ["{", "{}", '{"conv_id": 1}', "[]"])
def test_a_row_that_is_no_pair_is_refused_with_its_line(tmp_path: Path, line: str):
    path = tmp_path / "pairs.jsonl"
    rows.write(path, made(count=2))
    good = path.read_text(encoding="utf-8").splitlines()[0]
    path.write_text(f"{good}\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"pairs\.jsonl:2"):
        rows.read(path)


def test_an_empty_file_of_pairs_is_refused(tmp_path: Path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match="no preference pairs"):
        rows.read(path)


@pytest.mark.usefixtures("replies_end")
def test_the_command_writes_pairs_of_both_kinds(files: tuple[Path, Path]):
    checkpoint, out = files
    pairs.main(["--data", str(SAMPLE), "--checkpoint", str(checkpoint), "--out", str(out), "--pairs", "8",
                "--own-share", "0.5", "--threads", "1"])  # fmt: skip
    kinds = [json.loads(line)["kind"] for line in out.read_text(encoding="utf-8").splitlines()]
    assert set(kinds) == {"opposite", "own"}
    assert len(kinds) <= 8


@pytest.mark.parametrize("wrong", [["--pairs", "3001"], ["--own-share", "1.5"], ["--own-share", "0.3"]])
def test_the_command_refuses_too_many_pairs_and_own_samples_without_a_model(tmp_path: Path, wrong: list[str]):
    with pytest.raises(SystemExit) as stopped:
        pairs.main(["--data", str(SAMPLE), "--out", str(tmp_path / "x"), *wrong])
    assert stopped.value.code == 2


def test_replies_of_the_sample_are_laid_out_with_the_intents_of_their_context():
    laid = rows.lay_out(made(), encoder(), wrapping(), list(persona()))
    targets = {target for row in laid for _, target in row.intent}
    assert targets and targets <= set(slots.INTENT_IDS)
    assert all(row.affect for row in laid)


@pytest.mark.usefixtures("replies_end")
def test_the_judge_has_no_target_behind_an_own_sample():
    both = made(own_share=0.5)
    for pair, row in zip(both, rows.lay_out(both, encoder(), wrapping(), list(persona())), strict=True):
        expected = [slots.GOOD, slots.BAD] if pair.kind == "opposite" else [slots.GOOD]
        assert [target for _, target in row.judge] == expected
