"""Why one item stands above another: which wish made the difference, in words and quotes."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.models import ItemRef
from dialogue.placing import asks_for_place, in_question, why_above
from pdgf.models import Label, Recommendation
from tests.dialogue.test_explanation import graph, item
from tests.dialogue.town import REFS, Town

EAT = bundled_domain("restaurants")


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("why is A above B?", True),
        ("why is the second below the first?", True),
        ("why this one first?", True),
        ("why is it first?", True),
        ("why is the third last?", True),
        ("why is Heat ranked higher than Alien?", True),
        ("why the first?", False),
        ("why did you pick the first one?", False),
        ("is A above B?", False),
        ("why these?", False),
    ],
)
def test_a_question_is_for_a_place_or_only_points_at_one(question: str, asks: bool) -> None:
    assert asks_for_place(question) is asks


def test_two_named_items_or_one_and_its_neighbour() -> None:
    a, b, c = REFS[:3]
    shown = (a, b, c)
    assert in_question("why is A above B?", (a, b), shown) == (a, b)
    assert in_question("why is A below B?", (a, b), shown) == (b, a)
    assert in_question("why is it first?", (a,), shown) == (a, b)
    assert in_question("why is it last?", (c,), shown) == (b, c)
    assert in_question("why this one first?", shown, shown) == (a, b)
    assert in_question("why is it first?", (a,), (a,)) == (None, None)


def ranking(upper: dict[str, Label], lower: dict[str, Label], *, demoted: str | None = None) -> Recommendation:
    one, two = item(upper), item(lower, demoted=demoted)
    two = two.model_copy(update={"candidate": two.candidate.model_copy(update={"id": "q", "title": "Drum House"})})
    return Recommendation(graph=graph("quiet", "ramen", "cheap"), queries=(), items=(one, two), pool=2)


def refs(found: Recommendation) -> tuple[ItemRef, ItemRef]:
    one, two = (ItemRef(id=i.candidate.id, title=i.candidate.title) for i in found.items)
    return one, two


def test_the_wish_that_made_the_difference_is_quoted_and_so_is_what_speaks_for_the_other() -> None:
    found = ranking(
        {"quiet": Label.SUPPORT, "ramen": Label.SUPPORT, "cheap": Label.NOT_ADDRESSED},
        {"quiet": Label.NOT_ADDRESSED, "ramen": Label.SUPPORT, "cheap": Label.PARTIAL},
    )
    one, two = refs(found)
    answer = why_above("why?", one, two, found, EAT)
    assert answer is not None
    assert answer.text == (
        f'“{one.title}” stands above “Drum House” for "quiet" (“A quiet room.”). '
        'Nothing I know of “Drum House” speaks of "quiet". '
        '“Drum House” is better for "cheap" (“It costs much.”).'
    )
    assert "0." not in answer.text  # scores are told in words


def test_every_wish_for_which_the_lower_one_is_better_is_named() -> None:
    found = ranking(
        {"quiet": Label.NOT_ADDRESSED, "ramen": Label.PARTIAL, "cheap": Label.PARTIAL},
        {"quiet": Label.SUPPORT, "ramen": Label.SUPPORT, "cheap": Label.SUPPORT},
    )
    answer = why_above("why?", *refs(found), found, EAT)
    assert answer is not None
    _, _, better = answer.text.rpartition("“Drum House” is better for ")
    assert all(f'"{wish}"' in better for wish in ("quiet", "ramen", "cheap"))
    assert "only for" not in answer.text


def test_what_stands_below_is_said_to_do_so() -> None:
    found = ranking({"quiet": Label.SUPPORT}, {"quiet": Label.CONTRADICTS})
    one, two = refs(found)
    answer = why_above("why?", two, one, found, EAT)
    assert answer is not None
    assert answer.text.startswith("It is the other way round.")
    assert 'Against “Drum House”: "quiet"' in answer.text


def test_a_broken_condition_puts_an_item_below_all_others() -> None:
    found = ranking({"quiet": Label.PARTIAL}, {"quiet": Label.SUPPORT}, demoted="Location: Mill Quarter")
    one, two = refs(found)
    answer = why_above("why?", one, two, found, EAT)
    assert answer is not None
    assert answer.text == "“Drum House” breaks a condition: Location: Mill Quarter."


def test_items_that_stand_alike_are_said_to() -> None:
    found = ranking({"quiet": Label.SUPPORT}, {"quiet": Label.SUPPORT})
    one, two = refs(found)
    answer = why_above("why?", one, two, found, EAT)
    assert answer is not None
    assert "the same wishes" in answer.text


def test_an_item_that_was_not_ranked_has_no_place() -> None:
    found = ranking({"quiet": Label.SUPPORT}, {"quiet": Label.SUPPORT})
    assert why_above("why?", refs(found)[0], ItemRef(id="x", title="X"), found, EAT) is None


async def test_in_a_conversation_the_order_is_explained_from_both_ends(town: Town) -> None:
    view = await town.say("ramen in Old Harbour, quiet, with parking")
    one, two = (item["title"] for item in view.items[:2])
    for question in (f"why is {one} above {two}?", "why is the first above the second?", "why is the first one first?"):
        told = await town.say(question)
        assert told.reply.startswith(f"“{one}” stands above “{two}” for ")
        assert told.sources
    assert (await town.say(f"why is {two} above {one}?")).reply.startswith("It is the other way round.")
