"""Taking a model's thinking out of its prose, whole or as it arrives."""

import re

_WORDS = "(?:think|thinking|thought|reasoning)"
_OPENING = rf"<\s?{_WORDS}\s?>|\[THINK\]|◁think▷|<\|channel\|>\s?analysis\s?<\|message\|>"
_CLOSING = rf"</\s?{_WORDS}\s?>|\[/THINK\]|◁/think▷|<\|channel\|>\s?final\s?<\|message\|>"
_OPENING_TAG = re.compile(_OPENING, re.IGNORECASE)
_CLOSING_TAG = re.compile(_CLOSING, re.IGNORECASE)
_TAG = re.compile(rf"(?P<opening>{_OPENING})|(?P<closing>{_CLOSING})", re.IGNORECASE)
_LONGEST = len("<|channel|> analysis <|message|>")
# The beginning of any of these tags at the end of a text.
_TAG_SO_FAR = re.compile(
    r"(?:</?\s?[a-z]{0,9}\s?|\[/?[a-z]{0,5}|◁/?[a-z]{0,5}|<\|[a-z]{0,7}\|?|<\|channel\|>\s?[a-z]{0,8}\s?(?:<\|?[a-z]{0,7}\|?)?)\Z",
    re.IGNORECASE,
)


def without_thinking(text: str) -> str:
    """The reply alone. A closing tag without an opening one ends thinking that began in the prompt; an opening tag
    that is never closed takes the rest with it."""
    seen = ThinkingFilter(unopened=thinks_unopened(text))
    return seen.feed(text) + seen.close()


def thinks_unopened(text: str) -> bool:
    """Whether thinking ends in the text that did not begin in it, as when the server's template opens it."""
    first = _TAG.search(text)
    return first is not None and first.lastgroup == "closing"


class ThinkingFilter:
    """Feeds on pieces of a reply and gives back what is to be shown; a tag may be split over pieces.

    With `unopened` the reply is held back until thinking ends; if it never does, there was none, and `close` gives
    everything. White space before the reply is dropped. `unopened_seen` tells that thinking ended whose beginning
    was not marked, after parts of it had been given back.
    """

    def __init__(self, *, unopened: bool = False) -> None:
        self.unopened_seen = False
        self._held = ""
        self._inside = False
        self._unopened = unopened
        self._begun = False

    def feed(self, piece: str) -> str:
        """What is certain to be reply after this piece; may be empty."""
        self._held += piece
        if self._unopened:
            closing = _CLOSING_TAG.search(self._held)
            if closing is None:
                return ""
            self._held = self._held[closing.end() :]
            self._unopened = False
        shown = ""
        while (tag := (_CLOSING_TAG if self._inside else _TAG).search(self._held)) is not None:
            shown += "" if self._inside else self._held[: tag.start()]
            self._held = self._held[tag.end() :]
            lone = not self._inside and tag.lastgroup == "closing"
            self.unopened_seen |= lone and (self._begun or bool(shown.strip()))
            self._inside = not self._inside and tag.lastgroup == "opening"
        certain = self._certain()
        shown += "" if self._inside else self._held[:certain]
        self._held = self._held[certain:]
        return self._shown(shown)

    def close(self) -> str:
        """What was held back and turned out to be reply, once the reply has ended."""
        rest = "" if self._inside else self._held
        if self._unopened:
            opened = ThinkingFilter()
            rest = opened.feed(rest) + opened.close()
        self._held = ""
        return self._shown(rest)

    def _certain(self) -> int:
        """How many of the characters held cannot belong to a tag that is still arriving."""
        found = _TAG_SO_FAR.search(self._held, max(0, len(self._held) - _LONGEST))
        return found.start() if found else len(self._held)

    def _shown(self, text: str) -> str:
        text = text if self._begun else text.lstrip()
        self._begun = self._begun or bool(text)
        return text
