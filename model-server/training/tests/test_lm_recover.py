"""Exported weights lead back to a checkpoint and to a Hugging Face folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from lm_tiny import encoder, tiny_config, tiny_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from lm import gguf_file, recover, safetensors, slots
from lm import model as models

TRAINING = {"leg": 1, "step": 2, "tokens": 3, "emotion_input": 1}


@pytest.fixture
def state() -> dict[str, torch.Tensor]:
    return {k: v for k, v in tiny_model(sharp=True).state_dict().items() if k != "lm_head.weight"}


@pytest.mark.parametrize(("kind", "tolerance"), [("f32", 0.0), ("q8_0", 0.01)])
def test_an_exported_model_is_read_back(tmp_path: Path, state: dict, kind: str, tolerance: float):
    gguf_file.write(tmp_path, "tiny", state, tiny_config(), models.base_gguf(), kind, 48_000_000, TRAINING)
    found = recover.read(tmp_path, tiny_config())
    assert found.keys() == state.keys()
    for name, values in state.items():
        assert (found[name] - values).abs().max() <= tolerance * values.abs().max(), name


def test_what_the_file_says_of_its_training_is_kept(tmp_path: Path, state: dict):
    gguf_file.write(tmp_path, "tiny", state, tiny_config(), models.base_gguf(), "q8_0", 48_000_000, TRAINING)
    assert recover.read_progress(tmp_path) == {"leg": 1, "step": 2, "tokens": 3, "emotion_input": True}


def test_a_folder_without_shards_is_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="no GGUF shards"):
        recover.read(tmp_path, tiny_config())


def test_a_hugging_face_folder_holds_the_same_model_and_token_ids(tmp_path: Path, state: dict):
    safetensors.write(state, tiny_config(), tmp_path)
    network = AutoModelForCausalLM.from_pretrained(tmp_path)
    ids = torch.tensor([[slots.IM_START, 5, slots.AFFECT, slots.INTENT]])
    with torch.no_grad():
        expected, found = tiny_model(sharp=True).eval()(ids).logits, network.eval()(ids).logits
    assert torch.allclose(found, expected, atol=1e-4)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    for token, number in slots.TOKEN_ID.items():
        assert tokenizer.convert_tokens_to_ids(token) == number
    text = "My old dog died on Sunday, 3 days ago."
    assert tokenizer(text, add_special_tokens=False)["input_ids"] == encoder()(text)
    assert json.loads((tmp_path / "config.json").read_text())["eos_token_id"] == slots.IM_END
