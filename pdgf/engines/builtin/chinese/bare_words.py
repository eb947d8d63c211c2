"""Words that ask for nothing where they are wanted and say a lot where they are refused: 不要太老, 不喜欢小说."""

import re
from dataclasses import replace

from pdgf.engines.builtin.chinese import cues
from pdgf.engines.builtin.chinese.wishes import Piece
from pdgf.engines.builtin.vocabulary import Vocabulary

_TOO = re.compile(r"太|过于|过分|那么|这么")
_OLD, _NEW = "1980年以前", "2015年以后"
# What is too much of an age, told by a year so that the user sees what is meant
_AGES = {"新": _NEW, "近": _NEW, "老": _OLD, "旧": _OLD, "古老": _OLD, "久远": _OLD, "年代久": _OLD}
# What the items are in general: the form in metadata, and the form of the word list that says it
_FORMS = {"小说": ("novel", "小说类"), "电影": ("film", "剧场版"), "影片": ("film", "剧场版")}

_FOODS = {"奶": "乳制品", "蛋": "鸡蛋", "猪": "猪肉", "牛": "牛肉", "羊": "羊肉"}
_FOODS_IN_ONE = {
    "牛羊肉": ("牛肉", "羊肉"), "牛羊": ("牛肉", "羊肉"), "猪牛羊肉": ("猪肉", "牛肉", "羊肉"), "鱼虾": ("鱼", "虾"),
    "虾蟹": ("虾", "螃蟹"), "鱼虾蟹": ("鱼", "虾", "螃蟹"), "蛋奶": ("鸡蛋", "牛奶"), "鸡蛋牛奶": ("鸡蛋", "牛奶"),
    "花生坚果": ("花生", "坚果"), "红肉": ("牛肉", "羊肉", "猪肉"),
}  # fmt: skip


def foods_in_one(piece: Piece, said: str) -> list[Piece]:
    """The foods that one word names together (牛羊肉), each as a piece of its own; the piece itself for any other."""
    return [replace(piece, perspective="dish", text=food) for food in _FOODS_IN_ONE.get(said, ())] or [piece]


def refused_bare(said: str, at: int, strength: str, vocabulary: Vocabulary) -> Piece | None:
    """What a bare word behind a refusal stands for; `at` is where `said` stands in the narrative. None for any other
    word, and for a form that no item of the catalogue has."""
    words = said.strip(cues.BLANK + " ")
    bare = re.sub(rf"^(?:{_TOO.pattern})|[的了吧呢啊]+$", "", words)
    start = at + said.index(words) if words else at
    form, known = _FORMS.get(bare, ("", ""))
    if form in vocabulary.formats:
        return Piece(start=start, end=start + len(words), perspective="format", text=known)
    if vocabulary.places and bare in _FOODS:
        return Piece(start=start, end=start + len(words), perspective="dish", text=_FOODS[bare])
    bare = cues.NOUN.sub("", bare)
    aged = not vocabulary.places and (bare != words or _TOO.search(strength))
    if aged and bare in _AGES:
        return Piece(start=start, end=start + len(words), perspective="era", text=_AGES[bare])
    return None
