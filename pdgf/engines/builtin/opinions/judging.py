"""Where opinions decide: a wish for something good of its kind, and a sentence that names that thing (METHOD 7.1, 12).

Rules know what is there, and similarity what is spoken of; neither tells praise from blame. So the head is asked only
about wishes that consist of a thing and of praise ("friendly staff", "a nice atmosphere", "great acting"), or that name
what every place has ("service"), and only about sentences that name the thing. The finding depends on the sentence and
the wish alone.
"""

import logging
import re
from functools import cache, lru_cache

from pdgf.engines.builtin.features import FeatureReading
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.opinions.head import CLASSES, Head, inputs_of, shipped_head
from pdgf.engines.builtin.opinions.signs import signs
from pdgf.engines.builtin.opinions.words import aspects_of, lists
from pdgf.errors import WeightsDamaged

_PERSPECTIVES = frozenset({"", "service", "quality", "atmosphere", "price"})
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NAMED = 0  # the sign that says whether a sentence names the thing
PLAIN = 0.5  # probability from which a sentence supports in full or contradicts

log = logging.getLogger(__name__)


def opined(reading: FeatureReading, sentence: str, cosine: float, finding: Finding | None) -> Finding | None:
    """What a sentence says of a wish when its opinion is heard beside what rules and similarity found.

    `cosine` is that of the sentence and the focus of the wish. A sentence that does not name the thing is left to the
    rules, and mere likeness to it does not count. Praise of another kind than the wish's is a part of it ("witty
    dialogue"), and what the rules find of that kind stays.
    """
    of_opinion = not reading.avoid and not reading.contexts and reading.perspective in _PERSPECTIVES
    if not of_opinion or not asks_for_praise(reading.focus):
        return finding
    head = _head()
    if head is None:
        return finding
    found = signs(sentence, reading.focus)
    if not found[_NAMED]:
        return None if finding is Finding.PARTLY else finding
    shares = dict(zip(CLASSES, head.probabilities(inputs_of(found, cosine))[0].tolist(), strict=True))
    likely = max(CLASSES, key=lambda name: (shares[name], name))
    plainly = shares[likely] >= PLAIN
    particular = not is_any_praise(reading.focus)
    if likely == "supports":
        return Finding.FOR if finding is Finding.FOR or (plainly and not particular) else Finding.PARTLY
    if likely == "contradicts" and plainly:
        return Finding.AGAINST
    return finding if particular and finding is Finding.FOR else None


@lru_cache(maxsize=4_096)
def asks_for_praise(wish: str) -> bool:
    """Whether a wish is for something good of a kind that reviews speak of, and for nothing else."""
    own = aspects_of(wish)
    if not own:
        return False
    rest = _without(wish, lists().good, *(lists().aspects[name].good for name in own))
    praised = rest != wish
    rest = _without(rest, *(lists().aspects[name].wish for name in own))
    if any(word not in lists().filling for word in _WORD.findall(rest.casefold())):
        return False
    return praised or bool(lists().everywhere.fullmatch(wish.strip()))


@lru_cache(maxsize=4_096)
def is_any_praise(wish: str) -> bool:
    """Whether a wish that asks for praise is content with any: "good dialogue", and not "witty dialogue"."""
    rest = _without(wish, lists().any_praise)
    praise = (lists().good, *(lists().aspects[name].good for name in aspects_of(wish)))
    return not any(pattern.search(rest) for pattern in praise)


def _without(text: str, *patterns: re.Pattern[str]) -> str:
    for pattern in patterns:
        text = pattern.sub(" ", text)
    return text


@cache
def _head() -> Head | None:
    """The head that came with the package; without it rules and similarity decide alone, which is logged once."""
    try:
        return shipped_head()
    except WeightsDamaged as error:
        log.warning("opinions are not weighed: %s", error)
        return None
