"""The encoder (BERT layers, Devlin et al. 2019, in MiniLM's size) and its heads.

Written out rather than taken from a library: the graph that is exported is then the graph that is read
here, and its few operators are those that plain wasm runs.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F

from .constants import (
    BASE_WEIGHTS_SHA256,
    CAUSE_OUTPUT,
    EMOTION_OUTPUT,
    LABELS,
    MAX_TOKENS,
    SCORES,
    SCORES_OUTPUT,
    VOCABULARY_SIZE,
)


@dataclass(frozen=True)
class Shape:
    """Sizes of the encoder; the defaults are all-MiniLM-L6-v2 with our vocabulary and length."""

    vocabulary: int = VOCABULARY_SIZE
    positions: int = MAX_TOKENS
    width: int = 384
    inner: int = 1536
    layers: int = 6
    attention_heads: int = 12
    dropout: float = 0.1

    def as_dict(self) -> dict:
        return asdict(self)


class Layer(nn.Module):
    """One post-norm transformer layer: [batch, tokens, width] → the same."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention_heads = shape.attention_heads
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.mix = nn.Linear(shape.width, shape.width)
        self.attention_norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.widen = nn.Linear(shape.width, shape.inner)
        self.narrow = nn.Linear(shape.inner, shape.width)
        self.output_norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        """`bias` [batch, 1, 1, tokens]: 0 for tokens, a large negative number for padding."""
        hidden = self.attention_norm(hidden + self.dropout(self.mix(self._attend(hidden, bias))))
        inner = self.narrow(F.gelu(self.widen(hidden)))
        return self.output_norm(hidden + self.dropout(inner))

    def _attend(self, hidden: Tensor, bias: Tensor) -> Tensor:
        batch, tokens, width = hidden.shape
        split = (batch, tokens, self.attention_heads, width // self.attention_heads)
        query, key, value = (part.reshape(split).transpose(1, 2) for part in self.qkv(hidden).chunk(3, dim=-1))
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=bias.to(query.dtype))
        return attended.transpose(1, 2).reshape(batch, tokens, width)


class AffectModel(nn.Module):
    """Shared encoder; emotion and scores from the mean-pooled state, cause saliency from each token's.

    A new score is a new entry of `SCORES`: its head is a linear map of the pooled state, so it can be
    trained on the frozen encoder without touching the others.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.tokens = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.dropout = nn.Dropout(shape.dropout)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.heads = nn.ModuleDict(
            {
                "emotion": nn.Linear(shape.width, len(LABELS)),
                "cause": nn.Linear(shape.width, 1),
                **{score.name: nn.Linear(shape.width, 1) for score in SCORES},
            }
        )

    def encode(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """int64 [batch, tokens] twice → float [batch, tokens, width]."""
        position = torch.arange(input_ids.shape[1], device=input_ids.device)
        hidden = self.dropout(self.norm(self.tokens(input_ids) + self.positions(position)))
        # -1e4 and not -inf: a row without tokens stays finite.
        bias = (1.0 - attention_mask[:, None, None, :].to(hidden.dtype)) * -1e4
        for layer in self.layers:
            hidden = layer(hidden, bias)
        return hidden

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> dict[str, Tensor]:
        """Outputs by name, float32: `emotion_logits` [batch, 32] without the temperature, `cause_logits`
        [batch, tokens], `scores` [batch, len(SCORES)]."""
        hidden = self.encode(input_ids, attention_mask)
        pooled = self.dropout(mean_pool(hidden, attention_mask))
        return {
            EMOTION_OUTPUT: self.heads["emotion"](pooled),
            CAUSE_OUTPUT: self.heads["cause"](hidden)[..., 0],
            SCORES_OUTPUT: self.scores(pooled),
        }

    def scores(self, pooled: Tensor) -> Tensor:
        """Pooled states [batch, width] → [batch, len(SCORES)], as one product."""
        heads = [self.heads[score.name] for score in SCORES]
        weight = torch.cat([head.weight for head in heads])
        return F.linear(pooled, weight, torch.cat([head.bias for head in heads]))


def mean_pool(hidden: Tensor, attention_mask: Tensor) -> Tensor:
    """Mean over the tokens that are not padding: [batch, tokens, width] → [batch, width]."""
    weight = attention_mask[:, :, None].to(hidden.dtype)
    return (hidden * weight).sum(1) / weight.sum(1).clamp(min=1.0)


def load_base(weights: Path, kept_ids: np.ndarray, shape: Shape) -> AffectModel:
    """An AffectModel that starts from all-MiniLM-L6-v2, with the rows `kept_ids` of its vocabulary.

    @raises ValueError when the file is not the one whose hash is in constants.py.
    """
    found = hashlib.sha256(weights.read_bytes()).hexdigest()
    if found != BASE_WEIGHTS_SHA256:
        raise ValueError(f"{weights.name}: expected sha256 {BASE_WEIGHTS_SHA256}, found {found}")
    model = AffectModel(shape)
    loaded = from_bert(load_file(weights), kept_ids, shape)
    missing, unexpected = model.load_state_dict(loaded, strict=False)
    if unexpected or any(not name.startswith("heads.") for name in missing):
        raise ValueError(f"base weights do not fit: missing {missing}, unexpected {unexpected}")
    return model


def from_bert(bert: dict[str, Tensor], kept_ids: np.ndarray, shape: Shape) -> dict[str, Tensor]:
    """BERT's tensor names → ours. Token type 0 is added to the positions (we have one segment)."""
    embeddings = "embeddings."
    segment = bert[embeddings + "token_type_embeddings.weight"][0]
    ours = {
        "tokens.weight": bert[embeddings + "word_embeddings.weight"][torch.from_numpy(kept_ids)],
        "positions.weight": bert[embeddings + "position_embeddings.weight"][: shape.positions] + segment,
        "norm.weight": bert[embeddings + "LayerNorm.weight"],
        "norm.bias": bert[embeddings + "LayerNorm.bias"],
    }
    for index in range(shape.layers):
        source, target = f"encoder.layer.{index}.", f"layers.{index}."
        for kind in ("weight", "bias"):
            qkv = [bert[f"{source}attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
            ours[f"{target}qkv.{kind}"] = torch.cat(qkv)
            for theirs, name in (
                ("attention.output.dense", "mix"),
                ("attention.output.LayerNorm", "attention_norm"),
                ("intermediate.dense", "widen"),
                ("output.dense", "narrow"),
                ("output.LayerNorm", "output_norm"),
            ):
                ours[f"{target}{name}.{kind}"] = bert[f"{source}{theirs}.{kind}"]
    return ours
