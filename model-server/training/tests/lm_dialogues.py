"""Made dialogues for the tests of lm.synthesise."""

from __future__ import annotations

from lm.synthesise import seeds

PETS = ("cat", "dog", "rabbit", "parrot", "horse", "goldfish", "hamster", "turtle", "ferret", "canary")
SEED = seeds.Seed("sad", "I lost my pet.")


def dialogue(pet: str) -> str:
    return (
        f"Speaker: My {pet} passed away on Monday and the house feels empty.\n"
        f"Listener: Oh no, losing a {pet} hurts. How long did you two have together?\n"
        "Speaker: Eleven years, since I was at school.\n"
        f"Listener: That is most of your life. What do you miss most about your {pet}?"
    )
