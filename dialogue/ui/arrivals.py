"""A file that a visitor sends: read once, no more of it than can be taken, and deleted."""

import stat
import time
from contextlib import suppress
from pathlib import Path

from pdgf.errors import UploadGone

MOMENT = 60  # seconds


def read_and_deleted(sent: str | None, limit: int) -> tuple[str, bytes]:
    """The name and the content of a file that was sent, which is deleted; no more is read than can be taken."""
    if not sent:
        raise UploadGone("nothing arrived")
    path = Path(sent)
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
        path.unlink(missing_ok=True)
        _sweep(path.parent.parent)
    except OSError as error:
        raise UploadGone(error.strerror or type(error).__name__) from error
    return path.name, data


def _sweep(folder: Path) -> None:
    """Delete the empty files that Gradio makes for each file it hands over, those of a moment ago excepted."""
    for path in folder.glob("tmp*"):
        with suppress(FileNotFoundError):  # another visit may sweep too
            found = path.stat()
            if stat.S_ISREG(found.st_mode) and found.st_size == 0 and time.time() - found.st_mtime > MOMENT:
                path.unlink()
