"""Measures of one mechanism's levels. Pure functions on int arrays [n]."""

from __future__ import annotations

import numpy as np

from .constants import LEVELS


def confusion(levels: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """Counts [level, predicted]."""
    table = np.zeros((LEVELS, LEVELS), dtype=np.int64)
    np.add.at(table, (levels, predicted), 1)
    return table


def macro_f1(table: np.ndarray) -> float:
    """Unweighted mean of F1 over the levels that occur as level or as prediction."""
    hits, both = np.diag(table), table.sum(axis=0) + table.sum(axis=1)
    return float(np.mean(2 * hits[both > 0] / both[both > 0]))


def quadratic_kappa(table: np.ndarray) -> float:
    """Cohen's kappa with weights (i − j)² (Cohen 1968): 0 is chance, 1 is agreement; 0 where chance is perfect."""
    index = np.arange(LEVELS)
    weights = (index[:, None] - index[None, :]) ** 2
    chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    expected = (weights * chance).sum()
    return 0.0 if expected == 0 else float(1 - (weights * table).sum() / expected)


def figures(levels: np.ndarray, predicted: np.ndarray, majority_level: int) -> dict[str, float]:
    """One row of the model card, with the baseline that always says `majority_level` (of the training part)."""
    table = confusion(levels, predicted)
    constant = confusion(levels, np.full_like(levels, majority_level))
    return {
        "n": len(levels),
        "accuracy": round(float(np.trace(table) / len(levels)), 4),
        "macro_f1": round(macro_f1(table), 4),
        "quadratic_kappa": round(quadratic_kappa(table), 4),
        "mean_level": round(float(levels.mean()), 4),
        "mean_predicted": round(float(predicted.mean()), 4),
        "majority_accuracy": round(float(np.trace(constant) / len(levels)), 4),
        "majority_macro_f1": round(macro_f1(constant), 4),
    }
