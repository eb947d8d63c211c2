"""What an English sentence says to somebody who must not have a food: who warns of it never speaks for it, and whoever
is only like the wish says nothing (METHOD 7.1, 12)."""

import re
from functools import lru_cache

from pdgf.constraints.diets import holds_food, names_allergen
from pdgf.engines.builtin.findings import Finding

TOLERATED = frozenset({"gluten", "dairy", "wheat", "lactose", "milk"})  # where some dishes hold it others may not
# What names a food besides its own words
_SPOKEN = {
    "nuts": r"(?:pea)?nuts?",
    "gluten": r"gluten|wheat|flour|c(?:o)?eliacs?",
    "dairy": r"dairy|milk|lactose",
    "shellfish": r"shellfish|seafood",
}
_HARM = r"(?:problems?|risks?|risky|worr(?:y|ies|ied)|concerns?|dangers?|dangerous|trouble|hazards?|issues?|bother)"
# "no problem", "nothing to worry about": the opposite of the warning
_NO_HARM = re.compile(
    rf"\b(?:no|not an?|never an?|without(?: any| an?)?|nothing to|no need to|need not|needn['’]t|don['’]t(?: have to)?"
    rf"|not to|(?:isn|wasn|aren)['’]t an?|zero|no real) (?:be )?(?:\w+ )?{_HARM}",
    re.IGNORECASE,
)
_KEEP_AWAY = re.compile(
    r"\b(?:(?:can['’]t|cannot|can not|could not|will not|won['’]t|not|no)"
    r" (?:promise|guarantee|vouch|be sure|cater|rule out|accommodate|swear|avoid)\w*"
    r"|not (?:for|suitable|safe|advisable|recommended|the place|a place)|unsuitable|unsafe|steer clear"
    r"|stay away|keep away|stay home|beware|be careful|caution|think twice|avoid (?:this|it|the place)|should avoid"
    r"|may contain|traces?|cross[- ]contaminat\w+|contaminat\w+|warn\w*|(?<!no )(?<!without )risk\w*"
    r"|nothing for|little for|not much for|hard for|difficult for|tough for|go elsewhere|look elsewhere"
    r"|(?:\w+n['’]t|not|never|hardly|barely|far from) (?:\w+ ){0,2}(?:safe\w*|looked after|catered|seriously)"
    r"|struggle\w*|will go hungry|no (?:[\w-]+ )?options?|no \w+[- ]free|missing"
    r"|[- ]free\b[^.;]{0,40}(?:\bnot|n['’]t|\bnever) (?:stocked|available|offered|served|sold|possible|on offer"
    r"|kept)|rules? (?:\w+ ){0,3}out|ruled out|off limits"
    r"|out of the question|impossible|minefield|nightmare|deadly|lethal|deal-?breaker|sorry"
    r"|(?:do|should|must|better|best|had) ?(?:n['’]t|not) (?:come|go|eat|book|visit|try)"
    r"|(?:nobody|no one|none|not anyone)\b[^.;]{0,40}\bshould|everywhere|in (?:the air|everything|almost every\w*"
    rf"|nearly every\w*|every|most)|unavoidable|{_HARM})\b",
    re.IGNORECASE,
)
NO_PROMISE = re.compile(
    r"\b(?:cannot|can not|not|never|nothing|nobody|no one|no|none|neither)\b[^.;]{0,40}\b(?:promis|guarante|vouch"
    r"|assur)\w*"
    r"|n['’]t\b[^.;]{0,40}\b(?:promis|guarante|vouch|assur)\w*",
    re.IGNORECASE,
)  # what nobody answers for is not safe to eat
_LOOKED_AFTER = re.compile(
    r"\b(?:safe(?:ly|r|st)?|(?:well )?looked after|tak(?:e|es|en|ing) (?:\w+ ){0,4}seriously|seriously|easily|with ease"
    r"|(?:cater|caters|catered|catering) for|separate (?:\w+ )?(?:menu|kitchen|pot|pan|fryer|board|area|corner"
    r"|equipment)s?|take(?:s|n)? (?:good )?care of|handled? with care)\b",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"\b(?:mark(?:s|ed)?|label(?:s|led)?|list(?:s|ed)?|ask(?:s|ed)?|know(?:s|n)?|understand(?:s)?|explain(?:s|ed)?"
    r"|point(?:s|ed)? out|flag(?:s|ged)?|swap(?:s|ped)?|leav(?:e|es|ing) (?:it|them) out)\b",
    re.IGNORECASE,
)
# Who has to keep away from it: "a safe bet: the walnut cake" tells them nothing
_EATERS = re.compile(
    r"\ballerg\w*|\bintoleran\w*|\bc(?:o)?eliacs?\b|[- ]free\b|\b(?:can['’]t|cannot|do not|don['’]t) (?:eat|have)\b"
    r"|\bseparate\b|\bpregnan\w*|\bmothers-to-be\b|\bdiabet\w*",
    re.IGNORECASE,
)
_ALLERGIES = re.compile(r"\ballerg\w*|\bintoleran\w*", re.IGNORECASE)


@lru_cache(maxsize=100_000)
def kept_away_finding(sentence: str, food: str, *, spoken: str = "", told: bool = True) -> Finding | None:
    """What a sentence says to somebody who must not have `food`, a name of `pdgf.constraints.diets`, or any word for
    what is eaten; empty for allergies of which nobody says to what. None where it says nothing of it.

    `spoken` is a pattern for what else names the food. `told` says that naming the food is a warning: who cannot have
    dairy or gluten may still eat where some dishes hold it.
    """
    words = spoken or _SPOKEN.get(food) or (rf"{re.escape(food.removesuffix('s'))}s?" if food else r"(?!)")
    named = re.search(rf"\b(?:{words})(?!\w)", sentence, re.IGNORECASE) is not None
    held = bool(food) and holds_food(food, sentence)
    of_any = not named and not held and _ALLERGIES.search(sentence) is not None and names_allergen(food, sentence)
    if not (named or held or of_any):
        return None
    plain = _NO_HARM.sub(" safe ", sentence)
    if _KEEP_AWAY.search(plain) or NO_PROMISE.search(plain):
        return Finding.AGAINST
    if _LOOKED_AFTER.search(plain) and _EATERS.search(plain):
        return Finding.PARTLY if of_any else Finding.FOR
    if any(re.search(pattern, plain, re.IGNORECASE) for pattern in _left_out(words)):
        return Finding.FOR
    if _ALLERGIES.search(plain) and _MARKED.search(plain):
        return Finding.PARTLY
    served = bool(food) and holds_food(food, re.sub(r"\b[\w-]+ (?:allerg|intoleran)\w*", " ", plain))
    return Finding.AGAINST if served and told else None


@lru_cache(maxsize=256)
def _left_out(words: str) -> tuple[str, ...]:
    """What says that a food is not in it: "nut-free", "free of nuts", "no nuts", "keeps nuts out of the kitchen"."""
    return (
        rf"\b(?:{words})[- ]free\b",
        rf"\bfree (?:of|from) (?:\w+ ){{0,2}}(?:{words})\b",
        rf"\b(?:no|without|never|nothing with|zero)\b(?: any| an?)? (?:\w+ )?(?:{words})\b(?! options?| choices?)",
        rf"\b(?:leav|keep|kept|left)\w* (?:\w+ ){{0,2}}(?:{words})\b (?:\w+ )?(?:out|away|off)\b",
        rf"\b(?:(?:leav|left)\w* out|ban(?:s|ned)?) (?:\w+ ){{0,2}}(?:{words})\b",
        rf"\b(?:{words})\b (?:\w+ ){{0,2}}(?:left out|kept out|kept away|banned)\b",
    )
