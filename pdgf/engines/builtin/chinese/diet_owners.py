"""Whose a diet is: 我不是素食者 refuses nothing, and 但我女儿是 behind it asks for the diet (METHOD 12)."""

import re

from pdgf.engines.builtin.chinese import cues
from pdgf.engines.builtin.chinese.mentions import mentions
from pdgf.engines.builtin.chinese.wishes import Piece, Wish
from pdgf.engines.builtin.vocabulary import Vocabulary

_WHO = r"(?:我们?|本人|俺|咱们?)(?:自己|本人|俩)?"
_NOT = re.compile(
    rf"(?:{_WHO}(?:并|也|倒|都|现在|已经|其实)*(?:不是|不算|没有|没|不)|(?:并|也|倒)?(?:不是|不算))(?P<diet>[^,。;!?]{{1,10}}?)(?:的人|的|了)?\s*$"
    rf"|{_WHO}(?P<food>对[^,。;!?]{{1,8}}?)(?:并|也|都)?不过敏$"
)
_BUT = r"[,，。;；\s]*(?:但是?|不过|可是?|只是|然而|而)?"
_OTHER = r"(?!我们?(?:自己)?(?:也|都)?(?:是|吃|有|会|要))[^,。;!?\s]{1,10}?"
_IS = r"(?:也|都|却|倒|呢)*(?:是|吃|有|要|会|过敏)(?:的|吃的?)?"
_ANOTHER = re.compile(rf"{_BUT}(?P<who>{_OTHER}){_IS}(?P<end>[吧啊呢哦呀]*)(?=[,，。;；!！?？\s]|$)")


def diets_told(
    text: str, begin: int, stop: int, offset: int, vocabulary: Vocabulary
) -> tuple[tuple[int, int], Wish | None] | None:
    """The stretch of a clause in which whoever writes says not to keep a diet, with the wish for it where somebody else
    does; None where the clause says no such thing."""
    match = _NOT.match(text[begin:stop].lstrip(cues.BLANK + " "))
    if match is None:
        return None
    begin = stop - len(text[begin:stop].lstrip(cues.BLANK + " "))
    named = "diet" if match["diet"] else "food"
    diet = match["diet"] or f"{match['food']}过敏"
    if not any(m.perspective == "diet" and m.start == 0 for m in mentions(diet, vocabulary)):
        return None
    at = begin + match.start(named)
    other = _ANOTHER.match(text, stop)
    if other is None:
        return (begin, stop), None
    piece = Piece(start=offset + at, end=offset + other.end(), perspective="diet", text=diet)
    return (begin, other.end()), Wish(pieces=[piece], said_from=piece.start, hard=True)
