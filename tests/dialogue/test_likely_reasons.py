"""Ready reasons for turning an item down fit what is known of it."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.likely_reasons import likely
from pdgf.models import Metadata

FILMS, PLACES = bundled_domain("movies"), bundled_domain("restaurants")
OFFERED = ("Too violent", "Too long", "Too slow", "Too bleak")


@pytest.mark.parametrize(
    ("known", "reasons"),
    [
        ({"violence": "none"}, ("Too long", "Too slow", "Too bleak")),
        ({"violence": "strong"}, OFFERED),
        ({"length_minutes": 150}, ("Too long", "Too violent", "Too slow", "Too bleak")),
        ({"length_minutes": 80}, ("Too violent", "Too slow", "Too bleak", "Too long")),
        ({}, OFFERED),
    ],
)
def test_a_reason_stands_first_where_facts_make_it_likely_and_not_at_all_where_they_rule_it_out(
    known: Metadata, reasons: tuple[str, ...]
) -> None:
    others: list[Metadata] = [{"length_minutes": 90}, {"length_minutes": 120}]
    assert likely(OFFERED, known, others, FILMS) == reasons


def test_chinese_reasons_are_ordered_by_the_same_facts() -> None:
    assert likely(("太长", "太暴力"), {"violence": "strong"}, [], FILMS) == ("太暴力", "太长")
    assert likely(("太吵", "太贵"), {"noise_level": "quiet"}, [], PLACES) == ("太贵",)


def test_the_quietest_place_may_be_too_quiet_and_the_loudest_is_not() -> None:
    assert likely(("Too quiet", "Too formal"), {"noise_level": "quiet"}, [], PLACES)[0] == "Too quiet"
    assert likely(("Too quiet", "Too formal"), {"noise_level": "loud"}, [], PLACES) == ("Too formal",)
