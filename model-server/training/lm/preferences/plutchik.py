"""The 32 emotions of EmpatheticDialogues on Plutchik's wheel.

Primaries, their opposites and their degrees: R. Plutchik, "The Nature of Emotions", American Scientist 89
(2001), figures 5 and 6. EmPO (arXiv 2406.19071) takes the reply to a dialogue of the opposite emotion as the
rejected one and names one opposite label per label; here every label of the opposite primary is an opposite,
which gives each context a pool of hundreds of replies.
"""

from __future__ import annotations

from .. import slots

OPPOSITE = {
    "joy": "sadness", "sadness": "joy",
    "trust": "disgust", "disgust": "trust",
    "fear": "anger", "anger": "fear",
    "surprise": "anticipation", "anticipation": "surprise",
}  # fmt: skip
"""Primaries that face each other on the wheel."""

PRIMARY = {
    # a degree of the primary, or the primary itself
    "joyful": "joy", "content": "joy", "excited": "joy",
    "trusting": "trust", "impressed": "trust",
    "afraid": "fear", "terrified": "fear", "apprehensive": "fear",
    "surprised": "surprise",
    "sad": "sadness", "devastated": "sadness",
    "disgusted": "disgust",
    "angry": "anger", "furious": "anger", "annoyed": "anger",
    "anticipating": "anticipation",
    # a dyad of the wheel: the component whose opposite contradicts the label plainly
    "proud": "joy",
    "sentimental": "trust", "nostalgic": "trust",
    "anxious": "fear",
    "disappointed": "sadness", "guilty": "sadness",
    "ashamed": "disgust", "embarrassed": "disgust",
    "jealous": "anger",
    "hopeful": "anticipation",
    # not on the wheel: the nearest primary
    "faithful": "trust", "grateful": "trust", "caring": "trust", "confident": "trust",
    "lonely": "sadness",
    "prepared": "anticipation",
}  # fmt: skip
"""Label of EmpatheticDialogues to primary.

Degrees: serenity-joy-ecstasy, acceptance-trust-admiration, apprehension-fear-terror, pensiveness-sadness-grief,
annoyance-anger-rage, interest-anticipation-vigilance. Dyads: pride = anger + joy, sentimentality = trust +
sadness, anxiety = anticipation + fear, disapproval = surprise + sadness, remorse = sadness + disgust,
shame = fear + disgust, envy = sadness + anger, hope = anticipation + trust.
"""


def opposites(emotion: str) -> tuple[str, ...]:
    """The labels of the opposite primary, in the order of slots.EMOTIONS; never empty.

    Raises KeyError for a label that is not one of the 32.
    """
    against = OPPOSITE[PRIMARY[emotion]]
    return tuple(name for name in slots.EMOTIONS if PRIMARY[name] == against)
