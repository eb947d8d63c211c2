"""What lines of metadata say about a wish that the columns of a person's own catalogue decide (METHOD 7.1, 7.5).

x_{v,i} holds the lines of the keys that the wish asks about. Where such a line meets or fails the test that the wish
puts on its key, that line is the evidence; where the tests leave it open, the label of the text stays.
"""

import re
from collections.abc import Sequence

from pdgf.constraints import MetadataConstraint, MetadataSchema, Requirement, Verdict, check, constraints_of
from pdgf.constraints.closed import CLOSED
from pdgf.constraints.columns import Bound
from pdgf.constraints.metadata import UNITS, KeyKind, MetadataKey, fold, key_words
from pdgf.constraints.relative import RelativeWish, check_relative, relative_wish
from pdgf.engines.builtin.attachments import Attachment
from pdgf.engines.builtin.chinese.wording import read_chinese_feature
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.glossary import has_han
from pdgf.models import Label, MetadataValue, Node, Polarity, RelationLabel
from pdgf.ports import RelationRequest

_SAYS_NOTHING = frozenset({"any", "all", "various", "mixed", "unknown", "n/a", "misc", "不限", "其他", "未知"})
_LABELS = {Verdict.SATISFIED: Label.SUPPORT, Verdict.VIOLATED: Label.CONTRADICTS, Verdict.PARTLY: Label.PARTIAL}


def with_columns(
    requests: Sequence[RelationRequest], labels: Sequence[RelationLabel], columns: MetadataSchema
) -> list[RelationLabel]:
    """The labels, where columns decide a wish those of its lines."""
    return [_label(request, label, columns) for request, label in zip(requests, labels, strict=True)]


def with_measures(
    requests: Sequence[RelationRequest], labels: Sequence[RelationLabel], measures: MetadataSchema
) -> list[RelationLabel]:
    """The labels, where a wish by a relative word alone ("not too long") is told by a key of numbers those of it."""
    found = []
    for request, label in zip(requests, labels, strict=True):
        wish = relative_wish(_wish(request.feature), measures)
        measured = wish is not None and wish.key is not None
        found.append(_relative_label(request.text, wish, label, measures) if wish and measured else label)
    return found


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
    wish = _wish(request.feature)
    constraints = constraints_of(wish, columns)
    if not constraints:
        relative = relative_wish(wish, columns)
        return label if relative is None else _relative_label(request.text, relative, label, columns)
    lines = _facts(request.text, columns)
    tested = [(_verdict(c, lines[c.key][1], columns), lines[c.key][0]) for c in constraints if c.key in lines]
    said = [(_LABELS[verdict], line) for verdict, line in tested if verdict in _LABELS]
    if not said:
        numeric = any(map(_counts, constraints))
        elsewhere = {line for key, (line, _) in lines.items() if key not in {c.key for c in constraints}}
        return RelationLabel(label=Label.NOT_ADDRESSED) if numeric or elsewhere.intersection(label.quotes) else label
    for worst in (Label.CONTRADICTS, Label.PARTIAL):
        quotes = [line for found, line in said if found is worst]
        if quotes and label.label is Label.SUPPORT and not _counts(constraints[0]):
            return RelationLabel(label=Label.PARTIAL, quotes=(label.quotes[0], quotes[0]))
        if quotes:
            return RelationLabel(label=worst, quotes=(quotes[0],))
    complete = len(said) == len(constraints)
    return RelationLabel(label=Label.SUPPORT if complete else Label.PARTIAL, quotes=(said[0][1],))


def _counts(constraint: MetadataConstraint) -> bool:
    """Whether a test is of a number, which no note outweighs."""
    compares = constraint.requirement.value in set(Bound)
    return constraint.heading is not None or (compares and constraint.scale is None)


def _relative_label(text: str, wish: RelativeWish, label: RelationLabel, columns: MetadataSchema) -> RelationLabel:
    """The label of a wish by a relative word: by its column, and where that is silent by texts that say the word."""
    lines = _facts(text, columns)
    line, value = lines.get(wish.key.key, ("", "")) if wish.key is not None else ("", "")
    verdict = check_relative(wish, value) if line else Verdict.UNKNOWN
    if verdict in _LABELS:
        return RelationLabel(label=_LABELS[verdict], quotes=(line,))
    stated = {fact for fact, _ in lines.values()} if label.label is not Label.PARTIAL else set()
    told = [q for q in label.quotes if q in stated or re.search(rf"\b{re.escape(wish.words)}", fold(q))]
    return label if told and wish.key is None else RelationLabel(label=Label.NOT_ADDRESSED)


def _verdict(constraint: MetadataConstraint, value: str, columns: MetadataSchema) -> Verdict:
    """What a value says; of a key that has one value an item, another known one is another, however alike they sound
    ("off-dry" is not "dry"). Of kinds that may overlap (themes), a value that holds the wished word stays open."""
    key = next((key for key in columns.keys if key.key == constraint.key), None)
    verdict = check(constraint, {constraint.key: _stated(value, key)})
    if verdict is not Verdict.UNKNOWN or constraint.requirement is not Requirement.ONE_OF:
        return verdict
    said = fold(value)
    if key is None or key.listed or said not in key.values or said in _SAYS_NOTHING:
        return verdict
    alike = any(wanted in said for wanted in constraint.values)
    closed = constraint.complete or (len(key.values) <= CLOSED and not alike)
    return Verdict.VIOLATED if closed else verdict


def _stated(value: str, key: MetadataKey | None) -> MetadataValue:
    """The value of a line as the catalogue holds it: a number under a key of numbers, which checks compare as such."""
    if key is None or key.kind is not KeyKind.NUMBER:
        return value
    try:
        return float(value.replace(",", ""))
    except ValueError:
        return value


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
        if colon and key is None:
            value, _, unit = value.strip().rpartition(" ")
            key = columns.by_words.get(f"{key_words(label)} {unit}") if unit in UNITS else None
        if key is not None and value.strip():
            found.setdefault(key.key, (line, value.strip()))
    return found
