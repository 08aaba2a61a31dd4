"""Exported weights lead back to a checkpoint."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from lm_tiny import tiny_config, tiny_model

from lm import gguf_file, profiles, recover
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
    assert recover.read_progress(tmp_path) == {
        "leg": 1, "step": 2, "tokens": 3, "emotion_input": True, "profile": "full",
        "sources": list(profiles.sources_of({})),
    }


def test_a_folder_without_shards_is_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="no GGUF shards"):
        recover.read(tmp_path, tiny_config())
