"""Titles that a question names and that were never shown: those the catalogue holds, and those nobody knows. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence

from rapidfuzz import fuzz

from dialogue.models import ItemRef
from pdgf.identity import name_key
from pdgf.models import Candidate, normalised

LONGEST = 9  # words of a title
SLIP_RATIO, SLIP_LETTERS = 86.0, 5  # of 100: about one slip in seven letters; shorter names are too easily another

_YEAR = re.compile(
    r"\s*(?:,?\s*(?:from|of|the one from|made in)\s+|,\s*)?\(?\b(?P<year>(?:1[89]|20)\d\d)\)?\s*(?:version|one|film)?$"
)
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)

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

_QUOTED = re.compile(r"《(?P<title>[^》\n]{1,80})》")  # a title in the marks of Chinese
_ALONE = re.compile(rf"(?:the )?{_POINTS.pattern}(?: (?:one|film|movie|book|place|restaurant|anime))?", re.IGNORECASE)


def known(questions: Sequence[str], items: Iterable[Candidate]) -> tuple[ItemRef, ...]:
    """The items of a catalogue whose whole title the questions name, in the order they are named. A title counts where
    it is written with a capital inside the question, or is all that the question asks about; none does where the
    question points at what was shown ("is it sadder than Casablanca?")."""
    refs: dict[str, list[ItemRef]] = {}
    for item in items:
        ref = ItemRef(id=item.id, title=item.title, year=item.year)
        for title in titles_of(item):
            refs.setdefault(name_key(title), []).append(ref)
    found = (
        ref
        for question in questions
        for words in _candidates(question)
        for ref in _of_year(refs.get(name_key(words), ()), question)
    )
    return tuple(dict.fromkeys(found))


def find(words: str, items: Iterable[Candidate]) -> tuple[ItemRef, ...]:
    """The items that words name as a whole: by a title, another title, the beginning of a long one, or one with a slip;
    of namesakes those of the year that is named, none where no namesake is of it."""
    year = _YEAR.search(words)
    bare = (words[: year.start()] if year else words).strip(" ,\"'“”‘’")
    key = name_key(bare)
    pool = [(ItemRef(id=i.id, title=i.title, year=i.year), titles_of(i)) for i in items]
    exact = [ref for ref, titles in pool if any(name_key(title) == key for title in titles)]
    if not exact and len(key) >= SLIP_LETTERS:
        begun = re.compile(rf"(?:the |an? )?{re.escape(normalised(_ARTICLE.sub('', bare)))}(?!\w)")
        exact = [ref for ref, titles in pool if any(begun.match(normalised(title)) for title in titles)]
    if not exact and len(key) >= SLIP_LETTERS:
        rated = [(max(fuzz.ratio(key, name_key(title)) for title in titles), ref) for ref, titles in pool]
        best = max((score for score, _ in rated), default=0.0)
        exact = [ref for score, ref in rated if score == best >= SLIP_RATIO]
    return tuple(ref for ref in exact if year is None or ref.year in (None, int(year["year"])))


def nearly(words: str, item: Candidate) -> bool:
    """Whether words name an item only by a slip: by none of its titles, nor by the beginning of one."""
    year = _YEAR.search(words)
    bare = (words[: year.start()] if year else words).strip(" ,\"'“”‘’《》")
    begun = re.compile(rf"(?:the |an? )?{re.escape(normalised(_ARTICLE.sub('', bare)))}(?!\w)")
    return bool(bare) and not any(
        name_key(title) == name_key(bare) or begun.match(normalised(title)) for title in titles_of(item)
    )


def titles_of(item: Candidate) -> tuple[str, ...]:
    """All names of an item."""
    others = item.metadata.get("other_titles")
    return (item.title, *(str(title) for title in others)) if isinstance(others, list) else (item.title,)


def _of_year(refs: Sequence[ItemRef], question: str) -> Sequence[ItemRef]:
    """Of namesakes those whose year the question names, where it names any of theirs."""
    years = {int(year) for year in re.findall(r"\b(?:1[89]|20)\d\d\b", question)}
    return [ref for ref in refs if ref.year in years] or refs


def unknown(questions: Sequence[str], values: Callable[[], str]) -> str | None:
    """A title that a question is about by its capitals, which neither an item nor a value of the metadata bears.

    `values` gives the words of all metadata (`words_of`): "what about Italian?" names no title where a kitchen is
    Italian. It is called only where a question has such capitals.
    """
    for question in questions:
        if quoted := _QUOTED.search(question):
            return quoted["title"]
        about, is_ = _ABOUT.match(question), _IS.match(question)
        run = None
        if about:
            run = _RUN.fullmatch(about["rest"])
        elif is_ and not _POINTS.search(question):
            run = _RUN.match(is_["rest"])
            run = run if run and len(run[0].split()) > 1 else None
        if run and words_of(run[0]) not in values():
            return run[0]
    return None


def asks_of_item(question: str, item: ItemRef) -> bool:
    """Whether the question is about an item as a whole ("what about Alien?", "what about the second one?")."""
    about = _ABOUT.match(question)
    return about is not None and (
        name_key(about["rest"]) == name_key(item.title) or bool(_ALONE.fullmatch(about["rest"]))
    )


def words_of(text: str) -> str:
    """The words of a text, signs left out, between single spaces, with one at each end."""
    words = " ".join(re.findall(r"[^\W_]+", normalised(text)))
    return f" {words} "


def _candidates(question: str) -> list[str]:
    """The stretches of a question that may be a title, longest first at each place."""
    about = _ABOUT.match(question)
    if quoted := [match["title"] for match in _QUOTED.finditer(question)]:
        return quoted
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
