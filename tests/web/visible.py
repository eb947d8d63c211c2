"""What a reader sees of a page: its lines, apart from what stands around every page of a site."""

import re
from html.parser import HTMLParser
from typing import NamedTuple

_UNSEEN = frozenset({"head", "script", "style", "noscript", "template"})
_AROUND_TAGS = frozenset({"nav", "header", "footer", "aside"})
_AROUND_CLASSES = frozenset({"cookie-banner", "ad-slot", "sidebar", "related", "site-header", "byline", "post-head"})
_VOID = frozenset({"br", "img", "hr", "meta", "link", "input", "wbr", "area", "base", "col", "embed", "source"})
_BLOCK = frozenset(
    {"p", "div", "li", "ul", "ol", "td", "th", "tr", "table", "h1", "h2", "h3", "h4", "blockquote", "br", "article"}
    | {"section", "main", "center", "body", "form", "dt", "dd", *_AROUND_TAGS}
)
_INVISIBLE_STYLE = re.compile(r"display:\s*none|font-size:\s*0|visibility:\s*hidden")


class Visible(NamedTuple):
    """The title, the lines of the text (one a block or table cell, white space collapsed) and those around it."""

    title: str
    lines: tuple[str, ...]
    around: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def visible(text: str, mime: str = "text/html") -> Visible:
    """The visible text of a decoded page; each line of plain text is a line."""
    if mime.startswith("text/plain"):
        return Visible("", tuple(line for raw in text.splitlines() if (line := " ".join(raw.split()))), ())
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.flush()
    return Visible(reader.title, tuple(reader.lines), tuple(reader.around))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.lines: list[str] = []
        self.around: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []  # tag, unseen, around
        self._line = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCK:
            self.flush()
            self._end_at_block()
        if tag in _VOID:
            return
        _, unseen, around = self._open[-1] if self._open else ("", False, False)
        given = dict(attrs)
        classes = set((given.get("class") or "").split())
        hidden = "hidden" in given or _INVISIBLE_STYLE.search(given.get("style") or "") is not None
        self._open.append(
            (tag, unseen or hidden or tag in _UNSEEN, around or tag in _AROUND_TAGS or bool(classes & _AROUND_CLASSES))
        )

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCK:
            self.flush()
        places = [place for place, (name, _, _) in enumerate(self._open) if name == tag]
        if places:
            del self._open[places[-1] :]

    def handle_data(self, data: str) -> None:
        tag, unseen, _ = self._open[-1] if self._open else ("", False, False)
        if tag == "title":
            self.title += " ".join(data.split())
        elif not unseen:
            self._line += data

    def _end_at_block(self) -> None:
        """A head and a paragraph end where the next block begins, whether or not they were closed."""
        names = [name for name, _, _ in self._open]
        if "head" in names and "template" not in names:
            del self._open[names.index("head") :]
        elif names and names[-1] == "p":
            self._open.pop()

    def flush(self) -> None:
        line = " ".join(self._line.split())
        self._line = ""
        if line:
            (self.around if self._open and self._open[-1][2] else self.lines).append(line)
