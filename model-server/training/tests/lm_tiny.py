"""The real tokenizer, ten sample conversations and a tiny random Llama for the lm tests."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from lm import batching, data, slots
from lm import model as models
from lm.format import Conversation, Example, Wrapping, build

SAMPLE = Path(__file__).parent / "lm_sample"
VOCABULARY = slots.BASE_VOCAB_SIZE + slots.ADDED_ROWS
PROBE = Path(__file__).parent / "llama_probe.mjs"


@cache
def encoder() -> models.TextEncoder:
    """The base package's tokenizer; a missing package raises with the command that installs it."""
    return models.TextEncoder(models.load_tokenizer())


@cache
def wrapping() -> Wrapping:
    return Wrapping(encoder())


@cache
def persona() -> tuple[int, ...]:
    return tuple(encoder()(slots.DEFAULT_PERSONA))


@cache
def sample() -> tuple[Conversation, ...]:
    rows = data.read_rows(SAMPLE / "empathetic_dialogues" / "train.jsonl")
    intents = data.read_intents(SAMPLE / "empathetic_intents" / "turn_labels_train.tsv")
    return tuple(data.tokenise(rows, intents, encoder()))


def one_example(number: int = 0, **options) -> Example:
    """Conversation `number` of the sample in the evaluation layout, without a system turn."""
    return build(sample()[number], wrapping(), None, None, **options)


def tiny_config(vocabulary: int = VOCABULARY) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=vocabulary, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=512,
        tie_word_embeddings=True, rms_norm_eps=1e-5, bos_token_id=1, eos_token_id=2,
        rope_parameters={"rope_type": "default", "rope_theta": 100_000.0},
    )


def tiny_model(seed: int = 0, *, sharp: bool = False) -> LlamaForCausalLM:
    """A random two-layer model; `sharp` scales its weights so that distributions have peaks.

    With the usual initialisation every probability is near 1 / 49,216, which any bug passes.
    """
    torch.manual_seed(seed)
    model = LlamaForCausalLM(tiny_config())
    if sharp:
        with torch.no_grad():
            for name, values in model.named_parameters():
                if values.ndim > 1:
                    values.mul_(32 if "embed" in name else 6)
    return model


@torch.no_grad()
def hidden(model: LlamaForCausalLM, examples: Sequence[Example]) -> torch.Tensor:
    """Last hidden states [batch, length, width] in float32, through the training's own batch."""
    batch = batching.collate(list(examples))
    return model.eval().model(
        input_ids=batch.ids, position_ids=batch.positions, attention_mask=batch.mask, use_cache=False
    ).last_hidden_state


def llama(
    folder: Path, shard: Path, *, exact: bool, texts: Sequence[str] = (),
    sequences: Sequence[tuple[list[int], list[int]]] = (),
) -> dict:
    """Ask llama.cpp (see llama_probe.mjs) about a GGUF file; sequences are (ids, positions)."""
    request, answer = folder / "request.json", folder / "answer.json"
    request.write_text(json.dumps({
        "model": str(shard), "exact": exact, "vocabulary": VOCABULARY, "texts": list(texts),
        "sequences": [{"ids": ids, "at": at} for ids, at in sequences],
    }))  # fmt: skip
    run = subprocess.run(["node", str(PROBE), str(request), str(answer)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(answer.read_text())
