"""What the prompts of PDG-A are answered with. The descriptions are part of the prompts: they stand in the schema.

What is copied comes before what is decided (quotes before a label), because a model writes in this order. Fields that
are usually empty may be left out. Reading is lenient where nothing can be meant but one thing: null for an empty text,
a single text for a list of one, another case of a fixed word. Limits are checked here and kept out of the schema, whose
less common words some servers refuse.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from pdgf.models import Aspect, AtomKind, Label, Polarity

UNSAID = 0.5  # the confidence of a qualification that gives none: it loses against every one that is said clearly


class Relation(StrEnum):
    """d_q(u, v) with u presented first."""

    FIRST_QUALIFIES_SECOND = "first_qualifies_second"
    SECOND_QUALIFIES_FIRST = "second_qualifies_first"
    NONE = "none"


class Reply(BaseModel):
    """A frozen reply; what was not asked for is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)


def one_of(words: type[StrEnum]) -> Any:
    """How a fixed word stands in the schema: the values alone, without a definition elsewhere."""
    return WithJsonSchema({"type": "string", "enum": [word.value for word in words]})


def in_case(fold: Callable[[str], str]) -> BeforeValidator:
    """Reads a fixed word in any case, with spaces or hyphens for underscores."""

    def folded(value: object) -> object:
        return fold(value.strip()).replace(" ", "_").replace("-", "_") if isinstance(value, str) else value

    return BeforeValidator(folded)


def _text(value: object) -> object:
    return "" if value is None else value


def _listed(value: object) -> object:
    if isinstance(value, list):
        return tuple(value)  # what is read strictly takes no list for a tuple any more, once a function has had it
    return () if value is None else (value,) if isinstance(value, str) else value


def _year(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _primary_tag(value: object) -> object:
    tag = value.replace("_", "-").partition("-")[0].strip().lower() if isinstance(value, str) else ""
    return tag if tag.isascii() and tag.isalpha() and 2 <= len(tag) <= 3 else "und"


def _filled(value: str) -> str:
    if not value:
        raise ValueError("must not be empty")
    return value


def _share(value: float) -> float:
    if not 0.0 <= value <= 1.0:
        raise ValueError("must lie between 0 and 1")
    return value


Text = Annotated[str, BeforeValidator(_text)]
Filled = Annotated[str, AfterValidator(_filled)]
Confidence = Annotated[float, AfterValidator(_share)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
Year = Annotated[int | None, BeforeValidator(_year)]


class AtomRow(Reply):
    """One preference atom."""

    id: str = Field(description="a1, a2, ... in order of first mention")
    text: str = Field(
        description="copied character by character from the narrative; for a reference or feedback the title alone"
    )
    kind: Annotated[AtomKind, in_case(str.lower), one_of(AtomKind)] = Field(description="what the words are")
    year: Year = Field(default=None, description="the release year, only if the narrative gives it with the title")
    hard: bool = Field(default=False, description="true if the wish is a condition that must hold")


class NodeRow(Reply):
    """One reading of one atom."""

    id: str = Field(description="n1, n2, ... in order of first mention")
    atom: str = Field(description="the id of its atom")
    perspective: str = Field(description="a short English noun in lower case")
    instantiation: str = Field(
        description="what is wanted or unwanted, short, in the language of the narrative, without negation or strength"
    )
    words: Text = Field(
        default="", description="the words of the narrative that name it, copied; empty if they come from knowledge"
    )
    strength: Text = Field(
        default="", description="the words of the narrative that weaken, strengthen or deny it, copied; else empty"
    )
    polarity: Annotated[Polarity, in_case(str.lower), one_of(Polarity)] = Field(
        default=Polarity.WANT, description="avoid if it is unwanted"
    )


class EdgeRow(Reply):
    """One qualification."""

    base: str = Field(description="the id of the node that is narrowed")
    qualifier: str = Field(description="the id of the node that narrows it")
    words: Text = Field(default="", description="the words of the narrative that tie the two, copied; may be empty")
    aspect: Annotated[Aspect, in_case(str.lower), one_of(Aspect)] = Field(
        default=Aspect.TARGET, description="what of the base is narrowed"
    )
    confidence: Confidence = Field(default=UNSAID, description="from 0 to 1: how clearly the narrative says so")


class NodesReply(Reply):
    """The preferences of a narrative."""

    language: Annotated[str, BeforeValidator(_primary_tag)] = Field(
        description="language of the narrative: its BCP 47 primary tag, such as en or zh"
    )
    atoms: tuple[AtomRow, ...]
    nodes: tuple[NodeRow, ...]


class GraphReply(NodesReply):
    """The preferences of a narrative and how they qualify one another."""

    edges: tuple[EdgeRow, ...] = Field(description="only real qualifications; empty if there are none")


class JudgementRow(Reply):
    """The judgement of one pair."""

    pair: int = Field(description="the number of the pair")
    words: Text = Field(default="", description="the words of the narrative that tie the two, copied; else empty")
    relation: Annotated[Relation, in_case(str.lower), one_of(Relation)]
    aspect: Annotated[Aspect, in_case(str.lower), one_of(Aspect)] = Field(
        default=Aspect.TARGET, description="what of the base is narrowed; without meaning for none"
    )
    confidence: Confidence = Field(
        default=UNSAID, description="from 0 to 1: how clearly the narrative says so; without meaning for none"
    )


class JudgementsReply(Reply):
    """One judgement a pair."""

    judgements: tuple[JudgementRow, ...] = Field(description="exactly one for every pair, in the order given")


class CycleReply(Reply):
    """The dependency to remove."""

    reason: Text = Field(default="", description="why the narrative supports it least, in at most 25 words")
    edge: int = Field(description="the number of one dependency inside the circle")


class DescriptionRow(Reply):
    """f_v of one preference."""

    number: int = Field(description="the number of the preference")
    text: Filled = Field(description="one self-contained sentence of at most 40 words")


class DescriptionsReply(Reply):
    """One description a preference."""

    descriptions: tuple[DescriptionRow, ...] = Field(description="exactly one for every preference, in the order given")


class QueryRow(Reply):
    """The search of one pair."""

    number: int = Field(description="the number of the pair")
    text: Filled = Field(description="the query as it is typed into the search engine")


class QueriesReply(Reply):
    """One query a pair."""

    queries: tuple[QueryRow, ...] = Field(description="exactly one for every pair, in the order given")


class RecordRow(Reply):
    """What the chunk says of one item."""

    name: str = Field(description="the item's name as the chunk writes it, without the year")
    year: Year = Field(default=None, description="its year of release, only if the chunk states it")
    passages: Texts = Field(description="excerpts of the chunk, each copied word for word and contiguous")


class CandidatesReply(Reply):
    """The items of a chunk."""

    records: tuple[RecordRow, ...] = Field(description="one for every item that qualifies; often none")


class LabelRow(Reply):
    """The verdict of one comparison."""

    number: int = Field(description="the number of the comparison")
    quotes: Texts = Field(
        default=(), description="the words of the text that decide it, copied and contiguous; none for NOT_ADDRESSED"
    )
    label: Annotated[Label, in_case(str.upper), one_of(Label)]


class LabelsReply(Reply):
    """One label a comparison."""

    labels: tuple[LabelRow, ...] = Field(description="exactly one for every comparison, in the order given")
