"""Honest halves of the validation split: *tune* for choices, *report* for figures."""

import hashlib


def half_of(conv_id: str) -> str:
    """Return "tune" or "report" by the parity of the first byte of sha256(conv_id).

    The two conversations of one HIT may fall into different halves, as they do in the
    official split.
    """
    return "tune" if hashlib.sha256(conv_id.encode()).digest()[0] % 2 == 0 else "report"
