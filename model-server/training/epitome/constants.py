"""Every number of the EPITOME judge, with its reason."""

from __future__ import annotations

#: Short name of each mechanism → file of the data set, in the order of the graph's columns.
MECHANISMS = {
    "er": "emotional-reactions-reddit.csv",
    "ip": "interpretations-reddit.csv",
    "ex": "explorations-reddit.csv",
}

#: 0 none, 1 weak, 2 strong.
LEVELS = 3

#: Layers of all-MiniLM-L6-v2 that are kept: first, middle, last. Six would double file and time.
LAYERS = (0, 2, 5)

#: WordPiece types; 4 MB of the file. Counted over EPITOME's training part and EmpatheticDialogues.
VOCABULARY_SIZE = 10_000

#: Tokens of a seeker's and of a response's text: the authors read 64 of each, with two specials.
SEEKER_TOKENS = 62
RESPONSE_TOKENS = 62
#: [CLS] mark seeker mark response [SEP]
MAX_TOKENS = SEEKER_TOKENS + RESPONSE_TOKENS + 4

#: Version of the files in eval/judge/model. A reader refuses a number that it does not know.
FORMAT_VERSION = 1

#: Inputs int64 [batch, tokens]; `response_mask` is 1 from the response's mark to its last token.
INPUTS = ("input_ids", "attention_mask", "response_mask")
#: float32 [batch, 3 · 3]: levels of er, then ip, then ex.
OUTPUT = "level_logits"

#: Of 100 seekers, by the first four bytes of sha256(seeker id).
TRAIN_BELOW, VALID_BELOW = 70, 85
