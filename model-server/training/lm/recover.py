"""Take up the training of weights that are only left as an exported GGUF.

    python -m lm.recover --weights ../models/attune-135m --out WORK/leg-1.pt

The file is what `lm.train --leg 2` starts from. Q8_0 costs a little precision (relative
error of a row about 0.3 %), which the next leg's first steps make good.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from transformers import LlamaConfig

from . import gguf_file, model as models, store
from .profiles import sources_of
from .store import Progress


def unpermute(weight: np.ndarray, heads: int) -> np.ndarray:
    """The inverse of `gguf_file.permute`."""
    rows, width = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, width).swapaxes(1, 2).reshape(rows, width)


def read(folder: Path, config: LlamaConfig) -> dict[str, torch.Tensor]:
    """State dict (float32, without lm_head) of the shards in `folder`.

    Raises ValueError where no shard is found or a tensor of `config` is missing.
    """
    shards = sorted(folder.glob("*-?????-of-?????.gguf"))
    if not shards:
        raise ValueError(f"{folder}: no GGUF shards")
    stored = {
        tensor.name: gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        for shard in shards
        for tensor in gguf.GGUFReader(shard).tensors
    }
    state = {}
    for name, key in gguf_file.names(config):
        if name not in stored:
            raise ValueError(f"{folder}: {name} is missing")
        values = stored[name]
        if name.endswith("attn_q.weight"):
            values = unpermute(values, config.num_attention_heads)
        elif name.endswith("attn_k.weight"):
            values = unpermute(values, config.num_key_value_heads)
        state[key] = torch.from_numpy(np.array(values, dtype=np.float32))
    return state


def read_progress(folder: Path) -> dict[str, Any]:
    """What the first shard says of the training; `leg` is 1, so that `lm.train --leg 2` goes on."""
    fields = gguf.GGUFReader(sorted(folder.glob("*-00001-of-?????.gguf"))[0]).fields
    known = {key: field.contents() for key in ("step", "tokens") if (field := fields.get(f"attune.training.{key}"))}
    told = fields.get("attune.emotion_input")
    sources, profile = fields.get("attune.training.sources"), fields.get("attune.training.profile")
    return {
        **known, "leg": 1, "emotion_input": bool(told.contents()) if told else False,
        "profile": profile.contents() if profile else "full",
        "sources": sources_of({"sources": sources.contents()} if sources else {}),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--weights", type=Path, required=True, help="folder of GGUF shards")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint to write, for example WORK/leg-1.pt")
    arguments = parser.parse_args()
    config = models.load_base().config
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress(**read_progress(arguments.weights))
    store.write(arguments.out, config, read(arguments.weights, config), vars(progress))


if __name__ == "__main__":
    main()
