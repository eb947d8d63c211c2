"""A slip of the pen in a word that people wish by: "romanse", "comdey", "vegitarian" (METHOD 4.2, 12). Pure.

Only words of six letters or more are read so, one slip away from exactly one word of the list, and never a word that
English has itself: "dessert" and "desert" are both right.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from pdgf.constraints.words import either

SHORTEST = 6  # letters; shorter words are too easily something else

WISH_WORDS = either(
    "action|adventure|adventures|adventurous|american|animated|animation|atmosphere|atmospheric|autobiography"
    "|banter|believable|biography|bittersweet|breakfast|brunch|cantonese|caribbean|casual|character"
    "|characters|cheerful|children|chinese|cinematography|classical|comedies|comedy|comforting|comical"
    "|complex|conversation|conversations|courtyard|creepy|delivery|dessert|desserts|detective|dialogue|dinner"
    "|documentaries|documentary|dramatic|dystopia|dystopian|eccentric|emotional|ethiopian|european|expensive"
    "|fairytale|family|fantasies|fantasy|french|friendly|friendship|frightening|funnier|funniest|gangster"
    "|georgian|german|gorgeous|heartbreaking|heartwarming|hilarious|historic|historical|history|horror"
    "|humorous|humour|hungarian|indian|indonesian|intimate|investigation|iranian|italian|jamaican|japanese"
    "|journey|korean|kosher|laptop|lebanese|lighthearted|lively|magical|malaysian|medieval|mediterranean"
    "|melancholic|melancholy|memoir|mexican|military|moroccan|musical|musicals|mysteries|mysterious|mystery"
    "|mythology|nepalese|norwegian|outdoor|pakistani|parking|peaceful|persian|peruvian|philosophical|playful"
    "|political|politics|portuguese|psychological|realistic|relationship|relationships|relaxed|reservation"
    "|reservations|romance|romances|romantic|russian|satire|scandinavian|science|seafood|sexual|slapstick"
    "|spanish|spooky|subplot|subtitles|superhero|superheroes|supernatural|surreal|suspense|suspenseful"
    "|swearing|swedish|syrian|taiwanese|takeaway|television|terrace|terrifying|thoughtful|thriller|thrillers"
    "|tibetan|tragedy|tragic|turkish|ukrainian|uplifting|upscale|vegetarian|vegetarians|vietnamese|violence"
    "|violent|western|westerns|wheelchair|whimsical|wilderness"
)
_ENGLISH = either(
    "musial|actinon|adventured|adventurer|adventurers|americas|animates|auction|baiter|bander|banger|banier|banker"
    "|banner|barter|baster|batter|believably|branch|bunter|causal|comedo|comely|comporting|conical|creeps"
    "|defective|delivers|desert|deserts|dinger|dinker|dinned|dinter|donner|dunner|dystopias|europan|expansive"
    "|extensive|fannier|fanniest|fantasias|fantasied|fantasise|fantasises|fantasm|fantast|fiendly|gagster|finnier"
    "|finniest|foamily|fundier|fungier|funkier|funkiest|funnies|georgias|hillarious|humourous|humous|indias"
    "|intimae|javanese|koreas|likely|livery|lovely|masteries|mastery|mediaeval|melancholia|melancholiac"
    "|musicale|musicales|packing|paring|parring|parsing|parting|perking|permian|politick|politicks|politico"
    "|politicos|polities|porking|related|relaxer|relaxes|relayed|romanced|romancer|romanic|romanies|russias"
    "|saltire|satier|scandinavias|searing|shearing|slipstick|smearing|spearing|spooks|spoony|subtitled"
    "|surtitles|sweating|thrilled|triller|violet"
)
_BY_SHAPE: dict[tuple[str, int], list[str]] = {}
for _word in sorted(WISH_WORDS):
    _BY_SHAPE.setdefault((_word[0], len(_word)), []).append(_word)
_WORDS = re.compile(rf"[A-Za-z]{{{SHORTEST},}}")


@dataclass(frozen=True, kw_only=True)
class Respelt:
    """A text with its slips mended, and where each of its places stands in the text as it was written."""

    text: str
    place: Callable[[int], int]


@lru_cache(maxsize=16_384)
def meant_by(word: str) -> str | None:
    """The word of the list that a word is one slip away from; None for a word that is right or too far from any."""
    low = word.lower()
    if len(low) < SHORTEST or low in WISH_WORDS or low in _ENGLISH:
        return None
    near = [known for size in (-1, 0, 1) for known in _BY_SHAPE.get((low[0], len(low) + size), ())]
    found = [known for known in near if OSA.distance(low, known, score_cutoff=1) <= 1 and not _inflected(low, known)]
    return found[0] if len(found) == 1 else None


def respelt(text: str) -> Respelt:
    """The text with its slips mended; the text itself where there is none."""
    slips = [(match.span(), known) for match in _WORDS.finditer(text) if (known := meant_by(match[0]))]
    if not slips:
        return Respelt(text=text, place=lambda position: position)
    mended, anchors, position = "", [(0, 0)], 0
    for (start, end), known in slips:
        mended += text[position:start]
        anchors.append((len(mended), start))
        mended += known
        anchors.append((len(mended), end))
        position = end
    mended += text[position:]

    def place(position: int) -> int:
        at, there = max(anchor for anchor in anchors if anchor[0] <= position)
        later = min((anchor[1] for anchor in anchors if anchor[0] > at), default=len(text))
        return min(there + position - at, later)

    return Respelt(text=mended, place=place)


def _inflected(word: str, known: str) -> bool:
    """Whether the two differ by an ending: "romanced" is no slip."""
    return word[:-1] == known or known[:-1] == word
