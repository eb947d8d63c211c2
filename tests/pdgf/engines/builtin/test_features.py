"""The wording of f_v and of queries, and reading an f_v back (METHOD 4.6, 5.1)."""

from hypothesis import given
from hypothesis import strategies as st

from pdgf.engines.builtin.features import MAX_WORDS, feature_of, read_feature, web_query
from pdgf.models import Node, Polarity, QualificationEdge
from pdgf.ports import RefinementRequest, RewriteRequest

ROMANCE = Node(id="r", atom="a1", perspective="genre", instantiation="romance")
TALK = Node(id="c", atom="a2", perspective="manner", instantiation="conversation", hard=True)
SEX = Node(
    id="s", atom="a3", perspective="content", instantiation="sex", polarity=Polarity.AVOID, strength="not mostly"
)


def below_romance(node: Node) -> RefinementRequest:
    edge = QualificationEdge(base="r", qualifier=node.id, span="shown through")
    return RefinementRequest(node=node, ancestors=(ROMANCE,), edges=(edge,))


def test_a_root_is_described_by_itself() -> None:
    assert feature_of(RefinementRequest(node=ROMANCE)) == "romance (genre)."


def test_a_qualifier_names_its_scope_and_strength() -> None:
    assert feature_of(below_romance(TALK)) == (
        "must have conversation, as in “romance shown through conversation”, in the context of romance."
    )


def test_an_avoided_wish_spells_its_negation_out() -> None:
    assert feature_of(below_romance(SEX)).startswith("not mostly sex")


def test_a_description_reads_back_as_it_was_written() -> None:
    reading = read_feature(feature_of(below_romance(SEX)))
    assert (reading.focus, reading.avoid, reading.tolerant) == ("sex", True, True)
    assert (reading.gloss, reading.contexts) == ("romance shown through sex", ("romance",))


def test_alternatives_are_told_apart() -> None:
    assert read_feature("either horror, noir or a western (genre).").alternatives == ("horror", "noir", "western")
    assert read_feature("pizza or sushi.").alternatives == ("pizza", "sushi")
    assert read_feature("a world of horror.").alternatives == ("a world of horror",)


def test_permitted_alternatives_are_told_as_such_and_unwanted_ones_are_not() -> None:
    pair = Node(id="p", atom="a", perspective="cuisine", instantiation="Italian or French")
    told = feature_of(RefinementRequest(node=pair))
    assert told == "either Italian or French (cuisine)."
    assert read_feature(told).alternatives == ("Italian", "French")
    unwanted = pair.model_copy(update={"polarity": Polarity.AVOID})
    assert feature_of(RefinementRequest(node=unwanted)) == "no Italian or French (cuisine)."


def test_a_description_in_other_words_is_a_focus_without_scope() -> None:
    reading = read_feature("The leads should argue like people who trust each other")
    assert (reading.contexts, reading.avoid) == ((), False)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert read_feature(text).alternatives


@given(st.lists(st.text(alphabet="abc ", min_size=1, max_size=30), min_size=1, max_size=12))
def test_a_description_never_passes_forty_words(names: list[str]) -> None:
    ancestors = tuple(Node(id=str(i), atom="a", perspective="theme", instantiation=n) for i, n in enumerate(names))
    node = Node(id="v", atom="a", perspective="theme", instantiation="last")
    assert len(feature_of(RefinementRequest(node=node, ancestors=ancestors)).split(" ")) <= MAX_WORDS


def test_a_web_query_quotes_both_ends_and_excludes_what_is_unwanted() -> None:
    assert web_query(RewriteRequest(base=None, node=TALK), "film") == '"conversation" film list OR recommendations'
    both = web_query(RewriteRequest(base=ROMANCE, node=SEX), "film")
    assert both == '"romance" film list OR recommendations -"sex"'


def avoided(strength: str) -> str:
    return feature_of(RefinementRequest(node=SEX.model_copy(update={"strength": strength})))


def test_what_is_wanted_less_than_another_is_not_refused() -> None:
    assert avoided("than") == "less sex."
    assert read_feature(avoided("than")).tolerant


def test_a_refusal_without_exception_says_so() -> None:
    assert avoided("no at all") == avoided("without any") == "no sex at all."
    reading = read_feature("no sex at all.")
    assert (reading.focus, reading.avoid, reading.utterly) == ("sex", True, True)
    assert not read_feature("no sex.").utterly
    assert not read_feature(avoided("not too at all")).utterly
    assert not read_feature("funny at all.").utterly
