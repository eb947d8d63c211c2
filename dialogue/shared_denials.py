"""Unwanted things that share the words which deny them ("no violence or gore", 不要暴力和血腥): which of them lose
their denial when the first one goes. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from dialogue.spans import Span
from dialogue.wish_words import denied

_JOINT: Final = re.compile(
    r"[\s,，、]*(?:(?:and|or|nor|as well as)\b|和|或者?|与|及|以及|跟|还有|也)?\s*"
    r"(?:(?:too|any|an?|the|much|overly)\b|太)?\s*",
    re.IGNORECASE,
)


def bereft(text: str, gone: Span, unwanted: Sequence[Span]) -> tuple[Span, ...]:
    """Which of the spans of `unwanted` things the words that go have denied too: those that follow them in one breath
    and do not deny themselves."""
    if not denied(text[slice(*gone)]):
        return ()
    found: list[Span] = []
    end = gone[1]
    for span in sorted(unwanted):
        if span[0] < end:
            continue
        joint = text[end : span[0]]
        if not joint.strip() or not _JOINT.fullmatch(joint) or denied(text[slice(*span)].lstrip()):
            break
        found.append(span)
        end = span[1]
    return tuple(found)
