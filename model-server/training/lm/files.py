"""Files that survive a kill: replaced in one step, or appended to line by line."""

from __future__ import annotations

import os
from pathlib import Path


def replace(path: Path, content: bytes) -> None:
    """Write `content` beside `path` and move it there; makes the folder where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_bytes(content)
    os.replace(temporary, path)


def whole_lines(path: Path) -> list[str]:
    """The lines of a file that is appended to, none where there is no file.

    A torn last line is cut off in place, so that appending goes on behind the whole ones. They are never
    written again: a kill in between costs nothing.
    """
    if not path.exists():
        return []
    with path.open("r+b") as stream:
        content = stream.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            stream.truncate(whole)
    # Not splitlines: a text may hold other line separators.
    return content[:whole].decode("utf-8").split("\n")[:-1]
