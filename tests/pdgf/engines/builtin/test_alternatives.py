"""Permitted alternatives and permissions: one wish, of which one is enough (METHOD 4.6)."""

from collections.abc import Callable

import pytest

from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.metadata_lines import fact_finding
from pdgf.engines.builtin.permissions import permissions
from pdgf.engines.builtin.reading import Analysis
from pdgf.models import Polarity

Read = Callable[[str], Analysis]


def wishes(analysis: Analysis) -> list[tuple[str, str]]:
    signs = {Polarity.AVOID: "-", Polarity.WANT: ""}
    return [(signs[node.polarity] + node.instantiation, node.perspective) for node in analysis.nodes]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Either a comedy or a musical.", [("comedy or a musical", "genre")]),
        ("A comedy, a musical or a western.", [("comedy, a musical or a western", "genre")]),
        ("Horror or science fiction, but funny.", [("Horror or science fiction", "genre"), ("funny", "tone")]),
        ("Cosy or sad.", [("Cosy or sad", "tone")]),
        ("Quiet, a comedy or a musical.", [("Quiet", "noise"), ("comedy or a musical", "genre")]),
        ("Vegan or gluten-free lunch.", [("Vegan or gluten-free", "diet"), ("lunch", "meal")]),
        ("mecha or sports for my ten-year-old", [("mecha or sports", "genre"), ("ten-year-old", "audience")]),
    ],
)
def test_alternatives_of_one_perspective_are_one_wish(read: Read, text: str, found: list[tuple[str, str]]) -> None:
    assert wishes(read(text))[: len(found)] == found


@pytest.mark.parametrize("text", ["Italian or vegan.", "Something quiet or a western.", "A western or something sad."])
def test_alternatives_of_two_perspectives_stay_two_nodes_of_one_atom(read: Read, text: str) -> None:
    analysis = read(text)
    assert len({node.perspective for node in analysis.nodes}) == 2
    assert len({node.atom for node in analysis.nodes}) == 1
    assert analysis.attachments == ()


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Anything but Italian.", "Italian"),
        ("Any cuisine except Italian.", "Italian"),
        ("Everything apart from horror.", "horror"),
        ("Any genre other than horror.", "horror"),
        ("Anything except musicals.", "musicals"),
    ],
)
def test_everything_but_one_thing_refuses_that_thing_and_wishes_nothing(read: Read, text: str, refused: str) -> None:
    [node] = read(text).nodes
    assert (node.instantiation, node.polarity, node.hard) == (refused, Polarity.AVOID, True)


@pytest.mark.parametrize(
    "text",
    [
        "A bit of violence is OK.",
        "I don't mind subtitles.",
        "I don't mind violence or gore.",
        "Romance is okay but not needed.",
        "I'm fine with some gore.",
        "Some swearing is fine by me.",
        "It can have some violence.",
        "Gore doesn't bother me.",
        "No problem with violence.",
        "Italian works too.",
    ],
)
def test_what_is_merely_permitted_is_no_wish(read: Read, text: str) -> None:
    assert read(text).nodes == ()


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("A comedy. Horror works too.", "comedy or Horror"),
        ("A comedy. A western would also work.", "comedy or western"),
        ("A comedy. I'd be happy, horror is fine as well.", "comedy or horror"),
        ("A western, a musical is fine too.", "western or musical"),
    ],
)
def test_what_is_put_beside_a_wish_widens_it(read: Read, text: str, wish: str) -> None:
    assert [node.instantiation for node in read(text).nodes] == [wish]


@pytest.mark.parametrize("text", ["A comedy, romance is okay but not needed.", "A comedy. I don't mind horror."])
def test_a_permission_of_what_can_hold_beside_a_wish_widens_nothing(read: Read, text: str) -> None:
    assert [node.instantiation for node in read(text).nodes] == ["comedy"]


def test_a_cuisine_is_widened_by_any_permission_since_a_place_has_one(read: Read) -> None:
    assert wishes(read("Italian. Seafood is fine."))[0] == ("Italian", "cuisine")
    assert permissions("Italian. Seafood is fine.")[0].beside is False
    assert permissions("Seafood is fine too.")[0].beside is True


@pytest.mark.parametrize(
    "text",
    [
        "Parking would be nice.",
        "A place where kids are fine.",
        "Somewhere we can have a quiet dinner.",
        "I need fine dining.",
        "It is fine.",
    ],
)
def test_wishes_and_other_talk_permit_nothing(text: str) -> None:
    assert permissions(text) == ()


@pytest.mark.parametrize(
    ("feature", "key", "value", "finding"),
    [
        ("either quiet or lively (noise).", "noise_level", "lively", Finding.FOR),
        ("either quiet or lively (noise).", "noise_level", "loud", Finding.AGAINST),
        ("must have either Italian or French (cuisine).", "cuisine", "French", Finding.FOR),
        ("must have either Italian or French (cuisine).", "cuisine", "Thai", Finding.AGAINST),
        ("either comedy or a musical (genre).", "genres", "drama, musical", Finding.FOR),
        ("either Old Harbour or Riverside (location).", "location", "Riverside", Finding.FOR),
        ("no Italian or French (cuisine).", "cuisine", "French", Finding.AGAINST),
    ],
)
def test_a_line_of_metadata_supports_alternatives_when_one_holds(
    feature: str, key: str, value: str, finding: Finding
) -> None:
    assert fact_finding(read_feature(feature), key, value) is finding


@pytest.mark.parametrize(
    ("feature", "key", "value", "finding"),
    [
        ("between 90 and 120 minutes (length).", "length", "100 minutes", Finding.FOR),
        ("between 90 and 120 minutes (length).", "length", "150 minutes", Finding.AGAINST),
        ("between 90 and 120 minutes (length).", "length", "80 minutes", Finding.AGAINST),
        ("around two hours (length).", "length", "125 minutes", Finding.FOR),
        ("at least 300 pages (length).", "length", "long", Finding.FOR),
        ("at least 300 pages (length).", "length", "short", Finding.AGAINST),
        ("at least 300 pages (length).", "length", "medium", None),
        ("rated 12 or below (audience).", "suitable_from_age", "10", Finding.FOR),
        ("rated 12 or below (audience).", "suitable_from_age", "15", Finding.AGAINST),
    ],
)
def test_every_limit_of_a_range_must_hold(feature: str, key: str, value: str, finding: Finding | None) -> None:
    assert fact_finding(read_feature(feature), key, value) is finding


def test_a_slip_of_the_pen_finds_its_concept_and_is_shown_as_it_was_typed(read: Read) -> None:
    nodes = read("A romanse with some comdey, vegitarian.").nodes
    assert [(node.instantiation, node.perspective) for node in nodes] == [
        ("romanse", "genre"),
        ("comdey", "genre"),
        ("vegitarian", "diet"),
    ]
    assert fact_finding(read_feature("romanse (genre)."), "genres", "romance") is not None
