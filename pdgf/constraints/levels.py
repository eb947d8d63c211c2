"""Levels that people name in words, from low to high: how much there is, how loud, how dear, how hard. Pure.

Everything here is folded (lower case, hyphens as spaces). Alternatives are separated by "|".
"""

from dataclasses import dataclass

from pdgf.constraints.words import either

INTENSITY, NOISE, PRICE, LENGTH, DIFFICULTY = "intensity", "noise", "price", "length", "difficulty"
AMOUNT = "amount"

LEVELS: dict[str, dict[str, int]] = {
    INTENSITY: {"none": 0, "mild": 1, "low": 1, "moderate": 2, "medium": 2, "strong": 3, "high": 3, "severe": 3},
    AMOUNT: {  # the steps are those of an intensity
        **dict.fromkeys(either("none|no|zero|nothing|never"), 0),
        **dict.fromkeys(either("little|very little|a little|few|very few|a few|mild|low|minimal|light|rare|rarely"), 1),
        **dict.fromkeys(either("some|medium|moderate|average|sometimes"), 2),
        **dict.fromkeys(either("much|very much|a lot|lots|many|plenty|strong|high|heavy|severe|often"), 3),
    },
    NOISE: {"quiet": 0, "moderate": 1, "average": 1, "lively": 2, "loud": 3, "very loud": 4},
    PRICE: {
        "cheap": 0, "inexpensive": 0, "budget": 0, "low": 0, "$": 0, "1": 0,
        "moderate": 1, "mid range": 1, "medium": 1, "$$": 1, "2": 1,
        "expensive": 2, "high": 2, "$$$": 2, "3": 2, "very expensive": 3, "$$$$": 3, "4": 3,
    },
    LENGTH: {"short": 0, "medium": 1, "long": 2, "very long": 3},
    DIFFICULTY: {
        **dict.fromkeys(either("very easy|trivial|极易|非常简单"), 0),
        **dict.fromkeys(either("easy|beginner|beginners|simple|gentle|introductory|basic|novice|low|light"
                               "|简单|容易|入门|初级|新手|初学者|零基础|轻松|基础|低"), 2),
        **dict.fromkeys(either("easy moderate|easy to moderate|easy medium|beginner to intermediate|较易|较简单"), 3),
        **dict.fromkeys(either("moderate|medium|intermediate|normal|average|中等|中级|适中|普通|一般|中"), 4),
        **dict.fromkeys(either("moderate hard|moderate to hard|medium hard|moderate difficult"
                               "|intermediate to advanced|较难|中等偏难"), 5),
        **dict.fromkeys(either("hard|difficult|challenging|advanced|strenuous|demanding|tough|high|heavy"
                               "|困难|难|高级|进阶|高"), 6),
        **dict.fromkeys(either("very hard|very difficult|expert|extreme|severe|专家|极难|非常难|很难"), 8),
    },
}  # fmt: skip
DIFFICULTY_KEYS = either(
    "difficulty|difficulty level|level of difficulty|skill level|experience level|level|grade|challenge|how hard"
    "|难度|难度等级|级别|难易|难易程度|等级"
)
SCALE_OF_KEY = {
    "noise level": NOISE, "noise": NOISE, "price range": PRICE, "price level": PRICE, "price": PRICE, "length": LENGTH,
    **dict.fromkeys(DIFFICULTY_KEYS, DIFFICULTY),
}  # fmt: skip
# Pages that a book of a length category has at the least and at the most.
PAGES_OF_LENGTH = {"short": (0, 199), "medium": (200, 400), "long": (400, 700), "very long": (700, float("inf"))}


@dataclass(frozen=True, kw_only=True)
class LevelWords:
    """Words for a stretch of a scale. Each limit is (lowest, highest) level that keeps the wish, None for open.

    `avoided` answers "not violent", `softly` "not too violent", `utterly` "no violence at all".
    """

    words: frozenset[str]
    wanted: tuple[int | None, int | None]
    avoided: tuple[int | None, int | None]
    softly: tuple[int | None, int | None]
    utterly: tuple[int | None, int | None]


def content_words(words: str) -> LevelWords:
    """Content that is there in some strength: avoiding it allows a trace, "too much" allows a moderate amount."""
    return LevelWords(words=either(words), wanted=(1, None), avoided=(None, 1), softly=(None, 2), utterly=(None, 0))


CONTENT_OF_KEY = {
    "violence": content_words("violence|violent|bloodshed|brutality|brutal|violent scenes"),
    "gore": content_words("gore|gory|blood and gore|blood and guts|gory scenes|bloody"),
    "sexual content": content_words(
        "sex|sexual content|sexual|sex scenes|sex scene|sexually explicit|sexual scenes|explicit sex|erotic content"
    ),
    "frightening": content_words(
        "frightening|scary|scares|scariness|terrifying|frightening scenes|scary scenes|scary parts"
    ),
}
WORDS_OF_SCALE = {
    NOISE: (
        LevelWords(words=either("quiet|peaceful|low noise|not noisy"),
                   wanted=(None, 0), avoided=(1, None), softly=(1, None), utterly=(1, None)),
        LevelWords(words=either("loud|noisy|very loud"),
                   wanted=(3, None), avoided=(None, 1), softly=(None, 2), utterly=(None, 0)),
        LevelWords(words=either("noise"), wanted=(None, None), avoided=(None, 1), softly=(None, 2), utterly=(None, 0)),
        LevelWords(words=either("lively"), wanted=(2, None), avoided=(None, 1), softly=(None, 2), utterly=(None, 1)),
    ),
    PRICE: (
        LevelWords(words=either("cheap|inexpensive|low cost|cheap eats|low price|low prices|cheap prices"),
                   wanted=(None, 0), avoided=(1, None), softly=(1, None), utterly=(1, None)),
        LevelWords(words=either("affordable|reasonably priced|reasonable price|reasonable prices|moderately priced"
                                "|budget friendly|budget|moderate price|moderate prices|mid range|affordable prices"),
                   wanted=(None, 1), avoided=(2, None), softly=(2, None), utterly=(2, None)),
        LevelWords(words=either("expensive|pricey|costly|high end|high prices|very expensive"),
                   wanted=(2, None), avoided=(None, 1), softly=(None, 1), utterly=(None, 1)),
    ),
    DIFFICULTY: (
        LevelWords(words=either("very easy|trivial|极易|非常简单"),
                   wanted=(None, 0), avoided=(2, None), softly=(2, None), utterly=(2, None)),
        LevelWords(words=either("easy|beginner|beginners|simple|gentle|introductory|novice|novices|easygoing|undemanding"
                                "|not hard|简单|容易|入门|初级|新手|初学者|零基础|轻松|基础"),
                   wanted=(None, 2), avoided=(3, None), softly=(3, None), utterly=(3, None)),
        LevelWords(words=either("moderate|medium|intermediate|medium difficulty|moderate difficulty|中等|中级|适中"),
                   wanted=(3, 5), avoided=(None, None), softly=(None, None), utterly=(None, None)),
        LevelWords(words=either("hard|difficult|challenging|advanced|strenuous|demanding|tough|complicated"
                                "|困难|难|高级|进阶|有难度|有挑战"),
                   wanted=(6, None), avoided=(None, 4), softly=(None, 5), utterly=(None, 4)),
        LevelWords(words=either("very hard|very difficult|expert|extreme|专家|极难|非常难"),
                   wanted=(8, None), avoided=(None, 6), softly=(None, 6), utterly=(None, 6)),
    ),
    LENGTH: (
        LevelWords(words=either("short"), wanted=(None, 0), avoided=(1, None), softly=(1, None), utterly=(1, None)),
        LevelWords(words=either("long|lengthy"),
                   wanted=(2, None), avoided=(None, 1), softly=(None, 2), utterly=(None, 1)),
    ),
}  # fmt: skip
