"""How well messages change the wishes: (hard or soft, key, value) before and after one utterance (METHOD 9.3).

What counts is the change: values that must come and values that must go, by key. Two values are the same when the words
of one are among the words of the other: lower case, plural endings off, words such as "a", "for", "any" left out. Each
value is matched once. Whether a value is hard is counted apart. Words that leave a key open are no value.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dialogue.domain import ConstraintKey, Domain, MandatoryGroup
from dialogue.evaluation.turns import UNNAMED, context_of, understood
from dialogue.models import Constraints, ConstraintValue, DialogueState, ItemRef, Mention
from dialogue.ports import DomainPorts
from dialogue.record import values_of
from dialogue.wish_words import denied
from pdgf.evaluation.classification import Counts
from pdgf.evaluation.rows import FileRow
from pdgf.models import normalised
from pdgf.usage import Budget

BUNDLED_AS = {"restaurant": "restaurants", "movie": "movies", "book": "books", "anime": "anime"}
PORTS_OF_OTHERS = "restaurants"  # whose agent reads for a domain that has no catalogue of its own
_EMPTY = frozenset(
    ["a", "an", "the", "and", "or", "for", "any", "some", "in", "on", "at", "of", "to", "with", "i", "is"]
)
_RECOMMENDS = re.compile(r"\b(?:recommend|how about|suggest|what about)", re.IGNORECASE)

Ports = Callable[[str], Awaitable[DomainPorts]]
Say = Callable[[str], None]


class Held(NamedTuple):
    """A value under its key, and whether it must hold."""

    key: str
    text: str
    hard: bool


class UpdateRow(FileRow):
    """An utterance and the wishes before and after it; `context` is what was said before."""

    utterance: str
    domain: str = "restaurant"
    context: tuple[str | None, ...] = ()
    old_hard: dict[str, tuple[str, ...] | None] | None = None
    old_soft: dict[str, tuple[str, ...] | None] | None = None
    new_hard: dict[str, tuple[str, ...] | None] | None = None
    new_soft: dict[str, tuple[str, ...] | None] | None = None


async def judge_updates(
    rows: Sequence[UpdateRow], *, ports: Ports, new_budget: Callable[[], Budget], say: Say
) -> dict[str, Any]:
    """F1 of the changes by key and value, accuracy (a row's wishes afterwards are all right), and by key and domain.
    Raises ServiceFailed and BudgetSpent as the agent does."""
    changes, values = Counts(), Counts()
    by_key: dict[str, Counts] = {}
    by_domain: dict[str, Counts] = {}
    right = strength = matched_values = 0
    for number, row in enumerate(rows, start=1):
        old, gold = _held(row.old_hard, row.old_soft), _held(row.new_hard, row.new_soft)
        after = await _after(row, rows, ports, new_budget())
        right += not unmatched(gold, after) and not unmatched(after, gold)
        pairs = matched(gold, after)
        matched_values += len(pairs)
        strength += sum(a.hard == b.hard for a, b in pairs)
        for true, given in zip(changed(old, gold), changed(old, after), strict=True):
            _count(true, given, changes, by_key, by_domain.setdefault(row.domain, Counts()))
            _count(_without_keys(true), _without_keys(given), values)
        say(f"{number} of {len(rows)} messages")
    return {
        "f1": changes.f1,
        "accuracy": right / len(rows),
        "rows": len(rows),
        "changes": changes.printed(),
        "values_under_any_key": values.printed(),
        "strength_right": strength / matched_values if matched_values else 0.0,
        "keys": {key: count.printed() for key, count in sorted(by_key.items())},
        "domains": {name: count.printed() for name, count in sorted(by_domain.items())},
        "how": {
            "f1": "values that come and go, by key; the words of one value must be among those of the other",
            "accuracy": "all wishes afterwards are there under their keys, and no other",
            "strength_right": "share of the values found that are rightly hard or soft",
        },
    }


_DENIALS = frozenset({"no", "not", "non", "without", "never", "t", "don", "doesn"})  # told by `denied`


def same_value(one: str, other: str) -> bool:
    """Whether the words of one value are among those of the other, and both want or both refuse them."""
    a, b = value_words(one) - _DENIALS, value_words(other) - _DENIALS
    return bool(a and b) and (a <= b or b <= a) and denied(one) == denied(other)


def value_words(text: str) -> frozenset[str]:
    """The words of a value without endings of number and without empty words."""
    return frozenset(_singular(word) for word in re.findall(r"\w+", normalised(text)) if word not in _EMPTY)


def matched(true: Sequence[Held], given: Sequence[Held]) -> list[tuple[Held, Held]]:
    """Pairs of one key and the same value, each value once, in the order of `true`."""
    left = list(given)
    pairs: list[tuple[Held, Held]] = []
    for value in true:
        found = next((one for one in left if one.key == value.key and same_value(one.text, value.text)), None)
        if found is not None:
            left.remove(found)
            pairs.append((value, found))
    return pairs


def unmatched(values: Sequence[Held], others: Sequence[Held]) -> list[Held]:
    """The values that have no match among others."""
    found = [value for value, _ in matched(values, others)]
    left = list(values)
    for value in found:
        left.remove(value)
    return left


def changed(old: Sequence[Held], new: Sequence[Held]) -> tuple[list[Held], list[Held]]:
    """The values that have come and those that have gone."""
    return unmatched(new, old), unmatched(old, new)


def domain_of_keys(name: str, keys: Sequence[str]) -> Domain:
    """A domain that knows keys and nothing else, for rows of a domain that is not ours."""
    rows = [ConstraintKey(key=key, description=key.replace("_", " "), perspectives=(key,)) for key in keys]
    others = [] if "others" in keys else [ConstraintKey(key="others", description="anything else")]
    every = tuple(row.key for row in (*rows, *others))
    return Domain(
        name=name,
        title=name,
        item_word="item",
        items_word="items",
        greeting=".",
        constraint_keys=(*rows, *others),
        mandatory=(MandatoryGroup(keys=every, question="."),),
        facts=(),
    )


async def _after(row: UpdateRow, rows: Sequence[UpdateRow], ports: Ports, budget: Budget) -> list[Held]:
    known = BUNDLED_AS.get(row.domain)
    found = await ports(known or PORTS_OF_OTHERS)
    domain = _without_places(found.domain) if known else domain_of_keys(row.domain, _keys(row.domain, rows))
    before = DialogueState(hard_constraints=_constraints(row.old_hard), soft_constraints=_constraints(row.old_soft))
    shown: tuple[ItemRef, ...] = (UNNAMED,) if any(said and _RECOMMENDS.search(said) for said in row.context) else ()
    context = context_of(found, budget, domain=domain)
    asked = keys_named(row.context[-1] if row.context else None, domain)
    reading, state = await understood(row.utterance, before=before, shown=shown, asked=asked, context=context)
    no_wish = {edit.span for edit in reading.edits if edit.mention is Mention.INDIFFERENT}
    return [Held(key, value.text, hard) for key, value, hard in values_of(state) if value.span not in no_wish]


def keys_named(said: str | None, domain: Domain) -> tuple[str, ...]:
    """The keys that the system asked for in what it said last, as a conversation remembers them."""
    question = normalised((said or "").rpartition("?")[0].replace("_", " "))
    names = ((row.key, row.key.replace("_", " ")) for row in domain.constraint_keys if row.key != "others")
    return tuple(key for key, name in names if re.search(rf"\b{re.escape(name)}\b", question))


def _without_places(domain: Domain) -> Domain:
    """A bundled domain as it would be for another catalogue: what its keys offer are values of its own catalogue only,
    and a labelled row may speak of any town."""
    rows = tuple(row.model_copy(update={"values": ()}) for row in domain.constraint_keys)
    return domain.model_copy(update={"constraint_keys": rows})


def _keys(domain: str, rows: Sequence[UpdateRow]) -> list[str]:
    """The keys that the file uses in a domain."""
    tables = (
        table
        for row in rows
        if row.domain == domain
        for table in (row.old_hard, row.old_soft, row.new_hard, row.new_soft)
    )
    return sorted({_key(key) for table in tables for key in table or ()})


def _key(name: str) -> str:
    return name.strip().replace(" ", "_")


def _constraints(table: Mapping[str, Sequence[str] | None] | None) -> Constraints:
    return {
        _key(key): tuple(ConstraintValue(text=text, span=(1, 0, len(text))) for text in texts)
        for key, texts in (table or {}).items()
        if texts
    }


def _held(
    hard: Mapping[str, Sequence[str] | None] | None, soft: Mapping[str, Sequence[str] | None] | None
) -> list[Held]:
    strengths = ((hard, True), (soft, False))
    return [
        Held(_key(key), text, strong)
        for table, strong in strengths
        for key, texts in (table or {}).items()
        for text in texts or ()
    ]


def _without_keys(values: Sequence[Held]) -> list[Held]:
    return [value._replace(key="") for value in values]


def _count(
    true: Sequence[Held],
    given: Sequence[Held],
    total: Counts,
    by_key: dict[str, Counts] | None = None,
    domain: Counts | None = None,
) -> None:
    found = matched(true, given)
    keys = {} if by_key is None else by_key
    for value, _ in found:
        for count in (total, keys.setdefault(value.key, Counts()), domain or Counts()):
            count.right += 1
    for value in unmatched(given, true):
        for count in (total, keys.setdefault(value.key, Counts()), domain or Counts()):
            count.wrong += 1
    for value in unmatched(true, given):
        for count in (total, keys.setdefault(value.key, Counts()), domain or Counts()):
            count.missed += 1


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word
