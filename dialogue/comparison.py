"""Several items side by side: what a comparison comes to, whether an item is at the end of a scale, and the facts in
which items differ (METHOD 9.7, merging over items and questions). Pure; nothing is concluded that no value shows."""

import re
from collections.abc import Mapping, Sequence

from dialogue import facts, polar, questions, wording
from dialogue.domain import Domain, Scale
from dialogue.item_answers import Known, fact_source, from_metadata, with_year
from dialogue.models import Answer, ItemRef
from pdgf.models import Metadata, normalised

YES, SHARED, NO, EQUAL = "against.yes", "against.yes_shared", "against.no", "against.no_equal"
_AS_A_WHOLE = re.compile(
    r"\bcompare\b(?!.*\b(?:for|by|on|in|price|prices|length)\b)|\b(?:differences?|differ|tell .* apart|side by side)\b",
    re.IGNORECASE,
)
_VERY_END = re.compile(r"est$|^(?:least|most|fewest)\b")
_FEWEST = re.compile(
    r"\b(?:(?P<low>fewest|least|lowest|smallest)|(?P<high>most|highest|greatest|biggest|largest))\b", re.IGNORECASE
)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)


def as_a_whole(question: str) -> bool:
    """Whether the question sets items side by side in no named respect."""
    return bool(_AS_A_WHOLE.search(question))


def of_two(question: str, items: Sequence[ItemRef], domain: Domain) -> bool:
    """Whether the question asks yes or no of one item against another ("is the first longer than the second?")."""
    polar_asked = questions.polar(question)
    return polar_asked is not None and len(items) == 2 and bool(
        _THAN.search(question) and facts.scales_asked(question, domain)
    )  # fmt: skip


def against(
    question: str, item: ItemRef, own: Metadata, rivals: Mapping[ItemRef, Metadata], domain: Domain
) -> Answer | None:
    """Whether an item lies beyond others on a scale that the question names ("is it the longest?", "is it cheaper than
    Drum House?"); None where the question is no such, or where the values do not show it."""
    if questions.polar(question) is None:
        return None
    for scale, low in facts.scales_asked(question, domain):
        if not _at_an_end(question, scale, low) and not _THAN.search(question):
            continue
        places = {ref: facts.place_on(scale, data, ref.year) for ref, data in {item: own, **rivals}.items()}
        told = {ref: place for ref, place in places.items() if place is not None}
        if item not in told or len(told) < 2:
            continue
        best = min(told.values()) if low else max(told.values())
        first = [ref for ref, place in told.items() if place == best]
        has = item in first and (len(first) == 1 or not _THAN.search(question))
        quoted = [item] if has else [item, *(ref for ref in first if ref != item)]
        facts_of = {ref: with_year({item: own, **rivals}[ref], ref) for ref in quoted}
        sources = tuple(fact_source(ref, scale.metadata, facts_of[ref]) for ref in quoted)
        word = scale.least if low else scale.most
        lead = [ref.title for ref in first if ref != item]
        sentence = (SHARED if lead else YES) if has else EQUAL if item in first else NO
        text = wording.say(
            sentence, fact=wording.quoted(sources[0].quote), word=word, titles=wording.titles(lead),
            other=wording.quoted(sources[-1].quote), title=item.title,
        )  # fmt: skip
        return Answer(item=item, question=question, text=text, known=True, quotes=sources)
    return None


def _at_an_end(question: str, scale: Scale, low: bool) -> bool:
    """Whether the words are for the very end of a scale, not only for more of it."""
    words = facts.words_of(question)
    names = scale.less if low else scale.more
    return any(f" {name} " in words for name in names if _VERY_END.search(name))


def conclusion(
    question: str, items: Sequence[ItemRef], metadata: Sequence[Metadata], known: Known, *, label: str = ""
) -> str | None:
    """What a comparison comes to, where the values can be compared; None otherwise. `label` heads it where there are
    several."""
    domain = known.domain
    title_of = {item.id: item.title for item in items}
    scales = facts.scales_asked(question, domain)
    if not scales and (fewest := _with_the_fewest(question, items, metadata, domain)):
        return fewest
    for scale, low in scales or _scale_of_key(question, metadata, domain):
        places = {item.id: facts.place_on(scale, data, item.year) for item, data in zip(items, metadata, strict=True)}
        best = facts.at_the_end(places, low=low)
        missing = [title_of[item] for item, place in places.items() if place is None]
        if not best and 0 < len(missing) < len(items):
            word = scale.least if low else scale.most
            return wording.say("answer.not_comparable", word=word, titles=wording.titles(missing, last="or"))
        if not best:
            continue
        unknown = wording.say("answer.not_compared", titles=wording.titles(missing, last="or")) if missing else ""
        if len(set(places.values()) - {None}) == 1:
            return wording.told([_headed("answer.all_equal", label), unknown])
        word = scale.least if low else scale.most
        titles = wording.titles([title_of[item] for item in best])
        key = "answer.lowest" if len(best) == 1 else "answer.lowest_many"
        said = wording.say(key, titles=titles, word=word)
        return wording.told([said, unknown])
    said_of = [_said(question, item, data, known) for item, data in zip(items, metadata, strict=True)]
    if any(said is None for said in said_of):
        return None
    having = [item.title for item, said in zip(items, said_of, strict=True) if said is polar.Said.YES]
    if any(said not in (polar.Said.YES, polar.Said.NO, polar.Said.NOT_ENTIRELY) for said in said_of):
        return None
    if not having:
        return _headed("answer.none_having", label)
    return _headed("answer.having" if len(having) > 1 else "answer.having_one", label, titles=wording.titles(having))


def _with_the_fewest(
    question: str, items: Sequence[ItemRef], metadata: Sequence[Metadata], domain: Domain
) -> str | None:
    """Which item has the fewest or the most of what a key of numbers counts, where a question asks for that in words
    that no scale has; None for other questions and where not all numbers are known."""
    asked = _FEWEST.search(question)
    keys = {facts.key_asked(question, data, domain) for data in metadata}
    key = next(iter(keys)) if len(keys) == 1 else None
    if asked is None or key is None:
        return None
    counted = Scale(metadata=key, less=(), more=(), least="", most="")
    places = {item.id: facts.place_on(counted, data, item.year) for item, data in zip(items, metadata, strict=True)}
    best = () if None in places.values() else facts.at_the_end(places, low=asked["low"] is not None)
    if not best:
        return None
    titles = wording.titles([item.title for item in items if item.id in best])
    word = asked[0].lower()
    if wording.language() == wording.CHINESE:
        word = wording.say("answer.fewest" if asked["low"] else "answer.most")
    said = "answer.extreme" if len(best) == 1 else "answer.extreme_many"
    return wording.say(said, titles=titles, name=wording.key_said(facts.name_of(key)), word=word)


def _headed(sentence: str, label: str, **fields: str) -> str:
    """A sentence behind what it is about, where there are several to tell apart."""
    lead = wording.say("answer.of", label=label) if label else wording.say("answer.so")
    return lead + wording.say(sentence, **fields)


def _said(question: str, item: ItemRef, metadata: Metadata, known: Known) -> polar.Said | None:
    asked = questions.polar(question, [item.title])
    if asked is None:
        return None
    found = polar.decided(asked, with_year(metadata, item), known.domain, known.schema, known.current_year)
    return found.said if found else None


def _scale_of_key(question: str, metadata: Sequence[Metadata], domain: Domain) -> tuple[tuple[Scale, bool], ...]:
    """The scale of the key that a comparison asks for without a comparative ("how do the prices compare?")."""
    if facts.is_polar(question) or not facts.compares(question):
        return ()
    keys = {facts.key_asked(question, data, domain) for data in metadata}
    return tuple((scale, True) for scale in domain.scales if keys == {scale.metadata})


def differing_keys(items: Sequence[tuple[ItemRef, Metadata]], domain: Domain, *, all_keys: bool) -> tuple[str, ...]:
    """The metadata keys that a card shows, the year first, and those with steps: known of an item at least, and those
    alone in which the items differ unless `all_keys`."""
    levels = [scale.metadata for scale in domain.scales if scale.order]
    keys = dict.fromkeys(["year", *domain.facts, *levels])
    data = [with_year(metadata, item) for item, metadata in items]
    held = {key: [normalised(str(known.get(key))) for known in data] for key in keys if any(key in d for d in data)}
    return tuple(key for key, values in held.items() if all_keys or len(set(values)) > 1)


def label_of(question: str, items: Sequence[tuple[ItemRef, Metadata]], known: Known) -> str:
    """What heads the answers to a question in a table: the fact that it asks for, or else its own words."""
    for item, metadata in items:
        found = from_metadata(
            question, item, metadata, known.domain, schema=known.schema, current_year=known.current_year
        )
        if found and found.quotes:
            key = found.quotes[0].source.rpartition("#")[2]
            return wording.fact_label(found.quotes[0].quote) if key else known.said.get(question, question)
    words = known.said.get(question, question).strip(" ?!.？！。")
    return words[:1].upper() + words[1:]
