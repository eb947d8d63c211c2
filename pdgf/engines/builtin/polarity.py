"""Whether a sentence asserts or denies something, and how strongly: negation, scope and degree by rule (METHOD 12).

Similarity tells related from unrelated and cannot tell support from contradiction; these rules can, for what the
lexicon names and for the literal words of a wish.
"""

import re
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

from pdgf.engines.builtin.hedges import Hedge, hedge_of
from pdgf.engines.builtin.lexicon import Concept, concepts, expression
from pdgf.engines.builtin.word_uses import is_the_action, is_the_verb


class Degree(IntEnum):
    """How much of a thing a sentence speaks of."""

    NONE = 0
    MILD = 1
    PLAIN = 2
    STRONG = 3


@dataclass(frozen=True, kw_only=True)
class Event:
    """One mention of a thing in a sentence: `degree` NONE means that it is denied."""

    degree: Degree
    start: int
    end: int
    presupposed: bool = False  # denied of something that is there: "does not interest its schoolboy hero"


# Hardly any, and not the size of whom or what can be counted: "little romance", "the little boy"
_LITTLE = (
    r"(?<!his )(?<!her )(?<!their )(?<!its )(?<!my )(?<!our )(?<!your )(?<!poor )(?<!one )(?<!another )(?<!every )"
    r"little(?!\s+\w+(?<!s)s\b)(?!\s+(?:\w+\s+)?(?:boy|girl|child|kid|baby|toddler|brother|sister|son|daughter|one"
    r"|man|woman|lady|prince"
    r"|princess|mermaid|witch|orphan|friend|family|dog|puppy|cat|kitten|pony|horse|bird|mouse|rabbit|fox|bear"
    r"|fish|robot"
    r"|town|village|island|house|shop|place|room)\b)"
)
_NEGATOR = re.compile(
    r"\b(?:"
    r"not|no|nil|zero|next to nothing|never|without|hardly|barely|scarcely|rarely|seldom|neither|nor|nothing"
    r"|lacks?|lacking"
    r"|absent|avoids?|avoiding|rather than|instead of|far from|free of|free from|devoid of|short on"
    rf"|spares?|refuses?|cannot|(?<!a ){_LITTLE}|(?<!a )few|less|takes? the place of|in place of|none of"
    r"|replac(?:es?|ing|ed(?! by))|stands? in for"
    r"|nobody|no one|hopeless for|keep\w*(?: \w+)?(?: away)? from|wrong for|unfit for|inappropriate for"
    r"|no place for|wrong place for|not for|unsuitable for|poor for|bad for|too \w+ for"
    r")\b|n't\b",
    re.IGNORECASE,
)
_NOT_A_NEGATOR = re.compile(
    r"\b(?:"
    r"not only|not just|not merely|nothing but|no end of|no shortage of|no less|no lack of"
    r"|(?:not|never|\w+n['’]t) (?:(?:tone|play|water)(?:s|ed)? down|holds? back|stints?|skimps?|shy|shies|sparing)"
    r"|(?:few|not many|hardly any|rarely|seldom|no (?:other )?(?:films?|movies?|books?|novels?|stor(?:y|ies)|series"
    r"|shows?|places?|restaurants?))(?: [\w'’-]+){0,3}? (?:is|are|was|were|have been|has been) (?:quite )?"
    r"(?:this|so|as|more)|never short of|no doubt|not belong|not the only|cannot help but|more or less|regardless"
    r")\b",
    re.IGNORECASE,
)
# One denial said again of what comes next: "no sex and no banter", "neither X nor Y", "without X, without Y"
_DENIED_AGAIN = re.compile(r"(?:[,;]|\b(?:and|or|but))\s+(?:no|not|never|without|nor|neither)\b|\bnor\b", re.IGNORECASE)
# "Chilli is not toned down": all of it is there
_NOT_LESSENED = (
    r"(?!,? (?:\w+ly )?(?:toned|played|watered|held|turned|dialled|cut) (?:down|back)"
    r"|,? (?:\w+ly )?(?:softened|tempered|reduced|lacking|missing|absent|spared|skimped|stinted|rationed|hidden"
    r"|tamed|kept off)\b)"
)
_DENIED_AFTER = re.compile(
    r"^(?:-free\b| free\b|(?:\s+[\w'-]+){0,3}?\s+(?:is|are|was|were)\s+(?:(?:\w+ly|almost|all but|quite)\s+)?"
    rf"(?:absent|missing|nowhere|off[- ]screen|kept off|(?:not|never|hardly|barely)\b{_NOT_LESSENED}|rare"
    r"|(?:next to |close to |almost |practically )?(?:nil|zero|nothing|none)\b|negligible|minimal|non-?existent"
    r"|(?:very |rather |too )?(?:few|scarce|sparse|slim|thin on the ground)\b(?! enough))"
    r"|(?:,?\s+(?:and|or)\s+[\w'-]+)?\s+(?:have|has|get|gets|find|finds)\s+(?:very |next to |almost )?"
    r"(?:little|nothing|not much|hardly anything|no (?:choices?|options?|luck))\b"
    r"|\s+(?:have|has|had|plays?|played|takes?|took)\s+(?:almost |practically |virtually |next to |very )?"
    r"(?:no|little|hardly any|not much)(?: of an?)?\s+(?:place|part|room|role)\b"
    rf"|\s+(?:never|nowhere|hardly|barely|would (?:normally|usually))\b|\s+(?:is|are)n['’]t\b{_NOT_LESSENED}"
    # "vegetarians should not book", "those after jump scares will be bored"
    r"|(?:\s+[\w'-]+){0,3}?\s+(?:should\s+(?:not|look|skip|stay|avoid|go|steer|give|beware|keep)|look elsewhere"
    r"|go elsewhere"
    r"|do badly|fare badly"
    r"|will\s+(?:not|be (?:bored|disappointed|unhappy|frustrated)|find (?:little|nothing)|go hungry)"
    r"|need not apply)\b)",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:"
    r"strong|graphic\w*|frequent\w*|constant\w*|throughout|heavy|heavily|explicit\w*|brutal\w*"
    r"|extreme\w*|relentless\w*|intense\w*|very|dominat\w*|central|plenty|lots|full of|packed"
    r"|the (?:entire|whole) (?:time|film|book|way)|from start to finish"
    r"|everywhere|every|drench\w*|soaked|gory|shocking\w*|savage\w*|much"
    r")\b",
    re.IGNORECASE,
)
_MILD = re.compile(
    r"\b(?:"
    r"mild\w*|slight\w*|brief\w*|occasional\w*|a little|some|a few|only one|one or two|a touch|a hint"
    r"|implied|gentl\w*|light|faint\w*|restrained|discreet\w*|tame|sparing\w*|glimpse\w*|moments? of"
    r")\b",
    re.IGNORECASE,
)
# A denied verb before a thing that is spoken of as known
_KNOWN = re.compile(
    r"\b(?:not|never|cannot|nobody|no one|nothing|none|hardly|barely|rarely|seldom|n't)\s(?:[\w'’-]+\s){1,3}"
    r"(?:its|his|her|their|our|this|these|those)\s(?:[\w'’-]+\s){0,2}$|n't\s(?:[\w'’-]+\s){1,3}(?:its|his|her|their)\s"
    r"(?:[\w'’-]+\s){0,2}$",
    re.IGNORECASE,
)
# "Do not pick it if you want a detective", "skip this one when you are after jokes": whoever wants it will miss it
_ADVISED_AGAINST = re.compile(
    r"(?:(?:\b(?:not|never)|n't)(?! (?:miss|skip|overlook|avoid|pass|forget)\b)"
    r"|(?<!not )(?<!n't )(?<!never )\b(?:skip|avoid|leave|pass))(?: [\w'’-]+){0,6} (?:if|when) you "
    r"(?:are (?:after|looking for|hoping for|in the mood for)|want|need|like|love|expect|hope for|look for|crave)"
    r"(?: [\w'’-]+){0,3} $",
    re.IGNORECASE,
)
# "A poor choice for parents who cannot bear harm to children": it is there
_WARNED_OF = re.compile(
    r"\b(?:poor|bad|wrong|not|no|hardly|unsuitable|unfit|hard|skip|avoid|beware)\b(?: [\w'’-]+){0,6} (?:who|if you)"
    r" (?:cannot|can['’]t|can not) (?:bear|stand|take|face|stomach|abide|handle|cope with|deal with|watch|see|tolerate)"
    r" (?:(?:any|much|the|seeing|the sight of|scenes of) ){0,2}$",
    re.IGNORECASE,
)
# "Not a scary ghost story": it is not scary, and has a ghost
_NOT_SO = re.compile(r"\bnot an? (?P<how>(?:[\w'’-]+ ){1,2})$", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:()–—]|\b(?:but|yet|while|although|though|whereas|and yet|however)\b", re.IGNORECASE)
# "no violence, sex or gore": one negator for every member, past the commas
_MEMBER = r"[\w'-]+(?:\s[\w'-]+){0,2}"
_NEGATED_LIST = re.compile(
    rf"\b(?:no|without|neither)\s+{_MEMBER}(?:,\s*{_MEMBER})*,?\s+(?:or|nor)\s+{_MEMBER}", re.IGNORECASE
)
_WITHOUT_IT = re.compile(r"\w{3}less(?:ly|ness)?$", re.IGNORECASE)
_REACH = 6  # words before a mention within which a negator still governs it
_SCALES = frozenset({"length", "noise", "price"})  # perspectives whose concepts are two ends of one fact
_LEVELS = {
    "none": Degree.NONE,
    "no": Degree.NONE,
    "mild": Degree.MILD,
    "low": Degree.MILD,
    "moderate": Degree.PLAIN,
    "yes": Degree.PLAIN,
    "medium": Degree.PLAIN,
    "strong": Degree.STRONG,
    "high": Degree.STRONG,
}


@lru_cache(maxsize=200_000)
def concept_events(sentence: str, name: str) -> tuple[Event, ...]:
    """The mentions of a concept, its opposites counted as denials of it. Where only a part of it is denied, it is not
    spoken of."""
    concept = concepts()[name]
    matches = [(m.start(), m.end(), False) for m in concept.asserting.finditer(sentence)]
    if concept.denying is not None:
        matches += [(m.start(), m.end(), True) for m in concept.denying.finditer(sentence)]
    found: list[Event] = []
    # The longer expression wins: "not expensive" asserts "cheap", "humourless" denies "humour"
    for start, end, opposite in sorted(matches, key=lambda match: (match[0] - match[1], match[0], not match[2])):
        if all(end <= other.start or start >= other.end for other in found):
            found.append(_event(sentence, start, end, opposite=opposite))
    parts = concept.parts
    if parts is None:
        return tuple(found)
    return tuple(e for e in found if e.degree is not Degree.NONE or not parts.fullmatch(sentence[e.start : e.end]))


@lru_cache(maxsize=200_000)
def literal_events(sentence: str, words: str) -> tuple[Event, ...]:
    """The mentions of the literal words of a wish, inflected or not, but for verbs that look like the noun."""
    found: list[Event] = []
    for match in _literal(words).finditer(sentence):
        if is_the_verb(sentence, *match.span(), words):
            continue
        # "meatless": the word itself says that there is none of it
        without = bool(_WITHOUT_IT.search(match[0])) and not _WITHOUT_IT.search(words)
        event = _event(sentence, *match.span(), opposite=without)
        done = is_the_action(match[0], words) and event.degree > Degree.MILD
        found.append(replace(event, degree=Degree.MILD) if done else event)
    return tuple(found)


@lru_cache(maxsize=20_000)
def is_only_a_verb(sentence: str, words: str) -> bool:
    """Whether a sentence has the letters of a wish's word as a verb and nowhere as the thing that is wished for."""
    found = [is_the_verb(sentence, *match.span(), words) for match in _literal(words).finditer(sentence)]
    return bool(found) and all(found)


@lru_cache(maxsize=4_096)
def _literal(words: str) -> re.Pattern[str]:
    return expression([f"{stem(words.casefold())}*" if len(words) > 3 else words.casefold()])


def stem(word: str) -> str:
    """A word without its commonest endings, so that "reconcile" meets "reconciliation"; three letters are kept."""
    for ending in (
        "iation",
        "ations",
        "ation",
        "iness",
        "ments",
        "ment",
        "ness",
        "ings",
        "ing",
        "ies",
        "ied",
        "ers",
        "ed",
        "es",
        "ly",
        "s",
        "y",
        "e",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def level_of(value: str, concept: Concept) -> Degree | None:
    """What a metadata value says about its concept: a level word, yes or no, or the concept's own words.

    On a scale between two opposites (quiet to loud, cheap to expensive) the middle asserts a little of either.
    """
    word = value.strip().casefold()
    if word in _LEVELS:
        middle = concept.perspective != "content" and _LEVELS[word] is Degree.PLAIN and word != "yes"
        return Degree.MILD if middle else _LEVELS[word]
    if concept.perspective in _SCALES:
        ends = [end for end in concepts().values() if end.facts == concept.facts and end.naming.fullmatch(word)]
        if ends:
            return Degree.STRONG if concept in ends else Degree.NONE
    degree = max((event.degree for event in concept_events(value, concept.name)), default=None)
    return Degree.STRONG if degree is Degree.PLAIN and concept.perspective != "content" else degree


def _event(sentence: str, start: int, end: int, *, opposite: bool) -> Event:
    before = _governing(sentence, start)
    warned = bool(_WARNED_OF.search(sentence[:start]))
    how = _NOT_SO.search(before)
    negations = 0 if warned or (how and _says_how(how["how"])) else _denials(before)
    negations += not warned and bool(_DENIED_AFTER.match(sentence[end:]))
    hedge = hedge_of(sentence, start, end)
    advised = hedge is Hedge.NONE or bool(_ADVISED_AGAINST.search(sentence[:start]))
    against = negations % 2 == 1 or advised
    denied = against != opposite
    degree = Degree.NONE if denied else _degree(sentence, start, end)
    if hedge is Hedge.LITTLE:
        degree = min(degree, Degree.MILD)
    return Event(
        degree=degree, start=start, end=end, presupposed=denied and not opposite and bool(_KNOWN.search(before))
    )


@lru_cache(maxsize=4_096)
def _says_how(words: str) -> bool:
    """Whether words before a mention name a thing that can itself be denied ("scary")."""
    return any(concept.asserting.search(words) for concept in concepts().values())


def _governing(sentence: str, start: int) -> str:
    """The words of the same clause, at most `_REACH` of them, that stand before a mention."""
    before = sentence[:start]
    ends = list(_CLAUSE_END.finditer(before))
    clause = before[ends[-1].end() :] if ends else before
    if any(found.start() < start < found.end() for found in _NEGATED_LIST.finditer(sentence)):
        return "no "
    return " ".join(clause.split()[-_REACH:]) + " "


def _denials(before: str) -> int:
    """The denials that cancel each other out; one that only goes on with another ("no X and no Y") is not counted."""
    words = _NOT_A_NEGATOR.sub(" ", before)
    first = _NEGATOR.search(words)
    if first is None:
        return 0
    return 1 + len(_NEGATOR.findall(_DENIED_AGAIN.sub(" ", words[first.end() :])))


def _degree(sentence: str, start: int, end: int) -> Degree:
    before, after = sentence[max(0, start - 45) : start], sentence[end : end + 45]
    around = before + sentence[start:end] + after
    # A wish may be a word of degree itself: of something "gentle" there is not a little
    if (_MILD.search(before) or _MILD.search(after)) and not _STRONG.search(around):
        return Degree.MILD
    return Degree.STRONG if _STRONG.search(around) else Degree.PLAIN
