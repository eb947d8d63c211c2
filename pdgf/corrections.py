"""The "no" that answers or corrects and denies nothing after it: "no, from the 2000s", "no actually a comedy". Pure."""

import re

_GOES_ON = (
    r"(?:actually|wait(?=,?\s+(?:actually|make|i|from|not|no)\b)|sorry|rather|instead|but|make (?:it|that)|i|we"
    r"|i['’]\w+|we['’]\w+|let['’]?s|it['’]?s"
    r"|that['’]s|from"
    r"|since|after|before|until|between|something|somewhere|more like|the other way)\b"
)
ANSWERING_NO = re.compile(
    r"(?:^|(?<=[.!?;\n]))\s*(?P<no>(?:(?:oh|ah|well|um+|hmm+)[,\s]+)?(?:no|nope|nah"
    r"|no no)\b(?:,?\s+wait\b(?=,?\s+(?:actually|make|i|from|not|no)\b))?)"
    rf"(?=\s*(?:[,;.!:…–—-]|{_GOES_ON}))",
    re.IGNORECASE,
)


def without_answer(text: str) -> str:
    """The text with the "no" that only answers blanked, character for character."""
    return ANSWERING_NO.sub(lambda found: " " * len(found[0]), text)
