"""f_v and web queries in Chinese, and an f_v in Chinese read back for English texts (METHOD 4.6, 5.1, 12).

    [必须满足：| 不要 | 不要太 | 不要以 ... 为主] z [（perspective）] [，即“base cue z”] [，限于：z_u；...] 。

An f_v of another wording (a language model's) is read as a focus without scope.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pdgf.engines.builtin.features import MAX_WORDS
from pdgf.engines.builtin.pairs import pair_wished
from pdgf.glossary import gloss, has_han
from pdgf.models import Node, Polarity, QualificationEdge
from pdgf.ports import RefinementRequest, RewriteRequest

CHARACTERS_A_WORD = 2  # METHOD 4.6 limits f_v in words
_PERSPECTIVES: Mapping[str, str] = {
    "genre": "类型", "pace": "节奏", "tone": "基调", "setting": "背景", "cuisine": "菜系", "dish": "菜品",
    "location": "地点", "language": "语言", "country": "国家", "creator": "主创", "price": "价格", "length": "长度",
    "audience": "适合人群", "noise": "安静程度", "diet": "饮食要求", "format": "形式", "era": "年代",
    "parking": "停车", "prominence": "比重", "atmosphere": "氛围", "wait": "等位", "meal": "餐段",
    "content": "内容", "hours": "营业时间",
}  # fmt: skip
_ENGLISH_OF = {chinese: english for english, chinese in _PERSPECTIVES.items()}
_TOLERANT = re.compile(r"少|太|过于|过分|那么|这么|只有|全是|总是|很|特别|非常|大量|到处")
_MUST, _NOT, _NOT_TOO, _NOT_MOSTLY, _NOT_MUCH = "必须满足：", "不要", "不要太", "不要以", "不要过多的"
_FEATURE = re.compile(
    r"^(?:(?P<must>必须满足：|必须有?|一定要有?))?"
    r"(?P<avoid>(?:不要|避免|不想要?|不希望有?|没有|不能有?|拒绝|排除|不含)(?P<degree>太|过于|以|大量的?|过多的?)?)?"
    r"(?P<focus>.+?)(?P<mostly>为主)?(?:（(?P<perspective>[^）]{1,8})）)?(?:，即“(?P<gloss>[^”]+)”)?"
    r"(?:，限于：(?P<context>.+?))?[。.]?$",
    re.DOTALL,
)
_ITEM_WORDS: Mapping[str, str] = {
    "movie": "电影", "film": "电影", "book": "小说", "novel": "小说", "anime": "动画", "restaurant": "餐厅",
    "place": "餐厅",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ChineseFeature:
    """What a judge needs of an f_v in Chinese."""

    focus: str
    avoid: bool
    tolerant: bool
    must: bool
    perspective: str
    gloss: str
    contexts: tuple[str, ...]


def chinese_feature(request: RefinementRequest) -> str:
    """f_v of a node from its own words, its strength and its ancestors, nearest scope last."""
    node = request.node
    z = node.instantiation
    if node.polarity is Polarity.AVOID:
        if "为主" in node.strength:
            said = f"{_NOT_MOSTLY}{z}为主"
        else:
            less = _NOT_MUCH if "少" in node.strength else _NOT_TOO
            said = f"{less if _TOLERANT.search(node.strength) else _NOT}{z}"
    else:
        said = f"{_MUST}{z}" if node.hard else z
    if node.perspective in _PERSPECTIVES:
        said += f"（{_PERSPECTIVES[node.perspective]}）"
    shown = _shown(node, request.ancestors, request.edges)
    if shown:
        said += f"，即“{shown}”"
    if request.ancestors:
        said += f"，限于：{'；'.join(u.instantiation for u in request.ancestors)}"
    return said[: MAX_WORDS * CHARACTERS_A_WORD].rstrip("，；：“") + "。"


def _shown(node: Node, ancestors: Sequence[Node], edges: Sequence[QualificationEdge]) -> str:
    by_id = {u.id: u for u in ancestors}
    for edge in edges:
        if edge.qualifier == node.id and edge.base in by_id:
            base = by_id[edge.base].instantiation
            if edge.span in ("", "的"):
                return f"{node.instantiation}的{base}"
            return f"{base}{edge.span}{node.instantiation}"
    return ""


@lru_cache(maxsize=4_096)
def read_chinese_feature(feature: str) -> ChineseFeature:
    """Read an f_v back; total, because any text is a focus."""
    match = _FEATURE.match(feature.strip())
    if match is None:
        return ChineseFeature(
            focus=feature, avoid=False, tolerant=False, must=False, perspective="", gloss="", contexts=()
        )
    return ChineseFeature(
        focus=match["focus"].strip(),
        avoid=bool(match["avoid"]),
        tolerant=bool(match["avoid"]) and bool(match["degree"] or match["mostly"]),
        must=bool(match["must"]),
        perspective=_ENGLISH_OF.get(match["perspective"] or "", ""),
        gloss=match["gloss"] or "",
        contexts=tuple(part.strip() for part in (match["context"] or "").split("；") if part.strip()),
    )


@lru_cache(maxsize=4_096)
def english_feature(feature: str) -> str:
    """The f_v as the English half of the engine words it; empty where no English word is known for its focus."""
    if not has_han(feature):
        return feature
    read = read_chinese_feature(feature)
    pair = pair_wished(read.focus, read.perspective)
    focus = pair.english if pair is not None else gloss(read.focus)
    if not focus:
        return ""
    lead = "not too " if read.tolerant else "no " if read.avoid else "must have " if read.must else ""
    said = f"{lead}{focus}"
    if read.perspective:
        said += f" ({read.perspective})"
    if read.gloss and (shown := gloss(read.gloss)):
        said += f", as in “{shown}”"
    contexts = [words for context in read.contexts if (words := gloss(context))]
    if contexts:
        said += f", in the context of {'; '.join(contexts)}"
    return f"{said}."


def chinese_query(request: RewriteRequest, item_word: str) -> str:
    """r_uv in web-search syntax: the words of c_u^0 and c_v^0, the item word, and the kind of page wanted."""
    terms = [request.base, request.node] if request.base is not None else [request.node]
    wanted = " ".join(f'"{_bare(node.instantiation)}"' for node in terms if node.polarity is Polarity.WANT)
    unwanted = " ".join(f'-"{_bare(node.instantiation)}"' for node in terms if node.polarity is Polarity.AVOID)
    word = _ITEM_WORDS.get(item_word.casefold(), item_word)
    return " ".join(part for part in (wanted, word, "推荐", unwanted) if part)


def _bare(text: str) -> str:
    return text.replace('"', "").strip()
