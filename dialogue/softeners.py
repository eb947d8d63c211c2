"""Words that only soften a wish ("if you can avoid it", "if there is any"): no wish of their own. Pure."""

import re
from typing import Final

from dialogue.spans import Span

_CORE = (
    r"if (?:you can(?: possibly)? (?:avoid|help) (?:it|that|them)"
    r"|(?:it|that|this) can(?: possibly)? be (?:avoided|helped)"
    r"|at all possible|there(?:['’]s| is| are| has to be| have to be| must be) (?:any|one)(?: at all)?"
    r"|you (?:have|can find) (?:it|one|any)|possible(?=\s*(?:[,;]|(?:and|but)\b)))"
)
_SOFTENER: Final = re.compile(
    rf",\s*{_CORE}\s*,(?=\s+(?:should|must|can|may|might|has|have|needs?|is|are|would|ought)\b)"
    rf"|,?\s*\b{_CORE}(?=\s*(?:[,.;!?)]|$|(?:and|but)\b))",
    re.IGNORECASE,
)


def spans(text: str) -> list[Span]:
    """Where such words stand, with the commas that set them off."""
    return [match.span() for match in _SOFTENER.finditer(text)]


def blanked(text: str) -> str:
    """The text with spaces in their places."""
    for start, end in spans(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text
