"""Synthetic empathetic dialogues from any OpenAI-compatible endpoint (Synth-Empathy, arXiv 2407.21669).

    python -m lm.synthesise --endpoint http://127.0.0.1:8000 --model NAME --seeds FILE --out FILE --n 1000

Generate (`--oversample` times n), filter for quality, select the n most different dialogues by greedy k-centre.
`OUT.stages/` holds the answers, so the same command goes on after a stop and asks nothing twice. The result is a
file of conversations in the shape of EmpatheticDialogues. Seeds with situations come from its train split only: a
dialogue made from a situation of another split brings what figures are measured on into training. For the data
profile `permissive` neither the seeds nor the generator's terms may forbid commercial use: seeds of an emotion
alone (`{"emotion": "afraid"}`) will do.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from . import client, seeds, stages

OVERSAMPLE = 3.0


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--endpoint", required=True, help="base address, with or without /v1")
    parser.add_argument("--model", required=True)
    parser.add_argument("--seeds", type=Path, required=True, help='jsonl of {"emotion", "situation"?}')
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--n", type=int, required=True, help="dialogues wanted")
    parser.add_argument("--oversample", type=float, default=OVERSAMPLE, help="answers asked for per dialogue wanted")
    parser.add_argument("--key-env", default="OPENAI_API_KEY", help="environment variable of the API key, may be unset")
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--temperature", type=float, default=0.9)
    parser.add_argument("--scorer", help="command: rows as jsonl on stdin, one number a line on stdout")
    parser.add_argument("--min-score", type=float, default=0.0)
    arguments = parser.parse_args(argv)
    if arguments.n < 1 or arguments.oversample < 1 or arguments.parallel < 1:
        parser.error("--n, --oversample and --parallel: at least 1")
    wanted = math.ceil(arguments.n * arguments.oversample)
    asked = client.Client(
        arguments.endpoint, arguments.model, os.environ.get(arguments.key_env), arguments.temperature
    )
    try:
        run = stages.Stages(arguments.out, arguments.model, seeds.read(arguments.seeds))
        answers = run.generate(asked.complete, wanted, arguments.parallel)
        passed, dropped = run.filter(wanted, arguments.scorer, arguments.min_score)
    except (ValueError, client.EndpointError) as error:
        sys.exit(str(error))
    kept = run.select(passed, arguments.n)
    rules = ", ".join(f"{name} {count}" for name, count in sorted(dropped.items())) or "none"
    print(f"{answers} answers, {len(passed)} passed (dropped: {rules}), {len(kept)} selected: {arguments.out}")


if __name__ == "__main__":
    main()
