"""Every fixed sentence that a user may read, as data: `prompts/replies.<language>.toml`, by key, with named fields.

The language is that of the turn (`speaking`), English outside of one.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from string import Formatter
from types import MappingProxyType
from typing import Any, NamedTuple

from dialogue.domain import Domain, MandatoryGroup
from dialogue.events import Step
from dialogue.fact_words import fact_in_chinese, key_in_chinese
from dialogue.known_names import chinese_name, chinese_names
from pdgf.errors import ModelFailed, PdgfError
from pdgf.models import Candidate
from pdgf.usage import Setback

ENGLISH, CHINESE = "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)
_TITLES = frozenset({"title", "upper", "lower", "first", "second"})  # fields that hold the name of one item
_YEAR_BEHIND = re.compile(r" \((\d{4})\)$")
_DEGREE = re.compile(r"太|过于|过分|那么|这么")
_LAST = {"and": "list.and", "or": "list.or", "also": "list.also", "or else": "list.or_else"}
_REASON = re.compile(r"(?P<fact>.+) \(you asked (?P<kind>for|to avoid) (?P<wish>.+)\)\.?", re.DOTALL)
_SAID = re.compile(r"(?P<wish>.+?): \"(?P<quote>.+)\"\.?", re.DOTALL)


class _Speech(NamedTuple):
    """The language that is spoken, the marks that it puts around the name of an item, and its own names of items by
    their titles."""

    language: str = ENGLISH
    opening: str = ""
    closing: str = ""
    names: Mapping[str, str] = MappingProxyType({})


_SPEECH: ContextVar[_Speech] = ContextVar("speech", default=_Speech())  # noqa: B039  immutable


@contextmanager
def speaking(language: str, domain: Domain | None = None, items: Sequence[Candidate] = ()) -> Iterator[None]:
    """Say everything in a language ("en", "zh"; any other counts as English) as long as this lasts. `domain` tells how
    the names of its items are marked, and `items`, a catalogue, what else they are called."""
    marks = domain.chinese.title_marks if language == CHINESE and domain and domain.chinese else ""
    names = chinese_names(items) if language == CHINESE and items else MappingProxyType({})
    speech = _Speech(CHINESE if language == CHINESE else ENGLISH, marks[:1], marks[1:], names)
    token = _SPEECH.set(speech)
    try:
        yield
    finally:
        _SPEECH.reset(token)


def language() -> str:
    """The language that is spoken now."""
    return _SPEECH.get().language


@cache
def sentences(language: str = ENGLISH) -> dict[str, str]:
    """All sentences of a language by dotted key ("recommend.more")."""
    text = resources.files("prompts").joinpath(f"replies.{language}.toml").read_text(encoding="utf-8")
    return {f"{table}.{key}": line for table, lines in tomllib.loads(text).items() for key, line in lines.items()}


def say(key: str, **fields: object) -> str:
    """The sentence of a key with its fields filled in. Raises KeyError for an unknown key or a missing field."""
    if _SPEECH.get().opening or _SPEECH.get().names:
        fields = {name: titled(str(value)) if name in _TITLES else value for name, value in fields.items()}
    return sentences(language())[key].format_map(fields)


def fields_of(key: str, language: str = ENGLISH) -> frozenset[str]:
    """The names of the fields that the sentence of a key needs."""
    return frozenset(name for _, name, _, _ in Formatter().parse(sentences(language)[key]) if name)


def sentence_for(error: PdgfError) -> str:
    """What to tell a user about an error: what happened and what to do. The most specific sentence of its type wins."""
    key = next(key for kind in type(error).__mro__ if (key := f"error.{kind.__name__}") in sentences())
    known: dict[str, Any] = {name: value for name, value in vars(error).items() if not name.startswith("_")}
    if isinstance(known.get("known"), tuple):
        known["known"] = listed(known["known"])
    if key == "error.BudgetSpent":
        known["what"] = sentences(language()).get(f"budget.{known['what']}", known["what"])
    if isinstance(error, ModelFailed):
        known["why"] = _why(error.why)
    return say(key, **{"detail": str(error), **known})


def sentence_of_setback(setback: Setback) -> str:
    """What to tell a user about a step that was done otherwise than asked."""
    table = "web" if setback.step.startswith("search") else "model"
    return say(f"setback.{setback.step}", count=setback.count, why=_why(setback.why, table))


def _why(key: str, table: str = "model") -> str:
    return sentences(language()).get(f"{table}.{key}", key)


def sentence_of_step(step: Step) -> str:
    """A running step as a person reads it ("reading your wishes: 7 preferences, 5 links")."""
    key = f"step.{step.name}"
    with speaking(step.language or language()):
        return say(key, **step.counts) if key in sentences() else step.name


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence: "a", "a and b", "a, b and c" ("A、B和C")."""
    if len(words) < 2:
        return "".join(words)
    return f"{say('list.comma').join(words[:-1])}{say(_LAST[last])}{words[-1]}"


def told(said: Sequence[str]) -> str:
    """Sentences one after the other, empty ones left out."""
    return say("list.gap").join(filter(None, said))


def titled(title: str) -> str:
    """The name of an item in a sentence: with the name that readers of the language know it by, or else between the
    marks of the language where it has any."""
    speech = _SPEECH.get()
    year = _YEAR_BEHIND.search(title)
    name, behind = (title[: year.start()], f"（{year[1]}）") if year else (title, "")
    if name in speech.names:
        return known_as(name) + behind
    if not speech.opening or speech.opening in title:
        return title
    return f"{speech.opening}{name}{speech.closing}{behind}"


def known_as(title: str) -> str:
    """A title with the name beside it that readers of the language know the item by ("Alien《异形》")."""
    name = _SPEECH.get().names.get(title)
    return title + say("list.name_beside", name=name) if name else title


def wishes(words: Sequence[str], last: str = "and") -> str:
    """Wishes in the user's own words, between marks, as a list in a sentence."""
    return listed([say("explain.named", wish=each) for each in words], last)


def name_beside(item: Candidate) -> str:
    """The name by which Chinese readers know an item, to stand behind its title when Chinese is spoken."""
    known = chinese_name(item) if language() == CHINESE else ""
    return say("list.name_beside", name=known) if known else ""


def titles(names: Sequence[str], last: str = "and") -> str:
    """The names of items as a list in a sentence."""
    return listed([titled(name) for name in names], last)


def quoted(quote: str) -> str:
    """A quote between marks, word for word; a line of metadata as a fact in the language that is spoken."""
    fact = fact_in_chinese(quote) if language() == CHINESE else None
    return say("explain.quote", quote=quote) if fact is None else fact


def fact_label(line: str) -> str:
    """What a line of metadata is about ("Length"), in the language that is spoken."""
    fact = fact_in_chinese(line) if language() == CHINESE else None
    return fact.partition("：")[0] if fact else line.partition(": ")[0]


def fact_value(line: str) -> str:
    """What a line of metadata holds ("119 minutes"), in the language that is spoken."""
    fact = fact_in_chinese(line) if language() == CHINESE else None
    return fact.partition("：")[2] if fact else line.partition(": ")[2]


def key_said(words: str) -> str:
    """A metadata key in the language that is spoken ("length minutes" is "length", or "长度")."""
    return key_in_chinese(words) if language() == CHINESE else re.sub(r" minutes$", "", words)


def fact_said(line: str) -> str:
    """A line of metadata ("Length: 119 minutes") in the language that is spoken, without marks."""
    return (fact_in_chinese(line) if language() == CHINESE else None) or line


def reason(demoted: str) -> str:
    """Why an item breaks a condition, as the ranking gives it, in the language that is spoken."""
    if language() != CHINESE:
        return demoted.rstrip(".")
    if found := _REASON.fullmatch(demoted):
        key = "explain.asked_for" if found["kind"] == "for" else "explain.asked_to_avoid"
        return say(key, fact=fact_said(found["fact"]), wish=say("explain.named", wish=found["wish"]))
    if found := _SAID.fullmatch(demoted):
        return say("explain.said_against", wish=found["wish"], quote=quoted(found["quote"]))
    return demoted.rstrip(".")


_OF_NOBODY = re.compile(r"(?:没有?(?:任何)?(?:一个)?人|无人|(?:谁|大家)都(?:不|没有?))(?:会|要|被)?")


def denied_in_chinese(wish: str, strength: str) -> str:
    """An unwanted wish in Chinese, whatever is spoken: 不要暴力, 不要太暴力, 不要以爱情为主, 没有人死."""
    if _OF_NOBODY.fullmatch(strength):
        return f"{strength}{wish}"
    too = "explain.denied_too" if _DEGREE.search(strength) else "explain.denied"
    return sentences(CHINESE)["explain.denied_mostly" if "为主" in strength else too].format(wish=wish)


def plainly(said: str) -> str:
    """ "yes" or "no" as the whole of a table's cell."""
    return say("compare.plain_yes") if said == "yes" else say("compare.plain_no")


def items_named(domain: Domain, count: int) -> str:
    """The domain's word for this many items."""
    return domain.item_word if count == 1 else domain.items_word


def counted(domain: Domain, count: int) -> str:
    """So many items ("3 films", "3部电影")."""
    space = "" if language() == CHINESE else " "
    return f"{count}{space}{items_named(domain, count)}"


def left_open(domain: Domain, key: str) -> str:
    """Words by which a user leaves a key open, ready to be said."""
    own = domain.chinese.anything.get(key, ()) if language() == CHINESE and domain.chinese else ()
    return (own or domain.row(key).anything)[0]


def first_question(missing: Sequence[MandatoryGroup]) -> str:
    """The question for the first thing that is missing, or an open one where nothing is."""
    return missing[0].question if missing else say("courtesy.open_question")


def spoken(domain: Domain) -> Domain:
    """A domain with its words in the language that is spoken."""
    return domain.in_chinese(say("own_catalogue.item")) if language() == CHINESE else domain
