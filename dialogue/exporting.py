"""A conversation as a file that a person takes away: Markdown to read, JSON to work with. Pure, made in memory."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dialogue.contract import turn_json
from dialogue.conversation import TITLE_CHARS
from dialogue.models import QuotedSource, TurnView
from pdgf.models import Polarity

HEADING = 200  # characters of a heading that is the beginning of what was said

_NOTE = re.compile(r"#r\d+$")  # a text about an item, where all else is a line of its entry
_SIGNS = re.compile(r"[\\`*_\[\]<>#|~]")
_LIVE = re.compile(r"[\\\[<]")  # the backslash too, or one before a sign would undo what keeps that sign inert


def as_json(views: Sequence[TurnView]) -> str:
    """The turns, each as `pdgf chat --json` prints it, as one JSON list."""
    return json.dumps([turn_json(view) for view in views], ensure_ascii=False, indent=2)


@dataclass(frozen=True, kw_only=True)
class Words:
    """What heads the parts of a file to be read. `kinds` names a wish by whether it is to be avoided and is a must;
    `note` and `entry` say where a quote comes from that has no address."""

    you: str
    sources: str
    wishes: str
    narrows: str
    note: str
    entry: str
    kinds: Mapping[tuple[bool, bool], str]


def as_markdown(title: str, views: Sequence[TurnView], words: Words, *, about: str = "") -> str:
    """What was said, in order, with the quotes that each reply rests on, and the wishes it came to; `about` stands
    below the heading. What people and others have written is shown as written and loads nothing."""
    parts = [f"# {_literal(headed(title, views))}", *([_literal(about)] if about else [])]
    for view in views:
        said = "\n".join(f"> {_literal(line)}" for line in view.utterance.splitlines() or [""])
        parts += [f"**{words.you}:**\n\n{said}", _inert(view.reply)]
        quotes = list(dict.fromkeys(_quotes(view, words)))
        if quotes:
            parts.append("\n".join([f"*{words.sources}:*", "", *(f"- {quote}" for quote in quotes)]))
        parts += [f"*{_literal(note)}*" for note in view.notes]
    wishes = list(_wishes(views, words))
    if wishes:
        parts += [f"## {words.wishes}", "\n".join(f"- {wish}" for wish in wishes)]
    return "\n\n".join(parts) + "\n"


def headed(title: str, views: Sequence[TurnView]) -> str:
    """The title, or all that was said first where the title is that, cut off."""
    first = " ".join(views[0].utterance.split()) if views else ""
    if first[:TITLE_CHARS].strip() != title.strip():
        return title
    return first if len(first) <= HEADING else f"{first[:HEADING].rpartition(' ')[0] or first[:HEADING]} …"


def _wishes(views: Sequence[TurnView], words: Words) -> Iterable[str]:
    """The wishes of the last graph, each with those that it narrows."""
    graph = next((view.graph.graph for view in reversed(views) if view.graph.graph.get("nodes")), {})
    said = {node["id"]: _literal(node["instantiation"]) for node in graph.get("nodes", ())}
    for node in graph.get("nodes", ()):
        kind = words.kinds[node["polarity"] == Polarity.AVOID, bool(node["hard"])]
        bases = [said[edge["base"]] for edge in graph.get("edges", ()) if edge["qualifier"] == node["id"]]
        narrows = f" ({words.narrows}: {', '.join(bases)})" if bases else ""
        yield f"{kind}: {said[node['id']]}{narrows}"


_RESERVED = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9¹²³]", re.IGNORECASE)  # devices of a system, not files


def file_name(title: str) -> str:
    """A name for the file that every system takes, without its ending."""
    name = re.sub(r"[^\w -]+", "", title).strip()[:60].strip()
    return f"conversation {name}".strip() if not name or _RESERVED.fullmatch(name) else name


def _quotes(view: TurnView, words: Words) -> Iterable[str]:
    """Each quote of a turn with what it speaks of and where it stands."""
    for source in view.sources:
        yield _quoted(source, words)
    for item in view.items:
        for evidence in item.get("evidence", ()):
            if not evidence.get("quote"):
                continue
            for source in evidence.get("sources", ())[:1]:
                quote, url = evidence["quote"], source.get("url")
                found = QuotedSource(item=item["id"], title=item["title"], quote=quote, source=source["id"], url=url)
                yield _quoted(found, words)


def _quoted(source: QuotedSource, words: Words) -> str:
    """A quote with its title, and its address or what kind of text it is from: an id of the catalogue says nothing."""
    linked = source.url and source.url.startswith(("https://", "http://"))
    place = _literal(str(source.url)) if linked else words.note if _NOTE.search(source.source) else words.entry
    return f"{_literal(source.title)}: “{_literal(' '.join(source.quote.split()))}” ({place})"


def _literal(text: str) -> str:
    return _SIGNS.sub(lambda sign: f"\\{sign[0]}", text)


def _inert(reply: str) -> str:
    """A reply keeps its own emphasis, headings and tables; no tag, link or image begins in it."""
    return _LIVE.sub(lambda sign: f"\\{sign[0]}", reply)
