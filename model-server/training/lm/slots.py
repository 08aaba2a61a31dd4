"""The slot vocabulary: the four heads of the model are next-token distributions.

The base vocabulary (49,152 tokens) grows by 64 rows. At `<|affect|>` the next-token
distribution is emotion detection, at `<|intent|>` response planning, at `<|judge|>`
(after a reply) response prediction; the reply itself is the language-modelling head
(the three tasks of CAiRE, arXiv 1907.12108). The TypeScript server reads the same
order from the GGUF's token list, so the order below is a file format: append only.
"""

BASE_VOCAB_SIZE = 49_152
ADDED_ROWS = 64

EMOTIONS = (
    "afraid", "angry", "annoyed", "anticipating", "anxious", "apprehensive", "ashamed",
    "caring", "confident", "content", "devastated", "disappointed", "disgusted",
    "embarrassed", "excited", "faithful", "furious", "grateful", "guilty", "hopeful",
    "impressed", "jealous", "joyful", "lonely", "nostalgic", "prepared", "proud", "sad",
    "sentimental", "surprised", "terrified", "trusting",
)
"""The 32 labels of EmpatheticDialogues, in alphabetical order."""

INTENTS = (
    "questioning", "acknowledging", "agreeing", "consoling", "encouraging",
    "sympathizing", "suggesting", "wishing", "neutral",
)
"""The response intents of Welivita & Pu (COLING 2020) plus neutral."""

SLOT_TOKENS = (
    "<|affect|>", "<|intent|>", "<|judge|>",
    *(f"<|emo:{name}|>" for name in EMOTIONS),
    *(f"<|int:{name}|>" for name in INTENTS),
    "<|int:any|>", "<|good|>", "<|bad|>",
)
RESERVED_TOKENS = tuple(f"<|reserved:{i}|>" for i in range(ADDED_ROWS - len(SLOT_TOKENS)))
ADDED_TOKENS = SLOT_TOKENS + RESERVED_TOKENS

TOKEN_ID = {token: BASE_VOCAB_SIZE + i for i, token in enumerate(ADDED_TOKENS)}

AFFECT = TOKEN_ID["<|affect|>"]
INTENT = TOKEN_ID["<|intent|>"]
JUDGE = TOKEN_ID["<|judge|>"]
ANY_INTENT = TOKEN_ID["<|int:any|>"]
GOOD = TOKEN_ID["<|good|>"]
BAD = TOKEN_ID["<|bad|>"]
EMOTION_IDS = tuple(TOKEN_ID[f"<|emo:{name}|>"] for name in EMOTIONS)
INTENT_IDS = tuple(TOKEN_ID[f"<|int:{name}|>"] for name in INTENTS)

IM_START = 1
IM_END = 2

DEFAULT_PERSONA = "You are Attune, an AI companion who listens with empathy."
"""The persona of training and of every headline figure."""
