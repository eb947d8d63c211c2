"""What a Chinese sentence says of a thing, and how strongly: negation, scope and degree by rule (METHOD 12)."""

import re
from functools import lru_cache

from pdgf.engines.builtin.findings import content_words, overall
from pdgf.engines.builtin.lexicon import Concept, concept_mentions, concepts
from pdgf.engines.builtin.pairs import Pair, persons_named
from pdgf.engines.builtin.polarity import Degree
from pdgf.glossary import Named, entries, folded, named
from pdgf.glossary.segmentation import words

_NEGATOR = re.compile(
    r"没有|没什么|没啥|没|毫无|全无|并无|无(?!论|数|比|限|聊|敌|间)|并不|并非|从不|从未|不是|不怎么|不太|不算|不会|不用|不需要?|不带|不含|不见|不靠|不提供|不设|不接受|不讲究?|谈不上|称不上|算不上"
    r"|几乎不|几乎没|看不到|找不到|吃不到|听不到|少了|别指望|别想|很少|极少|鲜少|鲜有|少有|缺乏|缺少|缺|远离|免于|拒绝|避开|避免|不|非(?!常|同|要|得)|别|零|代替|取代|而不是|而非"
)
_NO_NEGATOR = re.compile(
    r"不仅仅?|不只是?|不但|不光|不愧是?|不得不|不少|不错|不禁|无比|无限|无不|没完没了|不停|不断|毫不掩饰|忍不住|止不住|停不下来|不同|不能不|不容错过|无论|无数|差不多|莫不|不可多得|无时无刻|没少|不知不觉|得不行|到不行|得不得了|不得了"
    r"|不手软|不含糊|不打折扣?|不收敛|不减当年|好不(?=热闹|容易|快活)|不乏|不缺|不失|没想到|没话说|没得说|不妨|不管|别具|别致|特别|别有|分别|级别|区别|差别|告别|不用说|不由得|不自觉|离不开|少不了|不可避免|难免不|不慌不忙|不紧不慢|不厌其烦|不过|别人|有没有"
)
_DENIED_AFTER = re.compile(
    r"^[^,，。;；!！?？、]{0,5}?(?:几乎)?(?:为零|是零|很少|极少|不多|有限|欠奉|缺席|全无|不足|不明显|不重|不强|不存在|少得可怜|稀薄|寥寥|谈不上|不够|不便|不方便|困难|紧张得?找不到|很难找?|难找|看不到|找不到|吃不到|不友好|不适合|不宜|没有|没了|取消|不提供|退到|被压缩|点都没|都没有|也没有|不算多|就算了|免谈|慎入|勿入|不建议|崩坏|崩了|粗糙|难看|拉胯|敷衍|很差|太差|平庸)"
)
# "想看恋爱的别抱期望": who comes for it does not find it
_HOPED = re.compile(r"(?:想看|想找|想要|需要|追求|期待|冲着|奔着|喜欢|爱看|为了)[^,，。;；!！?？、]{0,5}$")
_DISAPPOINTED = re.compile(
    r"^[^。;；!！?？]{0,4}?的?[^。;；!！?？]{0,6}?(?:别来|别抱|别看|别选|别点|失望|绕道|会怀念|会想念|找不到|看不到|另找|另寻|没戏|无缘|不够|扑空|找错|会嫌|会觉得|会急|会闷|可以跳过|劝退|不适合|走错)"
)
_MILD = re.compile(
    r"有点|稍微|略|些许|少量|偶尔|轻微|一点|一些|点到为止|不算太|微微|含蓄|克制|一丝|几处|个别|淡淡|零星|一两处|带点"
)
_STRONG = re.compile(
    r"非常|很|极|超|太|特别|十分|大量|满屏|全程|到处|成堆|一堆|频繁|直白|惨烈|不少|很多|许多|密集|句句|处处|全是|满是|爆|无比|相当|贯穿|最|得不行|到不行|要命|死了|横飞|四溅|淋漓|炸裂|死贵|昂贵|天价|奢侈|血淋淋|爆棚|拉满|满满"
)
_CLAUSE_END = re.compile(r"[,，。;；:：!！?？(（)）—]|而是|但是?|却|反而|不过|只是(?=.)")
_PAST_A_MODIFIER = re.compile(r"(?<![多别么大点些样])的|让|才|就|才能|反倒")
_REACH, _SHORT_REACH = 9, 4  # characters before a mention within which a negator, or one of one character, governs it
_NEXT = 1  # characters between two negators of one thing (并非没有); further apart they deny two (没有剧情没有恋爱)
_GORE = "blood and guts"  # what shows it is violent too
_SMALL = frozenset([*"的了是在和与有很就都也还又一个部家人想要看", "一个", "什么", "这个", "那种", "类似"])


@lru_cache(maxsize=200_000)
def concept_degree(sentence: str, name: str) -> Degree | None:
    """How much of a concept a sentence speaks of, its opposites counted as denials; None: not at all."""
    concept = concepts()[name]
    degrees: list[Degree] = []
    for found in named(sentence):
        side = _side(found, concept)
        if side is not None:
            degrees.append(_degree_at(sentence, found.start, found.end, opposite=not side))
    return overall(degrees)


def _side(found: Named, concept: Concept) -> bool | None:
    """True where an entry asserts a concept, False where it denies it, None where it says nothing of it."""
    english = found.entry.english
    asserts = bool(concept.asserting.search(english) or concept.naming.search(english))
    asserts = asserts or (concept.name == "violence" and english == _GORE)
    denies = concept.denying is not None and bool(concept.denying.search(english))
    if asserts == denies:
        return None
    return asserts


@lru_cache(maxsize=200_000)
def words_degree(sentence: str, english: str, chinese: str) -> tuple[Degree | None, bool]:
    """How strongly a sentence speaks of a wish, and whether of the whole of it: its concepts, or its own words.

    `english` are the words of the wish or their gloss, `chinese` its Chinese words; either may be empty.
    """
    concepts_named = concept_mentions(english) if english else ()
    if concepts_named:
        degrees = [concept_degree(sentence, mention.concept.name) for mention in concepts_named]
        spoken = [degree for degree in degrees if degree is not None]
        if spoken:
            return max(spoken), degrees[0] is not None
    same = _same_words(sentence, english)
    if same is not None:
        return same, True
    return _literal(sentence, chinese) if chinese and not concepts_named else (None, False)


_FEW = re.compile(r"很少|极少|鲜少|鲜有|少有|不多|有限|寥寥(?:无几)?|少得可怜")


def merely_few(sentence: str, english: str, chinese: str) -> bool:
    """Whether a sentence denies something only by saying that it is little (死亡很少): it knows of some."""
    rest = _FEW.sub(lambda found: "~" * len(found[0]), folded(sentence))
    return rest != folded(sentence) and (words_degree(rest, english, chinese)[0] or Degree.NONE) > Degree.NONE


def _same_words(sentence: str, english: str) -> Degree | None:
    """What an entry of the same English words says."""
    wanted = set(content_words(english))
    degrees = [
        _degree_at(sentence, found.start, found.end, opposite=False)
        for found in named(sentence)
        if wanted and wanted <= set(content_words(found.entry.english))
    ]
    return overall(degrees)


def _literal(sentence: str, chinese: str) -> tuple[Degree | None, bool]:
    """What the literal words of a wish say where they stand."""
    plain = folded(sentence)
    whole = folded(chinese)
    content = [whole] if whole in entries() else [w for w in words(whole) if w not in _SMALL and w.isalnum()]
    events = [
        [_degree_at(sentence, m.start(), m.end(), opposite=False) for m in re.finditer(re.escape(word), plain)]
        for word in content
    ]
    if not content or not events[-1]:
        return None, False
    return overall(events[-1]), all(events)


def _degree_at(sentence: str, start: int, end: int, *, opposite: bool) -> Degree:
    plain = _NO_NEGATOR.sub(lambda found: "~" * len(found[0]), folded(sentence))
    denied = (_denials(plain, start, end) % 2 == 1) != opposite
    return Degree.NONE if denied else _strength(plain, folded(sentence), start, end)


def denied_at(sentence: str, start: int, end: int) -> bool:
    """Whether what stands at half-open offsets of a sentence is denied by the words around it."""
    return _degree_at(sentence, start, end, opposite=False) is Degree.NONE


def pair_denied(sentence: str, pair: Pair) -> bool | None:
    """Whether a sentence that names both of two people denies them; None for one that does not name both."""
    plain = folded(sentence)
    found = persons_named(pair, plain)
    if not all(found):
        return None
    return any(denied_at(plain, at := plain.index(word), at + len(word)) for words in found for word in words)


def _denials(plain: str, start: int, end: int) -> int:
    before = plain[:start]
    ends = list(_CLAUSE_END.finditer(before))
    clause = before[ends[-1].end() :] if ends else before
    negators = 0
    reached = len(clause)
    for found in reversed(list(_NEGATOR.finditer(clause))):
        reach = _NEXT if negators else _REACH if len(found[0]) > 1 else _SHORT_REACH
        if reached - found.end() > reach or (not negators and _PAST_A_MODIFIER.search(clause, found.end())):
            break
        negators += 1
        reached = found.start()
    disappointed = _HOPED.search(clause) and _DISAPPOINTED.match(plain[end:])
    return negators + bool(_DENIED_AFTER.match(plain[end:]) or disappointed)


def _strength(plain: str, sentence: str, start: int, end: int) -> Degree:
    around = sentence[max(0, start - 8) : end + 8]
    if _MILD.search(around) and not _STRONG.search(around):
        return Degree.MILD
    return Degree.STRONG if _STRONG.search(around) else Degree.PLAIN


def speaks_of(english: str, chinese: str, text: str) -> bool:
    """Whether a Chinese text names a scope, by its concept or by its words."""
    for mention in concept_mentions(english) if english else ():
        if any(mention.concept.asserting.search(found.entry.english) for found in named(text)):
            return True
    plain = folded(text)
    return any(word in plain for word in words(folded(chinese)) if len(word) > 1 and word not in _SMALL)
