"""Words that only soften a wish ("if you can avoid it", "if there is one"): no wish of their own. Pure.

"The romance, if there is any, should be slight" says more: it asks for none, and is read as a whole."""

import re
from functools import lru_cache
from typing import Final

from dialogue.spans import Span
from pdgf.conditionals import IF_ANY

_CORE = (
    r"if (?:you can(?: possibly)? (?:avoid|help) (?:it|that|them)"
    r"|(?:it|that|this) can(?: possibly)? be (?:avoided|helped)"
    r"|at all possible|there(?:['’]s| is| are| has to be| have to be| must be) (?:any|one)(?: at all)?"
    r"|you (?:have|can find) (?:it|one|any)|possible(?=\s*(?:[,;]|(?:and|but)\b)))"
)
_SHALL = r"(?:should|must|can|may|might|has|have|needs?|is|are|would|ought)\b"
_IN_CASE: Final = re.compile(
    rf",?\s*\b{IF_ANY}\s*,?(?=\s+(?:{_SHALL}|kept\b|in\b))"
    r"|\bif there(?:['’]s| is| are| has to be)(?=[^.;!?]*\b(?:it|they) (?:should|must)\b)",
    re.IGNORECASE,
)
_SOFTENER: Final = re.compile(
    rf",\s*(?!if there\b){_CORE}\s*,(?=\s+{_SHALL})"
    rf"|,?\s*\b{_CORE}(?=\s*(?:[,.;!?)]|$|(?:and|but)\b))(?!\s*,\s+{_SHALL})",
    re.IGNORECASE,
)


@lru_cache(maxsize=1_024)  # what was said is told anew in every turn
def spans(text: str) -> tuple[Span, ...]:
    """Where such words stand, with the commas that set them off."""
    return tuple(match.span() for match in _SOFTENER.finditer(text))


def blanked(text: str) -> str:
    """The text with spaces in their places, and in those of what makes a wish depend on something being there."""
    for start, end in [*spans(text), *(match.span() for match in _IN_CASE.finditer(text))]:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
