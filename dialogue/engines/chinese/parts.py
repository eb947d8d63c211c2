"""A Chinese utterance cut into parts, and what each part does (METHOD 9.2). Pure; several acts may hold, or none.

Clauses without a Chinese character are read as English ones, so that both may stand in one message.
"""

import re
from dataclasses import replace

from dialogue.engines import cues as english
from dialogue.engines.chinese.cues import BLANK, cue, plain
from dialogue.engines.cues import Act, Part
from dialogue.models import StatePart
from dialogue.spans import Span
from pdgf.glossary import has_han, makers

_SENTENCE = re.compile(r"[^。！？!?；;\n]*[。！？!?；;\n]*")
_COMMA = re.compile(r"[，,：:—]+|\.{2,}|…+|\.(?=\s|$)|(?<=[\u4e00-\u9fff》])[ \u3000]+(?=[\u4e00-\u9fff《])")
_TURN = re.compile(r"但是?|不过(?!敏|分|于|如此|瘾|时)|可是|然而|只是(?=太|有点|不)")
_FILLER = re.compile(
    r"[我们咱你的了吧啊呢吗呀哦嗯那就都还也再给看说这些几个部本家一下请谢哈啦嘛算觉得真是有点]|其实|感觉|然后|所以|\W|please|ok"
)
_OWN_MEANS = re.compile(r"什么|谁|哪|为什么|为啥|多长|多久|多少|怎么")
_SWAPPED = re.compile(r"换")
_REFUSED_AFTER = re.compile(r"的?(?:就?不要|别|就算了|不行|pass|除外|不考虑)")  # 太吵的不要 is a wish
_SOMETHING_LIKE = re.compile(r"有.*(?:类似|像|差不多|一样|同类).*的")
_NEVER_MIND = re.compile(r"[\s,，。]*(?:还是)?算了[吧啦\s,，。]*")
_NOTHING_OF_IT = re.compile(
    r"(?:都|全)?(?:不要?|不用|不需要|没有?|无|不了|不行|免了|算了)[了吧啦啊呢呀的\s,，。.!！~]*"
)
_TRAILING = re.compile(r"[的了呢啊呀吧]+$")


def parts_of(text: str, *, shown: bool, asked: bool) -> tuple[Part, ...]:
    """Cut an utterance and read each part. `shown`: a list is on the table; `asked`: the system has just asked."""
    words = plain(text)
    found: list[Part] = []
    for sentence in _stripped(words, [match.span() for match in _SENTENCE.finditer(words)]):
        if not has_han(text[slice(*sentence)]):
            found += _english(text, sentence, shown=shown, asked=asked)
            continue
        whole = _sentence(words, sentence, shown=shown, asked=asked)
        if whole is not None:
            found.append(whole)
            continue
        for clause in _clauses(words, sentence):
            if has_han(text[slice(*clause)]):
                last = clause[1] == sentence[1] or not re.search(r"\w", words[clause[1] : sentence[1]])
                ends = (clause[0], sentence[1]) if last else clause
                found.append(_clause(words, ends, shown=shown, asked=asked))
            else:
                found += _english(text, clause, shown=shown, asked=asked)
    return tuple(_breath(part, words) if len(found) > 1 else part for part in found)


def _breath(part: Part, words: str) -> Part:
    """算了 before something else takes breath; by itself it turns down."""
    alone = part.acts == {Act.REJECT} and _NEVER_MIND.fullmatch(words[slice(*part.span)])
    return replace(part, acts=frozenset({Act.REMARK})) if alone else part


def state_asked(text: str) -> StatePart | None:
    """The part of the state that a sentence asks for ("我说过什么要求？"); None where it asks for none."""
    return next((part for part in StatePart if cue(f"about_{part.value}").search(plain(text))), None)


def speaks_chinese_acts(text: str) -> bool:
    """Whether any clause with a Chinese character does more than state a wish."""
    parts = parts_of(text, shown=True, asked=False)
    return any(part.acts != {Act.WISH} and has_han(text[slice(*part.span)]) for part in parts)


def _english(text: str, span: Span, *, shown: bool, asked: bool) -> list[Part]:
    start, end = span
    parts = english.parts_of(text[start:end], shown=shown, asked=asked)
    return [
        replace(
            part,
            span=(part.span[0] + start, part.span[1] + start),
            focus=(part.focus[0] + start, part.focus[1] + start) if part.focus != (0, 0) else (0, 0),
        )
        for part in parts
    ]


def _sentence(words: str, sentence: Span, *, shown: bool, asked: bool) -> Part | None:
    """A sentence that is one act whatever its clauses look like; None when its clauses must be read."""
    said = words[slice(*sentence)].strip()
    for name, act in (("about_system", Act.HELP), ("about_accepted", Act.REVIEW)):
        if cue(name).search(said):
            return Part(span=sentence, acts=frozenset({act}))
    if state_asked(said) is not None:
        return Part(span=sentence, acts=frozenset({Act.RECALL}))
    open_ = cue("indifferent").search(said) or (asked and _NOTHING_OF_IT.fullmatch(said))
    if (asked or not shown) and open_:
        return Part(span=sentence, acts=frozenset({Act.INDIFFERENT}), focus=_bare(words, sentence))
    if cue("courtesy").fullmatch(said) and cue("courtesy_needs", "patterns").search(said):
        return Part(span=sentence, acts=frozenset({Act.COURTESY}))
    if shown and not asked and cue("assent").fullmatch(said):
        return Part(span=sentence, acts=frozenset({Act.ACCEPT}))
    return None


def _clauses(words: str, sentence: Span) -> list[Span]:
    cuts = [match.span() for match in _COMMA.finditer(words, *sentence)]
    cuts += [
        (match.start(), match.start()) for match in _TURN.finditer(words, *sentence) if match.start() > sentence[0]
    ]
    spans, place = [], sentence[0]
    for start, end in [*sorted(cuts), (sentence[1], sentence[1])]:
        if start >= place:
            spans.append((place, start))
            place = end
    return [span for span in _stripped(words, spans) if re.search(r"\w|[👎👍❌👌❤♥✅✔😍]", words[slice(*span)])]


def _clause(words: str, clause: Span, *, shown: bool, asked: bool) -> Part:
    said = words[slice(*clause)]
    if cue("start_over").search(said):
        return Part(span=clause, acts=frozenset({Act.START_OVER}), bare=_is_bare(said))
    if cue("courtesy").fullmatch(said.strip()) and cue("courtesy_needs").search(said):
        return Part(span=clause, acts=frozenset({Act.COURTESY}))
    if cue("indifferent").search(said):
        if shown and not asked:  # whatever comes next will do
            return Part(span=clause, acts=frozenset({Act.CONTINUE}), bare=True)
        return Part(span=clause, acts=frozenset({Act.INDIFFERENT}), focus=_bare(words, clause))
    if _is_question(said, shown=shown):
        return Part(span=clause, acts=frozenset({Act.QUESTION}), focus=_asked_for(said, clause[0]) if shown else (0, 0))
    if forget := cue("forget").search(said):
        start, end = next(forget.span(group) for group in "abcdefgh" if forget[group])
        return Part(span=clause, acts=frozenset({Act.FORGET}), focus=(clause[0] + start, clause[0] + end))
    return _verdict(said, clause, shown=shown)


def _verdict(said: str, clause: Span, *, shown: bool) -> Part:
    """A clause that judges what was shown, goes on, or states a wish."""
    focus = _objection(said) if shown else (0, 0)
    acts: set[Act] = {Act.REJECT, Act.OBJECT} if focus != (0, 0) else set()
    bare = _is_bare(said)
    points = bool(re.search(rf"[《{BLANK}]|第[\d一二三四五六七八九十]|最后|前[两三2-9]|[这那它都]", said))
    swaps = shown and bool(_SWAPPED.search(said))
    if shown and cue("reject").search(said) and (bare or points or swaps or _is_sign(said)):
        acts.add(Act.REJECT)
    if cue("seen").search(said) and not cue("unseen").search(said):
        acts.add(Act.SEEN)
    taken = cue("accept").search(said) and not re.search(r"[不别没](?:太|是|要|想|怎么)?$", _before_cue(said))
    praised = cue("interest").search(said) and not re.search(r"[不别没](?:太|是|很|怎么)?$", said[: _at(said)])
    if shown and not acts and (taken or (praised and (points or bare or _only_praises(said)))):
        acts.add(Act.ACCEPT)
    if cue("continue").search(said):
        acts.add(Act.CONTINUE)
    placed = (clause[0] + focus[0], clause[0] + focus[1]) if focus != (0, 0) else (0, 0)
    if not acts:
        remark = cue("remark").search(said) or (not shown and cue("feared").search(said))
        acts.add(Act.REMARK if remark else Act.WISH)
    return Part(span=clause, acts=frozenset(acts), focus=placed, bare=bare and acts != {Act.WISH})


def _before_cue(said: str) -> str:
    match = cue("accept").search(said)
    return said[: match.start()] if match else ""


def _at(said: str) -> int:
    match = cue("interest").search(said)
    return match.start() if match else 0


def _only_praises(said: str) -> bool:
    return not re.search(
        r"\w", _FILLER.sub("", cue("interest").sub("", re.sub(r"看起来|听起来|看上去|挺|很|太|非常", "", said)))
    )


def _is_sign(said: str) -> bool:
    return bool(re.search("[👎❌✖🙅🤮]", said))


def _is_bare(said: str) -> bool:
    """Whether the words hold nothing besides those by which a list is turned down or continued, or all started over."""
    for name in ("continue", "start_over", "reject"):
        said = cue(name).sub("", said)
    return not re.search(r"[\u4e00-\u9fffa-z0-9]", _FILLER.sub("", said))


def _is_question(said: str, *, shown: bool) -> bool:
    """Whether a clause asks about what was shown: a request for a list does not."""
    if not cue("question").search(said) or cue("start_over").search(said):
        return False
    if cue("continue").search(said) and not _OWN_MEANS.search(said):
        return False
    compares = (
        shown
        and not _SOMETHING_LIKE.search(said)
        and bool(re.search(r"哪一?[个部本家款]|第[\d一二三四五六七八九十]|[这那它《]", said))
    )
    if cue("request").search(said) and not compares:
        return False
    points = re.search(r"第[\d一二三四五六七八九十]+[个部本家款]|[这那][个部本家款]", said)
    return shown or bool(points or _OWN_MEANS.search(said)) or not re.search(r"有|能|可以", said)


def _asked_for(said: str, offset: int) -> Span:
    """What a yes-or-no question asks for as a wish (停车 in 能停车吗)."""
    match = cue("asked_for").search(said)
    if match is None or re.search("哪|谁更", said):
        return (0, 0)
    name = next(group for group in "abc" if match[group])
    start, end = match.span(name)
    end -= len(match[name]) - len(_TRAILING.sub("", match[name]))
    if end - start < 2 or cue("not_wished").search(said[start:end]):
        return (0, 0)
    return offset + start, offset + end


def _objection(said: str) -> Span:
    """The words of 太吵, or 安静 in 不够安静; (0, 0) where nothing is objected to."""
    if lacking := cue("lacking").search(said):
        return next(lacking.span(group) for group in ("lack", "lack2") if lacking[group])
    for match in cue("objection").finditer(said):
        if cue("no_objection").search(said[: match.start()]) or _REFUSED_AFTER.match(said, match.end()):
            continue
        return next(match.span(group) for group in ("too", "bit", "comment", "over") if match[group])
    return (0, 0)


def _bare(words: str, span: Span) -> Span:
    """The span without the marks that close a sentence."""
    said = re.sub(r"[。！？!?；;.~\s]+$", "", words[slice(*span)])
    return span[0], span[0] + len(said)


def _stripped(words: str, spans: list[Span]) -> list[Span]:
    found = []
    for start, end in spans:
        said = words[start:end]
        lead = len(said) - len(said.lstrip())
        if said.strip():
            found.append((start + lead, start + lead + len(said.strip())))
    return found


def allowed(words: str) -> Span | None:
    """What the words say to be bearable after all (有点血腥也没关系); None where they say no such thing."""
    match = cue("allow").search(plain(words))
    return next((match.span(group) for group in "abcd" if match[group]), None) if match else None


def named_alone(words: str) -> Span | None:
    """The person or the word in Latin letters that is all a clause asks for (有没有宫崎骏的, 要 Japanese 的)."""
    match = cue("named_alone").search(plain(words))
    return match.span("name") if match and (match["name"].isascii() or match["name"] in makers()) else None


def greets(text: str) -> bool:
    """Whether the words of courtesy in a text begin a talk, rather than thank or take leave."""
    return bool(cue("hello").search(plain(text)))


def opens_new_topic(words: str) -> bool:
    """Whether the words that start over only begin another request (换个话题)."""
    return bool(cue("new_topic").search(plain(words)))


def lacks(before: str) -> bool:
    """Whether words before an adjective say that there is too little of it (不够安静)."""
    return plain(before).endswith(("不够", "不是很"))
