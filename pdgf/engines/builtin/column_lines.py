"""What lines of metadata say about a wish that the columns of a person's own catalogue decide (METHOD 7.1, 7.5).

x_{v,i} holds the lines of the keys that the wish asks about. Where such a line meets or fails the test that the wish
puts on its key, that line is the evidence; where the tests leave it open, the label of the text stays.
"""

from collections.abc import Sequence

from pdgf.constraints import MetadataConstraint, MetadataSchema, Requirement, Verdict, check, constraints_of
from pdgf.constraints.metadata import fold, key_words
from pdgf.engines.builtin.attachments import Attachment
from pdgf.engines.builtin.chinese.wording import read_chinese_feature
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.glossary import has_han
from pdgf.models import Label, Node, Polarity, RelationLabel
from pdgf.ports import RelationRequest

_LABELS = {Verdict.SATISFIED: Label.SUPPORT, Verdict.VIOLATED: Label.CONTRADICTS, Verdict.PARTLY: Label.PARTIAL}


def with_columns(
    requests: Sequence[RelationRequest], labels: Sequence[RelationLabel], columns: MetadataSchema
) -> list[RelationLabel]:
    """The labels, where columns decide a wish those of its lines."""
    return [_label(request, label, columns) for request, label in zip(requests, labels, strict=True)]


def beside_columns(
    attachments: Sequence[Attachment], nodes: Sequence[Node], vocabulary: Vocabulary
) -> tuple[Attachment, ...]:
    """The attachments without those of wishes that columns decide: what a column holds is said of the item as a whole
    and qualifies no other wish."""
    schema = vocabulary.columns
    if schema is None:
        return tuple(attachments)
    of_item = {node.id for node in nodes if constraints_of(node, schema)}
    return tuple(each for each in attachments if not {each.base, each.qualifier} & of_item)


def _label(request: RelationRequest, label: RelationLabel, columns: MetadataSchema) -> RelationLabel:
    constraints = constraints_of(_wish(request.feature), columns)
    if not constraints:
        return label
    lines = _facts(request.text, columns)
    tested = [(_verdict(c, lines[c.key][1], columns), lines[c.key][0]) for c in constraints if c.key in lines]
    said = [(_LABELS[verdict], line) for verdict, line in tested if verdict in _LABELS]
    if not said:
        numeric = any(constraint.heading is not None for constraint in constraints)
        elsewhere = {line for key, (line, _) in lines.items() if key not in {c.key for c in constraints}}
        return RelationLabel(label=Label.NOT_ADDRESSED) if numeric or elsewhere.intersection(label.quotes) else label
    for worst in (Label.CONTRADICTS, Label.PARTIAL):
        quotes = [line for found, line in said if found is worst]
        if quotes and label.label is Label.SUPPORT and constraints[0].heading is None:
            return RelationLabel(label=Label.PARTIAL, quotes=(label.quotes[0], quotes[0]))
        if quotes:
            return RelationLabel(label=worst, quotes=(quotes[0],))
    complete = len(said) == len(constraints)
    return RelationLabel(label=Label.SUPPORT if complete else Label.PARTIAL, quotes=(said[0][1],))


def _verdict(constraint: MetadataConstraint, value: str, columns: MetadataSchema) -> Verdict:
    """What a value says; of a key that has one value an item, another known one is another, however alike they sound
    ("off-dry" is not "dry")."""
    verdict = check(constraint, {constraint.key: value})
    if verdict is not Verdict.UNKNOWN or constraint.requirement is not Requirement.ONE_OF or not constraint.complete:
        return verdict
    single = next((key for key in columns.keys if key.key == constraint.key and not key.listed), None)
    return Verdict.VIOLATED if single is not None and fold(value) in single.values else verdict


def _wish(feature: str) -> Node:
    """The node that an f_v describes, as far as the tests need it."""
    if has_han(feature):
        chinese = read_chinese_feature(feature)
        focus, avoid, tolerant, perspective = chinese.focus, chinese.avoid, chinese.tolerant, chinese.perspective
    else:
        read = read_feature(feature)
        focus, avoid, tolerant, perspective = read.focus, read.avoid, read.tolerant, read.perspective
    return Node(
        id="wish",
        atom="wish",
        perspective=perspective,
        instantiation=focus,
        polarity=Polarity.AVOID if avoid else Polarity.WANT,
        strength="too" if tolerant else "",
    )


def _facts(text: str, columns: MetadataSchema) -> dict[str, tuple[str, str]]:
    """The line of each key and what it states."""
    found: dict[str, tuple[str, str]] = {}
    for line in text.split("\n"):
        label, colon, value = line.partition(": ")
        key = columns.by_words.get(key_words(label)) if colon else None
        if key is not None and value.strip():
            found.setdefault(key.key, (line, value.strip()))
    return found
