"""Words around a mention that take from it: it fades, is a single one, is less than something else, or whoever comes
for it is warned (METHOD 12, polarity rules). Pure.

"Laughter thins out", "the only humour", "sillier than scary", "those expecting belly laughs may only smile".
"""

import re
from enum import StrEnum


class Hedge(StrEnum):
    """What is left of a mention: little of the thing, or none."""

    LITTLE = "little"
    NONE = "none"


_SOME_WORDS = r"(?:,? [\w'’-]+){0,6}?"
# "Some jokes about race and weight have dated"; "the detective strand is stiff"
_FADES = re.compile(
    rf"^[\w'’-]*{_SOME_WORDS} (?:(?:have|has|had) (?:\w+ly )?(?:dated|aged (?:badly|poorly)|faded|gone stale|worn thin)"
    r"|thins? out|(?:wears?|grows?|runs?) (?:thin|off|out|stale|dry)|falls? flat|fades?\b(?! (?:to|into|in|from) )"
    r"|peters? out|dries up|dwindles?|misfires?|lands? (?:badly|awkwardly|poorly)|disappears?)\b"
    r"|^[\w'’-]*(?: (?:strand|side|part|element|plot|angle|line|thread|half|business|bits?|scenes?))?"
    r" (?:is|are|feels?|seems?) (?:\w+ly )?(?:stiff|weak|thin|clumsy|forced|tacked on|perfunctory|rationed"
    r"|in short supply|at a premium|fleeting|half-hearted|routine"
    r"|undercooked|underdeveloped|sketchy|slight|an afterthought)\b",
    re.IGNORECASE,
)
_THE_ONLY = re.compile(r"\b(?:the|its|his|her|their) (?:only|sole|one|rare)(?: [\w'’-]+)? $", re.IGNORECASE)
_LESS_THAN = re.compile(
    r"\b(?:(?:more|rather more|much more)(?: [\w'’-]+){1,2}|(?!(?:other|rather|further|ever|never|better|bigger|after"
    r"|together|however|over|under|longer|shorter|later)\b)[\w-]{3,}er) than (?:it is )?$",
    re.IGNORECASE,
)
_WHOEVER = (
    r"\b(?:those|anyone|anybody|everyone|everybody|people|viewers?|readers?|fans?|guests?|diners?|audiences?|grown-ups"
    r"|adults|eaters|parents|families|whoever|if you)\b(?: who)?"
    r"(?: (?:are|is))? (?:come |came |go |went |here )?(?:expecting|expects?|wanting|wants?|needing|needs?|hoping for"
    r"|hopes? for|after|looking for|seeking|wishing for|in search of|in the mood for|craving|for)"
)
_BEFORE_IT = r"(?: [\w'’-]+){0,3} $"
_COMES_FOR_IT = re.compile(_WHOEVER + _BEFORE_IT, re.IGNORECASE)
_NOT_FOR_THEM = re.compile(
    r"\b(?:not|never|n['’]t|hardly|nothing|wrong(?: \w+)??|poor choice|a bad choice)\b[^.;:]{0,24}\bfor (?:those|anyone"
    r"|anybody|people|viewers?|readers?|fans?|whoever)(?: who)?(?: (?:are|is))? (?:expecting|expects?|wanting|wants?"
    r"|need\w*|hoping for|hopes?(?: for| that)?|after|looking for|looks? for|seeking|craving|likes?|loves?"
    r"|in search of)(?: [\w'’-]+){0,5} $",
    re.IGNORECASE,
)
_SENT_AWAY = (
    r" (?:(?:may|might|will|could|would|must) (?:not|(?:well |sorely )?miss(?! (?:nothing|little))"
    r"|(?:well )?(?:be|feel|find|leave|go|come away|wonder|get)"
    r"(?: [\w'’-]+){0,2}? (?:bored|disappoint\w+|let down|frustrat\w+|unhappy|restless|little|nothing|none|cheated"
    r"|puzzled|hungry|empty|elsewhere|impatient|cold|without|short))"
    r"|ha(?:s|ve) (?:come to )?the wrong|(?:get|find|have|has)s? (?:next to )?(?:nothing|none|little))\b"
)
_LET_DOWN = re.compile(rf"^[\w'’-]*{_SOME_WORDS}{_SENT_AWAY}", re.IGNORECASE)
_WARNS = re.compile(rf"{_WHOEVER} [^.;:!?]{{1,60}}?{_SENT_AWAY}", re.IGNORECASE)
# "Carnivores may miss meat": it is not there. "You may miss the jokes", though, and "nobody will miss it"
_MISSED = re.compile(
    r"(?<!\byou)(?<!\bnobody)(?<!\bno one)(?<!\bone) (?:may|might|will|would|could) (?:well |sorely |soon )?miss"
    r"(?: (?!out\b)[\w'’-]+){0,3} $",
    re.IGNORECASE,
)
_IF_MISSED = re.compile(r"^[^.;]{0,20}? (?:if|unless|when|on (?:a|the) first|the first time)\b", re.IGNORECASE)
_ONLY_SMILE = re.compile(
    rf"^[\w'’-]*{_SOME_WORDS} (?:may|might|will|could) (?:only|merely|at best|have to (?:wait|settle)|settle for)\b",
    re.IGNORECASE,
)


def hedge_of(sentence: str, start: int, end: int) -> Hedge | None:
    """What the words around a mention leave of it; None where they take nothing."""
    before, after = sentence[:start], sentence[end:]
    if _LESS_THAN.search(before) or _NOT_FOR_THEM.search(before):
        return Hedge.NONE
    if _MISSED.search(before) and not _IF_MISSED.match(after):
        return Hedge.NONE
    if _COMES_FOR_IT.search(before):
        if _LET_DOWN.match(after):
            return Hedge.NONE
        if _ONLY_SMILE.match(after):
            return Hedge.LITTLE
    return Hedge.LITTLE if _THE_ONLY.search(before) or _FADES.match(after) else None


def sends_away(sentence: str) -> bool:
    """Whether a sentence tells those who come for something that they will not find it: it speaks for nothing."""
    return bool(_WARNS.search(sentence))
