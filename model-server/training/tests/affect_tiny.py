"""A tiny vocabulary, model and corpus for the affect tests: random, seconds to train, no files needed."""

from __future__ import annotations

import torch
from tokenizers import Tokenizer

from affect.constants import LABELS
from affect.data import Conversation
from affect.model import AffectModel, Shape
from affect.vocabulary import build_tokenizer

LETTERS = "abcdefghijklmnopqrstuvwxyz'.,!?|_<>[]"
WORDS = ["sad", "happy", "dog", "job", "my", "the", "lost", "got", "why", "how", "great", "laughing"]
VOCABULARY = [
    "[PAD]", "[unused0]", "[unused1]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
    *LETTERS, *(f"##{letter}" for letter in LETTERS), *WORDS,
]  # fmt: skip


def tiny_tokenizer() -> Tokenizer:
    return build_tokenizer(VOCABULARY)


def tiny_model(seed: int = 0) -> AffectModel:
    torch.manual_seed(seed)
    shape = Shape(vocabulary=len(VOCABULARY), positions=128, width=32, inner=64, layers=2, attention_heads=4)
    return AffectModel(shape)


def conversation(number: int, label: str = "sad", *, turns: int = 4) -> Conversation:
    """Speaker and listener take turns; the speaker's words tell the label, the listener's never do."""
    word = {"sad": "lost my dog", "joyful": "got the job"}[label]
    texts = tuple(("speaker", word) if index % 2 == 0 else ("listener", "why how") for index in range(turns))
    return Conversation(f"hit:{number}_conv:{number}", LABELS.index(label), word, texts)


def corpus(size: int) -> list[Conversation]:
    return [conversation(number, "sad" if number % 2 else "joyful") for number in range(size)]
