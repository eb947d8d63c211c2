"""Titles that a question names and that were never shown: those the catalogue holds, and those nobody knows. Pure."""

import re
from collections.abc import Iterable, Sequence

from dialogue.models import ItemRef
from pdgf.identity import name_key
from pdgf.models import Candidate, normalised

LONGEST = 9  # words of a title

_LEAD = r"^\W*(?:(?:and|but|so|also|well|ok|okay|hmm+|oh|then|please)\W+)*"
_ABOUT = re.compile(
    rf"{_LEAD}(?:(?:what|how) about|what of|tell me (?:more |something )?(?:about|of)"
    r"|(?:do you )?know(?: of| about)?)\s+(?P<rest>\S.*?)\s*[.!?]*$",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"{_LEAD}(?:(?:how|why|when|where)(?: \w+)? )?(?:is|was|does|did|has|can)\s+(?P<rest>\S.*)$", re.IGNORECASE
)
_RUN = re.compile(
    r"[A-Z0-9][\w'’&.-]*:?(?:\s+(?:(?:of|the|and|in|a|an|to|for|on|at|with|from|&)\s+)*[A-Z0-9][\w'’&-]*:?)*"
    r"(?:\s+\(\d{4}\))?"
)
_POINTS = re.compile(
    r"\b(?:it|its|this|that|they|them|these|those|there|one|ones|first|second|third|fourth|fifth|last)\b", re.IGNORECASE
)

_ALONE = re.compile(rf"(?:the )?{_POINTS.pattern}(?: (?:one|film|movie|book|place|restaurant|anime))?", re.IGNORECASE)


def known(questions: Sequence[str], items: Iterable[Candidate]) -> tuple[ItemRef, ...]:
    """The items of a catalogue whose whole title the questions name, in the order they are named. A title counts where
    it is written with a capital inside the question, or is all that the question asks about; none does where the
    question points at what was shown ("is it sadder than Casablanca?")."""
    refs = {name_key(i.title): ItemRef(id=i.id, title=i.title, year=i.year) for i in items}
    found = (refs.get(name_key(words)) for question in questions for words in _candidates(question))
    return tuple(dict.fromkeys(item for item in found if item is not None))


def unknown(questions: Sequence[str], values: str) -> str | None:
    """A title that a question is about by its capitals, which neither an item nor a value of the metadata bears.

    `values` are the words of all metadata: "what about Italian?" names no title where a kitchen is Italian.
    """
    said = _words(values)
    for question in questions:
        about, is_ = _ABOUT.match(question), _IS.match(question)
        run = None
        if about:
            run = _RUN.fullmatch(about["rest"])
        elif is_ and not _POINTS.search(question):
            run = _RUN.match(is_["rest"])
            run = run if run and len(run[0].split()) > 1 else None
        if run and _words(run[0]) not in said:
            return run[0]
    return None


def asks_of_item(question: str, item: ItemRef) -> bool:
    """Whether the question is about an item as a whole ("what about Alien?", "what about the second one?")."""
    about = _ABOUT.match(question)
    return about is not None and (
        name_key(about["rest"]) == name_key(item.title) or bool(_ALONE.fullmatch(about["rest"]))
    )


def _words(text: str) -> str:
    """The words between single spaces, with one at each end, so that whole words can be looked up."""
    words = " ".join(re.findall(r"[^\W_]+", normalised(text)))
    return f" {words} "


def _candidates(question: str) -> list[str]:
    """The stretches of a question that may be a title, longest first at each place."""
    about = _ABOUT.match(question)
    if about is None and _POINTS.search(question):
        return []
    words = list(re.finditer(r"\S+", question))
    runs = [
        question[words[start].start() : words[end - 1].end()].strip("\"'“”‘’.,;:!?()")
        for start in range(1, len(words))
        if words[start][0].lstrip("\"'“”‘’(")[:1].isupper() or words[start][0][:1].isdigit()
        for end in range(min(len(words), start + LONGEST), start, -1)
    ]
    return [*([re.sub(r"\s*\(\d{4}\)$", "", about["rest"])] if about else []), *runs]
