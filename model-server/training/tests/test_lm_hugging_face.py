"""The folder for other engines holds the exported model and its token ids."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from lm_tiny import encoder, tiny_config, tiny_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from lm import hugging_face, slots


def test_a_hugging_face_folder_holds_the_same_model_and_token_ids(tmp_path: Path):
    state = {k: v for k, v in tiny_model(sharp=True).state_dict().items() if k != "lm_head.weight"}
    hugging_face.write(state, tiny_config(), tmp_path)
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
