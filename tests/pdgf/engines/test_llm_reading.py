"""What of a reply is believed: one answer a number, the method's direction of edges, quotes that stand in the text."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.engines.llm_reading import UNADDRESSED, edge_of, judgements_of, labels_of, records_of, texts_of
from pdgf.engines.llm_replies import CycleReply, JudgementRow, LabelRow, RecordRow, Relation
from pdgf.errors import ReplyUnusable
from pdgf.models import Aspect, Atom, Label, Node, QualificationEdge, RelationLabel
from pdgf.ports import Cycle, FoundRecord, NodePair, PairJudgement

NARRATIVE = "A romance told through\n“bickering”. A small-town mystery as a subplot."
TEXT = "They bicker all day.\nIt is slow… and then slower."


def node(name: str) -> Node:
    return Node(id=name, atom=f"a-{name}", perspective="theme", instantiation=name)


def pair(first: str, second: str) -> NodePair:
    atoms = [Atom(id=f"a-{name}", text=name, span=(0, 1)) for name in (first, second)]
    return NodePair(u=node(first), v=node(second), atom_u=atoms[0], atom_v=atoms[1])


PAIRS = [pair("romance", "bickering"), pair("romance", "mystery"), pair("town", "mystery")]


def judged(number: int, relation: str, **more: object) -> JudgementRow:
    return JudgementRow.model_validate({"pair": number, "relation": relation, **more})


def label(number: int, name: str, *quotes: str) -> LabelRow:
    return LabelRow(number=number, label=Label(name), quotes=quotes)


def test_an_edge_leads_from_the_base_to_what_qualifies_it() -> None:
    """Romance develops through conflict: romance -> conflict (METHOD 4.3)."""
    found = judgements_of(
        [
            judged(1, "second_qualifies_first", words="Told  through", aspect="manner", confidence=0.9),
            judged(2, "none"),
            judged(3, "first_qualifies_second", words="nowhere said"),
        ],
        PAIRS,
        NARRATIVE,
    )
    assert found == {
        0: PairJudgement(
            base="romance", qualifier="bickering", aspect=Aspect.MANNER, span="told through", confidence=0.9
        ),
        1: None,
        2: PairJudgement(base="mystery", qualifier="town", span="", confidence=0.5),
    }


def test_the_words_that_tie_may_be_as_short_as_as() -> None:
    [found] = judgements_of([judged(1, "second_qualifies_first", words="as")], PAIRS[:1], NARRATIVE).values()
    assert found is not None
    assert found.span == "as"


def test_below_one_half_there_is_no_qualification() -> None:
    rows = [judged(n, "first_qualifies_second", confidence=c) for n, c in ((1, 0.49), (2, 0.5), (3, 1.0))]
    assert [found is not None for found in judgements_of(rows, PAIRS, NARRATIVE).values()] == [False, True, True]


def test_a_pair_judged_twice_in_different_ways_is_not_judged() -> None:
    rows = [
        judged(1, "first_qualifies_second"),
        judged(1, "second_qualifies_first"),
        judged(2, "none"),
        judged(2, "none", words="again"),
    ]
    assert judgements_of(rows, PAIRS, NARRATIVE) == {1: None}


@pytest.mark.parametrize("numbers", [[], [4, 5], [0, 1, 2], [-1, 1]])
def test_no_known_number_or_one_below_the_first_makes_a_reply_unusable(numbers: list[int]) -> None:
    """Who counts from 0 would have every answer stand at the wrong pair."""
    with pytest.raises(ReplyUnusable):
        judgements_of([judged(number, "none") for number in numbers], PAIRS, NARRATIVE)
    with pytest.raises(ReplyUnusable):
        labels_of([label(number, "NOT_ADDRESSED") for number in numbers], [TEXT] * 3)
    with pytest.raises(ReplyUnusable):
        texts_of([(number, "text") for number in numbers], 3, longest=10)


def test_an_unknown_number_is_left_out_and_a_missing_one_is_not_made_up() -> None:
    assert texts_of([(9, "nine"), (2, "two"), (1, "one")], 3, longest=10) == {0: "one", 1: "two"}


def test_nothing_asked_has_no_usable_answer() -> None:
    with pytest.raises(ReplyUnusable):
        texts_of([(1, "one")], 0, longest=10)


def test_a_text_is_one_line_and_one_that_is_too_long_or_said_in_two_ways_is_none() -> None:
    rows = [(1, " two\n lines "), (2, "x" * 11), (3, "one"), (3, "other"), (4, "same"), (4, " same\n")]
    assert texts_of(rows, 4, longest=10) == {0: "two lines", 3: "same"}


def test_a_label_keeps_the_quotes_that_stand_in_its_own_text() -> None:
    rows = [
        label(1, "SUPPORT", "they BICKER all day", "it is fast"),
        label(2, "SUPPORT", "They bicker all day"),
        label(3, "PARTIAL", "it is slow ... slower", "They bicker all day.\nIt is slow"),
    ]
    assert labels_of(rows, [TEXT, "They never bicker.", TEXT]) == {
        0: RelationLabel(label=Label.SUPPORT, quotes=("They bicker all day",)),
        1: UNADDRESSED,
        2: RelationLabel(label=Label.PARTIAL, quotes=("It is slow", "slower", "They bicker all day.")),
    }


@pytest.mark.parametrize(
    "row",
    [
        label(1, "SUPPORT"),
        label(1, "CONTRADICTS", "they never speak"),
        label(1, "PARTIAL", "is"),
        label(1, "NOT_ADDRESSED", "They bicker all day."),
        label(1, "SUPPORT", "", " ... "),
    ],
)
def test_a_label_that_no_words_bear_out_is_not_addressed_and_that_is_a_judgement(row: LabelRow) -> None:
    assert labels_of([row], [TEXT]) == {0: UNADDRESSED}
    assert not UNADDRESSED.by_default


def test_a_comparison_with_two_different_labels_has_none() -> None:
    rows = [label(1, "SUPPORT", "They bicker"), label(1, "CONTRADICTS", "They bicker"), label(2, "NOT_ADDRESSED")]
    assert labels_of(rows, [TEXT, TEXT]) == {1: UNADDRESSED}


@given(st.lists(st.tuples(st.integers(1, 240), st.sampled_from(list(Label))), max_size=250))
def test_two_hundred_labels_are_read_by_number_in_any_order(given_labels: Sequence[tuple[int, Label]]) -> None:
    texts = [f"word{place:03d} stands here" for place in range(200)]
    rows = [label(number, kind.value, f"word{number - 1:03d}") for number, kind in given_labels]
    kinds: dict[int, set[Label]] = {}
    for number, kind in given_labels:
        kinds.setdefault(number, set()).add(kind)
    told = {number - 1: next(iter(each)) for number, each in kinds.items() if len(each) == 1 and number <= 200}
    if not told:
        with pytest.raises(ReplyUnusable):
            labels_of(rows, texts)
        return
    found = labels_of(rows, texts)
    assert {place: each.label for place, each in found.items()} == told
    for place, each in found.items():
        assert each.quotes == (() if each.label is Label.NOT_ADDRESSED else (f"word{place:03d}",))


def test_the_edge_to_remove_is_one_inside_the_circle() -> None:
    names = ("u", "v", "w")
    edges = tuple(QualificationEdge(base=a, qualifier=b) for a, b in (("u", "v"), ("v", "w"), ("w", "u")))
    cycle = Cycle(nodes=tuple(map(node, names)), atoms=(), internal_edges=edges, external_edges=())
    assert [edge_of(CycleReply(edge=number), cycle) for number in (1, 2, 3)] == [("u", "v"), ("v", "w"), ("w", "u")]
    for number in (-1, 0, 4):
        with pytest.raises(ReplyUnusable, match="1 to 3"):
            edge_of(CycleReply(edge=number), cycle)


CHUNK = "Harrow Lane (2011): they hardly talk,\nyet each morning a gate is repaired. The Salt Road, and 12011 more."


def record(name: str, *passages: str, year: int | None = None) -> RecordRow:
    return RecordRow(name=name, year=year, passages=passages)


def test_a_record_has_the_passages_that_stand_in_the_chunk_and_no_others() -> None:
    rows = [
        record(" Harrow\n Lane", "they hardly talk", "They hardly talk", "it won a prize", year=2011),
        record("Harrow Lane", "they hardly talk, yet each morning a gate is repaired.", year=1999),
        record("The Salt Road", "A long walk along the coast.", year=2011),
        record("", "they hardly talk"),
        record("The Salt Road"),
    ]
    assert records_of(rows, CHUNK) == [
        FoundRecord(name="Harrow Lane", year=2011, passages=("they hardly talk",)),
        FoundRecord(name="Harrow Lane", passages=("they hardly talk,", "yet each morning a gate is repaired.")),
    ]
    assert records_of([], CHUNK) == []


def test_a_year_that_stands_behind_another_name_is_not_taken_for_the_year_of_an_item() -> None:
    chunk = "Harrow Lane (2011) is quiet. 《青瓦食堂》（2018）节奏很慢。 The Salt Road is loud; it came out in 2011."
    texts = {"Harrow Lane": "is quiet", "青瓦食堂": "节奏很慢", "The Salt Road": "is loud"}
    years = ((2011, 2011), (2018, None)), ((2018, 2018), (2011, None)), ((2011, 2011), (2018, None))
    for (name, text), ((right, kept), (wrong, nothing)) in zip(texts.items(), years, strict=True):
        others = [record(other, said) for other, said in texts.items() if other != name]
        for year, expected in ((right, kept), (wrong, nothing)):
            found = records_of([record(name, text, year=year), *others], chunk)
            assert found[0] == FoundRecord(name=name, year=expected, passages=(text,))


def test_every_relation_has_a_reading() -> None:
    found = [judgements_of([judged(1, relation.value)], PAIRS[:1], NARRATIVE)[0] for relation in Relation]
    assert [each and (each.base, each.qualifier) for each in found] == [
        ("bickering", "romance"),
        ("romance", "bickering"),
        None,
    ]
