"""The three stages, each with its file beside the result, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .. import files
from . import centres, quality
from .client import EndpointError
from .seeds import PROMPT_VERSION, Seed, messages, parse

Complete = Callable[[list[dict[str, str]], int], str]
"""Messages and a sampling seed to an answer; raises EndpointError."""
GIVE_UP_AFTER = 8
"""Requests in a row without an answer: the endpoint is down, and the rest would fail as well."""


class Stages:
    """The folder `OUT.stages` of one run."""

    def __init__(self, out: Path, model: str, seeds: Sequence[Seed]) -> None:
        """Raises ValueError where the folder is of a run with another model, prompt or seeds."""
        self.out = out
        self.folder = out.with_name(out.name + ".stages")
        self.seeds = seeds
        self.generated = self.folder / "generated.jsonl"
        self.folder.mkdir(parents=True, exist_ok=True)
        described = json.dumps({"model": model, "prompt": PROMPT_VERSION, "seeds": _digest(list(seeds))})
        marker = self.folder / "run.json"
        if marker.exists() and marker.read_text(encoding="utf-8") != described:
            raise ValueError(f"{self.folder}: of another model, prompt or seeds; delete it or choose another --out")
        marker.write_text(described, encoding="utf-8")

    def generate(self, complete: Complete, wanted: int, parallel: int = 4) -> int:
        """Ask until `wanted` answers are on disk, seed after seed and round again; returns how many there are.

        Answers are appended as they come. Raises EndpointError after GIVE_UP_AFTER failures in a row.
        """
        known = {row["number"] for row in _read(self.generated)}
        missing = [number for number in range(wanted) if number not in known]
        failures = 0

        def ask(number: int) -> str | EndpointError:
            try:
                return complete(messages(self.seeds[number % len(self.seeds)]), number)
            except EndpointError as error:
                return error

        with self.generated.open("a", encoding="utf-8") as out, ThreadPoolExecutor(parallel) as pool:
            for start in range(0, len(missing), parallel):
                part = missing[start : start + parallel]
                for number, answer in zip(part, pool.map(ask, part), strict=True):
                    if isinstance(answer, EndpointError):
                        failures += 1
                        if failures >= GIVE_UP_AFTER:
                            raise answer
                        continue
                    failures = 0
                    known.add(number)
                    out.write(json.dumps({"number": number, "text": answer}, ensure_ascii=False) + "\n")
                    out.flush()
        return len(known & set(range(wanted)))

    def filter(self, wanted: int, scorer: str | None = None, least: float = 0.0) -> tuple[list[dict], Counter[str]]:
        """The dialogues that pass, and how many answers each rule dropped. Nothing is asked of the endpoint.

        With `scorer` its number is kept as `score`, and rows below `least` are dropped. Numbers are kept in the
        folder by the scorer's command, so that it is asked about each dialogue once: a scorer that changes behind
        the same command needs its file deleted.
        """
        passed: list[dict] = []
        dropped: Counter[str] = Counter()
        seen: set[str] = set()
        for row in sorted(_read(self.generated), key=lambda r: r["number"]):
            if row["number"] >= wanted:
                continue
            seed = self.seeds[row["number"] % len(self.seeds)]
            turns = parse(row["text"])
            name = "form" if turns is None else quality.fault(turns, seed)
            if turns is None or name is not None:
                dropped[name or "form"] += 1
                continue
            text = json.dumps(turns)
            if text in seen:
                dropped["duplicate"] += 1
                continue
            seen.add(text)
            situation = {"situation": seed.situation} if seed.situation else {}
            named = {"conv_id": f"synthesised:{row['number']}", "emotion": seed.emotion}
            passed.append(named | situation | {"turns": turns})
        if scorer is not None and passed:
            found = self._scores(passed, scorer)
            dropped["score"] = sum(value < least for value in found)
            passed = [row | {"score": value} for row, value in zip(passed, found, strict=True) if value >= least]
        return passed, dropped

    def _scores(self, rows: Sequence[dict], scorer: str) -> list[float]:
        path = self.folder / f"scores-{_digest(scorer)}.jsonl"
        known = {row["conv_id"]: row["score"] for row in _read(path)}
        missing = [row for row in rows if row["conv_id"] not in known]
        if missing:
            new = dict(zip((row["conv_id"] for row in missing), quality.scores(missing, scorer), strict=True))
            with path.open("a", encoding="utf-8") as out:
                out.writelines(json.dumps({"conv_id": name, "score": value}) + "\n" for name, value in new.items())
            known |= new
        return [known[row["conv_id"]] for row in rows]

    def select(self, passed: Sequence[dict], count: int) -> list[dict]:
        """The `count` most different dialogues, written to `out` in the shape of EmpatheticDialogues."""
        points = centres.embed([" ".join(turn["text"] for turn in row["turns"]) for row in passed])
        kept = [passed[number] for number in centres.greedy(points, count)]
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in kept]
        files.replace(self.out, "".join(lines).encode())
        return kept


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def _read(path: Path) -> list[dict]:
    return [json.loads(line) for line in files.whole_lines(path)]
