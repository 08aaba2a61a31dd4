"""Write a Hugging Face folder (safetensors, tokenizer, configuration) for engines such as vLLM.

    python -m lm.hugging_face --weights ../models/attune-135m --out DIR
    python -m lm.hugging_face --checkpoint WORK/leg-3.pt --out DIR

The slot tokens are added to the tokenizer as special tokens, so that ids and texts agree with the GGUF.
There is no chat template on purpose: prompts are token ids (lm/format.py).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from tokenizers import AddedToken
from transformers import LlamaConfig, PreTrainedTokenizerFast

from . import export, model as models, recover, slots


def write(state: dict[str, torch.Tensor], config: LlamaConfig, out: Path) -> None:
    """Write the folder; matrices are float32 as in the checkpoint."""
    network = models.from_state(state, config.to_dict())
    tokenizer = models.load_tokenizer()
    # Texts are encoded with special tokens off; the engine only needs ids to round-trip.
    tokenizer.encode_special_tokens = False
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in slots.ADDED_TOKENS])
    for token, number in slots.TOKEN_ID.items():
        if tokenizer.token_to_id(token) != number:
            raise ValueError(f"{token} became {tokenizer.token_to_id(token)}, not {number}")
    out.mkdir(parents=True, exist_ok=True)
    network.config.bos_token_id, network.config.eos_token_id = slots.IM_START, slots.IM_END
    network.save_pretrained(out)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<|im_start|>", eos_token="<|im_end|>", pad_token="<|im_end|>"
    ).save_pretrained(out)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--checkpoint", help="a .pt file of lm.train")
    source.add_argument("--weights", type=Path, help="folder of GGUF shards")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    if arguments.checkpoint:
        state, config, _ = export.read_checkpoint(arguments.checkpoint)
    else:
        config = models.load_base().config
        state = recover.read(arguments.weights, config)
    write(state, config, arguments.out)


if __name__ == "__main__":
    main()
