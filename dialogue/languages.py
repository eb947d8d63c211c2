"""Which language a turn is answered in: that of the user's words, and the last one where there are none. Pure.

The name of an item, a number, a sign or a bare "ok" is nobody's language.
"""

import re
from collections.abc import Iterable

from dialogue.wording import CHINESE, ENGLISH
from pdgf.glossary import has_han, language_of
from pdgf.identity import name_key

_QUOTED = re.compile(r"《[^》\n]{1,80}》|〈[^〉\n]{1,80}〉|[「『“\"][^」』”\"\n]{1,80}[」』”\"]")
_SAYS_NOTHING = re.compile(r"(?:(?:ok(?:ay)?|no|yes|hm+|oh|ah|wow|lol|haha|pass|bye)\b|[\W\d_])+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NO_NAME = re.compile(
    r"(?:more|hi|hello|hey|thanks?|help|stop|undo|next|great|perfect|please|none|both|neither|sure|no)", re.I
)
LONGEST_NAME = 6  # words in capitals that may be a name and no sentence


def language_of_turn(utterance: str, before: str, names: Iterable[str] = ()) -> str:
    """The language to answer an utterance in; `before` is that of the conversation so far, `names` are titles that the
    utterance may consist of. A language that this dialogue does not speak leaves things as they are."""
    text = _QUOTED.sub(" ", utterance)
    for name in sorted(names, key=len, reverse=True):
        if name and name in text:
            text = text.replace(name, " ")
    if _SAYS_NOTHING.fullmatch(text) or not _WORD.search(text):
        return before
    if not has_han(text) and (before == CHINESE and _is_a_name(text)):
        return before
    found = language_of(text)
    if found == ENGLISH and has_han(text) and before == CHINESE and len(_WORD.findall(text)) <= LONGEST_NAME:
        return before
    return found if found in (ENGLISH, CHINESE) else before


def _is_a_name(text: str) -> bool:
    """Whether words are all written as names are."""
    words = _WORD.findall(text)
    if len(words) > LONGEST_NAME or re.search(r"[.!?]\s*$", text.strip()):
        return False
    return all(word[0].isupper() for word in words if len(word) > 3) and not any(map(_NO_NAME.fullmatch, words))


def is_title(text: str, titles: Iterable[str]) -> bool:
    """Whether a text is nothing but the title of something."""
    key = name_key(text)
    return bool(key) and any(name_key(title) == key for title in titles)
