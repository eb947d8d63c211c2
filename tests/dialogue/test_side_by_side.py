"""Items side by side: rows that differ come first, a quote is given once, and a sentence says which fits more."""

from collections.abc import Mapping

from dialogue import side_by_side
from dialogue.domain import bundled_domain
from dialogue.item_answers import Known
from dialogue.models import ItemRef
from pdgf.models import Label, Recommendation
from tests.dialogue.test_placing import ranking, refs

QUIET, RAMEN, CHEAP = "quiet", "ramen", "cheap"


def asked(upper: Mapping[str, Label], lower: Mapping[str, Label]) -> tuple[tuple[ItemRef, ItemRef], Known]:
    found: Recommendation = ranking(dict(upper), dict(lower))
    return refs(found), Known(domain=bundled_domain("restaurants"), ranking=found)


def test_rows_in_which_the_items_differ_stand_first() -> None:
    items, known = asked(
        {QUIET: Label.SUPPORT, RAMEN: Label.SUPPORT, CHEAP: Label.PARTIAL},
        {QUIET: Label.SUPPORT, RAMEN: Label.SUPPORT, CHEAP: Label.SUPPORT},
    )
    rows = side_by_side.of_wishes("compare them", items, known)
    assert [row.label for row in rows] == [CHEAP, QUIET, RAMEN]


def test_a_quote_that_shows_several_wishes_of_an_item_is_given_once() -> None:
    items, known = asked({QUIET: Label.SUPPORT, RAMEN: Label.SUPPORT}, {QUIET: Label.SUPPORT, RAMEN: Label.SUPPORT})
    assert known.ranking is not None
    one, two = known.ranking.items
    quote = one.judged["quiet"]["quiet"].quotes
    same = {"ramen": {"ramen": one.judged["ramen"]["ramen"].model_copy(update={"quotes": quote})}}
    alike = known.ranking.model_copy(update={"items": (one.model_copy(update={"judged": {**one.judged, **same}}), two)})
    rows = side_by_side.of_wishes("compare them", items, Known(domain=known.domain, ranking=alike))
    told = [row.cells[items[0]].text for row in rows if row.label in (QUIET, RAMEN)]
    assert sum(quote[0] in text for text in told) == 1
    assert told[1] == "supports (as above)"
    assert "as above" not in rows[1].cells[items[1]].text  # its own quotes are two


def test_the_one_that_fits_more_is_named_with_the_counts() -> None:
    items, known = asked(
        {QUIET: Label.SUPPORT, RAMEN: Label.PARTIAL, CHEAP: Label.CONTRADICTS},
        {QUIET: Label.SUPPORT, RAMEN: Label.SUPPORT, CHEAP: Label.NOT_ADDRESSED},
    )
    assert side_by_side.fits_more(items, known) == (
        f"Counted wish by wish, Drum House fits more: {items[0].title} fits 1 of 3, 1 in part and 1 not at all; "
        "Drum House fits 2 of 3."
    )


def test_items_that_fit_as_many_wishes_are_said_to() -> None:
    items, known = asked({QUIET: Label.SUPPORT, CHEAP: Label.PARTIAL}, {CHEAP: Label.SUPPORT, QUIET: Label.PARTIAL})
    assert side_by_side.fits_more(items, known).startswith("Counted wish by wish, none of them fits more: ")


def test_nothing_is_counted_of_an_item_that_was_not_ranked() -> None:
    items, known = asked({QUIET: Label.SUPPORT}, {QUIET: Label.SUPPORT})
    assert side_by_side.fits_more((*items, ItemRef(id="x", title="X")), known) == ""
