"""Layer normalisations lose their scale and shift to what reads them, so that the graph need not apply them.

A layer normalisation is n·γ + β with n of mean 0 and variance 1. A product that reads it takes γ into its
weight and W·β into its bias. The residual sum needs n·γ, one multiplication; its β joins the bias of the
other summand. What is left of the normalisation is n: a third of the time, and n quantises with less error
than n·γ + β, whose range a few channels of large γ decide.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

State = dict[str, np.ndarray]


def norm_before(layer: int) -> str:
    """The normalisation whose result enters `layer` (0 …; the number of layers: enters the heads)."""
    return "norm" if layer == 0 else f"layers.{layer - 1}.output_norm"


def fold_norms(state: Mapping[str, np.ndarray], layers: int) -> State:
    """`AffectModel.state_dict()` as float32 arrays → the same names for a graph of plain normalisations.

    `*norm.weight` stay, as the factors of the residual sums; `*norm.bias` are gone.
    """
    folded = {name: values.astype(np.float64) for name, values in state.items()}
    for layer in range(layers):
        _residual(folded, f"layers.{layer}.mix", norm_before(layer))
        _residual(folded, f"layers.{layer}.narrow", f"layers.{layer}.attention_norm")
        _product(folded, f"layers.{layer}.qkv", norm_before(layer))
        _product(folded, f"layers.{layer}.widen", f"layers.{layer}.attention_norm")
    for head in [name.removesuffix(".weight") for name in state if _is_head_weight(name)]:
        _product(folded, head, norm_before(layers))
    return {name: values.astype(np.float32) for name, values in folded.items() if not name.endswith("norm.bias")}


def _is_head_weight(name: str) -> bool:
    return name.startswith("heads.") and name.endswith(".weight")


def _product(state: State, name: str, norm: str) -> None:
    """The linear map `name` reads n in place of n·γ + β."""
    state[f"{name}.bias"] = state[f"{name}.bias"] + state[f"{name}.weight"] @ state[f"{norm}.bias"]
    state[f"{name}.weight"] = state[f"{name}.weight"] * state[f"{norm}.weight"]


def _residual(state: State, name: str, norm: str) -> None:
    """`name` is added to n·γ in place of n·γ + β."""
    state[f"{name}.bias"] = state[f"{name}.bias"] + state[f"{norm}.bias"]
