"""What the readers of files say is amiss, in the words of the page: data under [file_words] of the texts, by what the
readers say. Pure."""

import re
from functools import cache

from dialogue.ui.texts import Texts

_FIELD = re.compile(r"\\\{(\w+)\\\}")
WHY = "why"  # a field that holds further words of a reader


def in_words(said: str, texts: Texts) -> str:
    """What a reader says, or several such things, in the words of the page; what it has no words for stays as it is."""
    for reader, words in texts["file_words"].items():
        if found := _pattern(reader).fullmatch(said):
            fields = {name: in_words(text, texts) if name == WHY else text for name, text in found.groupdict().items()}
            return str(words.format(**fields))
    first, several, others = said.partition("; ")
    return f"{in_words(first, texts)}; {in_words(others, texts)}" if several else said


@cache
def _pattern(reader: str) -> re.Pattern[str]:
    """What the reader says with a group for each field ("line {line}: {why}")."""
    return re.compile(_FIELD.sub(r"(?P<\1>.+?)", re.escape(reader)))
