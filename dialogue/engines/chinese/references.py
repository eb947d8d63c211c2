"""Which items Chinese words point at: titles, places, descriptions, comparisons, groups, pronouns (METHOD 9.6). Pure.

Resolved against the last shown list, and by name against all that was shown before. Words that point at an item which
is not there, or at one of several, stay unresolved; nothing is guessed.
"""

import re
from collections.abc import Sequence

from dialogue import facts
from dialogue.engines.attributes import fits
from dialogue.engines.chinese.cues import cue, plain
from dialogue.engines.names import named
from dialogue.engines.references import References, Shown
from dialogue.fact_words import value_in_english
from dialogue.models import ItemRef
from dialogue.spans import Span, overlaps
from pdgf.glossary import gloss, makers
from pdgf.glossary.numbers import number_of
from pdgf.glossary.script import HAN
from pdgf.identity import name_key

MW = r"(?:个|部|本|家|款|篇|间|套|号|种|位)"
NUMBER = r"(?:[一二两三四五六七八九十]|\d{1,2})"
_NO_PLACE = r"(?!季|集|次|章|人称|页|幕|天|话|眼|时间|卷|名|流|代|线|印象)"
_PLACED = re.compile(
    rf"(?:倒数第(?P<back>{NUMBER})|第(?P<place>{NUMBER})){_NO_PLACE}{MW}?(?:电影|片子|书|番|餐厅|店)?"
    rf"|(?P<edge>前|头|后|最后)(?:面)?(?P<count>[两二三四五2-5]){MW}"
    rf"|(?P<last>最后|末尾|最末)(?:的)?(?:那|一|这|那一)?{MW}|(?P<top>头一|打头的?那?){MW}|中间(?:的)?(?:那|一|那一)?(?P<middle>{MW})"
    rf"|(?<![\d.])(?P<number>\d{{1,2}}|[一二三四五六七八九十])号(?!线|楼|店)|(?:no\.?|number|#)\s*(?P<latin>\d{{1,2}})"
)
_QUOTED = re.compile(r"[《〈「『“](?P<title>[^》〉」』”\n]{1,80})[》〉」』”]")
_REST = re.compile(
    rf"(?:另外|其他|其它|其余|剩下|别的)(?:的)?(?:那|这)?(?:[两二三四几2-9]{MW}|些|的)?|另(?:外)?(?:那)?一?{MW}"
)
_GROUP = re.compile(
    rf"(?P<both>(?:这|那)?[两俩]{MW}?都|都(?=不|没|看过|读过|去过|吃过|要|挺|很|太|好|可以|差)"
    rf"|全都?(?=不|要|看过|都)|所有(?:的)?|每一?{MW}|(?:这|那)(?:些|(?P<count>[两二三四五几2-9]){MW})|它们|全部)"
)
_BUT = re.compile(r"除了?$")
_ALL_OTHERS = re.compile(r"(?:其他|其它|别的|其余|剩下)?(?:的)?(?:都|全)")
_ONE = re.compile(
    rf"它(?!们)|(?:这|那)(?:一)?{MW}(?:电影|片子|书|番|餐厅|店)?(?!的话)|^(?:这|那)(?=是|有|能|多|不|吧|可以)|该{MW}"
)
_FROM_BEFORE = re.compile(
    r"(?:之前|先前|前面|早先|一开始|最开始|最早|上一批|上次)(?:你)?(?:推荐|说|给|看|列|提)?(?:过)?的?"
)
_THAT = rf"(?:的)?(?:那|这)(?:一)?{MW}"
_DESCRIBED = re.compile(
    rf"(?P<before>[^，,。.!！?？、\s《》就要选看订和与]{{2,10}}?){_THAT}"
    rf"|(?:那|这)(?:一)?{MW}(?P<after>[^，,。.!！?？、\s《》]{{2,8}}?)(?=我|就|吧|呢|多|是|有|怎|什|$|[，,。!！?？])"
)
_NOT_DESCRIBING = re.compile(
    r"^(?:第|最后|前|后|头|中间|刚才|之前|就|还是|那|这|我|你|把|对|请|好的|换|另外|其他|因为|想|要|选|看|订|加|收|它|为什么|哪|推荐|不|没|都)|推荐|不要|不喜欢|喜欢"
)


def resolve(text: str, shown: Shown) -> References:
    """What the text points at: by name or place if it names any, else by comparison, description, group, pronoun."""
    words = plain(text)
    before = _FROM_BEFORE.search(words)
    counted = shown.ever if before and shown.ever and re.search("一开始|最早|最开始", before[0]) else shown.items
    names, missing = _named(text, shown)
    taken = [span for span, _ in names] + [span for span, _ in missing]
    placed, missed = _placed(words, counted, taken)
    if names or placed or missed or missing:
        sure = [(span, group[0]) for span, group in names if len(group) == 1]
        several = [(span, group) for span, group in names if len(group) > 1]
        pairs = sorted([*sure, *placed], key=lambda pair: pair[0])
        left_out = [item for span, item in pairs if _BUT.search(words, 0, span[0])]
        unresolved = [*missed, *missing, *((span, text[slice(*span)]) for span, _ in several)]
        items = tuple(dict.fromkeys(item for _, item in pairs))
        if left_out and _ALL_OTHERS.search(words):
            items = tuple(item for item in shown.items if item not in left_out)
        return References(
            items=items,
            spans=tuple(dict.fromkeys([*(span for span, _ in pairs), *(span for span, _ in unresolved)])),
            unresolved=tuple(said for _, said in unresolved),
            candidates=tuple(item for _, group in several for item in group),
            earlier=before is not None,
            by_name=bool(sure),
        )
    kinds = (_compared, _described, _the_rest, _grouped, _meant)
    return next((found for kind in kinds if (found := kind(words, shown)).spans), References())


def _named(text: str, shown: Shown) -> tuple[list[tuple[Span, tuple[ItemRef, ...]]], list[tuple[Span, str]]]:
    """The items that are named, and quoted titles that nothing shown bears."""
    pool = [*shown.items, *shown.earlier]
    found: list[tuple[Span, tuple[ItemRef, ...]]] = []
    missing: list[tuple[Span, str]] = []
    for match in _QUOTED.finditer(text):
        group = tuple(item for item in dict.fromkeys(pool) if _bears(item, match["title"], shown))
        nearest = (tuple(i for i in group if i in near) for near in (shown.focus, shown.items))
        group = next(filter(None, nearest), group)
        if group:
            found.append((match.span(), group))
        else:
            missing.append((match.span(), match["title"]))
    latin = HAN.sub(" ", text)
    for line in (latin, text):  # a name in Latin letters may stand between Chinese characters
        for span, group in named(line, pool, shown.metadata):
            if all(not overlaps(span, other) for other, _ in [*found, *missing]):
                found.append((span, group))
    return found, missing


def _bears(item: ItemRef, title: str, shown: Shown) -> bool:
    others = shown.metadata.get(item.id, {}).get("other_titles")
    titles = [item.title, *(str(other) for other in others)] if isinstance(others, list) else [item.title]
    wanted = name_key(title)
    return any(wanted == key or (len(wanted) > 1 and key.startswith(wanted)) for key in map(name_key, titles))


def _placed(
    words: str, items: Sequence[ItemRef], taken: Sequence[Span]
) -> tuple[list[tuple[Span, ItemRef]], list[tuple[Span, str]]]:
    """Places in the list (第二部, 最后一家, 前两本, 2号), and those out of range."""
    found: list[tuple[Span, ItemRef]] = []
    missed: list[tuple[Span, str]] = []
    for match in _PLACED.finditer(words):
        if any(overlaps(match.span(), span) for span in taken):
            continue
        places = places_named(match, len(items))
        if all(1 <= place <= len(items) for place in places):
            found += [(match.span(), items[place - 1]) for place in places]
        else:
            missed.append((match.span(), match[0]))
    return found, missed


def places_named(match: re.Match[str], count: int) -> list[int]:
    """The places, from 1 on, that words for a place in a list of `count` name, whether it has them or not."""
    if match["count"]:
        size = int(number_of(match["count"]) or 0)
        return list(range(1, size + 1)) if match["edge"] in ("前", "头") else list(range(count - size + 1, count + 1))
    if match["last"]:
        return [count]
    if match["top"]:
        return [1]
    if match["middle"]:
        return [(count + 1) // 2] if count % 2 else [0]
    number = next(match[name] for name in ("back", "place", "number", "latin") if match[name])
    place = int(number_of(number) or 0)
    return [count - place + 1] if match["back"] else [place]


def _compared(words: str, shown: Shown) -> References:
    """便宜的那家, 最短的: the item at that end of a scale; unresolved where the metadata are silent."""
    own = shown.domain.chinese
    if own is None or not shown.items or re.search(r"哪|谁更|谁最", words):
        return References()
    missed = References()
    for scale in shown.domain.scales:
        said = own.scales.get(scale.metadata)
        for low, names in ((True, said.less), (False, said.more)) if said else ():
            adjective = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
            degree, that = r"(?:最|更|比较|较)", rf"(?:那|这)(?:一)?{MW}"
            found = re.search(
                rf"{degree}?(?:{adjective})(?:一?点儿?|一些|些)?的{that}|{degree}(?:{adjective}){that}"
                rf"|最(?:{adjective})的{that}?|{that}{degree}?(?:{adjective})的",  # 更短的 alone asks for another
                words,
            )
            if found is None:
                continue
            pool = shown.focus if len(shown.focus) > 1 else shown.items
            places = {i.id: facts.place_on(scale, shown.metadata.get(i.id, {}), i.year) for i in pool}
            best = facts.at_the_end(places, low=low)
            if len(best) == 1:
                return References(items=tuple(i for i in pool if i.id in best), spans=(found.span(),))
            alike = tuple(i for i in pool if i.id in best)
            missed = References(spans=(found.span(),), unresolved=(found[0],), candidates=alike)
    return missed


def _described(words: str, shown: Shown) -> References:
    """意大利那家, 宫崎骏那部, 有露台的那家: of the last list, else of what was shown before; open where several fit."""
    for match in _DESCRIBED.finditer(words):
        said = match["before"] or match["after"]
        if not said or _NOT_DESCRIBING.search(said):
            continue
        meanings = tuple(filter(None, (value_in_english(said), gloss(said), gloss(f"{said}菜"), gloss(f"{said}片"))))
        span = match.span()
        for pool in (shown.items, shown.earlier):
            fitting = tuple(i for i in pool if _is(i, said, meanings, shown))
            if len(fitting) == 1:
                return References(items=fitting, spans=(span,))
            if fitting:
                return References(spans=(span,), unresolved=(match[0],), candidates=fitting)
    return References()


def _is(item: ItemRef, said: str, meanings: Sequence[str], shown: Shown) -> bool:
    metadata = shown.metadata.get(item.id, {})
    values = [str(each) for value in metadata.values() for each in (value if isinstance(value, list) else [value])]
    core = re.sub(r"^(?:有|带|是|讲)|(?:的|片|电影|餐厅|馆|店|番|小说|菜)+$", "", said)
    if len(core) > 1 and any(core in plain(value) for value in values):
        return True
    if any(name in values for name in makers().get(core, ())):
        return True
    return any(fits(words.replace("made in", " ").strip(), item, metadata, shown.domain) for words in meanings)


def _the_rest(words: str, shown: Shown) -> References:
    """另外两部, 剩下的: what is left of the list beside the items just spoken of."""
    match = _REST.search(words)
    rest = tuple(item for item in shown.items if item not in shown.focus)
    if match is None or not shown.focus or not rest or cue("continue").search(words):
        return References()
    if re.search(rf"一?{MW}$", match[0]) and not re.search(r"[两二三四几2-9]", match[0]) and len(rest) > 1:
        return References(spans=(match.span(),), unresolved=(match[0],), candidates=rest)
    return References(items=rest, spans=(match.span(),))


def _grouped(words: str, shown: Shown) -> References:
    """都, 两部都, 这三本, 这些."""
    match = _GROUP.search(words)
    if match is None or not shown.items:
        return References()
    count = number_of(match["count"]) if match["count"] and match["count"] != "几" else None
    if re.search("[两俩]", match[0]) or count == 2:
        pair = next((tuple(group) for group in (shown.focus, shown.items) if len(group) == 2), ())
        return References(items=pair, spans=(match.span(),), unresolved=() if pair else (match[0],))
    if count is not None and count != len(shown.items):
        return References(spans=(match.span(),), unresolved=(match[0],))
    near = shown.focus if len(shown.focus) > 1 and re.match("这|那|它", match[0]) else shown.items
    return References(items=tuple(near), spans=(match.span(),))


def _meant(words: str, shown: Shown) -> References:
    """它, 这部: the item spoken of last, or the only one shown."""
    one = _ONE.search(words)
    if one is None:
        return References()
    for group in (shown.focus, shown.items):
        if len(group) == 1:
            return References(items=tuple(group), spans=(one.span(),))
    return References(spans=(one.span(),), vague=True)
