"""Diversity: the greedy k-centre selection (Gonzalez 1985; core sets, arXiv 1708.00489) on bags of words."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from .quality import words

WIDTH = 1_024
"""Columns that words are hashed into: 10,000 dialogues take 40 MB."""


def embed(texts: Sequence[str]) -> np.ndarray:
    """tf-idf over hashed words, rows of length one: float32 [texts, WIDTH]. A text without words is a row of zeros."""
    counts = [Counter(words(text)) for text in texts]
    documents = Counter(word for count in counts for word in count)
    matrix = np.zeros((len(texts), WIDTH), dtype=np.float32)
    for row, count in enumerate(counts):
        for word, times in count.items():
            column, sign = _place(word)
            rarity = np.log((1 + len(texts)) / (1 + documents[word])) + 1
            matrix[row, column] += sign * (1 + np.log(times)) * rarity
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(norms > 0, norms, 1)


def _place(word: str) -> tuple[int, int]:
    """Column and sign; the sign keeps two words in one column from always adding up."""
    number = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return number % WIDTH, 1 if number >> 63 else -1


def greedy(points: np.ndarray, count: int) -> list[int]:
    """Numbers of `count` rows, each the one farthest from all before it; the first is nearest to the mean.

    `points` is float32 [n, width]. The greatest distance left is at most twice the least possible. Ties go to the
    smaller number, so the same points give the same selection.
    """
    if count <= 0 or len(points) == 0:
        return []
    first = int(np.argmin(np.linalg.norm(points - points.mean(axis=0), axis=1)))
    chosen = [first]
    distance = np.linalg.norm(points - points[first], axis=1)
    distance[first] = -1.0
    while len(chosen) < min(count, len(points)):
        farthest = int(np.argmax(distance))
        chosen.append(farthest)
        distance = np.minimum(distance, np.linalg.norm(points - points[farthest], axis=1))
        distance[chosen] = -1.0
    return chosen
