"""The built-in engine over the bundled catalogues gives sensible first items for most requests."""

from pathlib import Path

import pytest

from pdgf.catalogues.bundled import BUNDLED
from tests.bundled_requests.judged import Judged, Told, judged, read_requests, report, shares
from tests.catalogues import bundled_items
from tests.opened import bundled

REQUESTS = read_requests()
# A little under what is reached: a change that makes answers worse is noticed, one request more or less is not
ACCEPTABLE = {"en": 0.82, "zh": 0.79}
UNACCEPTABLE = {"en": 0.07, "zh": 0.085}


def test_there_are_sixty_requests_and_more_in_two_languages_over_every_domain() -> None:
    assert len(REQUESTS) >= 60
    assert sum(told.language == "zh" for told in REQUESTS) >= 20
    assert {told.domain for told in REQUESTS} == set(BUNDLED)
    assert len({told.text for told in REQUESTS}) == len(REQUESTS)


def test_each_names_good_and_wrong_answers_that_are_in_the_catalogue() -> None:
    known = {domain: {item.id for item in bundled_items(domain)} for domain in BUNDLED}
    for told in REQUESTS:
        assert 3 <= len(told.acceptable) <= 15, told.text
        assert told.unacceptable, told.text
        assert {*told.acceptable, *told.unacceptable} <= known[told.domain], told.text
        assert not set(told.acceptable) & set(told.unacceptable), told.text


@pytest.mark.long
async def test_most_first_items_are_acceptable_and_hardly_any_is_not(data_dir: Path) -> None:
    results = await judged(REQUESTS, bundled(data_dir))
    for language in ACCEPTABLE:
        good, wrong = shares([result for result in results if result.told.language == language])
        assert good >= ACCEPTABLE[language], report(results)
        assert wrong <= UNACCEPTABLE[language], report(results)


def result(first: str, text: str = "something calm") -> Judged:
    told = Told(text=text, acceptable=("a", "b"), unacceptable={"x": "loud"}, domain="movies")
    return Judged(told=told, first=tuple(first))


@pytest.mark.parametrize(
    ("first", "good", "wrong"),
    [("abc", True, {}), ("xyz", False, {"x": "loud"}), ("ax", True, {"x": "loud"}), ("", False, {})],
)
def test_one_acceptable_item_is_enough_and_one_unacceptable_too_much(
    first: str, good: bool, wrong: dict[str, str]
) -> None:
    assert (result(first).good, result(first).wrong) == (good, wrong)


def test_the_report_counts_by_language_and_shows_what_went_wrong() -> None:
    results = [result("abc"), result("xyz"), result("pqr", "安静的")]
    assert shares(results) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    fine = [Judged(told=Told(text="t", acceptable=("a",), domain=domain), first=("a",)) for domain in BUNDLED]
    shown = report([*results, *fine])
    assert "language zh     1 requests   acceptable   0%   unacceptable   0%" in shown
    assert "movies: something calm\n  first: x, y, z\n  none of them is acceptable\n  x: loud" in shown
