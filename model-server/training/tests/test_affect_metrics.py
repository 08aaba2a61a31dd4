"""Measures against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from affect import metrics


def test_top_k_counts_the_k_largest():
    logits = np.array([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    labels = np.array([1, 1])
    assert metrics.top_k(logits, labels, 1) == 0.0
    assert metrics.top_k(logits, labels, 2) == 1.0


def test_macro_f1_gives_every_class_the_same_weight():
    logits = np.eye(2)[[0, 0, 0, 0]]  # always class 0
    labels = np.array([0, 0, 0, 1])
    assert metrics.macro_f1(logits, labels) == pytest.approx((2 * 3 / 7 + 0) / 2)


def test_ece_is_the_gap_between_confidence_and_accuracy():
    probabilities = np.array([[0.9, 0.1]] * 10)
    labels = np.array([0] * 6 + [1] * 4)
    assert metrics.ece(probabilities, labels) == pytest.approx(0.3)


def test_full_confidence_falls_into_the_last_bin():
    assert metrics.ece(np.array([[1.0, 0.0]]), np.array([0])) == 0.0


def test_temperature_is_found_again():
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(20_000, 5)) * 2
    labels = np.array([rng.choice(5, p=row) for row in metrics.softmax(logits)])
    assert metrics.fit_temperature(logits * 1.7, labels) == pytest.approx(1.7, abs=0.08)


def test_softmax_does_not_overflow():
    assert np.isfinite(metrics.softmax(np.array([[1e4, -1e4]]))).all()
