"""Data profiles: permission is explicit and a non-commercial source never enters permissive weights."""

from __future__ import annotations

import pytest

from lm import profiles


def test_every_source_of_the_table_may_train_the_full_profile():
    assert [name for name in profiles.SOURCES if not profiles.allowed(name, "full")] == []


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
