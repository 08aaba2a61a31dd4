"""Published measures of a 32-way classifier, from logits. Pure functions on arrays."""

from __future__ import annotations

import numpy as np

#: Equal-width bins of the expected calibration error (Guo et al. 2017), as `npm run eval` counts it.
ECE_BINS = 15


def softmax(logits: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """[n, classes] → probabilities [n, classes], float64."""
    scaled = logits.astype(np.float64) / temperature
    scaled -= scaled.max(axis=1, keepdims=True)
    exponent = np.exp(scaled)
    return exponent / exponent.sum(axis=1, keepdims=True)


def top_k(logits: np.ndarray, labels: np.ndarray, k: int) -> float:
    """Share of rows whose label is among the k largest logits."""
    best = np.argsort(-logits, axis=1, kind="stable")[:, :k]
    return float((best == labels[:, None]).any(axis=1).mean())


def macro_f1(logits: np.ndarray, labels: np.ndarray) -> float:
    """Mean F1 over the classes that occur in `labels` or in the predictions."""
    predicted = logits.argmax(axis=1)
    scores = []
    for label in np.union1d(labels, predicted):
        hit = float(((predicted == label) & (labels == label)).sum())
        scores.append(2 * hit / float((predicted == label).sum() + (labels == label).sum()))
    return float(np.mean(scores))


def ece(probabilities: np.ndarray, labels: np.ndarray, bins: int = ECE_BINS) -> float:
    """Expected calibration error on the top label: |accuracy − confidence| over equal-width bins."""
    confidence = probabilities.max(axis=1)
    correct = probabilities.argmax(axis=1) == labels
    index = np.minimum((confidence * bins).astype(int), bins - 1)
    gaps = [
        abs(correct[index == bin_].mean() - confidence[index == bin_].mean()) * (index == bin_).mean()
        for bin_ in np.unique(index)
    ]
    return float(np.sum(gaps))


def negative_log_likelihood(logits: np.ndarray, labels: np.ndarray, temperature: float) -> float:
    """Mean −log p(label), nats."""
    return float(-np.log(softmax(logits, temperature)[np.arange(len(labels)), labels]).mean())


def fit_temperature(logits: np.ndarray, labels: np.ndarray) -> float:
    """The temperature with the least negative log-likelihood (Guo et al. 2017), by golden section on
    [0.25, 4]; the function has one minimum in 1/T."""
    low, high = 0.25, 4.0
    ratio = (5**0.5 - 1) / 2
    while high - low > 1e-4:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if negative_log_likelihood(logits, labels, left) < negative_log_likelihood(logits, labels, right):
            high = right
        else:
            low = left
    return (low + high) / 2


def report(logits: np.ndarray, labels: np.ndarray, temperature: float) -> dict[str, float]:
    """One row of the published table."""
    return {
        "n": len(labels),
        "top1": top_k(logits, labels, 1),
        "top5": top_k(logits, labels, 5),
        "macro_f1": macro_f1(logits, labels),
        "ece": ece(softmax(logits, temperature), labels),
        "majority_top1": float(np.bincount(labels).max() / len(labels)),
    }
