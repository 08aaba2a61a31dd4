"""The halves of validation: disjoint, stable, and the committed lists obey the rule."""

from __future__ import annotations

from affect.splits import HALVES, half_of, ids_of


def test_the_rule_is_stable():
    assert [half_of(f"hit:{n}_conv:{2 * n}") for n in range(6)] == [
        half_of(f"hit:{n}_conv:{2 * n}") for n in range(6)
    ]
    # Two ids of the corpus, so that a change of the rule shows.
    assert half_of(ids_of("tune")[0]) == "tune"
    assert half_of(ids_of("report")[0]) == "report"


def test_the_lists_are_disjoint_and_hold_the_whole_split():
    tune, report = (set(ids_of(half)) for half in HALVES)
    assert not tune & report
    assert len(tune) + len(report) == 2770


def test_every_listed_id_obeys_the_rule():
    for half in HALVES:
        assert {half_of(conv_id) for conv_id in ids_of(half)} == {half}


def test_the_halves_are_about_equal():
    assert abs(len(ids_of("tune")) - len(ids_of("report"))) < 100
