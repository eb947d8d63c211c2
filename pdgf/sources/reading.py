"""The body of a page -> its title and the lines of its content (METHOD 5.4). Pure, slow and exposed: bytes from
anywhere go through a C parser here, so that it runs in a process of its own (extract.py)."""

from typing import Any

from trafilatura import bare_extraction
from trafilatura.meta import reset_caches
from trafilatura.settings import Document

from pdgf.sources.blocks import EXTRACT, Block, content, parsed, visible_blocks
from pdgf.sources.bot_checks import is_bot_check
from pdgf.sources.charset import decoded
from pdgf.sources.unusable import Unusable
from pdgf.texts import clean, collapsed

MAX_CHARS = 200_000  # of extracted text; a longer page is dropped, not cut
TITLE_CHARS = 300
MANY_BLOCKS = 2_000  # above which the second opinions of the extractor take seconds: one grows with their square

WIDEST = 100  # characters of a line in a text that was wrapped by hand or by a mail program
FULL = 0.7  # of the widest line: a line shorter than that ended where its sentence or title did


def read(body: bytes, *, mime: str, charset: str | None) -> tuple[str, list[Block]]:
    """Title and content of a page. Raises Unusable `no_text`, `bot_check` or `too_long`."""
    text = decoded(body, charset)
    if text is None:
        raise Unusable("no_text", "unreadable")
    title, lines = ("", _paragraphs(text)) if mime == "text/plain" else _of_html(text)
    if not lines:
        raise Unusable("no_text")
    if sum(len(line.text) + 1 for line in lines) - 1 > MAX_CHARS:
        raise Unusable("too_long")
    return title, lines


def forget() -> None:
    """Empty what the extractor remembers of earlier pages."""
    reset_caches()


def _paragraphs(text: str) -> list[Block]:
    """The lines of a plain text; those that were wrapped are joined again."""
    raw = [line.strip() for line in clean(text).split("\n")]
    width = max(map(len, raw))
    full = FULL * width if width <= WIDEST else width + 1
    found: list[str] = []
    goes_on = False
    for line in raw:
        if goes_on and line:
            found[-1] += f" {line}"
        elif line:
            found.append(line)
        goes_on = len(line) >= full
    return [Block("paragraph", collapsed(line)) for line in found]


def _of_html(text: str) -> tuple[str, list[Block]]:
    root = parsed(text)
    if root is None:
        raise Unusable("no_text")
    title = collapsed(clean(root.findtext(".//title") or ""))[:TITLE_CHARS]
    shown = visible_blocks(root)
    if is_bot_check(title, "\n".join(block.text for block in shown), text):
        raise Unusable("bot_check")
    lines = content(shown, _extracted(root, fast=len(shown) > MANY_BLOCKS)) if shown else []
    return title, lines


def _extracted(root: Any, *, fast: bool) -> list[str]:
    """The lines that trafilatura takes for content, comments of readers included: they are evidence too."""
    found = bare_extraction(root, fast=fast, favor_recall=True, include_comments=True, include_tables=True)
    if not isinstance(found, Document):
        return []
    bodies = (found.body, found.commentsbody)
    return [block.text for body in bodies if body is not None for block in visible_blocks(body, EXTRACT)]
