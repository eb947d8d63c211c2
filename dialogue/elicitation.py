"""One good question after a list of which many more items fit about as well (active elicitation). Pure.

ranked items -> the tied pool        those whose sum of H is within one label step of the first one's   METHOD 7.2, 7.4
questions    -> the most telling one the entropy of its answers over the metadata of the tied pool
utterance    -> skipped, or bound    what it does to the question that was asked

The band is the method's own: the order rests on S = ln(1 + sum of H), and the sums of two items differ by less than
SUPPORT - PARTIAL when one more wish, met by the one and partly by the other, may turn them round. RA-Rec's grouping of
scores within .5 is another thing and not taken (METHOD 9.5).
"""

import math
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from dialogue import wording
from dialogue.domain import Domain, KeyQuestion
from dialogue.models import DialogueState, TurnRecord
from dialogue.record import heard_in
from pdgf.glossary import has_han
from pdgf.models import Label, RankedItem, Value, normalised
from pdgf.settings import ScoreMap

LEAST_BITS = 0.5  # a question that tells less is not worth an answer
MOST_VALUES = 6  # different values in the tied pool; of a key with more, answers would leave too much out
CHOICES = 3  # answers that are offered
MOST_ASKED = 3  # questions a conversation

_SKIPS: Final = re.compile(
    r"\W*(?:(?:oh|well|hmm+|no|nah|ok|okay|sorry|really|honestly|i have|i've|there's)[,.!\s]+)*"
    r"(?:no (?:strong |particular |real |special )?preferences?|(?:either|any|both)(?: (?:one|of them))?"
    r"(?: (?:is|are|will|would be|works|do)(?: (?:fine|ok|okay|do|good|great))?)?"
    r"|(?:i |we )?(?:really )?(?:do|does)(?:n['’]?t| not) (?:really )?(?:mind|care|matter|know)"
    r"|(?:it |that )?(?:does(?:n['’]?t| not)) (?:really )?matter|(?:it['’]?s |that['’]?s )?all the same(?: to me)?"
    r"|not important|whatever|whichever|surprise me|skip(?: (?:it|that|this))?|(?:it['’]?s )?up to you"
    r"|you (?:choose|decide|pick)|(?:i['’]?m )?(?:easy|open|flexible)"
    r"|无所谓|随便|都可以|都行|都好|没有?(?:什么)?(?:偏好|要求|所谓)|不介意|你(?:定|决定|选)吧?|看你|跳过)(?:[了吧啊呀啦]|都可以|都行)*"
    r"(?:[,\s]+(?:please|thanks|thank you|then|really|to me|with me|for me|at all|here))*\W*",
    re.IGNORECASE,
)
_LEAVES_TO_US: Final = re.compile(
    r"\b(?:surprise me|you (?:choose|decide|pick)|up to you|stop asking|no (?:more )?questions)\b"
    r"|你(?:定|决定|选)|别(?:再)?问了|听你的",
    re.IGNORECASE,
)


_SMALL: Final = re.compile(
    "the|and|for|not|but|with|one|any|than|more|less|least|most|from|under|over|cut|something|somewhere|places?"
    "|would|like|rather|please|films?|books?|anime|restaurants?|this|that|these|those"
)


_COMMON_PAIRS: Final = frozenset(("一点", "点的", "更多", "的吗"))


class Choice(Value):
    """An answer that can be given, and the ids of the tied items that it leaves."""

    say: str
    items: tuple[str, ...]


class Elicited(Value):
    """A question about a metadata key, the wish key that its answer belongs under, and what it tells, in bits."""

    metadata: str
    key: str
    text: str
    choices: tuple[Choice, ...]
    bits: float


class Asked(Value):
    """What a conversation was asked: the metadata keys, the one still open, and whether asking is over. `needed`: it
    was asked for what should be known before a list; `narrowed`: it was told beside a list what would narrow it."""

    keys: tuple[str, ...] = ()
    open: str = ""
    over: bool = False
    needed: bool = False
    narrowed: bool = False


def tied(items: Sequence[RankedItem], score_map: ScoreMap) -> tuple[RankedItem, ...]:
    """The items that fit about as well as the first one and keep every hard wish as it does; none where it does not."""
    if not items or items[0].demoted is not None:
        return ()
    band = score_map[Label.SUPPORT] - score_map[Label.PARTIAL]
    best = _sum(items[0])
    return tuple(item for item in items if item.demoted is None and best - _sum(item) < band)


def question_for(
    items: Sequence[RankedItem], domain: Domain, *, spoken: Collection[str], score_map: ScoreMap
) -> Elicited | None:
    """The question that splits the tied pool best; of equal ones the first of the domain. None where no more items
    are tied than are shown, and where no question tells enough."""
    pool = tied(items, score_map)
    if len(pool) <= domain.shown:
        return None
    asked = (_elicited(question, pool, domain) for question in domain.questions if question.metadata not in spoken)
    telling = [found for found in asked if found is not None and found.bits >= LEAST_BITS]
    return max(telling, key=lambda found: found.bits, default=None)


def information(counts: Sequence[int], total: int) -> float:
    """What an answer tells on average, in bits: the entropy of the groups of `counts` items, weighed by the share of
    the `total` items that are in any group. Of the others no answer says anything."""
    known = sum(counts)
    shares = [count / known for count in counts if count]
    return known / total * -math.fsum(share * math.log2(share) for share in shares) if known else 0.0


def spoken_of(domain: Domain, state: DialogueState, said: Iterable[str], asked: Asked) -> frozenset[str]:
    """The metadata keys that need no question: asked about before, of a wish key of which something is known, or named
    in the user's own words. Of wishes without a key of their own the words alone tell."""
    words = normalised(" ".join(said))
    known = {
        fact
        for row in domain.constraint_keys
        for fact in row.metadata
        if row.key in state.known_keys and row.key != "others"
    }
    apart = _apart(words)
    named = {fact for fact, names in domain.fact_words.items() if any(_stands(name, words, apart) for name in names)}
    if domain.chinese and has_han(words):
        named |= {fact for fact, names in domain.chinese.fact_words.items() if any(name in words for name in names)}
    return frozenset({*known, *named, *asked.keys})


def asked_of(turn: TurnRecord) -> Asked:
    """What the conversation was asked so far."""
    return Asked.model_validate(turn.get("elicited") or {})


def may_ask(turn: TurnRecord) -> bool:
    """Whether another question would be welcome."""
    asked = asked_of(turn)
    return not asked.over and len(asked.keys) < MOST_ASKED and not _LEAVES_TO_US.search(heard_in(turn))


def after_asking(turn: TurnRecord, question: Elicited) -> dict[str, Any]:
    """The record of what was asked, with one more question."""
    asked = asked_of(turn)
    return asked.model_copy(update={"keys": (*asked.keys, question.metadata), "open": question.metadata}).model_dump()


def after_needing(turn: TurnRecord, **told: bool) -> dict[str, Any]:
    """The record of what was asked, with what was `needed` or `narrowed`."""
    return asked_of(turn).model_copy(update=told).model_dump()


def after_hearing(turn: TurnRecord) -> dict[str, Any]:
    """The record of what was asked once the user has spoken: nothing is open, and who leaves the choice to us, or has
    no preference, is not asked again."""
    over = skips(turn) or bool(_LEAVES_TO_US.search(heard_in(turn)))
    asked = asked_of(turn)
    return asked.model_copy(update={"open": "", "over": asked.over or over}).model_dump()


def skips(turn: TurnRecord) -> bool:
    """Whether the utterance as a whole leaves the question open that was asked after the last list."""
    return bool(asked_of(turn).open) and bool(_SKIPS.fullmatch(heard_in(turn).strip()))


def keys_asked(turn: TurnRecord, domain: Domain) -> tuple[str, ...]:
    """The wish keys that the utterance may be an answer to. A question after a list has one only where the utterance
    shares a word with its answers, since it may as well be passed over."""
    open_, asked = asked_of(turn).open, tuple(turn.get("asked", ()))
    question = next((q for q in domain.questions if q.metadata == open_), None)
    if not open_ or question is None:
        return asked
    answers = [question.below, question.above, *(w for a in question.answers for w in (a.say, *a.values))]
    heard = normalised(heard_in(turn))
    apart = _apart(heard)
    said = any(_stands(answer.say, heard, apart) for answer in question.answers)
    said = said or _answers_in_chinese(heard, open_, domain)
    return asked if said or _content(heard) & _content(" ".join(answers)) else ()


def _answers_in_chinese(heard: str, asked: str, domain: Domain) -> bool:
    """Whether Chinese words answer a question that was asked in Chinese: they share two characters with an answer."""
    words = domain.chinese.questions.get(asked) if domain.chinese and has_han(heard) else None
    if words is None:
        return False
    answers = [*words.answers, words.below, words.above]
    pairs = {said[at : at + 2] for said in answers for at in range(len(said) - 1)}
    telling = [pair for pair in pairs - _COMMON_PAIRS if re.fullmatch(r"[\u4e00-\u9fff]{2}", pair)]
    return any(pair in heard for pair in telling)


def _elicited(question: KeyQuestion, pool: Sequence[RankedItem], domain: Domain) -> Elicited | None:
    values = [(item.candidate.id, _value(item, question.metadata)) for item in pool]
    cut, choices = _cut(question, values) if question.below else (None, _grouped(question, values))
    choices = sorted(choices, key=lambda choice: -len(choice.items))[:CHOICES] if cut is None else choices
    if len(choices) < 2:
        return None
    offered = _in_order_of(question, choices)
    answers = wording.listed([choice.say for choice in offered], last="or else")
    return Elicited(
        metadata=question.metadata,
        key=domain.key_of_fact(question.metadata) or "others",
        text=question.text.format(answers=answers, cut=cut),
        choices=tuple(offered),
        bits=information([len(choice.items) for choice in offered], len(pool)),
    )


def _in_order_of(question: KeyQuestion, choices: Sequence[Choice]) -> list[Choice]:
    places = {answer.say: place for place, answer in enumerate(question.answers)}
    return sorted(choices, key=lambda choice: places.get(choice.say, 0))


def _grouped(question: KeyQuestion, values: Sequence[tuple[str, Any]]) -> list[Choice]:
    """The answers that some tied items stand for; none where the key has too many values here."""
    texts = [(item, _text(value)) for item, value in values]
    if len({text for _, text in texts if text is not None}) > MOST_VALUES:
        return []
    found = (
        Choice(say=answer.say, items=tuple(item for item, text in texts if text in answer.values))
        for answer in question.answers
    )
    return [choice for choice in found if choice.items]


def _cut(question: KeyQuestion, values: Sequence[tuple[str, Any]]) -> tuple[int | None, list[Choice]]:
    """The numbers below the median and those from it on; cut at a round number where that parts them too."""
    numbers = [
        (item, value) for item, value in values if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    ordered = sorted(value for _, value in numbers)
    if not ordered or ordered[0] == ordered[-1]:
        return None, []
    middle = ordered[len(ordered) // 2]
    exact = middle if middle > ordered[0] else next(value for value in ordered if value > ordered[0])
    rounded = question.step * round(exact / question.step)
    cut = int(rounded) if ordered[0] < rounded <= ordered[-1] else math.ceil(exact)
    below = tuple(item for item, value in numbers if value < cut)
    above = tuple(item for item, value in numbers if value >= cut)
    says = ((question.below, below), (question.above, above))
    return cut, [Choice(say=say.format(cut=cut), items=items) for say, items in says if items]


def _value(item: RankedItem, key: str) -> Any:
    return item.candidate.year if key == "year" else item.candidate.metadata.get(key)


def _text(value: Any) -> str | None:
    """A value that answers can be told by: a word, a yes or no, or the only one of a list."""
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _sum(item: RankedItem) -> float:
    return math.fsum(path.score for path in item.paths)


def _apart(words: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", words))


def _stands(name: str, words: str, apart: Collection[str]) -> bool:
    """Whether a name stands in the words, which `apart` are told one by one: a conversation is long, and names many."""
    plain = normalised(name)
    if re.fullmatch(r"\w+", plain):
        return plain in apart
    return plain in words and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", words) is not None


def _content(text: str) -> frozenset[str]:
    """The words of a text that tell one answer from another, without plural endings; small words left out."""
    found = re.findall(r"[^\W\d_]{3,}", normalised(text))
    return frozenset(re.sub(r"s$", "", word) for word in found if not _SMALL.fullmatch(word))
