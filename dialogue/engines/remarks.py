"""What only says how an item is ("Up was excellent") is a remark, in which no wish is looked for. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from dialogue.engines.cues import Act, Part, states_a_wish
from dialogue.spans import Span

_LEAD = re.compile(
    r"\W*(?:(?:oh|ooh|yes|yeah|well|and|but|so|ok|okay|haha|lol|i (?:think|thought))\W+)*", re.IGNORECASE
)
_IS = re.compile(
    r"\s*(?:\(\d{4}\)\s*)?(?:(?:really|actually|just) )?(?:is|was|were|are|looks?|looked|seems?|seemed)\b"
    r"(?! (?:what|more|the one|exactly|not|too|for|my|our)\b)",
    re.IGNORECASE,
)


def with_remarks(text: str, parts: Sequence[Part], named: Sequence[Span]) -> list[Part]:
    """The parts with those as remarks that open with an item, by a span that names one, and say what it is like."""
    return [
        replace(part, acts=frozenset({Act.REMARK})) if part.acts == {Act.WISH} and _tells(text, part, named) else part
        for part in parts
    ]


def _tells(text: str, part: Part, named: Sequence[Span]) -> bool:
    start, end = part.span
    opening = [span for span in named if start <= span[0] < end and _LEAD.fullmatch(text, start, span[0])]
    said = any(_IS.match(text, span[1], end) for span in opening)
    return said and not states_a_wish(text[start:end])
