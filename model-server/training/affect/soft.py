"""The teacher's logits of the training examples, as `affect.teacher label` wrote them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .constants import LABELS
from .data import Example


class SoftLabels:
    """Logits by (conversation, end); end 0 is the situation."""

    def __init__(self, path: Path) -> None:
        content = np.load(path)
        self.rows = np.concatenate([content["history"], content["situation"]]).astype(np.float32)
        places = zip(content["conversation"].tolist(), content["end"].tolist(), strict=True)
        self.index = {place: row for row, place in enumerate(places)}
        first = len(content["history"])
        self.index |= {(conversation, 0): first + conversation for conversation in range(len(content["situation"]))}

    def of(self, examples: Sequence[Example]) -> np.ndarray:
        """float32 [n, 32]; NaN rows where the teacher was not asked."""
        found = np.full((len(examples), len(LABELS)), np.nan, dtype=np.float32)
        for row, example in enumerate(examples):
            place = self.index.get((example.conversation, example.end))
            if place is not None:
                found[row] = self.rows[place]
        return found
