"""Data profiles: permission is explicit and a non-commercial source never enters permissive weights."""

from __future__ import annotations

import pytest

from lm import profiles


def test_every_source_but_those_for_evaluation_may_train_the_full_profile():
    assert [name for name in profiles.SOURCES if not profiles.allowed(name, "full")] == ["epitome"]


@pytest.mark.parametrize(
    ("sources", "licence"),
    [
        ([], "apache-2.0"),
        (["persona"], "apache-2.0"),
        (["persona", "synthetic_persona_chat"], "cc-by-4.0"),
        (["persona", "empathetic_dialogues"], "cc-by-nc-4.0"),
        (["empathetic_intents"], "cc-by-nc-4.0"),
        (["synthetic_persona_chat", "esconv"], "cc-by-nc-4.0"),
        (["empathetic_dialogues", "dailydialog", "synthetic_persona_chat"], "cc-by-nc-sa-4.0"),
    ],
)  # fmt: skip
def test_weights_have_the_narrowest_licence_of_their_sources(sources: list[str], licence: str):
    assert profiles.weights_licence(sources) == licence


@pytest.mark.parametrize("name", ["epitome", "scraped"])
def test_weights_of_a_source_for_evaluation_or_an_unknown_one_have_no_licence(name: str):
    with pytest.raises(ValueError, match=name):
        profiles.weights_licence(["persona", name])


def test_the_note_names_every_source_with_what_its_licence_asks_for():
    note = profiles.weights_note(["dailydialog", "esconv", "synthetic_persona_chat"])
    assert "DailyDialog (Li et al. 2017): CC BY-NC-SA 4.0" in note
    assert "academic research only" in note
    assert "Google Research 2023): CC BY 4.0 (attribution required)" in note
    assert note.endswith("Treat as non-commercial.")
    assert "EmpatheticDialogues" not in note


def test_permissive_weights_are_not_called_non_commercial():
    assert "non-commercial" not in profiles.weights_note(["persona", "synthetic_persona_chat"])
    assert "not fine-tuned" in profiles.weights_note([])


@pytest.mark.parametrize("progress", [{}, {"sources": []}])
def test_a_checkpoint_that_names_no_source_has_those_of_the_first_weights(progress: dict):
    assert profiles.sources_of(progress) == ["empathetic_dialogues", "empathetic_intents", "persona"]
    assert profiles.sources_of({"sources": ["persona"]}) == ["persona"]


@pytest.mark.parametrize("name", ["empathetic_dialogues", "empathetic_intents", "dailydialog", "esconv", "edos"])
def test_a_non_commercial_or_borrowed_source_is_left_out_of_the_permissive_profile(name: str):
    assert not profiles.allowed(name, "permissive")


def test_the_permissive_profile_keeps_the_sources_that_allow_commercial_use():
    kept = {name for name in profiles.SOURCES if profiles.allowed(name, "permissive")}
    assert kept == {"synthetic_persona_chat", "persona", "synthesised", "feedback"}


def test_no_source_whose_licence_is_non_commercial_or_missing_is_permissive():
    for name, source in profiles.SOURCES.items():
        if "NC" in source.licence or "none" in source.licence or "academic" in source.licence:
            assert not profiles.allowed(name, "permissive"), name


def test_an_unknown_source_is_allowed_nowhere():
    assert [profiles.allowed("scraped", profile) for profile in profiles.PROFILES] == [False, False]


def test_what_a_profile_leaves_out_is_named_with_its_licence():
    lines = profiles.refused(["persona", "esconv", "scraped"], "permissive")
    assert len(lines) == 2
    assert lines[0].startswith("esconv: CC BY-NC 4.0")
    assert lines[1] == "scraped: not in this table"
