"""The titles that somebody says to have seen, as they type them (METHOD 9.2, 9.6). Pure."""

import re
from collections.abc import Sequence

from dialogue.engines.cues import Act, Part, cue
from dialogue.engines.references import Shown
from dialogue.models import ItemRef
from dialogue.spans import Span

LISTED = re.compile(r"\s*(?:,|;|&|\band\b|\bor\b)\s*", re.IGNORECASE)  # between the titles of a list
_TITLE = re.compile(r"[A-Z0-9][\w'’&:.-]*(?:\s+(?:(?:of|the|and|in|a|an|to|for|on)\s+)*[A-Z0-9][\w'’&:.-]*)*")
_OPENING = re.compile(
    r"^(?:(?:I|I['’]ve|We|We['’]ve|She|He|They|My|Our|Seen|Saw|Read|Watched|Been|Already|Yes|Yeah|And)(?:\s+|$))+"
)


def seen_spans(text: str, parts: Sequence[Part], shown: Shown) -> list[Span]:
    """Where an utterance lists what was seen by its titles in small letters: none of it is wished for."""
    return [
        (part.span[0] + start, part.span[0] + end)
        for part in parts
        if Act.SEEN in part.acts
        for start, end in in_small_letters(text[slice(*part.span)], shown)
    ]


def in_small_letters(words: str, shown: Shown) -> list[Span]:
    """The titles behind "seen" by somebody who types no capitals: such as items have as a whole."""
    told = cue("seen").search(words)
    if told is None or words != words.lower():
        return []
    spans, start = [], told.end()
    stops = [(match.start(), match.end()) for match in LISTED.finditer(words, start)] + [(len(words), len(words))]
    whole = words[start:].strip(" .!,")
    if shown.knows(whole):
        return [(words.index(whole, start), words.index(whole, start) + len(whole))]
    for end, after in stops:
        name = words[start:end].strip(" .!,")
        if shown.knows(name):
            spans.append((words.index(name, start), words.index(name, start) + len(name)))
        start = after
    return spans


def titles(words: str) -> list[ItemRef]:
    """Capitalised runs that may be titles, without the words that only begin the sentence; their items are found
    later, by title."""
    runs = (run[0] for run in _TITLE.finditer(words))
    bare = (_OPENING.sub("", run) for run in runs)
    return [ItemRef(id="", title=run) for run in bare if run]
