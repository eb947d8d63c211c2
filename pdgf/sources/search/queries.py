"""Queries made fit to be sent. Pure."""

import re
import unicodedata

_DANGLING = re.compile(r"(?:\s+(?:OR|AND|[-|(]+))+$")
_LANGUAGE = re.compile(r"[a-z]{2,3}")


def cleaned(query: str) -> str:
    """The query on one line; "" for one without a letter or digit, which is never sent."""
    readable = "".join(" " if unicodedata.category(character) in ("Cc", "Cs") else character for character in query)
    text = " ".join(readable.split())
    return text if any(character.isalnum() for character in text) else ""


def cut_query(query: str, limit: int) -> str:
    """At most `limit` characters, cut between words where there are some; no half phrase or operator stays behind."""
    if len(query) <= limit:
        return query
    head = query[: limit + 1].rpartition(" ")[0] or query[:limit]
    if head.count('"') % 2:
        before, _, after = head.rpartition('"')
        head = before + after
    return _DANGLING.sub("", head).strip() or query[:limit]


def primary_language(language: str) -> str:
    """The ISO 639 code of a language tag in small letters, English for what is none."""
    code = re.split(r"[-_]", language.strip().lower())[0]
    return code if _LANGUAGE.fullmatch(code) else "en"
