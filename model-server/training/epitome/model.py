"""The judge: the encoder of `affect.model`, and the levels read from the mean of the response's states.

One encoder reads seeker and response in one sequence. The authors' two encoders meet in an attention layer; here
they meet in every layer, with a tenth of the weights and one graph to run.
"""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from affect.model import AffectModel, Shape, from_bert, mean_pool

from .constants import LAYERS, LEVELS, MAX_TOKENS, MECHANISMS


class JudgeModel(AffectModel):
    """Heads `er`, `ip`, `ex`, each a linear map of the pooled response [width] → [levels]."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.heads = nn.ModuleDict({name: nn.Linear(shape.width, LEVELS) for name in MECHANISMS})

    def forward(self, input_ids: Tensor, attention_mask: Tensor, response_mask: Tensor) -> Tensor:
        """int64 [batch, tokens] three times → logits [batch, mechanisms, levels]."""
        hidden = self.encode(input_ids, attention_mask)
        pooled = self.dropout(mean_pool(hidden, response_mask))
        return torch.stack([self.heads[name](pooled) for name in MECHANISMS], dim=1)


def judge_shape(vocabulary: int) -> Shape:
    return Shape(vocabulary=vocabulary, positions=MAX_TOKENS, layers=len(LAYERS))


def from_base(weights: Path, kept_ids: Tensor) -> JudgeModel:
    """A judge that starts from `LAYERS` of all-MiniLM-L6-v2 and the rows `kept_ids` of its vocabulary.

    @raises ValueError when a tensor is missing or is left over.
    """
    model = JudgeModel(judge_shape(len(kept_ids)))
    bert = from_bert(load_file(weights), kept_ids.numpy(), Shape(positions=MAX_TOKENS))
    kept = {}
    for name, value in bert.items():
        if not name.startswith("layers."):
            kept[name] = value
            continue
        _, index, rest = name.split(".", 2)
        if int(index) in LAYERS:
            kept[f"layers.{LAYERS.index(int(index))}.{rest}"] = value
    missing, unexpected = model.load_state_dict(kept, strict=False)
    if unexpected or any(not name.startswith("heads.") for name in missing):
        raise ValueError(f"base weights do not fit: missing {missing}, unexpected {unexpected}")
    return model
