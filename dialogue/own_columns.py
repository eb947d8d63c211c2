"""The domain of a catalogue of the user's own, by what its columns hold: what is asked for, shown, answered, compared.

schema -> own_domain    one sub-key a column that wishes can be checked against (METHOD 9.3), key facts, words
key    -> told          what a column was read as, in words
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from dialogue import wording
from dialogue.domain import ChineseWords, ConstraintKey, Degree, Domain, MandatoryGroup, Scale, ScaleWords
from pdgf.constraints import MetadataKey, MetadataSchema, constraint_keys
from pdgf.constraints.checks import scale_of
from pdgf.constraints.column_wishes import of_column
from pdgf.constraints.columns import Dimension, Side
from pdgf.constraints.levels import DIFFICULTY, LEVELS, WORDS_OF_SCALE
from pdgf.constraints.metadata import KeyKind, names_of_truth, truth_of
from pdgf.constraints.words import AGE_KEYS, KEYS_OF_UNIT, PLACE_KEYS
from pdgf.models import Value

FACTS_SHOWN = 6
COLUMNS_NAMED = 8  # in the greeting
_NAMES_NOTHING = frozenset({"other", "others", "misc", "various", "mixed", "any"})
LONGEST_FACT = 24  # characters of the values of a column on a card, on average
_LEVEL = "level"
_EASY, _HARD = 2, 5  # levels of difficulty up to and from which the answer is plain
_BRACKET = re.compile(r"\s*[(（\[][^)）\]]*[)）\]]")
_OF_UNIT = {"minute": Dimension.TIME, "hour": Dimension.TIME, "dollar": Dimension.MONEY}
_PERSPECTIVES = {Dimension.MONEY: ("price",), Dimension.AGE: ("audience",)}


class ColumnWords(Value):
    """The words by which one kind of column is asked for and compared; for their meaning see `own_columns.toml`."""

    told: str
    asks: tuple[str, ...]
    low: tuple[str, ...]
    high: tuple[str, ...]
    least: str
    most: str
    chinese: tuple[str, ...]
    chinese_low: tuple[str, ...]
    chinese_high: tuple[str, ...]
    chinese_least: str
    chinese_most: str


def own_domain(name: str, schema: MetadataSchema, perspectives: Mapping[str, str], title: str = "") -> Domain:
    """A domain for a catalogue of the user's own. `perspectives` says which perspective of the engine the key of a
    well-known name stands for."""
    keys = [key for key in schema.keys if key.key in constraint_keys(schema)]
    rows = [_row(key, perspectives) for key in keys]
    others = ConstraintKey(key="others", description="anything else")
    every = (*(row.key for row in rows), others.key)
    question = wording.say("own_catalogue.question")
    examples = _examples(keys)
    kinds = {key.key: kind for key in keys if (kind := _kind(key)) is not None}
    compared = _compared(keys, kinds)
    return Domain(
        name=name,
        title=title,
        item_word="item",
        items_word="items",
        greeting=_greeting(title or name, keys),
        examples=examples,
        constraint_keys=(*rows, others),
        mandatory=(MandatoryGroup(keys=every, question=question),),
        facts=_facts(keys),
        fact_words={key.key: _asked_by(key, keys) for key in keys},
        scales=tuple(_scale(key, compared[key.key]) for key in keys if key.key in compared),
        asked_nothing=tuple(dict.fromkeys(w for kind in kinds.values() for w in _words()[kind].asks if " " not in w)),
        chinese=_chinese(name, title, keys, kinds),
    )


def told(key: MetadataKey) -> str:
    """What a column was read as, in words: "how many people", "one of 12 values", "yes or no"."""
    if key.kind is KeyKind.BOOLEAN:
        return "yes or no"
    kind = _kind(key)
    column = of_column(key)
    if column is not None and not column.comparable and kind not in (_LEVEL, None):
        return f'numbers without a unit, not compared; a header such as "{key.key} (min)" names one'
    if kind is not None and kind != Dimension.COUNT:
        return _words()[kind].told
    if key.kind is KeyKind.CATEGORY:
        return f"one or more of {len(key.values)} values" if key.listed else f"one of {len(key.values)} values"
    return _words()[Dimension.COUNT].told


@cache
def _words() -> Mapping[str, ColumnWords]:
    text = resources.files("dialogue").joinpath("own_columns.toml").read_text(encoding="utf-8")
    return {kind: ColumnWords.model_validate(row) for kind, row in tomllib.loads(text).items()}


def _kind(key: MetadataKey) -> str | None:
    """What a column holds, as the tables of words call it; None for names and for yes or no."""
    if scale_of(key) == DIFFICULTY:
        return _LEVEL
    column = of_column(key)
    if column is None and key.kind is not KeyKind.NUMBER:
        return None
    return _read_as(key) or (column.dimension if column is not None else Dimension.COUNT)


def _read_as(key: MetadataKey) -> Dimension | None:
    """What a key of a well-known name holds in numbers without a unit."""
    if key.kind is not KeyKind.NUMBER:
        return None
    if key.words in AGE_KEYS:
        return Dimension.AGE
    return next((kind for unit, kind in _OF_UNIT.items() if key.words in KEYS_OF_UNIT[unit]), None)


def _row(key: MetadataKey, perspectives: Mapping[str, str]) -> ConstraintKey:
    kind, own = _kind(key), perspectives.get(key.key)
    named = [key.key, key.words, own, "location" if key.words in PLACE_KEYS else None]
    if _read_as(key) is Dimension.TIME:
        named.append("length")
    named += _PERSPECTIVES.get(Dimension(kind), ()) if kind in set(Dimension) else ()
    return ConstraintKey(
        key=key.key,
        description=f"what the item's {key.key.replace('_', ' ')} should be ({told(key)})",
        perspectives=tuple(dict.fromkeys(filter(None, named))),
        metadata=(key.key,),
    )


def _greeting(title: str, keys: Sequence[MetadataKey]) -> str:
    """What is known, what to say, and the columns that a wish can name."""
    names = [key.key.replace("_", " ") for key in keys]
    more = len(names) - COLUMNS_NAMED
    if more > 0:
        names = [*names[:COLUMNS_NAMED], wording.say("own_catalogue.more_columns", count=more)]
    named = wording.say("list.comma").join(names) if more > 0 else wording.listed(names)
    columns = wording.say("own_catalogue.columns", columns=named) if names else ""
    greeting = wording.say("own_catalogue.greeting", name=title, question=wording.say("own_catalogue.question"))
    return wording.told([greeting, columns])


def _examples(keys: Sequence[MetadataKey]) -> tuple[str, ...]:
    """Wishes that name values of the catalogue's own columns: one, another, and two at once."""
    closed = [key for key in keys if key.kind is KeyKind.CATEGORY and key.words.isascii() and _short(key)]
    valued = [(key, value) for key in closed if (value := _telling(key)) is not None]
    said = [f"{_BRACKET.sub('', key.words).strip()} {value}" for key, value in valued]
    said += [key.words for key in keys if key.kind is KeyKind.BOOLEAN and key.words.isascii()]
    both = [", ".join(said[:2])] if len(said) > 1 else []
    return tuple(each[:1].upper() + each[1:] for each in (*said[:2], *both))


def _telling(key: MetadataKey) -> str | None:
    """The first value of a column that names something."""
    told = (value for value in key.values if truth_of(value) is not False and value not in _NAMES_NOTHING)
    return next(told, None)


def _facts(keys: Sequence[MetadataKey]) -> tuple[str, ...]:
    """The columns that a card shows, in the order of the file: those of numbers and levels, then short names."""
    measured = [key.key for key in keys if _kind(key) is not None and _shown_alone(key)]
    named = [key.key for key in keys if key.kind is KeyKind.CATEGORY and _kind(key) is None and _short(key)]
    rest = [key.key for key in keys if key.kind is KeyKind.BOOLEAN]
    chosen = set([*measured, *named, *rest][:FACTS_SHOWN])
    return tuple(key.key for key in keys if key.key in chosen)


def _shown_alone(key: MetadataKey) -> bool:
    return key.column is None or not key.column.heading.part


def _short(key: MetadataKey) -> bool:
    return sum(map(len, key.values)) <= LONGEST_FACT * max(len(key.values), 1)


def _asked_by(key: MetadataKey, keys: Sequence[MetadataKey]) -> tuple[str, ...]:
    """The words of a question for a key: its header, and what its kind is asked by where no other key is of it."""
    if key.kind is KeyKind.BOOLEAN:
        return tuple(dict.fromkeys((key.words, *names_of_truth(key.words))))
    base = _BRACKET.sub("", key.words).strip()
    forms = (base, base if base.endswith("s") else f"{base}s") if base.isascii() else (base,)
    kind = _kind(key)
    alone = kind is not None and _main_of(kind, keys) is key
    return tuple(dict.fromkeys((*forms, *(_words()[kind].asks if kind is not None and alone else ()))))


def _main_of(kind: str, keys: Sequence[MetadataKey]) -> MetadataKey | None:
    """The column that a question of a kind is about: the first that holds no part and no side of another."""
    alike = [key for key in keys if _kind(key) == kind]
    whole = [key for key in alike if key.column is None or not key.column.heading.part]
    plain = [key for key in whole if key.column is None or key.column.heading.side in (Side.EXACT, Side.CAPACITY)]
    plain.sort(key=lambda key: key.column is not None and key.column.unit in ("star", "point"))  # a rating of its own
    return next(iter((*plain, *whole, *alike)), None)


def _compared(keys: Sequence[MetadataKey], kinds: Mapping[str, str]) -> dict[str, ColumnWords]:
    """The columns on which items are compared, each with the comparatives that no column before it has: "longer" is
    said of one column only."""
    said: set[str] = set()
    found: dict[str, ColumnWords] = {}
    for key in keys:
        words = _words()[kinds[key.key]] if key.key in kinds and _main_of(kinds[key.key], keys) is key else None
        if words is None:
            continue
        low, high = (tuple(word for word in row if word not in said) for row in (words.low, words.high))
        if low:
            found[key.key] = words.model_copy(update={"low": low, "high": high})
            said |= {*low, *high}
    return found


def _scale(key: MetadataKey, words: ColumnWords) -> Scale:
    spoken = {"metadata": key.key, "less": words.low, "more": words.high, "least": words.least, "most": words.most}
    if scale_of(key) != DIFFICULTY:
        return Scale.model_validate(spoken)
    levels = LEVELS[DIFFICULTY]
    order = sorted(key.values, key=lambda value: levels[value])
    return Scale.model_validate(
        {
            **spoken,
            "order": [value.capitalize() if value in key.proper else value for value in order],
            "degrees": [_degree(levels[value]) for value in order],
            "low": sorted(word for words in WORDS_OF_SCALE[DIFFICULTY][:2] for word in words.words),
        }
    )


def _degree(level: int) -> Degree:
    """What a level answers to "is it hard?"."""
    return "no" if level <= _EASY else "moderately" if level < _HARD else "yes"


def _chinese(name: str, title: str, keys: Sequence[MetadataKey], kinds: Mapping[str, str]) -> ChineseWords:
    with wording.speaking(wording.CHINESE):
        question = wording.say("own_catalogue.question")
        greeting = _greeting(title or name, keys)
        item = wording.say("own_catalogue.item")
    words = {}
    for key in keys:
        own = _words()[kinds[key.key]] if key.key in kinds else None
        asked = own.chinese if own is not None and _main_of(kinds[key.key], keys) is key else ()
        base = _BRACKET.sub("", key.words).strip()
        named = names_of_truth(key.words) if key.kind is KeyKind.BOOLEAN else (base,)
        words[key.key] = tuple(dict.fromkeys((*(name for name in named if not name.isascii()), *asked)))
    scales = {
        key: ScaleWords(less=own.chinese_low, more=own.chinese_high, least=own.chinese_least, most=own.chinese_most)
        for key, own in _compared(keys, kinds).items()
    }
    return ChineseWords(
        item_word=item, greeting=greeting, examples=_examples(keys), mandatory=(question,), fact_words=words,
        scales=scales,
    )  # fmt: skip
