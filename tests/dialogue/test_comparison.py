"""Several items side by side: ends of scales, tables of facts, and what of them is known."""

import pytest

from dialogue.comparison import against, as_a_whole, conclusion, differing_keys, label_of, of_two
from dialogue.domain import bundled_domain
from dialogue.item_answers import Known
from dialogue.models import Action, ItemRef
from pdgf.models import Metadata
from tests.dialogue.town import REFS, Town

FILMS = bundled_domain("movies")
A, B, C = (
    ItemRef(id=n, title=title, year=year) for n, title, year in (("a", "A", 1950), ("b", "B", 1999), ("c", "C", 1999))
)
LONG: Metadata = {"length_minutes": 150}
SHORT: Metadata = {"length_minutes": 90}


@pytest.mark.parametrize(
    ("question", "own", "rivals", "begins"),
    [
        ("is it the longest?", LONG, {B: SHORT}, "A – yes, of these it is the longest"),
        ("is it the longest?", SHORT, {B: LONG}, "A – no (“Length: 90 minutes”): of these, the longest is B"),
        ("is it the shortest?", SHORT, {B: LONG, C: SHORT}, "A – yes, it is the shortest together with C"),
        ("is it longer than B?", SHORT, {B: LONG}, "A – no (“Length: 90 minutes”)"),
        ("is it longer than B?", SHORT, {B: SHORT}, "A – no, they are equal in this"),
        ("is it the oldest?", {}, {B: {}}, "A – yes, of these it is the oldest (“Year: 1950”)"),
    ],
)
def test_an_item_is_held_against_others(
    question: str, own: Metadata, rivals: dict[ItemRef, Metadata], begins: str
) -> None:
    answer = against(question, A, own, rivals, FILMS)
    assert answer is not None
    assert answer.text.startswith(begins)
    assert all(source.quote in answer.text for source in answer.quotes[:1])


@pytest.mark.parametrize(
    ("question", "own", "rivals"),
    [
        ("is it the longest?", LONG, {B: {}}),
        ("is it the longest?", {}, {B: LONG}),
        ("which is the longest?", LONG, {}),
        ("is it longer than two hours?", LONG, {}),
        ("is it sadder than B?", LONG, {B: LONG}),
    ],
)
def test_nothing_is_concluded_that_values_do_not_show(
    question: str, own: Metadata, rivals: dict[ItemRef, Metadata]
) -> None:
    assert against(question, A, own, rivals, FILMS) is None


def test_two_items_against_each_other_are_one_question() -> None:
    assert of_two("is the first longer than the second?", (A, B), FILMS)
    assert not of_two("are they longer than two hours?", (A, B, C), FILMS)
    assert not of_two("are both sad?", (A, B), FILMS)


def test_items_are_set_side_by_side_as_a_whole_or_in_one_respect() -> None:
    assert as_a_whole("compare the first two")
    assert as_a_whole("what is the difference between the first and the second?")
    assert not as_a_whole("compare them for price")
    assert not as_a_whole("which is longer?")


def test_the_facts_in_which_items_differ() -> None:
    both = [(A, {**LONG, "country": ["France"]}), (C, {**LONG, "country": ["Italy"]})]
    assert differing_keys(both, FILMS, all_keys=False) == ("year", "country")
    assert set(differing_keys(both, FILMS, all_keys=True)) == {"year", "country", "length_minutes"}


def test_a_row_is_headed_by_the_fact_or_by_the_question() -> None:
    known = Known(domain=FILMS)
    assert label_of("how long is it?", [(A, {}), (B, LONG)], known) == "Length"
    assert label_of("is it sad?", [(A, LONG)], known) == "Is it sad"


async def test_several_questions_about_several_items_are_one_table_with_each_quote_once(town: Town) -> None:
    await town.say("ramen in Old Harbour")
    view = await town.say("is there parking, and how loud are they?")
    assert view.action is Action.ANSWER
    assert view.reply.splitlines() == [
        "| | Lantern Room | Drum House | Noodle Corner |",
        "| --- | --- | --- | --- |",
        "| Parking | yes (own car park) | no (no parking nearby) | not entirely (street parking only) |",
        "| Noise level | quiet | loud | lively |",
        "",
        "Parking: Lantern Room, yes.",
    ]
    assert len(view.sources) == len({(source.item, source.quote) for source in view.sources}) == 6
    assert view.comparison is not None
    assert view.comparison["questions"] == ["Parking", "Noise level"]
    assert [[cell["known"] for cell in row] for row in view.comparison["cells"]] == [[True] * 3] * 2
    quotes = [cell["quotes"][0]["quote"] for cell in view.comparison["cells"][1]]
    assert quotes == ["Noise level: quiet", "Noise level: loud", "Noise level: lively"]


async def test_the_next_turn_has_no_comparison_of_its_own(town: Town) -> None:
    await town.say("ramen in Old Harbour")
    assert (await town.say("how loud are they?")).comparison is not None
    assert (await town.say("how loud is the first?")).comparison is None
    assert (await town.say("thanks")).comparison is None


async def test_what_nobody_knows_of_several_is_one_sentence(town: Town) -> None:
    await town.say("ramen in Old Harbour")
    view = await town.say("what do waiters wear there?")
    titles = "Lantern Room, Drum House or Noodle Corner"
    assert view.reply == f"I do not know: nothing I have about {titles} says so."


async def test_each_question_is_about_the_item_it_points_at_and_it_is_the_one_before(town: Town) -> None:
    await town.say("ramen in Old Harbour")
    view = await town.say("how loud is the first, and does it have parking?")
    assert view.reply.split("\n\n") == [
        "Lantern Room – “Noise level: quiet”.",
        "Lantern Room – yes (“Parking: own car park”).",
    ]
    view = await town.say("how loud is the first and how loud is the last?")
    assert view.reply.split("\n\n") == [
        "Lantern Room – “Noise level: quiet”.",
        "Noodle Corner – “Noise level: lively”.",
    ]


async def test_comparing_two_sets_their_facts_side_by_side_and_tells_the_reasons(town: Town) -> None:
    await town.say("ramen in Old Harbour")
    view = await town.say("what is the difference between the first and the second?")
    table, conclusion, reasons = view.reply.split("\n\n")
    assert "| Noise level | quiet | loud |" in table
    assert "none of them fits more" in conclusion
    assert "Location" not in table  # the same for both
    assert [line.split(" – ")[0] for line in reasons.splitlines()] == ["- Lantern Room", "- Drum House"]


async def test_an_item_that_is_no_longer_on_screen_is_answered_by_name(town: Town) -> None:
    first = (await town.say("ramen in Old Harbour")).items[0]["title"]
    await town.say("more")
    view = await town.say(f"does {first} have parking?")
    assert view.reply == f"{first} – yes (“Parking: own car park”)."
    assert first not in [ref.title for ref in REFS[3:6]]


async def test_a_catalogue_item_can_be_asked_about_before_any_list(town: Town) -> None:
    assert (await town.say("How loud is Drum House?")).reply == "Drum House – “Noise level: loud”."


async def test_a_comparison_tells_first_how_each_stands_to_the_wishes_each_with_a_quote_and_then_the_facts(
    town: Town,
) -> None:
    await town.say("ramen in Old Harbour")
    view = await town.say("compare the first two")
    assert view.reply.splitlines()[:4] == [
        "| | Lantern Room | Drum House |",
        "| --- | --- | --- |",
        "| ramen | supports: “The ramen is rich.” | supports: “The ramen is rich.” |",
        "| Location | Old Harbour | Old Harbour |",
    ]
    _, conclusion = view.reply.split("\n\n")  # the reasons stand in the table already
    assert conclusion == (
        "Counted wish by wish, none of them fits more: Lantern Room fits 1 of 1; Drum House fits 1 of 1."
    )
    assert view.comparison is not None
    wishes = view.comparison["cells"][0]
    assert [quote["source"] for cell in wishes for quote in cell["quotes"]] == ["p1#r2", "p2#r2"]


async def test_items_that_no_list_holds_are_compared_by_their_facts_alone(town: Town) -> None:
    view = await town.say("compare Lantern Room and Drum House")
    assert view.reply.splitlines()[2].startswith("| Location |")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("which has the fewest episodes?", "Of these, B has the fewest episodes."),
        ("which one has the most episodes?", "Of these, A and C have the most episodes."),
        ("which has the highest episodes count?", "Of these, A and C have the highest episodes."),
    ],
)
def test_which_has_the_fewest_or_the_most_of_what_is_counted_is_said_in_a_sentence(question: str, said: str) -> None:
    counts: list[Metadata] = [{"episodes": 24}, {"episodes": 12}, {"episodes": 24}]
    plain = FILMS.model_copy(update={"fact_words": {"episodes": ("episodes", "episodes count")}, "scales": ()})
    assert conclusion(question, (A, B, C), counts, Known(domain=plain)) == said
    assert conclusion(question, (A, B, C), [*counts[:2], {}], Known(domain=plain)) is None


async def test_the_highest_of_a_scale_is_not_its_lowest(town: Town) -> None:
    await town.say("ramen in Old Harbour")
    view = await town.say("which has the highest spend?")
    assert view.reply.splitlines()[-1] == "Of these, Lantern Room has the highest average spend."
