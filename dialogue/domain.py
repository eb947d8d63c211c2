"""What a conversation needs to know of its domain: nouns, constraint keys, questions, words. Data, not code."""

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from pydantic import Field

from pdgf.catalogues.bundled import BUNDLED
from pdgf.errors import UnknownDomain
from pdgf.models import Value, normalised

Degree = Literal["no", "little", "moderately", "yes"]

LEVELS = ("none", "mild", "moderate", "strong")  # what a key holds that says how much there is of something
DEGREES: tuple[Degree, ...] = ("no", "little", "moderately", "yes")  # what each level answers to "is it violent?"


class ConstraintKey(Value):
    """One sub-key of the hard and soft constraints (METHOD 9.3).

    `cumulative`: a new value is added, otherwise it replaces the old ones. `hard`: a flat wish under this key must be
    satisfied even without a "must". `perspectives`: which perspectives of a node fill this key. `metadata`: which
    metadata keys of an item answer for it. `values`: answers to offer when it is asked for. `anything`: words by which
    a user leaves this key open, so that it is known without a wish.
    """

    key: str
    description: str
    cumulative: bool = True
    hard: bool = False
    in_explanation: bool = True
    perspectives: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    anything: tuple[str, ...] = ()


class MandatoryGroup(Value):
    """At least one of `keys` should be known before anything is recommended; otherwise `question` is asked, once a
    conversation. `open` is told beside a list that was made without them: what it spans, and what would narrow it."""

    keys: tuple[str, ...]
    question: str
    open: str = ""


class Scale(Value):
    """A metadata key whose values can be compared ("year" stands for the item's own year).

    `order` lists the values from low to high; empty for numbers. `less` and `more` are the words that ask for the low
    and the high end ("cheaper", "quietest"), `least` and `most` the words of the conclusion. `degrees` says for each
    value what it answers to a question for the high end ("is it loud?"); `low` are words that ask for the low end
    ("is it quiet?"). `below` and `above` say a limit at a number that is {cut}, as a user may say it.
    """

    metadata: str
    order: tuple[str, ...] = ()
    less: tuple[str, ...]
    more: tuple[str, ...]
    least: str
    most: str
    degrees: tuple[Degree, ...] = DEGREES
    low: tuple[str, ...] = ()
    below: str = ""
    above: str = ""


class KeyAnswer(Value):
    """What a user may answer about a metadata key, ready to be said, and the values of the key that it stands for."""

    say: str
    values: tuple[str, ...]


class KeyQuestion(Value):
    """A question about a metadata key, asked when many items fit equally well. `text` may name the {answers}.

    Values that are words have `answers`; numbers are parted at a round {cut}, a multiple of `step`, with what to say
    for those `below` it and those from it on (`above`).
    """

    metadata: str
    text: str
    answers: tuple[KeyAnswer, ...] = ()
    below: str = ""
    above: str = ""
    step: int = Field(default=1, ge=1)


class ScaleWords(Value):
    """The words of a scale in another language; for its fields see `Scale`."""

    less: tuple[str, ...]
    more: tuple[str, ...]
    least: str
    most: str
    below: str = ""
    above: str = ""


class QuestionWords(Value):
    """The words of a question in another language; `answers` in the order of the question's own."""

    text: str
    answers: tuple[str, ...] = ()
    below: str = ""
    above: str = ""


class ChineseWords(Value):
    """What a domain says and hears in Chinese. `item_word` is one item with its measure word ("部电影"), `title_marks`
    stand around the name of one, `nouns` are the words for what it holds, as an expression. `mandatory` are the
    questions of its groups in their order and `mandatory_open` what is told beside a list; the other tables are found
    by the key that they speak of."""

    item_word: str
    title_marks: str = ""
    nouns: str = ""
    greeting: str = ""
    examples: tuple[str, ...] = ()
    mandatory: tuple[str, ...] = ()
    mandatory_open: tuple[str, ...] = ()
    fact_words: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    anything: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    scales: dict[str, ScaleWords] = Field(default_factory=dict)
    questions: dict[str, QuestionWords] = Field(default_factory=dict)


class Domain(Value):
    """A domain: `name` is its id, `item_word` what one item is called, `items_word` its plural. `title` is what people
    call it, where that is not its id.

    `fact_words` are the words by which a question asks for a metadata key; a key's own name always counts.
    `asked_nothing` are words that in a question ask and state no wish, since few want what they name ("violent") or
    most only want to know it ("long").
    """

    name: str
    title: str = ""
    item_word: str
    items_word: str
    greeting: str
    constraint_keys: tuple[ConstraintKey, ...]
    mandatory: tuple[MandatoryGroup, ...] = ()
    examples: tuple[str, ...] = ()
    shown: int = Field(default=3, ge=1)  # items a turn
    facts: tuple[str, ...] = ()  # metadata keys a card shows, in order
    fact_words: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    scales: tuple[Scale, ...] = ()
    questions: tuple[KeyQuestion, ...] = ()
    asked_nothing: tuple[str, ...] = ()
    chinese: ChineseWords | None = None
    native_item_word: str = ""

    @property
    def searched_word(self) -> str:
        """What one item is called in searches and prompts, whatever language the domain speaks."""
        return self.native_item_word or self.item_word

    def in_chinese(self, item_word: str) -> "Domain":
        """The domain with what it says in Chinese; `item_word` names an item where it has no Chinese words of its own.
        What it hears by stays as it is."""
        words = self.chinese
        if words is None:
            own = {"item_word": item_word, "items_word": item_word, "native_item_word": self.item_word}
            return self.model_copy(update=own)
        open_ = words.mandatory_open or ("",) * len(self.mandatory)
        groups = (
            group.model_copy(update={"question": question, "open": beside})
            for group, question, beside in zip(self.mandatory, words.mandatory, open_, strict=True)
        )
        return self.model_copy(
            update={
                "item_word": words.item_word,
                "native_item_word": self.item_word,
                "items_word": words.item_word,
                "greeting": words.greeting,
                "examples": words.examples,
                "mandatory": tuple(groups),
                "scales": tuple(_scale_in(scale, words.scales) for scale in self.scales),
                "questions": tuple(_question_in(question, words.questions) for question in self.questions),
                "constraint_keys": tuple(
                    row.model_copy(update={"values": words.values.get(row.key, row.values)})
                    for row in self.constraint_keys
                ),
            }
        )

    def key_of(self, perspective: str) -> str:
        """The sub-key that a node of this perspective belongs under; `others` for the rest."""
        return next((row.key for row in self.constraint_keys if perspective in row.perspectives), "others")

    def key_of_words(self, words: str) -> str | None:
        """The sub-key of a metadata key one of whose words these are, exactly; None for any other words."""
        fact = next((fact for fact, names in self.fact_words.items() if normalised(words) in names), None)
        return self.key_of_fact(fact) if fact is not None else None

    def key_of_fact(self, fact: str) -> str | None:
        """The sub-key that a metadata key answers for; None where it answers for none."""
        return next((row.key for row in self.constraint_keys if fact in row.metadata), None)

    def levels(self, key: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The values of a metadata key from low to high, what each answers to a question for the high end, and the
        words that ask for the low end."""
        scale = next((scale for scale in self.scales if scale.metadata == key and scale.order), None)
        return (scale.order, scale.degrees, scale.low) if scale else (LEVELS, DEGREES, ())

    def missing(self, known: Collection[str]) -> tuple[MandatoryGroup, ...]:
        """The mandatory groups of which no key is known yet, in the order to ask for them."""
        return tuple(group for group in self.mandatory if not set(known).intersection(group.keys))

    def row(self, key: str) -> ConstraintKey:
        """The row of a sub-key; an unknown one counts as `others`."""
        found = (row for row in self.constraint_keys if row.key == key)
        return next(found, ConstraintKey(key="others", description=""))


def _scale_in(scale: Scale, words: Mapping[str, ScaleWords]) -> Scale:
    own = words.get(scale.metadata)
    return scale if own is None else scale.model_copy(update={"least": own.least, "most": own.most})


def _question_in(question: KeyQuestion, words: Mapping[str, QuestionWords]) -> KeyQuestion:
    own = words.get(question.metadata)
    if own is None:
        return question
    answers = (
        answer.model_copy(update={"say": say}) for answer, say in zip(question.answers, own.answers, strict=True)
    )
    return question.model_copy(
        update={"text": own.text, "answers": tuple(answers), "below": own.below, "above": own.above}
    )


@cache
def bundled_domain(name: str) -> Domain:
    """A bundled domain, read when it is first asked for. Raises UnknownDomain."""
    if name not in BUNDLED:
        raise UnknownDomain(name, BUNDLED)
    text = resources.files("dialogue.domains").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return Domain.model_validate({"name": name, **tomllib.loads(text)})


def domain_from_file(path: Path) -> Domain:
    """Read the domain of an indexed catalogue of the user's own (written by `pdgf index`)."""
    return Domain.model_validate_json(path.read_text(encoding="utf-8"))
