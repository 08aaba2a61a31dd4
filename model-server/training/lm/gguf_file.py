"""Llama weights to GGUF: the base file is the template for metadata and tokenizer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType, LlamaFileType
from transformers import LlamaConfig

from . import profiles, slots

FORMAT_VERSION = 1
"""Raised when a reader of an older version would misread the file (slots, layout, persona)."""

TYPES = {
    "q8_0": (GGMLQuantizationType.Q8_0, LlamaFileType.MOSTLY_Q8_0),
    "f16": (GGMLQuantizationType.F16, LlamaFileType.MOSTLY_F16),
    "f32": (GGMLQuantizationType.F32, LlamaFileType.ALL_F32),
}
HEADER_RESERVE = 2_000_000
"""Bytes of a shard kept for metadata (token list and merges: 1.6 MB, in the first shard)."""

class Training(TypedDict, total=False):
    """What the file says of its training, by the key under `attune.training.`."""

    leg: int
    step: int
    tokens: int
    emotion_input: bool
    """Stands at `attune.emotion_input`."""
    profile: profiles.Profile
    sources: list[str]
    """Names of lm/profiles.py, which gives licence and note; absent: its FIRST_SOURCES."""


_COPIED_KEYS = (
    "general.languages", "general.quantization_version",
    "tokenizer.ggml.add_space_prefix", "tokenizer.ggml.add_bos_token", "tokenizer.ggml.model",
    "tokenizer.ggml.pre", "tokenizer.ggml.merges", "tokenizer.ggml.bos_token_id",
    "tokenizer.ggml.eos_token_id", "tokenizer.ggml.unknown_token_id",
    "tokenizer.ggml.padding_token_id",
)
# The chat template is left out on purpose: a template joins texts and control strings, so a
# user's "<|im_end|>" would become a control token. Prompts are token ids (lm/format.py).

_LAYER_NAMES = {
    "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def permute(weight: np.ndarray, heads: int) -> np.ndarray:
    """Reorder the rows of q or k from rotate-half (Transformers) to interleaved pairs (llama.cpp).

    `weight` is [heads * size, width]; row (h, half, i) moves to (h, i, half), i < size / 2.
    """
    rows, width = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, width).swapaxes(1, 2).reshape(rows, width)


def names(config: LlamaConfig) -> Iterator[tuple[str, str]]:
    """Yield (name in the GGUF, name in the state dict) in file order; the tied output is absent."""
    yield "token_embd.weight", "model.embed_tokens.weight"
    for layer in range(config.num_hidden_layers):
        for source, target in _LAYER_NAMES.items():
            yield f"blk.{layer}.{target}.weight", f"model.layers.{layer}.{source}.weight"
    yield "output_norm.weight", "model.norm.weight"


def tensors(state: Mapping[str, torch.Tensor], config: LlamaConfig) -> Iterator[tuple[str, np.ndarray]]:
    """Yield (GGUF name, float32 array) in file order; q and k rows in llama.cpp's order."""
    expected = list(names(config))
    if len(state) != len(expected):
        raise ValueError(f"expected {len(expected)} tensors of a bias-free tied Llama, found {len(state)}")
    for name, key in expected:
        values = state[key].detach().to(torch.float32).numpy()
        if name.endswith("attn_q.weight"):
            values = permute(values, config.num_attention_heads)
        elif name.endswith("attn_k.weight"):
            values = permute(values, config.num_key_value_heads)
        yield name, values


@cache
def _template(path: Path) -> dict[str, tuple[Any, list[gguf.GGUFValueType]]]:
    """Value and types of every metadata field; reading the two long lists takes seconds."""
    return {k: (f.contents(), f.types) for k, f in gguf.GGUFReader(path).fields.items()}


def _add_metadata(
    writer: gguf.GGUFWriter, template: Mapping[str, tuple[Any, list]], config: LlamaConfig, name: str,
    file_type: LlamaFileType, training: Training,
) -> None:
    writer.add_type("model")
    writer.add_name(name)
    sources = training.get("sources", list(profiles.FIRST_SOURCES))
    writer.add_license(profiles.weights_licence(sources))
    writer.add_string("general.description", profiles.weights_note(sources))
    writer.add_string("general.base_model.0.name", "SmolLM2-135M-Instruct")
    writer.add_string("general.base_model.0.organization", "HuggingFaceTB")
    writer.add_uint32("general.base_model.count", 1)
    writer.add_file_type(file_type)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS)
    for key in _COPIED_KEYS:
        value, (kind, *element) = template[key]
        writer.add_key_value(key, value, kind, element[0] if element else None)
    tokens, _ = template["tokenizer.ggml.tokens"]
    types, _ = template["tokenizer.ggml.token_type"]
    if len(tokens) != slots.BASE_VOCAB_SIZE:
        raise ValueError(f"expected a base of {slots.BASE_VOCAB_SIZE} tokens, found {len(tokens)}")
    writer.add_token_list([*tokens, *slots.ADDED_TOKENS])
    writer.add_token_types([*types, *[gguf.TokenType.CONTROL] * slots.ADDED_ROWS])
    writer.add_uint32("attune.format_version", FORMAT_VERSION)
    writer.add_bool("attune.emotion_input", bool(training.get("emotion_input", False)))
    writer.add_string("attune.persona", slots.DEFAULT_PERSONA)
    writer.add_string("attune.training.profile", training.get("profile", "full"))
    if sources:  # GGUF has no empty array
        writer.add_array("attune.training.sources", sorted(sources))
    for key in ("leg", "step", "tokens"):
        writer.add_uint64(f"attune.training.{key}", training.get(key, 0))


def write(
    folder: Path, name: str, state: Mapping[str, torch.Tensor], config: LlamaConfig,
    template_file: Path, kind: str, shard_bytes: int, training: Training,
) -> list[Path]:
    """Write `folder/name-0000i-of-0000n.gguf`, each at most `shard_bytes`; the first one loads all.

    Matrices get the type `kind` (see TYPES), norms stay float32. Raises ValueError where the
    weights do not fit the configuration, a source may train no weights, or a shard comes out too large.
    """
    vocabulary = slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS
    if config.vocab_size != vocabulary:
        raise ValueError(f"expected a vocabulary of {vocabulary}, found {config.vocab_size}")
    matrix_type, file_type = TYPES[kind]
    writer = gguf.GGUFWriter(
        folder / f"{name}.gguf", "llama", split_max_size=max(shard_bytes - HEADER_RESERVE, 1)
    )
    _add_metadata(writer, _template(template_file), config, name, file_type, training)
    for tensor_name, values in tensors(state, config):
        if not np.isfinite(values).all():
            raise ValueError(f"{tensor_name}: not finite")
        kept = GGMLQuantizationType.F32 if values.ndim == 1 else matrix_type
        writer.add_tensor(tensor_name, gguf.quants.quantize(values, kept), raw_dtype=kept)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    alone = folder / f"{name}.gguf"
    if alone.exists():
        alone.rename(folder / f"{name}-00001-of-00001.gguf")
    shards = sorted(folder.glob(f"{name}-?????-of-?????.gguf"))
    for shard in shards:
        if shard.stat().st_size > shard_bytes:
            raise ValueError(f"{shard.name}: {shard.stat().st_size} bytes, more than {shard_bytes}")
    return shards
