"""Replies of PDG-A's prompts: fixed words are read in any writing, limits are kept, and the rest is left out."""

import json

import pytest
from pydantic import ValidationError

from pdgf.engines.llm_replies import (
    UNSAID,
    CandidatesReply,
    CycleReply,
    DescriptionsReply,
    EdgeRow,
    GraphReply,
    JudgementRow,
    LabelRow,
    LabelsReply,
    NodeRow,
    QueriesReply,
    Relation,
)
from pdgf.llm.structured import schema_text
from pdgf.models import Aspect, Label, Polarity


def test_fields_that_are_usually_empty_may_be_left_out_or_null() -> None:
    node = NodeRow.model_validate({"id": "n1", "atom": "a1", "perspective": "tone", "instantiation": "dry"})
    assert (node.words, node.strength, node.polarity) == ("", "", Polarity.WANT)
    null = NodeRow.model_validate({**node.model_dump(), "words": None, "strength": None})
    assert null == node
    edge = EdgeRow.model_validate({"base": "n1", "qualifier": "n2"})
    assert (edge.words, edge.aspect, edge.confidence) == ("", Aspect.TARGET, UNSAID)
    assert LabelRow.model_validate({"number": 1, "label": "NOT_ADDRESSED", "quotes": None}).quotes == ()


@pytest.mark.parametrize("written", ["NOT_ADDRESSED", "not addressed", " Not-Addressed "])
def test_a_label_is_read_in_any_writing(written: str) -> None:
    assert LabelRow.model_validate({"number": 1, "label": written}).label is Label.NOT_ADDRESSED


def test_a_relation_is_read_in_any_writing_and_nothing_else_is_one() -> None:
    row = JudgementRow.model_validate({"pair": 1, "relation": "First qualifies second"})
    assert row.relation is Relation.FIRST_QUALIFIES_SECOND
    with pytest.raises(ValidationError):
        JudgementRow.model_validate({"pair": 1, "relation": "both"})


@pytest.mark.parametrize("label", ["SUPPORTS", "", None, "MAYBE"])
def test_a_word_that_is_no_label_is_refused(label: str | None) -> None:
    with pytest.raises(ValidationError):
        LabelsReply.model_validate({"labels": [{"number": 1, "label": label}]})


@pytest.mark.parametrize("confidence", [-0.1, 1.1, 90])
def test_a_confidence_outside_zero_and_one_is_refused(confidence: float) -> None:
    with pytest.raises(ValidationError, match="between 0 and 1"):
        EdgeRow.model_validate({"base": "n1", "qualifier": "n2", "confidence": confidence})


@pytest.mark.parametrize(
    ("written", "language"),
    [("en", "en"), ("EN-us", "en"), ("zh_Hant", "zh"), ("English", "und"), ("", "und"), (None, "und"), ("e1", "und")],
)
def test_a_language_is_its_primary_tag_or_undetermined(written: str | None, language: str) -> None:
    assert GraphReply.model_validate({"language": written, "atoms": [], "nodes": [], "edges": []}).language == language


@pytest.mark.parametrize(("written", "year"), [(1987, 1987), ("1987", 1987), ("", None), (" ", None), (None, None)])
def test_a_year_is_a_number_or_not_known(written: object, year: int | None) -> None:
    reply = CandidatesReply.model_validate({"records": [{"name": "T", "year": written, "passages": "one"}]})
    assert (reply.records[0].year, reply.records[0].passages) == (year, ("one",))


def test_a_description_and_a_query_must_say_something() -> None:
    for reply, rows in ((DescriptionsReply, "descriptions"), (QueriesReply, "queries")):
        with pytest.raises(ValidationError, match="empty"):
            reply.model_validate({rows: [{"number": 1, "text": "  "}]})


def test_what_was_not_asked_for_is_ignored_and_what_was_is_needed() -> None:
    assert CycleReply.model_validate({"edge": 2, "mood": "sure"}) == CycleReply(edge=2)
    for reply in (GraphReply, LabelsReply, CandidatesReply, CycleReply):
        with pytest.raises(ValidationError):
            reply.model_validate({"error": "no"})


def test_the_schema_teaches_words_and_meanings_and_has_no_references() -> None:
    schema = json.loads(schema_text(LabelsReply))
    row = schema["properties"]["labels"]["items"]["properties"]
    assert list(row) == ["number", "quotes", "label"]
    assert row["label"] == {"type": "string", "enum": [label.value for label in Label]}
    assert "copied" in row["quotes"]["description"]
