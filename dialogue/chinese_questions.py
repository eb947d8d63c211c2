"""Chinese questions in the plain English ones that mean the same, so that one set of rules answers both (METHOD 9.7).

"第二部多长？" is "what is the length minutes of the second one?". What is asked for is found by the domain's Chinese
words for its facts and scales, and else by the word list of `pdgf.glossary`; titles and places in the list stay. Pure.
"""

import re
from collections.abc import Iterable, Mapping

from dialogue import questions
from dialogue.domain import Domain
from dialogue.fact_words import value_in_english
from dialogue.facts import name_of, names_of
from dialogue.models import ItemRef
from pdgf.glossary import folded, gloss, has_han, limits
from pdgf.glossary.numbers import number_of
from pdgf.identity import name_key
from pdgf.models import Metadata

_END = re.compile(r"(?<=[?？])\s*(?=\S)")
_QUOTED = re.compile(r"[《〈「『“](?P<title>[^》〉」』”\n]{1,80})[》〉」』”]")
_MW = r"(?:个|部|本|家|款|篇|间|套)"
_N = r"[一二两三四五六七八九十\d]{1,2}"
_PLACE = re.compile(
    rf"(?P<edge>前|头|后|最后)(?:面)?(?P<count>[两二三四五2-5]){_MW}|第(?P<place>{_N})(?!季|集|次|章|人称|页|幕|天){_MW}?"
    rf"|(?P<last>最后|末尾)(?:的)?(?:那|一|这)?(?:一)?{_MW}"
)
_IT = re.compile(rf"它(?!们)|[这那](?:一)?{_MW}|这个|那个")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_COUNTS = {2: "two", 3: "three"}
_REFERENCE = r"(?:\[\d+\])"  # a title or a place, while the rest is read

_WHY_NOT = re.compile(
    rf"(?:为什么|为啥|为何|怎么)(?:就|都|会)?(?:没有?|不是?)(?:推荐|列|选|给我?看|提到?|放|算上|包括|出现|有|见到?)?(?:到|出)?(?P<x>{_REFERENCE}|[^?？吗呢的]{{2,20}})"
    rf"|(?P<y>{_REFERENCE})(?:为什么|为啥|怎么)(?:没有?|不)(?:在|被|推荐|列|出现|上)?"
)
_ABOVE = re.compile(
    rf"(?:为什么|为啥|凭什么).*?(?P<a>{_REFERENCE}).*?(?:比|在|到)?(?P<b>{_REFERENCE})?(?:的)?(?P<side>前面|上面|之前|前边|第一|最前|靠前|后面|下面|之后|最后|靠后)"
)
_WHY = re.compile(r"为什么|为啥|为何|理由|凭什么|怎么会推荐")
_DOWNSIDES = re.compile(r"缺点|不足|槽点|雷点|毒点|毛病|哪里不好|有什么不好|劝退|坏处|短板")
_COMPARE = re.compile(
    r"^\W*(?:请|帮我|麻烦)?(?:你)?比较(?=\s*[\[前第这那它《两三])"
    r"|比较一?下|对比|比一比|区别|有什么不同|哪里不同|有何不同|差别"
)
_WHICH = re.compile(rf"哪(?:一)?(?:{_MW}|[些])|谁更|哪个")
_THAN = re.compile(rf"(?P<a>{_REFERENCE}|)比(?P<b>{_REFERENCE})(?:更|还|要)?(?P<how>[^?？吗呢]{{1,6}})")
_PLOT = re.compile(
    r"讲(?:的是?|了)?(?:什么|啥)|说(?:的是?|了)?(?:什么|啥)(?:故事)?|什么(?:故事|内容|剧情)|剧情(?:是什么|简介|介绍|如何|怎么样)|内容(?:是什么|简介)|简介|关于什么"
)
_WHOLE = re.compile(r"怎么样|怎样|如何|咋样|介绍一?下|说说|讲讲|好看吗|好吃吗|好不好|值得(?:看|去|读)|行不行")
_ASKS_OPEN = re.compile(r"什么|啥|谁|哪|多(?:长|少|久|大|厚|贵|高)|几(?!乎)|怎么|如何")
_A_NOT_A = re.compile(r"(?P<a>[\u4e00-\u9fff]{1,2})不(?P=a)")
_SHELL = re.compile(
    r"^(?:请问|那么?|这|都|它|里面|里|是不是|有没有|能不能|会不会|可不可以|要不要|算不算|是|有|能|会|可以|算|提供|支持|需要|需|要)+|(?:的|吗|么|呢|吧|啊|嘛|呀|了|看|[?？。！!\s])+$"
)
_DAYS = {"一": "Monday", "二": "Tuesday", "三": "Wednesday", "四": "Thursday", "五": "Friday", "六": "Saturday",
         "日": "Sunday", "天": "Sunday"}  # fmt: skip
_DAY = re.compile(r"(?:周|星期|礼拜)(?P<day>[一二三四五六日天])|(?P<weekend>周末)|(?P<every>每天|天天)")
_CLOSING = re.compile(r"(?:一点儿?|一些|[些的那这了吗呢啊呀吧?？。！!\s]|一?[个部本家款])+$")
_YEAR = re.compile(r"(?:(?:1[6-9]|20)\d\d年?|\d0年代|[二三四五六七八九]十年代)(?:以前|之前|以后|之后|以来)?")
_FOR_CHILDREN = re.compile(
    r"适合(?:带|给)?(?:孩子|小孩|儿童|小朋友|娃|宝宝)|(?:孩子|小孩|儿童|小朋友)(?:能|可以)(?:看|读|去|吃)"
)
_OPEN = re.compile(r"开门|营业|开(?:吗|不开|着)|休息|关门")
_TOO = re.compile(r"太|过于|会不会很")
_SMALL = re.compile(
    r"[的了吗呢啊吧呀嘛很太有是能会可以都看吃去多不点少大长得好]|一点|一些|比较|什么|怎么样|多少|[?？\W]"
)


def in_english(texts: Iterable[str], shown: Mapping[ItemRef, Metadata], domain: Domain) -> dict[str, str]:
    """The single questions of some texts as English ones, each with the words in which it was asked."""
    found: dict[str, str] = {}
    for text in texts:
        for said in _END.split(text) if has_han(text) else [text]:
            if has_han(_QUOTED.sub("", said)):
                found.setdefault(_plain(said.strip(), shown, domain), said.strip())
            else:
                found |= {each: each for each in questions.split_all([said])}
    return found


def _plain(question: str, shown: Mapping[ItemRef, Metadata], domain: Domain) -> str:
    """One Chinese question in English; its own words where nothing is known of them."""
    words, references = _marked(question, shown)
    about = " and ".join(references) or "it"
    asked = _special(words, references) or _on_a_scale(words, references, domain) or _of_a_fact(words, domain)
    asked = asked or _whole(words, about) or _yes_or_no(words, domain)
    if not asked:
        return question
    named = [words for words in references if words != "it"]
    return _of(" and ".join(named), asked) if named and not all(words in asked for words in named) else asked


def _of(about: str, asked: str) -> str:
    """A question about something that it does not name yet."""
    if re.match(r"(?:is|was|does) it\b", asked):
        return re.sub(r"\bit\b", lambda _: about, asked, count=1)
    return f"{asked.rstrip('?')} of {about}?"


def _marked(question: str, shown: Mapping[ItemRef, Metadata]) -> tuple[str, list[str]]:
    """The words with what points at an item as [0], [1] ..., and the English words for those."""
    spans: list[tuple[int, int, str]] = []

    def add(start: int, end: int, words: str) -> None:
        if all(end <= a or start >= b for a, b, _ in spans):
            spans.append((start, end, words))

    for match in _QUOTED.finditer(question):
        item = next((item for item, data in shown.items() if _bears(item, data, match["title"])), None)
        add(*match.span(), item.title if item else f"《{match['title']}》")
    for item, data in shown.items():
        for title in sorted(_titles(item, data), key=len, reverse=True):
            place = question.find(title)
            if place >= 0 and len(title) > 1:
                add(place, place + len(title), item.title)
    for match in _PLACE.finditer(folded(question)):
        add(*match.span(), _place_in_english(match))
    for match in _IT.finditer(folded(question)):
        add(*match.span(), "it")
    spans.sort()
    marked, place = "", 0
    for number, (start, end, _) in enumerate(spans):
        marked += f"{folded(question[place:start])}[{number}]"
        place = end
    return marked + folded(question[place:]), [words for _, _, words in spans]


def _bears(item: ItemRef, data: Metadata, title: str) -> bool:
    return name_key(title) in {name_key(known) for known in _titles(item, data)}


def _titles(item: ItemRef, data: Metadata) -> list[str]:
    others = data.get("other_titles")
    return [item.title, *map(str, others)] if isinstance(others, list) else [item.title]


def _place_in_english(match: re.Match[str]) -> str:
    if match["count"]:
        edge = "first" if match["edge"] in ("前", "头") else "last"
        return f"the {edge} {_COUNTS.get(int(number_of(match['count']) or 0), 'three')}"
    if match["last"]:
        return "the last one"
    place = int(number_of(match["place"]) or 0)
    return f"the {_ORDINALS[place - 1]} one" if 0 < place <= len(_ORDINALS) else f"number {place}"


def _special(words: str, references: list[str]) -> str:
    """Questions why, for downsides, and for a comparison as a whole."""
    if match := _WHY_NOT.search(words):
        missed = match["x"] or match["y"]
        return f"why not {_said(missed, references)}?"
    if (match := _ABOVE.search(words)) and (match["b"] or "排" in words or "放" in words):
        side = "below" if re.search("后|下", match["side"]) else "above"
        end = {"above": "first", "below": "last"}[side]
        one, other = _said(match["a"], references), match["b"]
        return f"why is {one} {side} {_said(other, references)}?" if other else f"why is {one} {end}?"
    if _WHY.search(words):
        return f"why {' and '.join(references) or 'these'}?"
    if _DOWNSIDES.search(words):
        return f"what are the downsides of {' and '.join(references) or 'it'}?"
    return f"compare {' and '.join(references) or 'them'}" if _COMPARE.search(words) else ""


def _said(words: str, references: list[str]) -> str:
    return re.sub(r"\[(\d+)\]", lambda match: references[int(match[1])], words).strip()


def _on_a_scale(words: str, references: list[str], domain: Domain) -> str:
    """哪家最便宜, 第一部比第二部长吗, 它是最短的吗."""
    which, than = _WHICH.search(words), _THAN.search(words)
    most = re.search(r"最(?P<how>[^的?？吗呢\[]{1,6})", words)
    if not (which or than or most):
        return ""
    how = than["how"] if than else ""
    if which and not than:
        tail = _CLOSING.sub("", words[which.end() :])
        how = tail or (most["how"] if most else words[: which.start()])
    elif most and not than:
        how = most["how"]
    how = _CLOSING.sub("", re.sub(r"^(?:是|更|最|比较|较|要|的)+", "", how))
    for scale in domain.scales:
        own = domain.chinese.scales.get(scale.metadata) if domain.chinese else None
        for names, english in ((own.less, scale.less), (own.more, scale.more)) if own else ():
            if not any(re.fullmatch(rf"(?:看起来|时间|价格|价钱)?{re.escape(name)}", how) for name in names):
                continue
            if than:
                one = _said(than["a"], references) or "it"
                return f"is {one} {english[0]} than {_said(than['b'], references)}?"
            superlative = next(
                (word for word in english if word.endswith("est") or word.startswith(("least", "most"))), english[0]
            )
            named = [words for words in references if words != "it"]
            among = f" of {' and '.join(named)}" if named else ""
            return f"which is the {superlative}{among}?" if which else f"is it the {superlative}?"
    if not which:
        return ""
    body = _SHELL.sub("", how)
    meant = gloss(body) or value_in_english(body) or _key_said(body, domain)
    verb = "has" if re.search("有|能|可以|带", how) else "is"
    return f"which {verb} {meant}?" if meant else ""


def _key_said(words: str, domain: Domain) -> str:
    key = next(iter(_keys(words, domain)), None)
    return name_of(key) if key else ""


def _keys(words: str, domain: Domain) -> list[str]:
    """The metadata keys whose Chinese words stand in a question, those with the longest words first."""
    known = domain.chinese.fact_words if domain.chinese else {}
    found = [(max((len(n) for n in names if n in words), default=0), key) for key, names in known.items()]
    longest = max((length for length, _ in found), default=0)
    return [key for length, key in found if length == longest and length]


def _of_a_fact(words: str, domain: Domain) -> str:
    """多长, 谁导演的, 几点关门: what a fact holds."""
    keys = _keys(words, domain)
    rest = words
    for name in _names(keys, domain):
        rest = rest.replace(name, "")
    if not keys or not _ASKS_OPEN.search(words) or _WHICH.search(rest):
        return ""
    return f"what is the {' '.join(name_of(key) for key in keys)}?"


def _names(keys: Iterable[str], domain: Domain) -> list[str]:
    known = domain.chinese.fact_words if domain.chinese else {}
    return sorted((name for key in keys for name in known.get(key, ())), key=len, reverse=True)


def _whole(words: str, about: str) -> str:
    """讲什么, 怎么样, 《…》呢: about an item as a whole."""
    if _PLOT.search(words):
        return f"what is {about} about?" if about != "it" else "what is it about?"
    rest = re.sub(rf"{_REFERENCE}|[呢吗?？\s，。和与跟、]|那|觉得", "", words)
    if _WHOLE.search(words) and not _SMALL.sub("", _WHOLE.sub("", rest)):
        return f"what about {about}?"
    return f"what about {about}?" if not rest else ""


def _yes_or_no(words: str, domain: Domain) -> str:
    """暴力吗, 能停车吗, 适合六岁的孩子吗, 周日开门吗."""
    words = _A_NOT_A.sub(lambda match: match["a"], words)
    bare = re.sub(_REFERENCE, "", words)
    too = "too " if _TOO.search(bare) else ""
    age = next((limit.english for limit in limits(bare) if "year-old" in limit.english), "")
    if age:
        keys = _keys(bare, domain)
        return f"is it {too}{name_of(keys[0])} {age}?" if too and keys else f"is it suitable {age}?"
    day = _DAY.search(bare)
    if day and _OPEN.search(bare):
        named = _DAYS.get(day["day"] or "") or ("the weekend" if day["weekend"] else "every day")
        return f"is it open on {named}?"
    if year := _YEAR.search(bare):
        return f"was it made {year[0]}?"
    if _FOR_CHILDREN.search(bare):
        return "is it suitable for children?"
    has = bool(re.search(r"有|能|可以|带|提供|支持|需|要", bare))
    body = bare
    for _ in range(3):
        body = _SHELL.sub("", body)
    meant, ending = gloss(body) or value_in_english(body), "结局" in body or "结尾" in body
    if ending:
        rest = re.sub(r"\b(?:ending|sad ending|happy ending)\b", "", meant).strip()
        kind = "sad" if "sad ending" in meant else "happy" if "happy ending" in meant else rest
        return f"is the ending {kind}?" if kind else "how does it end?"
    key = next(iter(_keys(body, domain)), None)
    meant = _without_frame(meant)
    if key is not None and meant not in {*names_of(key, domain), *domain.levels(key)[2]}:
        leftover = _SMALL.sub("", _without_names(body, key, domain))
        meant = meant if leftover and meant else name_of(key)
    if not meant:
        return ""
    if meant == "series":
        return "is it part of a series?"
    return f"does it have {too}{meant}?" if has else f"is it {too}{meant}?"


def _without_frame(meant: str) -> str:
    return re.sub(r"^(?:a little|very|too|no) | language$", "", meant)


def _without_names(body: str, key: str, domain: Domain) -> str:
    for name in sorted(domain.chinese.fact_words.get(key, ()) if domain.chinese else (), key=len, reverse=True):
        body = body.replace(name, "")
    return body
