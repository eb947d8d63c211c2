"""Items by what is known of them: "the Italian one", "the Pratchett", "the one with the terrace" (METHOD 9.6). Pure.

All words of the description must be borne out by one item's title, year or metadata; what fits several of them stays
open.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dialogue import cue_words, facts
from dialogue.domain import Domain
from dialogue.models import ItemRef
from dialogue.spans import Span
from pdgf.models import Metadata, normalised

STEM, STEM_OF_NAME = 5, 4  # letters that two words of one stem share: "animated", "animation"; "Japanese", "Japan"
STEM_REST = 5  # letters that may differ after them

_THING = r"(?:one|option|place|pick|choice|film|movie|book|novel|show|series|anime|restaurant|spot|cafe)"
_ENDS = (
    r"(?=\s*(?:$|[,.;:!?)]|(?:is|was|looks?|sounds?|seems?|please|then|instead|for (?:me|us)|and|but|has|have|does"
    r"|again"
    r"|from (?:before|earlier)|you (?:just )?(?:showed|recommended|suggested|mentioned|gave))\b))"
)
_DESCRIBED = re.compile(
    rf"\b(?:the|that)\s+(?P<adjective>(?:[\w'’-]+\s+){{1,3}}?){_THING}\b(?!\s+(?:with|about|that has)\b)"
    rf"|\bthe\s+{_THING}\s+(?:(?:with|in|from|by|about|of|set in|that (?:has|is|was|serves)|which (?:is|has)|made by"
    rf"|directed by|written by|starring|where)\s+)(?:the |a |an "
    rf"|some )?(?P<phrase>[\w'’&-]+(?:\s+[\w'’&-]+){{0,3}}?){_ENDS}"
    rf"|\bthe\s+(?P<name>(?-i:[A-Z])[\w'’-]+(?:\s+(?-i:[A-Z])[\w'’-]+)?){_ENDS}",
    re.IGNORECASE,
)
_NO_DESCRIPTION = frozenset(
    re.findall(
        r"\w+",
        "first second third fourth fifth sixth seventh eighth ninth tenth 1st 2nd 3rd last final other others same next"
        " right wrong only new another whole best better worst two three both previous former latter",
    )
)
_SMALL = frozenset(re.findall(r"\w+", "the a an of and or in on with by from is was it its that this some set made"))
_ABSENT = re.compile(r"(?:no|none|not)\b", re.IGNORECASE)  # "no parking nearby" bears out no parking
_BACK = re.compile(
    r"\s+(?:from (?:before|earlier)|you (?:showed|recommended|suggested|mentioned|gave))\b", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class Described:
    """A description, where it stands, and the items that bear it out. `certain` says that its words can be nothing but
    a description of an item, so that it points at nothing where no item bears it out."""

    span: Span
    items: tuple[ItemRef, ...]
    certain: bool


def described(text: str, items: Sequence[ItemRef], known: Mapping[str, Metadata], domain: Domain) -> Described | None:
    """The first description of an item in the text; None where there is none."""
    for match in _DESCRIBED.finditer(text):
        words = match["adjective"] or match["phrase"] or match["name"]
        content = [word for word in re.findall(r"[\w'’-]+", words) if word.casefold() not in _SMALL]
        if not content or any(word.casefold() in _NO_DESCRIPTION for word in content):
            continue
        fitting = tuple(i for i in items if _fits(words, content, i, known.get(i.id, {}), domain))
        certain = match["name"] is None and re.search(r"\bone\b", match[0], re.IGNORECASE) is not None
        if fitting or certain or (match["adjective"] and _BACK.match(text, match.end())):
            return Described(span=match.span(), items=fitting, certain=certain)
    return None


def fits(phrase: str, item: ItemRef, metadata: Metadata, domain: Domain) -> bool:
    """Whether an item's title, year or metadata bear out all words of a description."""
    content = [word for word in re.findall(r"[\w'’-]+", phrase) if word.casefold() not in _SMALL]
    return bool(content) and _fits(phrase, content, item, metadata, domain)


def _fits(phrase: str, content: Sequence[str], item: ItemRef, metadata: Metadata, domain: Domain) -> bool:
    values = [str(item.year), item.title]
    for key, value in metadata.items():
        values += map(str, value) if isinstance(value, list) else [str(value)] if isinstance(value, str) else []
        values += [key] if value is True else []
    values = [value for value in values if not _ABSENT.match(value)]
    vocabulary = re.findall(r"[^\W_]+", " ".join(values))
    if all(any(_alike(word, known) for known in vocabulary) or _of_country(word, values) for word in content):
        return True
    asked = facts.key_asked(phrase, metadata, domain)
    return asked is not None and facts.affirms(phrase, asked, metadata[asked], domain) is True


def _alike(word: str, known: str) -> bool:
    """Whether two words are the same, or forms of one stem."""
    one, other = normalised(word).removesuffix("'s").removesuffix("’s"), normalised(known)
    if one == other:
        return True
    shared = STEM_OF_NAME if word[:1].isupper() and known[:1].isupper() else STEM
    alike = len(one) >= shared and one[:shared] == other[:shared]
    return alike and max(len(one), len(other)) - shared <= STEM_REST


def _of_country(word: str, values: Sequence[str]) -> bool:
    return cue_words.countries().get(normalised(word)) in values
