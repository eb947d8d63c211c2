"""What Chinese words say about items: taken, praised, turned down, known, asked about (METHOD 9.2, 9.6). Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from dialogue.engines import references as english
from dialogue.engines.chinese import references
from dialogue.engines.chinese.cues import cue, plain
from dialogue.engines.cues import Act, Part
from dialogue.engines.feedback import JUDGES, Feedback
from dialogue.engines.references import References, Shown
from dialogue.models import ItemRef
from dialogue.spans import Span, inside
from pdgf.glossary import has_han

_FILLING = re.compile(
    r"[我们咱你的了吧啊呢吗呀哦嗯那就都还也再给看说请谢哈啦嘛好要选读去吃订定买行来这电影片书番店家本部个]|可以|谢谢|please|ok|thanks|[\W_]"
)
_TITLE = re.compile(r"[《〈「『“](?P<title>[^》〉」』”\n]{1,80})[》〉」』”]")
_TOPIC = re.compile(
    r"\s*(?:关于|说到|至于|对于|那么?)?\s*[《〈「『“][^》〉」』”\n]{1,80}[》〉」』”](?:这[部本家个])?[\s:：,，]*"
)
_ALL = re.compile(r"都|全|所有|这些|这几")
_SWAP_LIST = re.compile(r"换一?(?:批|些|几|组|下|换)|换换|另外(?:推荐|找)")
_COMPARES = re.compile(r"哪|谁|更|比较|对比")


def pointing_spans(text: str, parts: Sequence[Part], shown: Shown) -> list[Span]:
    """Where the words name an item of a list or point at one; a title told of as liked or disliked is a wish."""
    found: list[Span] = []
    for part, after in zip_longest(parts, parts[1:]):
        words = text[slice(*part.span)]
        topic = _TOPIC.fullmatch(words) and after is not None and Act.QUESTION in after.acts
        for start, end in _resolved(words, shown).spans:
            span = (part.span[0] + start, part.span[0] + end)
            if topic or Act.WISH not in part.acts or not _TITLE.fullmatch(text[slice(*span)]):
                found.append(span)
    return found


def judged(text: str, parts: Sequence[Part], shown: Shown) -> list[Part]:
    """The parts with what only their items tell: one that does nothing but name an item of the list takes it, or is
    what a verdict beside it is about."""
    found: list[Part] = []
    for part in parts:
        words = text[slice(*part.span)]
        if part.acts == {Act.WISH} and shown.items:
            items = _resolved(words, shown)
            if items.items and _only_points(words, items) and not items.earlier:
                before = found[-1] if found else None
                if (
                    before
                    and before.acts & {Act.REJECT, Act.SEEN}
                    and not _resolved(text[slice(*before.span)], shown).spans
                ):
                    found[-1] = replace(before, span=(before.span[0], part.span[1]))
                    continue
                part = replace(part, acts=frozenset({Act.ACCEPT}), bare=True)
        found.append(part)
    return found


def read_feedback(text: str, parts: Sequence[Part], shown: Shown, *, wished: Sequence[Span]) -> Feedback:
    """Bind every part to the items it speaks of. `wished` are the spans that were read as wishes: a rejection that
    gives one without naming an item turns down the kind, not every item shown."""
    feedback = Feedback()
    asks = any(part.acts & {Act.QUESTION, Act.CONTINUE} for part in parts)
    bound = list(_bound(text, parts, shown))
    named = any(found.items and part.acts & {*JUDGES, Act.ACCEPT} for part, found, _ in bound)
    last_seen: tuple[ItemRef, ...] = ()
    for part, found, at in bound:
        words, acts = text[slice(*part.span)], set(part.acts)
        if Act.SEEN in acts and found.vague and not found.items:
            found = References(spans=found.spans, unresolved=tuple(words[slice(*span)] for span in found.spans))
        if last_seen and acts == {Act.ACCEPT} and not found.spans and _only_praise(words):
            feedback.liked += last_seen  # 追过第一部，很喜欢
            continue
        feedback.acts |= acts
        titles = {match["title"] for match in _TITLE.finditer(words)} if acts & {Act.QUESTION, Act.SEEN} else set()
        feedback.unresolved += [said for said in found.unresolved if acts - {Act.WISH} and said not in titles]
        feedback.candidates += found.candidates
        if Act.QUESTION in acts:
            feedback.questions.append(words.strip())
            feedback.about += found.items or (_compared_before(words, feedback) if not found.unresolved else ())
            if not found.items and not found.unresolved and at.focus and not _COMPARES.search(words):
                feedback.about += at.focus
        elif acts & JUDGES:
            gives_reason = Act.OBJECT not in acts and any(inside(wish, part.span) for wish in wished)
            if not (named and not found.spans and part.bare):
                _turn_down(words, part, found, feedback, at, gives_reason=gives_reason)
        elif Act.SEEN in acts:
            last_seen = _known(words, found, at)
            feedback.seen += last_seen
            if not last_seen and not found.unresolved:
                feedback.unresolved.append(words.strip(" 。.！!"))
        elif Act.ACCEPT in acts:
            _take(words, found, feedback, _only(at), decides=not asks)
    _tastes(text, parts, shown, feedback)
    _settle(feedback)
    pointed = {item for _, found, _ in bound for item in found.items}
    feedback.implied = [item for item in feedback.implied if item not in pointed]
    return feedback


def _resolved(words: str, shown: Shown) -> References:
    return references.resolve(words, shown) if has_han(words) else english.resolve(words, shown)


def _bound(text: str, parts: Sequence[Part], shown: Shown) -> Iterator[tuple[Part, References, Shown]]:
    """Every part with what it points at, and the list as it is spoken of there: an item that was named before is what
    它 means after."""
    for part in parts:
        found = _resolved(text[slice(*part.span)], shown)
        if found.items and not found.vague:
            shown = replace(shown, focus=found.items)
        yield part, found, shown


def _turn_down(words: str, part: Part, found: References, feedback: Feedback, at: Shown, *, gives_reason: bool) -> None:
    """The items named, or those that are meant: what was spoken of last, or the whole list where no item was."""
    objects = Act.OBJECT in part.acts
    items = found.items
    if not items and not found.unresolved and not gives_reason:
        vague = found.vague and len(at.focus or at.items) > 1
        swaps = _SWAP_LIST.search(plain(words)) is not None
        whole = () if vague or (objects and len(at.focus or at.items) > 1) else tuple(at.focus or at.items)
        items = () if swaps and not at.focus else whole
    feedback.rejected += items
    feedback.implied += () if found.items else items
    if Act.SEEN in part.acts:
        feedback.seen += items


def _known(words: str, found: References, at: Shown) -> tuple[ItemRef, ...]:
    titles = tuple(ItemRef(id="", title=match["title"]) for match in _TITLE.finditer(words))
    if found.items:
        return found.items
    return titles or (tuple(at.items) if _ALL.search(plain(words)) else _only(at))


def _take(words: str, found: References, feedback: Feedback, otherwise: Sequence[ItemRef], *, decides: bool) -> None:
    """What is taken, or only praised: praise that names an item turns to it and decides nothing, nor does praise beside
    a question."""
    said = plain(words)
    praised = cue("interest").search(said) is not None and not cue("accept").search(cue("interest").sub("", said))
    items = () if found.vague else found.items
    target = feedback.interest if praised and (items or not decides) else feedback.accepted
    target += items or (() if found.unresolved else tuple(otherwise))


def _compared_before(question: str, feedback: Feedback) -> Sequence[ItemRef]:
    return feedback.interest if len(feedback.interest) > 1 and _COMPARES.search(question) else ()


def _tastes(text: str, parts: Sequence[Part], shown: Shown, feedback: Feedback) -> None:
    """Titles told of as liked or disliked: references, whatever the list holds."""
    words = plain(text)
    for match in _TITLE.finditer(text):
        if any(Act.QUESTION in part.acts and inside(match.span(), part.span) for part in parts):
            continue
        before = re.split(r"[，,。.;；!！?？]", words[: match.start()])[-1]
        after = words[match.end() :]
        against = cue("disliked").search(before) or cue("disliked_after").match(after)
        liked = not against and (cue("liked").search(before) or cue("liked_after").match(after))
        on_table = [i for i in shown.items if i in _resolved(match[0], shown).items]
        item = on_table[0] if on_table else ItemRef(id="", title=match["title"])
        if against and not on_table:
            feedback.disliked.append(item)
        elif liked and item not in feedback.accepted:
            feedback.liked.append(item)


def _settle(feedback: Feedback) -> None:
    """What the parts come to together: an item that was turned down is not praised, one that was taken is not open."""
    feedback.interest = [item for item in feedback.interest if item not in feedback.accepted]
    if feedback.interest and set(feedback.interest) <= set(feedback.rejected):  # 不错，但是太长了
        feedback.acts.discard(Act.ACCEPT)
    feedback.interest = [item for item in feedback.interest if item not in feedback.rejected]
    feedback.accepted = [item for item in feedback.accepted if item not in feedback.rejected]
    feedback.unresolved = list(dict.fromkeys(feedback.unresolved))
    if feedback.questions and not feedback.about and feedback.acts & {Act.ACCEPT, Act.REJECT, Act.SEEN}:
        asked = " ".join(feedback.questions)
        feedback.unclear = [words for words in feedback.unresolved if words not in asked]
        feedback.unresolved = [words for words in feedback.unresolved if words in asked]


def _only(shown: Shown) -> tuple[ItemRef, ...]:
    """The one item that can be meant when nothing names one."""
    return next((tuple(group) for group in (shown.focus, shown.items) if len(group) == 1), ())


def _only_points(words: str, found: References) -> bool:
    """Whether the words do nothing but name or point at items (第二个吧, 谢谢)."""
    rest = "".join(" " if any(a <= i < b for a, b in found.spans) else letter for i, letter in enumerate(words))
    return bool(found.spans) and not _FILLING.sub("", plain(rest))


def _only_praise(words: str) -> bool:
    return not cue("accept").search(cue("interest").sub("", plain(words)))
