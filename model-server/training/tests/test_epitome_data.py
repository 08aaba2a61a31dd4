"""EPITOME's files as pairs, their split, and what the judge reads of a pair."""

from __future__ import annotations

from pathlib import Path

import pytest
from affect_tiny import tiny_tokenizer

from affect.inputs import Marks
from epitome.constants import MAX_TOKENS, MECHANISMS, RESPONSE_TOKENS, SEEKER_TOKENS
from epitome.data import Pair, encode, layout, part, part_of, read_pairs

HEADER = "sp_id,rp_id,seeker_post,response_post,level,rationales\n"


def write(folder: Path, rows: dict[str, str]) -> Path:
    for mechanism, name in MECHANISMS.items():
        (folder / name).write_text(HEADER + rows[mechanism], encoding="utf-8")
    return folder


def test_three_files_become_pairs_with_three_levels(tmp_path: Path) -> None:
    rows = {name: f'a,b,"lost, my dog",why,{level},x|\n' for name, level in zip(MECHANISMS, (0, 1, 2), strict=True)}
    assert read_pairs(write(tmp_path, rows)) == [Pair("a", "lost, my dog", "why", (0, 1, 2))]


def test_a_pair_that_comes_again_is_read_once(tmp_path: Path) -> None:
    rows = dict.fromkeys(MECHANISMS, "a,b,lost,why,1,\na,b,lost,why,2,\na,c,lost,how,0,\n")
    assert [pair.levels for pair in read_pairs(write(tmp_path, rows))] == [(1, 1, 1), (0, 0, 0)]


def test_files_in_another_order_are_refused(tmp_path: Path) -> None:
    rows = {**dict.fromkeys(MECHANISMS, "a,b,lost,why,0,\n"), "ex": "a,c,lost,why,0,\n"}
    with pytest.raises(ValueError, match="differ"):
        read_pairs(write(tmp_path, rows))


def test_all_answers_to_a_seeker_are_in_one_part_and_the_parts_are_about_70_15_15() -> None:
    pairs = [Pair(f"s{number // 2}", "", "", (0, 0, 0)) for number in range(4000)]
    sizes = {name: len(part(pairs, name)) / len(pairs) for name in ("train", "valid", "test")}
    assert sizes == pytest.approx({"train": 0.70, "valid": 0.15, "test": 0.15}, abs=0.03)
    assert sum(sizes.values()) == pytest.approx(1)
    seekers = [{pair.seeker_id for pair in part(pairs, name)} for name in ("train", "valid", "test")]
    assert not (seekers[0] & seekers[1] or seekers[0] & seekers[2] or seekers[1] & seekers[2])
    assert part_of("65m92s") == part_of("65m92s")


def test_the_judge_reads_the_beginning_of_both_texts() -> None:
    marks = Marks(pad=0, cls=4, sep=5, speaker=1, listener=2)
    ids, response_at = layout(list(range(100, 300)), list(range(400, 600)), marks)
    assert len(ids) == MAX_TOKENS
    assert ids[:3] == [4, 1, 100]
    assert response_at == SEEKER_TOKENS + 2
    assert ids[response_at : response_at + 2] == [2, 400]
    assert ids[-2:] == [400 + RESPONSE_TOKENS - 1, 5]


def test_encoded_pairs_keep_their_levels() -> None:
    [item] = encode([Pair("a", "lost my dog", "why", (2, 0, 1))], tiny_tokenizer())
    assert item.levels == (2, 0, 1)
    assert item.ids[item.response_at] == Marks.of(tiny_tokenizer()).listener
