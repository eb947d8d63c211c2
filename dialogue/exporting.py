"""A conversation as a file that a person takes away: Markdown to read, JSON to work with. Pure, made in memory."""

import json
import re
from collections.abc import Iterable, Sequence

from dialogue.contract import turn_json
from dialogue.models import QuotedSource, TurnView

_SIGNS = re.compile(r"[\\`*_\[\]<>#|~]")
_LIVE = re.compile(r"[\\\[<]")  # the backslash too, or one before a sign would undo what keeps that sign inert


def as_json(views: Sequence[TurnView]) -> str:
    """The turns, each as `pdgf chat --json` prints it, as one JSON list."""
    return json.dumps([turn_json(view) for view in views], ensure_ascii=False, indent=2)


def as_markdown(title: str, views: Sequence[TurnView], *, you: str, sources: str) -> str:
    """What was said, in order, with the quotes that each reply rests on; `you` and `sources` head the user's words and
    the quotes. What people and others have written is shown as written and loads nothing."""
    parts = [f"# {_literal(title)}"]
    for view in views:
        said = "\n".join(f"> {_literal(line)}" for line in view.utterance.splitlines() or [""])
        parts += [f"**{you}:**\n\n{said}", _inert(view.reply)]
        quotes = list(dict.fromkeys(_quotes(view)))
        if quotes:
            parts.append("\n".join([f"*{sources}:*", "", *(f"- {quote}" for quote in quotes)]))
        parts += [f"*{_literal(note)}*" for note in view.notes]
    return "\n\n".join(parts) + "\n"


_RESERVED = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9¹²³]", re.IGNORECASE)  # devices of a system, not files


def file_name(title: str) -> str:
    """A name for the file that every system takes, without its ending."""
    name = re.sub(r"[^\w -]+", "", title).strip()[:60].strip()
    return f"conversation {name}".strip() if not name or _RESERVED.fullmatch(name) else name


def _quotes(view: TurnView) -> Iterable[str]:
    """Each quote of a turn with what it speaks of and where it stands."""
    for source in view.sources:
        yield _quoted(source)
    for item in view.items:
        for evidence in item.get("evidence", ()):
            if not evidence.get("quote"):
                continue
            for source in evidence.get("sources", ())[:1]:
                quote, url = evidence["quote"], source.get("url")
                yield _quoted(
                    QuotedSource(item=item["id"], title=item["title"], quote=quote, source=source["id"], url=url)
                )


def _quoted(source: QuotedSource) -> str:
    place = f", {source.url}" if source.url and source.url.startswith(("https://", "http://")) else ""
    return f"{_literal(source.title)}: “{_literal(' '.join(source.quote.split()))}” ({_literal(source.source)}{place})"


def _literal(text: str) -> str:
    return _SIGNS.sub(lambda sign: f"\\{sign[0]}", text)


def _inert(reply: str) -> str:
    """A reply keeps its own emphasis, headings and tables; no tag, link or image begins in it."""
    return _LIVE.sub(lambda sign: f"\\{sign[0]}", reply)
