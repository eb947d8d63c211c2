"""What the built-in engine reads from narratives: wishes, polarity, hardness, references, and what qualifies what."""

from collections.abc import Callable

import pytest

from pdgf.engines.builtin.reading import Analysis
from pdgf.models import AtomKind, Node, Polarity
from tests.pdgf.engines.builtin.conftest import ROMANCE_REQUEST

Read = Callable[[str], Analysis]


def links(analysis: Analysis) -> set[tuple[str, str]]:
    by_id = {node.id: node.instantiation for node in analysis.nodes}
    return {(by_id[link.base], by_id[link.qualifier]) for link in analysis.attachments}


def named(analysis: Analysis, text: str) -> Node:
    return next(node for node in analysis.nodes if node.instantiation == text)


def test_the_papers_romance_request_reads_as_the_paper_says(read: Read) -> None:
    analysis = read(ROMANCE_REQUEST)
    assert ("romance", "subplot") in links(analysis)
    for qualifier in ("conversation", "humour", "handling disagreements"):
        assert ("relationship", qualifier) in links(analysis)
    assert named(analysis, "sex").polarity is Polarity.AVOID
    assert named(analysis, "main attraction").polarity is Polarity.AVOID
    assert "mostly" in named(analysis, "sex").strength


def test_the_papers_cycle_example_reads_romance_conflict_reconciliation(read: Read) -> None:
    analysis = read("The romance develops through conflict, and the conflict must lead to reconciliation.")
    assert links(analysis) == {("romance", "conflict"), ("conflict", "reconciliation")}


def test_independent_wishes_do_not_qualify_one_another(read: Read) -> None:
    assert links(read("I want romance and conflict.")) == set()


def test_cues_decide_where_the_parser_errs(read: Read) -> None:
    analysis = read("A slow-burn mystery set in a small town, nothing too violent, with dry humour.")
    assert {("mystery", "slow-burn"), ("mystery", "small town"), ("mystery", "dry humour")} <= links(analysis)
    assert named(analysis, "violent").polarity is Polarity.AVOID


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("No gore please.", "gore"),
        ("I can't stand musicals.", "musicals"),
        ("Anything but horror.", "horror"),
        ("A war film that focuses on friendship instead of battles.", "battles"),
        ("Something tense without swearing.", "swearing"),
        ("Too loud, something quieter.", "loud"),
        ("The romance should not be the main focus.", "main focus"),
        ("I don't want any jump scares.", "jump scares"),
    ],
)
def test_negated_wishes_are_kept_away(read: Read, text: str, unwanted: str) -> None:
    assert named(read(text), unwanted).polarity is Polarity.AVOID


def test_a_negation_reaches_every_member_of_its_list(read: Read) -> None:
    analysis = read("Science fiction without jump scares, gore or swearing.")
    unwanted = {node.instantiation for node in analysis.nodes if node.polarity is Polarity.AVOID}
    assert unwanted == {"jump scares", "gore", "swearing"}


@pytest.mark.parametrize("text", ["I don't mind violence.", "It doesn't have to be funny."])
def test_indifference_is_no_wish(read: Read, text: str) -> None:
    assert read(text).nodes == ()


def test_not_only_asks_for_more_and_not_for_less(read: Read) -> None:
    assert all(node.polarity is Polarity.WANT for node in read("Not only romance but also adventure.").nodes)


def test_alternatives_are_one_wish(read: Read) -> None:
    analysis = read("Either science fiction or horror.")
    assert [node.instantiation for node in analysis.nodes] == ["science fiction or horror"]


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("It must be funny.", True),
        ("I need parking.", True),
        ("No gore.", True),
        ("A place in North Quay.", True),
        ("Under two hours.", True),
        ("Ideally in North Quay.", False),
        ("I'd like something funny.", False),
    ],
)
def test_hardness_comes_from_the_words_of_a_one_shot_request(read: Read, text: str, hard: bool) -> None:
    assert [node.hard for node in read(text).nodes] == [hard]


def test_a_modifier_with_a_perspective_of_its_own_is_a_node_of_its_own(read: Read) -> None:
    analysis = read("A quiet Italian place.")
    assert [(node.perspective, node.instantiation) for node in analysis.nodes] == [
        ("noise", "quiet"),
        ("cuisine", "Italian"),
    ]
    assert links(analysis) == set()
    assert len(analysis.atoms) == 1


def test_a_named_title_is_a_reference_and_expands_to_what_the_catalogue_knows(read: Read) -> None:
    analysis = read("Something like Paper Lanterns but darker.")
    assert next((a.text, a.kind, a.year) for a in analysis.atoms) == ("Paper Lanterns", AtomKind.REFERENCE, 2010)
    assert {node.instantiation for node in analysis.nodes if node.perspective == "genre"} == {"mystery", "comedy"}


def test_an_unknown_title_with_its_year_expands_to_similarity_only(read: Read) -> None:
    analysis = read("I loved The Glass Otter (1987).")
    assert [(a.text, a.kind, a.year) for a in analysis.atoms] == [("The Glass Otter", AtomKind.FEEDBACK, 1987)]
    assert [node.instantiation for node in analysis.nodes] == ["similar to The Glass Otter"]


def test_a_disliked_title_is_excluded_and_wished_for_in_no_way(read: Read) -> None:
    analysis = read("I hated Paper Lanterns. I want comedy.")
    assert [atom.text for atom in analysis.atoms] == ["Paper Lanterns", "comedy"]
    assert [node.instantiation for node in analysis.nodes] == ["comedy"]


def test_a_one_word_title_needs_a_cue(read: Read) -> None:
    assert all(atom.kind is AtomKind.CRITERION for atom in read("Ferry rides and islands.").atoms)
    assert read("Something like Ferry.").atoms[0].kind is AtomKind.REFERENCE


def test_a_year_wish_is_left_to_the_year_rule_unless_it_is_all_there_is(read: Read) -> None:
    assert [node.instantiation for node in read("A comedy from the 90s.").nodes] == ["comedy"]
    assert [node.perspective for node in read("Something from the 90s.").nodes] == ["era"]


def test_ids_do_not_depend_on_what_else_was_said(read: Read) -> None:
    alone = read("No gore please.").nodes[0].id
    later = named(read("A slow mystery with humour. No gore please."), "gore").id
    assert alone == later


def test_spans_name_the_words_of_the_narrative_itself(read: Read) -> None:
    for node in read(ROMANCE_REQUEST).nodes:
        assert ROMANCE_REQUEST[slice(*node.span)] == node.instantiation


def test_a_line_break_ends_a_sentence(read: Read) -> None:
    analysis = read("something with ravioli\nItalian, in North Quay")
    assert [node.instantiation for node in analysis.nodes] == ["ravioli", "Italian", "North Quay"]
    assert links(analysis) == set()


@pytest.mark.parametrize("text", ["I hate seafood.", "I disliked seafood.", "I want jazz but I hate seafood."])
def test_a_dislike_of_a_kind_is_an_avoided_wish_and_not_a_title(read: Read, text: str) -> None:
    assert named(read(text), "seafood").polarity is Polarity.AVOID


def test_years_that_are_unwanted_make_no_wish_either(read: Read) -> None:
    assert [node.instantiation for node in read("A comedy from the 70s, not the 90s.").nodes] == ["comedy"]


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("We are eight, and we want ravioli.", ["ravioli"]),
        ("Two people who first dislike each other.", ["first dislike each other"]),
        ("A calm comedy, nobody shouting.", ["calm", "comedy", "-shouting"]),
        ("Mood: cosy. Type of meal: brunch.", ["cosy", "brunch"]),
        ('A funny</b> mystery <script>alert("x")</script> with ![x](http://a.example/a.png) humour', None),
    ],
)
def test_words_around_wishes_make_none(read: Read, text: str, wishes: list[str] | None) -> None:
    found = [("-" if n.polarity is Polarity.AVOID else "") + n.instantiation for n in read(text).nodes]
    if wishes is None:
        assert {"funny", "mystery", "humour"} <= set(found)
        assert not any("png" in wish or "script" in wish or "<" in wish for wish in found)
    else:
        assert found == wishes


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("A thriller, not too violent and under two hours.", {"thriller", "under two hours"}, {"violent"}),
        ("A mystery, not longer than two hours.", {"mystery", "not longer than two hours"}, set()),
        ("Nothing older than 2010 please, a comedy.", {"comedy"}, set()),
        ("Not boring and funny.", {"funny"}, {"boring"}),
        ("Not without humour.", {"humour"}, set()),
        ("Not a film without romance.", {"romance"}, set()),
        ("Not a film with romance.", set(), {"romance"}),
        ("A western with hardly any violence.", {"western"}, {"violence"}),
        ("No sex and violence.", set(), {"sex", "violence"}),
        ("Cheap ravioli or pho.", {"Cheap", "ravioli or pho"}, set()),
    ],
)
def test_a_negation_reaches_what_it_governs_and_no_further(
    read: Read, text: str, wanted: set[str], unwanted: set[str]
) -> None:
    nodes = read(text).nodes
    assert {node.instantiation for node in nodes if node.polarity is Polarity.WANT} == wanted
    assert {node.instantiation for node in nodes if node.polarity is Polarity.AVOID} == unwanted


def test_a_title_left_out_by_one_of_its_words_is_excluded_and_not_wished_for(read: Read) -> None:
    analysis = read("A comedy, anything except Lanterns.")
    assert [(atom.text, atom.kind) for atom in analysis.atoms] == [
        ("comedy", AtomKind.CRITERION),
        ("Paper Lanterns", AtomKind.FEEDBACK),
    ]
    assert [node.instantiation for node in analysis.nodes] == ["comedy"]


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("Not a musical.", True),
        ("Anything but horror.", True),
        ("I hate musicals.", True),
        ("Not too violent.", False),
        ("Not mostly romance.", False),
        ("Preferably not a musical.", False),
        ("Not violent.", False),
    ],
)
def test_a_kind_that_is_flatly_refused_is_a_condition(read: Read, text: str, hard: bool) -> None:
    assert [node.hard for node in read(text).nodes] == [hard]


def test_what_follows_a_subplot_is_said_of_what_it_is_a_subplot_of(read: Read) -> None:
    analysis = read("Fantasy with romance as a subplot, shown through banter, not mostly sex.")
    assert {("romance", "subplot"), ("romance", "banter"), ("romance", "sex")} <= links(analysis)


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("A family tale, not scary at all.", True),
        ("A love story with nothing sexual.", True),
        ("A thriller without gore.", True),
        ("No cruelty of any kind.", True),
        ("A drama, nothing too sad.", False),
        ("A comedy without too much shouting.", False),
        ("Not very sad.", False),
    ],
)
def test_what_is_not_to_be_there_at_all_is_a_condition(read: Read, text: str, hard: bool) -> None:
    assert [node.hard for node in read(text).nodes if node.polarity is Polarity.AVOID] == [hard]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A mystery, well written, not academic", ["mystery", "well written"]),
        ("A well-acted comedy", ["well-acted", "comedy"]),
        ("A film about an 80 year old man", ["80 year old man"]),
        ("A story about a twelve year old girl", ["twelve year old girl"]),
        ("A comedy for my 80 year old father", ["comedy"]),
        ("Something set somewhere by the sea", ["by the sea"]),
        ("A film set mostly in a hospital", ["hospital"]),
    ],
)
def test_words_that_belong_together_stay_together_and_what_sets_a_story_is_no_wish(
    text: str, wanted: list[str], read: Callable[[str], Analysis]
) -> None:
    found = [node.instantiation for node in read(text).nodes if node.polarity is Polarity.WANT]
    together = [word for each in found for word in ([each] if each in wanted else each.split())]
    assert sorted(together) == sorted(wanted)
