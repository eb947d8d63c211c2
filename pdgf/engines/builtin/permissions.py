"""What a narrative permits rather than wishes for: "French is fine too", "I don't mind subtitles" (METHOD 4.6).

A permission makes no node. It widens a wish of the same perspective that stands, where both cannot hold together
("Italian", then "French is fine") or where the words put one beside the other ("too", "as well", "would also work").
"""

import re
from dataclasses import dataclass

Span = tuple[int, int]

EXCLUSIVE = frozenset({"location", "cuisine", "country", "language"})  # perspectives of which an item has one

_DEGREE = (
    r"(?:a (?:bit|little|touch|lot) of |a (?:bit|little) |some |any |the |all |even |maybe |perhaps |having |reading )*"
)
_WHAT = r"(?P<what>[\w'’&/-]+(?:\s+[\w'’&/-]+){0,5}?)"
_REST = r"(?P<what>[\w'’-]+(?:\s+(?!(?:too|also|as|either|but|though|if|and|in|for)\b)[\w'’-]+){0,4})"
_OPENS = (
    r"(?:^|(?<=[.,;:!?\n(])|(?<=\bbut\b)|(?<=\band\b)|(?<=\bthough\b))\s*"
    r"(?:(?:actually|now|also|and|but|or|though|well|ok|okay|yes|oh)\b[,\s]+)*"
)
_FINE = (
    r"(?:fine|ok|okay|alright|all right|no problem|not a problem|no issue|not an issue|acceptable|allowed|tolerable)"
    r"(?!\s+(?:dining|arts?|wines?)\b)"
)
_SURE = r"(?:actually |also |totally |perfectly |quite |absolutely |just |all |probably )*"
_ALSO = r"(?P<also>\s+(?:too|also|as well|either|instead|just as well|equally))?"
_PATTERNS = (
    rf"{_OPENS}{_DEGREE}{_WHAT}\s+(?:is|are|['’]s|would be|will be|can be)\s+{_SURE}{_FINE}"
    rf"(?:\s+(?:with|by|for) (?:me|us|him|her|them|everyone))?{_ALSO}",
    rf"{_OPENS}{_DEGREE}(?P<what>[\w'’&/-]+(?:\s+[\w'’&/-]+){{0,2}}?)\s+{_SURE}{_FINE}"
    rf"(?:\s+(?:with|by|for) (?:me|us))?{_ALSO}\s*(?=$|[.,;!?)])",
    rf"{_OPENS}{_DEGREE}{_WHAT}\s+(?P<also>(?:(?:would |could |might |will )?also works?"
    r"|(?:would |could |might |will )?works?(?: just)? (?:too|as well)|(?:would|could|will) (?:also )?(?:do|work)"
    r"|(?:would|could) (?:be|do) (?:too|as well)))\b",
    rf"\b(?:(?:do|does)(?:n['’]?t| not)|no longer) (?:really |actually |even )?mind "
    rf"(?:if (?:it|there)(?:['’]s| is| has)\s+)?{_DEGREE}(?!(?:it|that|if|about)\b){_REST}{_ALSO}",
    rf"\b(?:i|we)(?:['’]m| am|['’]re| are) (?:also |actually |totally |perfectly )*(?:ok|okay|fine|happy|cool"
    rf"|comfortable|alright|open) (?:with|to)\s+(?!it\b|that\b|anything\b){_DEGREE}{_REST}{_ALSO}",
    rf"\b(?:it|they|there|this|that) (?:can|may) (?:also )?(?:have|contain|include|be)\s+{_DEGREE}{_REST}{_ALSO}",
    rf"\b(?:i|we) can (?:also )?(?:live with|handle|tolerate|stand|take)\s+{_DEGREE}{_REST}{_ALSO}",
    rf"\b(?:can|could|may|might) (?:also )?be\s+{_DEGREE}{_REST}(?P<also>\s+(?:too|as well))",
    rf"\b(?:no (?:problem|objections?|issues?) (?:with|to)|nothing against)\s+{_DEGREE}{_REST}{_ALSO}",
    rf"{_OPENS}{_DEGREE}{_WHAT}\s+(?:(?:does|do|would|will|wo|wouldn)(?:n['’]?t| not|['’]t)) (?:bother|hurt|scare|put)"
    rf"(?:\s+(?:me|us))?{_ALSO}",
)
_PERMITS = tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in _PATTERNS)
_NO_THING = re.compile(
    r"\b(?:which|that|where|who|when|if|because|must|should|want|wants|need|needs|like|likes|somewhere|something|place|please|that['’]s|sounds?|looks?"
    r"|everything|anything|it|this|there|not|no|n['’]t)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Permission:
    """What is permitted, where it stands, and whether the words put it beside what was asked for."""

    span: Span
    beside: bool


def permissions(text: str) -> tuple[Permission, ...]:
    """The things that a text says it permits, in order, without overlap."""
    found: list[Permission] = []
    for pattern in _PERMITS:
        for match in pattern.finditer(text):
            span = match.span("what")
            if _NO_THING.search(match["what"]) or any(span[0] < p.span[1] and p.span[0] < span[1] for p in found):
                continue
            found.append(Permission(span=span, beside=bool(match["also"]) or bool(re.search(r"\balso\b", match[0]))))
    return tuple(sorted(found, key=lambda permission: permission.span))


def permits(permission: Permission, perspective: str) -> bool:
    """Whether a permission widens a standing wish of a perspective."""
    return permission.beside or perspective in EXCLUSIVE
