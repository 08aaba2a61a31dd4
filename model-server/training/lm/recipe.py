"""The whole recipe, one command: persona stage, dialogue legs, preferences, export.

    python -m lm.recipe --data DIR --work WORK --out ../models/attune-135m --minutes 400

Every step is a command of its own (training/README.md) that resumes after a kill; a step whose result is there
is not run again. `--minutes` is the time of the dialogue legs together, each at most LEG_MINUTES long and decaying
to zero, so that whatever is finished when time is up is worth shipping.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

LEG_MINUTES = 150
PERSONA_MINUTES = 20
PREFERENCE_MINUTES = 30

Step = tuple[Path, tuple[str, ...]]
"""What a step leaves behind, and its command (module and arguments)."""


def steps(data: Path, work: Path, out: Path, minutes: float, profile: str, threads: int) -> list[Step]:
    """All steps in order. Without EmpatheticDialogues (`permissive`) there are no preference pairs."""
    common = ("--data", str(data), "--work", str(work), "--threads", str(threads), "--data-profile", profile)
    legs = max(1, math.ceil(minutes / LEG_MINUTES))

    def leg(number: int, stage: str, length: float) -> Step:
        name = ("lm.train", *common, "--stage", stage, "--leg", str(number), "--minutes", f"{length:g}")
        return work / f"leg-{number}.pt", name

    found = [leg(1, "persona", PERSONA_MINUTES)]
    found += [leg(2 + n, "dialogue", minutes / legs) for n in range(legs)]
    last = work / f"leg-{1 + legs}.pt"
    if profile == "full":
        pairs, preferred = work / "pairs.jsonl", work / "dpo.pt"
        made = ("lm.preferences.pairs", "--data", str(data), "--checkpoint", str(last), "--out", str(pairs))
        dpo = ("lm.preferences.dpo", "--pairs", str(pairs), "--checkpoint", str(last), "--work", str(work),
               "--data", str(data), "--minutes", str(PREFERENCE_MINUTES))  # fmt: skip
        found += [(pairs, made), (preferred, dpo)]
        last = preferred
    return [*found, (out / "manifest.json", ("lm.export", "--checkpoint", str(last), "--out", str(out)))]


def run(plan: Sequence[Step], execute: Callable[[Sequence[str]], int]) -> None:
    """Run what is not there yet; the export always, since an older one may stand in its place.

    Raises RuntimeError for a step that fails.
    """
    for result, command in plan:
        if result.exists() and command[0] != "lm.export":
            continue
        if execute(command) != 0:
            raise RuntimeError(f"python -m {' '.join(command)} failed; the same recipe goes on from there")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder of the GGUF shards")
    parser.add_argument("--minutes", type=float, default=400, help="of the dialogue legs together")
    parser.add_argument("--data-profile", choices=["full", "permissive"], default="full")
    parser.add_argument("--threads", type=int, default=2)
    a = parser.parse_args()
    a.work.mkdir(parents=True, exist_ok=True)
    plan = steps(a.data, a.work, a.out, a.minutes, a.data_profile, a.threads)
    run(plan, lambda command: subprocess.run([sys.executable, "-m", *command], check=False).returncode)


if __name__ == "__main__":
    main()
