"""What the questions of a turn are about and how their answers stand in the reply. Pure but for looking items up.

"why not X?", "why is A above B?", "is it the longest?"   an answer in its own words
one item, or reasons                                       a line each
several items, one or more questions                       a table
"compare the first two"                                    a table of wishes, then of facts
"""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import groupby
from typing import NamedTuple

from dialogue import comparison, facts, placing, pointing, questions, side_by_side, titles, why_not, wording
from dialogue.item_answers import Known, metadata_of
from dialogue.models import Answer, ItemRef
from dialogue.ports import TurnContext
from dialogue.recall import named
from pdgf.models import Candidate

Refs = tuple[ItemRef, ...]
_BARE_WHY = re.compile(r"^\W*(?:and |so )*(?:why|how come)(?: (?:that one|this one|it|so))?\W*$", re.IGNORECASE)


class ValueWords(NamedTuple):
    """The words of all metadata of a catalogue, as facts are looked up in them, and as titles are."""

    facts: str
    titles: str


VALUES: deque[tuple[Sequence[Candidate], ValueWords]] = deque(maxlen=8)  # those of the catalogues asked last


class Form(Enum):
    """How the answers of a section stand: in their own words, a line an item, or side by side."""

    WHOLE = auto()
    LINES = auto()
    TABLE = auto()


@dataclass(frozen=True, kw_only=True)
class Section:
    """Questions that are answered about the same items. `answers` are those that are known already; `misses` says that
    the question is why its item is not on the list; `labels` head the rows where they are not the questions."""

    questions: tuple[str, ...]
    items: Refs
    form: Form
    answers: Mapping[tuple[str, ItemRef], Answer] = field(default_factory=dict)
    misses: bool = False
    labels: tuple[str, ...] = ()

    @property
    def cases(self) -> list[tuple[str, ItemRef]]:
        """Every question with every item, in the order of telling."""
        return [(question, item) for question in self.questions for item in self.items]


def sections_of(asked: Sequence[str], about: Refs, known: Known, context: TurnContext) -> list[Section]:
    """The sections of a reply, in the order of the questions; empty where nothing is there to ask about."""
    found: list[Section] = []
    before: Refs = ()
    for question in [each for q in _each_once(asked) for each in _two_things(q, known)]:
        missed = why_not.title_asked(question)
        kind = why_not.kind_asked(question) if missed is None else None
        if kind is not None:
            new = [_kind(question, kind)]
        elif missed is not None:
            new = _missing(question, missed, about, known, context)
        else:
            items = _about(question, about, before, known, context)
            new = _sections(question, items, known, context) if items else _strange(question, context)
            before = items
        found += new
    return [section for group in groupby(found, key=_alike) for section in _joined(list(group[1]))]


def asked_about(question: str, items: Sequence[ItemRef]) -> Refs:
    """Those of the items in question that a question names by their titles, or else all of them. A title inside a
    longer one that is named is not named itself."""
    named: set[str] = set()
    for title in sorted({item.title for item in items}, key=len, reverse=True):
        rest = re.sub(rf"(?<![A-Za-z0-9]){re.escape(title)}(?![A-Za-z0-9])", " ", question)
        if rest != question:
            named.add(title)
        question = rest
    return tuple(item for item in items if item.title in named) or tuple(items)


def _each_once(asked: Sequence[str]) -> list[str]:
    """The questions without a bare "why?" behind the one which to take: its answer says why."""
    pairs = zip(["", *asked], asked, strict=False)
    return [question for before, question in pairs if not (_BARE_WHY.match(question) and placing.asks_for_best(before))]


def _two_things(question: str, known: Known) -> tuple[str, ...]:
    """A question for two things, one of them a fact, as two: what is known of the one says nothing of the other. Two
    things that the metadata name in one breath ("fish and chips") are one."""
    keys = {key: "" for key in known.domain.fact_words}
    found = questions.halves(question, [item.title for item in known.shown])
    if not found or any(
        (held := facts.values_asked(question, data)) and "and" in held[1].split() for data in known.shown.values()
    ):
        return (question,)
    asked = [facts.key_asked(half, keys, known.domain) for half in found]
    return found if len(set(asked)) == len(asked) else (question,)


def _about(question: str, about: Refs, before: Refs, known: Known, context: TurnContext) -> Refs:
    """The items of one question: those it names or points at among those of the turn, the one that the question before
    was about where it says "it", titles of the catalogue, or else all that are in question."""
    shown = tuple(known.shown)
    pointed = pointing.pointed_at(question, shown)
    if pointed and set(about) <= set(shown):
        titled = asked_about(question, about)
        return tuple(dict.fromkeys((*(titled if titled != about else ()), *pointed)))
    if about:
        named = asked_about(question, about)
        if len(named) == 1 and placing.asks_for_place(question):  # above one that is ranked, and not shown
            both = dict.fromkeys((*named, *titles.known([question], context.catalogue.items())))
            return tuple(sorted(both, key=lambda item: question.find(item.title)))
        return before if named == about and len(before) == 1 and pointing.says_it(question) else named
    elsewhere = titles.known([question], context.catalogue.items())
    if elsewhere:
        return elsewhere
    if titles.unknown([question], lambda: _values(context).titles) is not None:
        return ()
    return before if len(before) == 1 and pointing.says_it(question) else shown


def _strange(question: str, context: TurnContext) -> list[Section]:
    """That a title is not known; nothing where none is named."""
    title = titles.unknown([question], lambda: _values(context).titles)
    return [_whole(question, why_not.unknown(question, title, context.domain))] if title else []


def _missing(question: str, words: str, about: Refs, known: Known, context: TurnContext) -> list[Section]:
    """A question why something is not on the list."""
    ranked = known.ranking.items if known.ranking else ()
    listed = [Candidate(id=item.id, title=item.title, year=item.year) for item in (*known.shown, *about)]
    pool = {item.id: item for item in (*listed, *(found.candidate for found in ranked), *context.catalogue.items())}
    others = why_not.OTHERS.fullmatch(words) is not None
    items = why_not.others(known) if others else titles.find(words, pool.values())
    if not items and pointing.only_points(words):
        items = about or pointing.pointed_at(words, tuple(known.shown))
    if len(items) > 1:
        items = tuple(item.model_copy(update={"title": named(item)}) for item in items)
    if items:
        return [Section(questions=(question,), items=(item,), form=Form.WHOLE, misses=True) for item in items]
    if words[:1].islower() and facts.words_of(words) in _values(context).facts:
        return [_kind(question, words)]
    return [_whole(question, why_not.unknown(question, words, context.domain))]


def _kind(question: str, words: str) -> Section:
    """That a kind of item can be had for the asking."""
    text = wording.say("why_not.kind", words=words)
    return _whole(question, Answer(item=ItemRef(id="", title=words), question=question, text=text))


def _sections(question: str, items: Refs, known: Known, context: TurnContext) -> list[Section]:
    """One question about items that are known."""
    if whole := _placed(question, items, known, context):
        return [whole]
    if len(items) > 1 and comparison.as_a_whole(question):
        return _side_by_side(question, items, known, context)
    table = len(items) > 1 and not facts.asks_for_reasons(question) and not facts.asks_for_downsides(question)
    return [Section(questions=(question,), items=items, form=Form.TABLE if table else Form.LINES)]


def _placed(question: str, items: Refs, known: Known, context: TurnContext) -> Section | None:
    """A question about a place: in the ranking, or on a scale."""
    shown = tuple(known.shown)
    if len(items) > 1 and placing.asks_for_best(question):
        found = placing.best_of(question, items, known.ranking, known.domain)
        return _whole(question, found, (found.item,)) if found else None
    if placing.asks_for_place(question):
        one, other = placing.in_question(question, items, shown)
        if one is not None and other is not None:
            found = placing.why_above(question, one, other, known.ranking, known.domain)
            return _whole(question, found, (one, other)) if found else None
    if len(items) == 1 or comparison.of_two(question, items, known.domain):
        data = {item: metadata_of(item, context) for item in dict.fromkeys((*items, *shown))}
        rivals = {item: data[item] for item in (items[1:] or shown) if item != items[0]}
        found = comparison.against(question, items[0], data[items[0]], rivals, known.domain)
        return _whole(question, found, items) if found else None
    return None


def _side_by_side(question: str, items: Refs, known: Known, context: TurnContext) -> list[Section]:
    """How several items stand to the wishes and their facts as a table; the reasons for each where no ranking tells
    how they stand."""
    wishes = side_by_side.of_wishes(question, items, known)
    rows = (*wishes, *side_by_side.of_facts(question, items, context))
    table = Section(
        questions=tuple(row.key for row in rows),
        items=items,
        form=Form.TABLE,
        answers={(row.key, item): cell for row in rows for item, cell in row.cells.items()},
        labels=tuple(row.label for row in rows),
    )
    reasons = Section(questions=(question,), items=items, form=Form.LINES)
    left_open = known.ranking is not None and not known.ranking.graph.nodes
    return [*([table] if rows else []), *([] if wishes or (left_open and rows) else [reasons])]


def _whole(question: str, found: Answer, items: Refs = ()) -> Section:
    """An answer in its own words."""
    items = items or (found.item,)
    return Section(questions=(question,), items=items, form=Form.WHOLE, answers={(question, items[0]): found})


def _alike(section: Section) -> tuple[object, ...]:
    return section.form, section.items, bool(section.answers), section.labels


def _joined(sections: list[Section]) -> list[Section]:
    """Neighbouring questions about the same several items as one table."""
    if sections[0].form is not Form.TABLE or sections[0].answers:
        return sections
    asked = tuple(question for section in sections for question in section.questions)
    return [Section(questions=asked, items=sections[0].items, form=Form.TABLE)]


def _values(context: TurnContext) -> ValueWords:
    """The words of all metadata of the catalogue: what is named among them is no title. Worked out once for as long as
    it gives the same items."""
    items = context.catalogue.items()
    known = next((words for seen, words in VALUES if seen is items), None)
    if known is None:
        entries = (context.catalogue.metadata_of(item.id).values() for item in items)
        said = facts.words_of(" ".join(str(value) for values in entries for value in values))
        known = ValueWords(said, titles.words_of(said))
        VALUES.append((items, known))
    return known
