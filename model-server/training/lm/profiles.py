"""Which data may train weights under which data profile.

`full` takes every source the recipe reads, and its weights are to be treated as non-commercial. `permissive`
takes only sources whose licence allows commercial use and whose text is not someone else's. Permission is
always explicit: a source that is not in the table is allowed in no profile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Profile = Literal["full", "permissive"]
PROFILES: tuple[Profile, ...] = get_args(Profile)


@dataclass(frozen=True)
class Source:
    """One data source, named as its folder of `--data` (or as the file of this package)."""

    licence: str
    """As its publisher states it; "none stated" is no permission."""
    profiles: frozenset[Profile]
    why: str
    """What decided, where the licence alone does not say it."""


_BOTH: frozenset[Profile] = frozenset(PROFILES)
_FULL: frozenset[Profile] = frozenset({"full"})

SOURCES: dict[str, Source] = {
    "empathetic_dialogues": Source(
        "CC BY-NC 4.0", _FULL, "its repository says BY-NC, ParlAI's later README BY: the narrower one binds"
    ),
    "empathetic_intents": Source("none stated", _FULL, "labels derived from EmpatheticDialogues (CC BY-NC 4.0)"),
    "dailydialog": Source("CC BY-NC-SA 4.0", _FULL, "non-commercial"),
    "esconv": Source("CC BY-NC 4.0", _FULL, "non-commercial; its README: academic research only"),
    "reccon": Source("none stated", _FULL, "derived from DailyDialog (CC BY-NC-SA 4.0)"),
    "epitome": Source("Althoff academic licence", _FULL, "academic research only"),
    "edos": Source("CC BY 4.0", _FULL, "the licence covers the labels; the text is film subtitles (OpenSubtitles)"),
    "synthetic_persona_chat": Source("CC BY 4.0", _BOTH, "attribution: Google Research"),
    "persona": Source("this project's own", _BOTH, "lm/persona.jsonl, written for this project"),
    "synthesised": Source(
        "this project's own", _BOTH,
        "made by lm.synthesise: permissive only with seeds and a generator whose terms allow it",
    ),
    "feedback": Source(
        "the service's own users", _BOTH,
        "lm.feedback: exported with the consent the service asked for; its replayed dialogues have their own source",
    ),
}  # fmt: skip


def allowed(source: str, profile: Profile) -> bool:
    """Whether weights of `profile` may be trained on `source`; False for a source not in the table."""
    return source in SOURCES and profile in SOURCES[source].profiles


def refused(sources: Iterable[str], profile: Profile) -> list[str]:
    """One line per source that `profile` leaves out, in the given order, for a log or an error."""
    return [
        f"{name}: {SOURCES[name].licence} ({SOURCES[name].why})" if name in SOURCES else f"{name}: not in this table"
        for name in sources
        if not allowed(name, profile)
    ]
