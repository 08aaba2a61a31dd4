"""Trim MiniLM's WordPiece vocabulary before training, so that what is trained is what ships."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from .constants import MARK_TOKENS, MAX_WORD_CHARS, SPECIAL_TOKENS, VOCABULARY_SIZE

PREFIX = "##"


def tokenizer_json(vocabulary: list[str]) -> str:
    """The tokenizer file for a list of WordPiece types (index = id), as Python and JavaScript both read it.

    No added tokens and no post-processor on purpose: a declared `[SEP]` would be found in user text and
    become a control token (case T08). Ids of specials and marks are put in by `inputs.layout`.
    """
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": {
                "type": "BertNormalizer",
                "clean_text": True,
                "handle_chinese_chars": True,
                "strip_accents": True,
                "lowercase": True,
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": None,
            "decoder": {"type": "WordPiece", "prefix": PREFIX, "cleanup": True},
            "model": {
                "type": "WordPiece",
                "unk_token": SPECIAL_TOKENS["unk"],
                "continuing_subword_prefix": PREFIX,
                "max_input_chars_per_word": MAX_WORD_CHARS,
                "vocab": {token: index for index, token in enumerate(vocabulary)},
            },
        },
        ensure_ascii=False,
    )


def read_vocabulary(path: Path) -> list[str]:
    """BERT's `vocab.txt`: one type a line, line number = id."""
    return path.read_text(encoding="utf-8").splitlines()


def build_tokenizer(vocabulary: list[str]) -> Tokenizer:
    return Tokenizer.from_str(tokenizer_json(vocabulary))


def count_types(tokenizer: Tokenizer, texts: Iterable[str]) -> Counter[str]:
    """How often each WordPiece type occurs in already normalised texts."""
    counts: Counter[str] = Counter()
    for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False):
        counts.update(encoding.tokens)
    return counts


def always_kept(token: str) -> bool:
    """Specials, marks, and every single character in both forms: with them a rare word falls back to
    its letters instead of [UNK], and all ASCII symbols and the few pictographs of BERT stay."""
    if token in SPECIAL_TOKENS.values() or token in MARK_TOKENS.values():
        return True
    return len(token.removeprefix(PREFIX)) == 1


def trim(full: list[str], counts: Counter[str], size: int = VOCABULARY_SIZE) -> np.ndarray:
    """Ids of `full` to keep, ascending, int64 [≤ size]: `always_kept` first, then by frequency.

    Ties fall to the lower id (BERT orders its vocabulary by frequency), so the result is stable.
    """
    kept = {index for index, token in enumerate(full) if always_kept(token)}
    ranked = sorted(range(len(full)), key=lambda index: (-counts[full[index]], index))
    for index in ranked:
        if len(kept) >= size:
            break
        if not full[index].startswith("[unused"):
            kept.add(index)
    return np.array(sorted(kept), dtype=np.int64)
