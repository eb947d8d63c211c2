"""Labels of wishes about places: their metadata decides, however it is spelt, and alternatives hold separately."""

import pytest

from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.place_lines import Ruling, place_ruling
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Label
from pdgf.ports import RelationRequest
from pdgf.usage import Budget
from tests.local_models import minilm, parser

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


@pytest.fixture(scope="module")
def agent() -> BuiltinAgent:
    return BuiltinAgent(parser=parser(), embedder=minilm(), vocabulary=Vocabulary())


async def label(agent: BuiltinAgent, text: str, feature: str) -> Label:
    return (await agent.label_relations([RelationRequest(text=text, feature=feature)], Budget()))[0].label


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Take out: yes", "takeaway.", S),
        ("Has tv: no", "no TVs.", S),
        ("Has tv: yes", "no TVs.", X),
        ("Wifi: free", "free WiFi.", S),
        ("Wifi: paid", "free WiFi.", X),
        ("Good for kids: yes", "must have kid-friendly (audience).", S),
        ("Good for kids: yes", "our toddler (audience).", P),
        ("Good for kids: no", "my toddler (audience).", N),
        ("Outdoor seating: no", "indoor-only.", S),
        ("Dogs allowed: no", "dog-friendly.", X),
        ("Noise level: average", "quiet (noise).", P),
        ("Hours monday: 7:00-15:00", "open on Monday from 7 AM to 9 AM.", S),
        ("Hours monday: 8:00-15:00", "open on Monday from 7 AM to 9 AM.", X),
    ],
)
async def test_a_line_answers_the_wish_in_whatever_words_both_are(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert await label(agent, text, feature) is expected


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Reservations: yes\nYou do not need a reservation on a weekday.", "reservations.", S),
        ("City: Marrowick\nThere are better soups in all of Marrowick, but not many.", "Marrowick (location).", S),
        ("Good for kids: no\nThe kids at the next table loved it.", "no kid-friendly (audience).", S),
        ("Categories: Thai, Diners\nI speak no Thai at all.", "Thai.", S),
    ],
)
async def test_what_the_metadata_states_outweighs_what_a_guest_says_of_something_else(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    assert await label(agent, text, feature) is expected


async def test_a_place_listed_as_something_else_has_at_most_a_little_of_it(agent: BuiltinAgent) -> None:
    assert await label(agent, "A romantic place for two.", "romantic (atmosphere).") is S
    assert await label(agent, "Ambience: casual\nA romantic place for two.", "romantic (atmosphere).") is P
    assert await label(agent, "Categories: Korean\nTheir Thai curry is a good one.", "Thai.") is P


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("Ambience: classy", S),
        ("Drive thru: yes", S),
        ("Categories: Thai, Diners\nHappy hour: yes", S),
        ("Categories: Thai, Diners\nHappy hour: no", X),
        ("Happy hour: yes", P),
    ],
)
async def test_one_alternative_is_enough_and_needs_all_that_it_names(
    agent: BuiltinAgent, lines: str, expected: Label
) -> None:
    text = lines if expected is not X else f"{lines}\nDrive thru: no"
    feature = "either Thai place with happy hour or drive-thru or classy."
    found = await label(agent, text, feature)
    assert found is expected or (expected is X and found is not S)


def test_an_alternative_without_something_is_met_by_its_absence() -> None:
    feature = read_feature("either classy or delivery but no reservations needed.")
    lines = {"Delivery: yes": ("delivery", "yes"), "Reservations: no": ("reservations", "no")}
    assert place_ruling(feature, lines).finding is Finding.FOR
    lines = {"Delivery: yes": ("delivery", "yes"), "Reservations: yes": ("reservations", "yes")}
    assert place_ruling(feature, lines).finding is Finding.PARTLY


@pytest.mark.parametrize(("address", "expected"), [("12 Mill Lane", Finding.FOR), ("3 Station Hill", Finding.PARTLY)])
def test_a_street_in_a_town_needs_both(address: str, expected: Finding) -> None:
    lines = {f"Address: {address}": ("address", address), "City: Marrowick": ("city", "Marrowick")}
    ruling = place_ruling(read_feature("Mill Lane Marrowick (location)."), lines)
    assert ruling.finding is expected
    assert ruling.settled is (expected is Finding.FOR)


def test_metadata_of_other_things_rules_nothing() -> None:
    lines = {"Genres: horror": ("genres", "horror")}
    assert place_ruling(read_feature("quiet (noise)."), lines) == Ruling(finding=None)
