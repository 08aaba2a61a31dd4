"""The dialogues of the persona stage: who replies, what is the persona, what is left out."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from lm_tiny import encoder, wrapping

from lm import corpora, slots, train
from lm.format import MAX_TOKENS, build


def decode(ids: tuple[int, ...]) -> str:
    return encoder().tokenizer.decode(list(ids))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    chat = tmp_path / "synthetic_persona_chat"
    chat.mkdir()
    header = "user 1 personas,user 2 personas,Best Generated Conversation\n"
    good = '"I love my dog.\nI am a baker.","I\'m shy.","User 1: Hi!\nUser 2: Hello, who are you?\nUser 1: A baker."\n'
    placeholder = '"I run.","I sing.","User 1: Hi, I\'m [User 1\'s name].\nUser 2: Hi."\n'
    for name in corpora.PERSONA_CHAT:
        (chat / name).write_text(header + good + placeholder, encoding="utf-8")
    daily = tmp_path / "dailydialog"
    daily.mkdir()
    for name in corpora.DAILY_DIALOG:
        (daily / name).write_text(json.dumps({"turns": ["I ’ m fine , thanks .", "Good !", "Bye ."]}) + "\n")
    reccon = tmp_path / "reccon"
    reccon.mkdir()
    for name in corpora.RECCON:
        (reccon / name).write_text("{}")
    support = tmp_path / "esconv"
    support.mkdir()
    dialog = [("sys", "Hello ."), ("usr", "I am sad ."), ("usr", "Very ."), ("sys", "I don ' t like that .")]
    for name in corpora.ESCONV:
        rows = {"dialog": [{"speaker": who, "text": text} for who, text in dialog]}
        (support / name).write_text(json.dumps(rows) + "\n")
    return tmp_path


def test_each_side_of_a_persona_chat_replies_once_with_its_own_persona_in_the_second_person(folder: Path):
    found = corpora.load(folder, "synthetic_persona_chat", encoder())
    assert len(found) == 2 * 2
    assert sorted({decode(c.persona or ()) for c in found}) == ["You are shy.", "You love your dog. You are a baker."]
    for c in found:
        assert c.turns[0].speaker and c.emotion is None
    shy = next(c for c in found if decode(c.persona or ()) == "You are shy.")
    assert [(t.speaker, decode(t.ids)) for t in shy.turns] == [
        (True, "Hi!"), (False, "Hello, who are you?"), (True, "A baker."),
    ]  # fmt: skip


def test_a_chat_with_a_placeholder_for_a_name_is_left_out(folder: Path):
    texts = [decode(t.ids) for c in corpora.load(folder, "synthetic_persona_chat", encoder()) for t in c.turns]
    assert not [t for t in texts if "[" in t]


def test_everyday_talk_loses_the_spaces_before_punctuation(folder: Path):
    (first, *_) = corpora.load(folder, "dailydialog", encoder())
    assert [decode(t.ids) for t in first.turns] == ["I'm fine, thanks.", "Good!", "Bye."]
    assert [t.speaker for t in first.turns] == [True, False, True]


def test_emotional_support_begins_with_the_person_and_joins_turns_of_one_side(folder: Path):
    (first, *_) = corpora.load(folder, "esconv", encoder())
    assert [(t.speaker, decode(t.ids)) for t in first.turns] == [
        (True, "I am sad. Very."), (False, "I don't like that."),
    ]  # fmt: skip


def test_a_dialogue_that_a_figure_is_measured_on_is_left_out(folder: Path):
    said = ["My neighbour plays the drums all night.", "You should really talk to him about that.", "I did twice."]
    (folder / "dailydialog" / corpora.DAILY_DIALOG[0]).write_text(
        json.dumps({"turns": [*said, "And now?"]}) + "\n" + json.dumps({"turns": ["Another one.", "Yes."]}) + "\n"
    )
    annotated = {"tr_1": [[{"utterance": text, "speaker": "A", "emotion": "anger"} for text in said]]}
    (folder / "reccon" / corpora.RECCON[1]).write_text(json.dumps(annotated))
    first = [decode(c.turns[0].ids) for c in corpora.load(folder, "dailydialog", encoder())]
    assert first == ["Another one.", "I'm fine, thanks."]


@pytest.mark.parametrize("source", corpora.READERS)
def test_a_long_dialogue_is_cut_after_a_whole_turn_so_that_its_example_is_not_dropped(source: str, folder: Path):
    text = ("word " * 40).strip()
    if source == "synthetic_persona_chat":
        lines = "\n".join(f"User {1 + n % 2}: {text}" for n in range(40))
        content = f'user 1 personas,user 2 personas,Best Generated Conversation\n"I run.","I sing.","{lines}"\n'
    elif source == "dailydialog":
        content = json.dumps({"turns": [text] * 40}) + "\n"
    else:
        dialog = [{"speaker": ("usr", "sys")[n % 2], "text": text} for n in range(40)]
        content = json.dumps({"dialog": dialog}) + "\n"
    (folder / source / corpora.READERS[source][0][0]).write_text(content, encoding="utf-8")
    first = corpora.load(folder, source, encoder())[0]
    assert len(first.turns) > 5
    assert {len(t.ids) for t in first.turns} == {len(encoder()(text))}
    persona = None if first.persona is None else list(first.persona)
    assert len(build(first, wrapping(), persona, random.Random(0))) <= MAX_TOKENS


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("i love my dog.", "You love your dog."),
        ("I'm a boy.", "You are a boy."),
        ("My sister visits me.", "Your sister visits you."),
        ("I was born in May.", "You were born in May."),
        ("I read because I'm shy.", "You read because you are shy."),
        ("I wasn't born here.", "You weren't born here."),
        ("Autumn is nice.", "Autumn is nice."),
    ],
)
def test_a_persona_line_becomes_an_instruction(line: str, expected: str):
    assert corpora.second_person(line) == expected


def test_the_permissive_profile_takes_the_persona_chat_and_its_own_persona_only(folder: Path, tmp_path: Path):
    assert set(train.mixture(folder, tmp_path, encoder(), "persona", "permissive")) == {
        "persona", "synthetic_persona_chat",
    }  # fmt: skip
    everything = train.mixture(folder, tmp_path, encoder(), "persona", "full")
    assert set(everything) == {"persona", *corpora.READERS}


def test_synthesised_dialogues_bring_the_heads_into_the_permissive_profile(folder: Path, tmp_path: Path):
    rows = tmp_path / "synthesised.jsonl"
    turns = [{"role": "speaker", "text": "I won!"}, {"role": "listener", "text": "Congratulations!"}]
    rows.write_text("".join(
        json.dumps({"conv_id": f"s:{n}", "emotion": "proud", "turns": turns}) + "\n" for n in range(4)
    ))  # fmt: skip
    found = train.mixture(folder, tmp_path, encoder(), "dialogue", "permissive", [rows])
    assert set(found) == {"persona", "synthetic_persona_chat", "synthesised"}
    assert {c.emotion for c in found["synthesised"]} == {slots.EMOTIONS.index("proud")}
    assert {t.told is None for c in found["synthesised"] for t in c.turns if not t.speaker} == {False}


def test_only_attune_itself_is_told_that_it_is_attune(folder: Path, tmp_path: Path):
    found = train.mixture(folder, tmp_path, encoder(), "persona", "full")
    assert {decode(c.persona or ()) for c in found["persona"]} == {slots.DEFAULT_PERSONA}
    assert {c.persona for source in ("dailydialog", "esconv") for c in found[source]} == {None}
