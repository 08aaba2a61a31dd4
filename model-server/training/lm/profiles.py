"""Which data may train weights under which data profile.

`full` takes every source that may train weights at all, and they are to be treated as non-commercial. `permissive`
takes only sources whose licence allows commercial use and whose text is not someone else's. Permission is
always explicit: a source that is not in the table is allowed in no profile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Profile = Literal["full", "permissive"]
PROFILES: tuple[Profile, ...] = get_args(Profile)


@dataclass(frozen=True)
class Source:
    """One data source, named as its folder of `--data` (or as the file of this package)."""

    credit: str
    """Its name and authors, as an attribution states them."""
    licence: str
    """As its publisher states it; "none stated" is no permission."""
    profiles: frozenset[Profile]
    why: str
    """What decided, where the licence alone does not say it."""


_BOTH: frozenset[Profile] = frozenset(PROFILES)
_FULL: frozenset[Profile] = frozenset({"full"})
_NONE: frozenset[Profile] = frozenset()

SOURCES: dict[str, Source] = {
    "empathetic_dialogues": Source(
        "EmpatheticDialogues (Rashkin et al. 2019)", "CC BY-NC 4.0", _FULL,
        "its repository says BY-NC, ParlAI's README BY since 2021-12-21: the narrower one binds",
    ),
    "empathetic_intents": Source(
        "EmpatheticIntents (Welivita & Pu 2020)", "none stated", _FULL,
        "labels derived from EmpatheticDialogues (CC BY-NC 4.0)",
    ),
    "dailydialog": Source("DailyDialog (Li et al. 2017)", "CC BY-NC-SA 4.0", _FULL, "non-commercial, share alike"),
    "esconv": Source(
        "ESConv (Liu et al. 2021)", "CC BY-NC 4.0", _FULL, "non-commercial; its README: academic research only"
    ),
    "reccon": Source(
        "RECCON (Poria et al. 2021)", "none stated", _FULL, "derived from DailyDialog (CC BY-NC-SA 4.0)"
    ),
    "epitome": Source(
        "EPITOME (Sharma et al. 2020)", "Althoff academic licence", _NONE,
        "academic research only, Reddit posts: evaluation only",
    ),
    "edos": Source(
        "EDOS (Welivita, Xie & Pu 2021)", "CC BY 4.0", _FULL,
        "the licence covers the labels; the text is film subtitles (OpenSubtitles)",
    ),
    "synthetic_persona_chat": Source(
        "Synthetic-Persona-Chat (Google Research 2023)", "CC BY 4.0", _BOTH, "attribution required"
    ),
    "persona": Source("persona dialogues", "this project's own", _BOTH, "lm/persona.jsonl, Apache-2.0 as the code"),
    "synthesised": Source(
        "synthesised dialogues", "this project's own", _BOTH,
        "made by lm.synthesise: permissive only with seeds and a generator whose terms allow it",
    ),
    "feedback": Source(
        "user feedback", "the service's own users", _BOTH,
        "lm.feedback: exported with the consent the service asked for; its replayed dialogues have their own source",
    ),
}  # fmt: skip

FIRST_SOURCES = ("empathetic_dialogues", "empathetic_intents", "persona")
"""What checkpoints and exports that do not name their sources were trained on."""


def sources_of(progress: Mapping[str, object]) -> list[str]:
    """The sources that a checkpoint's `progress` names, FIRST_SOURCES where it names none."""
    named = progress.get("sources")
    return [str(name) for name in named] if isinstance(named, (list, tuple)) and named else list(FIRST_SOURCES)


def weights_licence(sources: Collection[str]) -> str:
    """SPDX identifier (lower case, as GGUF has it) of weights trained on `sources`: the narrowest of theirs.

    Without sources the base model's own. Raises ValueError for a source that may train no weights.
    """
    forbidden = refused(sources, "full")
    if forbidden:
        raise ValueError(f"no weights may be trained on {'; '.join(forbidden)}")
    licences = {SOURCES[name].licence for name in sources}
    if "CC BY-NC-SA 4.0" in licences:
        return "cc-by-nc-sa-4.0"
    if refused(sources, "permissive"):
        return "cc-by-nc-4.0"
    return "cc-by-4.0" if "CC BY 4.0" in licences else "apache-2.0"


def weights_note(sources: Collection[str]) -> str:
    """What the weights learned from, each source with its licence and what that asks for: one paragraph."""
    named = [f"{s.credit}: {s.licence} ({s.why})" for s in (SOURCES[name] for name in sorted(sources))]
    learned = f", fine-tuned on {'; '.join(named)}" if named else ", not fine-tuned"
    use = " Treat as non-commercial." if refused(sources, "permissive") else ""
    return f"Weights: base SmolLM2-135M-Instruct (Apache-2.0){learned}.{use}"


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
