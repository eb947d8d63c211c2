"""State edits from the nodes' own words, and changes of mind."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines import changes, wishes
from dialogue.models import ConstraintValue, DialogueState, EditKind, Mention, StateEdit
from dialogue.wish_words import denied
from pdgf.models import Atom, AtomKind, Node, Polarity
from pdgf.ports import Reading

BOOKS, EAT, FILMS = bundled_domain("books"), bundled_domain("restaurants"), bundled_domain("movies")


def node(
    text: str, words: str, perspective: str, *, atom: str = "", avoid: bool = False, hard: bool = False
) -> tuple[Atom, Node]:
    said = atom or words
    start, inner = text.index(said), text.index(words)
    made = Atom(id=said, text=said, span=(start, start + len(said)), hard=hard)
    return made, Node(
        id=words,
        atom=said,
        perspective=perspective,
        instantiation=words,
        span=(inner, inner + len(words)),
        hard=hard,
        polarity=Polarity.AVOID if avoid else Polarity.WANT,
    )


def edits(
    text: str, *pairs: tuple[Atom, Node], mention: Mention = Mention.STATED, domain=EAT, left_out=()
) -> list[StateEdit]:  # type: ignore[no-untyped-def]
    read, segments = wishes.joined(text, [((0, len(text)), mention)])
    assert read.startswith(text)
    atoms = {atom.id: atom for atom, _ in pairs}
    reading = Reading(language="en", atoms=tuple(atoms.values()), nodes=tuple(made for _, made in pairs))
    return wishes.additions(text, reading, segments, turn=3, domain=domain, left_out=left_out)


def test_a_value_is_the_nodes_words_under_the_key_of_its_perspective() -> None:
    text = "somewhere quiet for ramen"
    found = edits(text, node(text, "quiet", "noise"), node(text, "ramen", "dish"))
    assert [(e.key, e.text, e.span, e.hard) for e in found] == [
        ("atmosphere", "quiet", (3, 10, 15), False),
        ("dish_type", "ramen", (3, 20, 25), True),
    ]


def test_an_unwanted_thing_keeps_its_negation_and_is_hard_only_when_the_words_say_so() -> None:
    text = "no gore, not mostly sex"
    found = edits(
        text,
        node(text, "gore", "content", atom="no gore", avoid=True, hard=True),
        node(text, "sex", "content", atom="not mostly sex", avoid=True),
        domain=FILMS,
    )
    assert [(e.text, e.avoid, e.hard) for e in found] == [("no gore", True, True), ("not mostly sex", True, False)]


def test_an_atom_of_two_wishes_gives_two_values() -> None:
    text = "slow-burn mystery"
    found = edits(
        text, node(text, "slow-burn", "pace", atom=text), node(text, "mystery", "genre", atom=text), domain=FILMS
    )
    assert [(e.key, e.text) for e in found] == [("tone", "slow-burn"), ("genre", "mystery")]


def test_a_reference_is_one_value_whatever_it_expands_to_and_a_disliked_one_is_unwanted() -> None:
    text = "I loved Amélie (2001) and hated Dune"
    liked = Atom(id="a", text="Amélie", span=(8, 21), kind=AtomKind.FEEDBACK)
    hated = Atom(id="b", text="Dune", span=(26, 36), kind=AtomKind.FEEDBACK)
    nodes = tuple(
        Node(id=genre, atom="a", perspective="genre", instantiation=genre, span=(8, 21))
        for genre in ("comedy", "romance")
    )
    _, segments = wishes.joined(text, [((0, len(text)), Mention.STATED)])
    reading = Reading(language="en", atoms=(liked, hated), nodes=nodes)
    found = wishes.additions(text, reading, segments, turn=1, domain=FILMS, left_out=())
    assert [(e.key, e.text, e.avoid) for e in found] == [
        ("others", "Amélie (2001)", False),
        ("others", "hated Dune", True),
    ]


@pytest.mark.parametrize("text", ["ideally ramen", "maybe ramen", "I would prefer ramen", "ramen if possible"])
def test_softening_words_keep_a_wish_soft(text: str) -> None:
    assert [e.hard for e in edits(text, node(text, "ramen", "dish", hard=True))] == [False]


def test_also_adds_instead_replaces_and_a_comparison_refines() -> None:
    for text, replaces in (("also pizza", False), ("pizza instead", True), ("pizza", None)):
        assert [e.replaces for e in edits(text, node(text, "pizza", "cuisine"))] == [replaces]
    [cheaper] = edits("something cheaper", node("something cheaper", "cheaper", "price"))
    assert (cheaper.replaces, cheaper.hard) == (False, False)


def test_words_that_are_a_fact_of_their_own_go_under_the_key_of_that_fact() -> None:
    assert [e.key for e in edits("vegan", node("vegan", "vegan", "cuisine"))] == ["dietary_restrictions"]


def test_items_of_the_list_are_no_wishes_and_nothing_is_said_twice() -> None:
    text = "the Salt Ladder, quiet and quiet"
    found = edits(text, node(text, "Salt Ladder", "title"), node(text, "quiet", "noise"), left_out=[(0, 15)])
    assert [e.text for e in found] == ["quiet"]


def test_stretches_are_read_as_one_text_and_spans_lead_back() -> None:
    text = "Sounds good. Quiet please. And does it have parking?"
    quiet, parking = (13, 26), (text.index("parking"), len(text) - 1)
    read, segments = wishes.joined(text, [(quiet, Mention.STATED), (parking, Mention.ASKED)])
    assert read == "Quiet please. parking."
    assert segments[1].placed((14, 21)) == parking
    assert segments[0].placed((14, 21)) is None


def test_spans_left_out_cut_a_stretch() -> None:
    text = "ramen anywhere in town, cheap"
    read, segments = wishes.joined(text, [((0, len(text)), Mention.STATED)], [(6, 22)])
    assert read == "ramen. cheap."
    assert [text[slice(*segment.span)] for segment in segments] == ["ramen", "cheap"]


def state(**rows: str) -> DialogueState:
    values = {key: (ConstraintValue(text=text, span=(1, 0, 1)),) for key, text in rows.items()}
    return DialogueState(soft_constraints=values)


def stated(key: str, text: str, *, avoid: bool = False) -> StateEdit:
    return StateEdit(kind=EditKind.ADD, key=key, text=text, span=(2, 0, len(text)), avoid=avoid)


def test_an_unwanted_thing_takes_back_the_wish_for_it_and_the_other_way_round() -> None:
    found = changes.with_changes_of_mind(
        [stated("genre", "not horror", avoid=True)], state(genre="horror", tone="dark")
    )
    assert [(e.kind, e.text) for e in found] == [(EditKind.DROP, "horror"), (EditKind.ADD, "not horror")]
    found = changes.with_changes_of_mind([stated("genre", "musicals")], state(genre="can't stand musicals"))
    assert [(e.kind, e.text) for e in found] == [(EditKind.DROP, "can't stand musicals"), (EditKind.ADD, "musicals")]


def test_instead_of_takes_back_and_avoids_nothing() -> None:
    given = [stated("dish_type", "pizza"), stated("dish_type", "instead of pasta", avoid=True)]
    found = changes.with_changes_of_mind(given, state(dish_type="pasta"))
    assert [(e.kind, e.text) for e in found] == [(EditKind.ADD, "pizza"), (EditKind.DROP, "pasta")]


def test_wishes_of_the_same_polarity_stay() -> None:
    given = [stated("genre", "horror")]
    assert changes.with_changes_of_mind(given, state(genre="horror")) == given


@pytest.mark.parametrize(
    ("words", "dropped"),
    [("romance", ["romance"]), ("price anymore", ["under $20"]), ("the parking", ["free parking"]), ("weather", [])],
)
def test_what_is_taken_back_is_found_by_its_words_or_by_its_key(words: str, dropped: list[str]) -> None:
    known = state(atmosphere="romance", price_range="under $20", others="free parking")
    assert [e.text for e in changes.taken_back(words, known, EAT)] == dropped


@pytest.mark.parametrize(
    ("words", "dropped"),
    [
        ("the page limit", ["at most 300 pages"]),
        ("the length limit", ["at most 300 pages"]),
        ("the page cap", ["at most 300 pages"]),
        ("the limit", ["at most 300 pages"]),
        ("the maximum of 300 pages", ["at most 300 pages"]),
        ("the content limits", ["not murder"]),  # of wishes, and none of them in numbers
        ("the price limit", []),
    ],
)
def test_a_limit_that_is_taken_back_is_that_limit_and_nothing_else(words: str, dropped: list[str]) -> None:
    known = state(length_format="at most 300 pages", content_limits="not murder", genre="detective")
    assert [e.text for e in changes.taken_back(words, known, BOOKS)] == dropped


def test_of_two_limits_the_one_that_is_named_goes() -> None:
    known = state(length_format="under two hours", others="at least 3 songs")
    assert [e.text for e in changes.taken_back("the time limit", known, BOOKS)] == ["under two hours"]
    assert changes.taken_back("the limit", known, BOOKS) == []  # which of them is not said


@pytest.mark.parametrize(
    ("words", "is_denied"),
    [
        ("not horror", True),
        ("no gore", True),
        ("can't stand musicals", True),
        ("less noisy", True),
        ("too loud", True),
        ("horror", False),
        ("northern lights", False),
        ("nothing but jazz", False),
    ],
)
def test_a_value_says_itself_that_something_is_unwanted(words: str, is_denied: bool) -> None:
    assert denied(words) is is_denied


@pytest.mark.parametrize(
    ("words", "yes"), [("the 70s", True), ("not the 90s", True), ("1984", True), ("70s music", False)]
)
def test_bare_years_are_left_to_the_year_rule(words: str, yes: bool) -> None:
    assert wishes.is_number(words) is yes


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("ramen in Riverside, ideally with parking", {"ramen", "Riverside"}),
        ("ideally ramen, but it must be in Riverside", {"Riverside"}),
        ("ramen would be nice, in Riverside", {"Riverside"}),
        ("preferably ramen in Riverside", set()),
    ],
)
def test_a_softening_word_reaches_what_follows_it_and_its_own_clause(text: str, hard: set[str]) -> None:
    pairs = [node(text, "ramen", "dish"), node(text, "Riverside", "location")]
    pairs += [node(text, "parking", "parking")] if "parking" in text else []
    assert {edit.text for edit in edits(text, *pairs) if edit.hard} == hard


@pytest.mark.parametrize(
    ("said", "known"), [("ideally with parking", True), ("parking", True), ("no parking", False), ("a terrace", False)]
)
def test_a_question_adds_no_wish_that_stands_already(said: str, known: bool) -> None:
    state = DialogueState(soft_constraints={"others": (ConstraintValue(text=said, span=(1, 0, len(said))),)})
    asked = StateEdit(kind=EditKind.ADD, key="others", text="parking", span=(2, 0, 7), mention=Mention.ASKED)
    assert wishes.said_already(asked, state) is known
