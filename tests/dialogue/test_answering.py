"""Answers: metadata by an exact key first, then reviews, else "I do not know"; comparisons; quotes with sources."""

from dataclasses import replace
from pathlib import Path

import pytest

from dialogue import facts
from dialogue.asking import asked_about
from dialogue.comparison import conclusion
from dialogue.conversation import Conversations
from dialogue.domain import bundled_domain
from dialogue.item_answers import Known, from_metadata
from dialogue.models import (
    Action,
    EditKind,
    Intent,
    ItemRef,
    StateEdit,
    TurnView,
    Understanding,
)
from pdgf.usage import Budget
from tests.dialogue.town import REFS, Town, always, open_town
from tests.fakes import ScriptedDialogueAgent

EAT = bundled_domain("restaurants")
KNOWN = Known(domain=EAT)
REQUEST = "ramen in Old Harbour"
ROOM = ItemRef(id="a", title="Lantern Room", year=1999)
METADATA = {
    "parking": "own car park",
    "wifi": False,
    "noise_level": "quiet",
    "diets": ["vegan", "halal"],
    "average_spend": 20,
}


@pytest.mark.parametrize(
    ("question", "text", "source"),
    [
        ("does it have parking?", "yes (“Parking: own car park”).", "a#parking"),
        ("is there a car park?", "yes (“Parking: own car park”).", "a#parking"),
        ("do they have wifi?", "no (“Wifi: no”).", "a#wifi"),
        ("how loud is it?", "“Noise level: quiet”.", "a#noise_level"),
        ("which is the quietest?", "“Noise level: quiet”.", "a#noise_level"),
        ("do they have vegan options?", "yes (“Diets: vegan, halal”).", "a#diets"),
        ("how much is it per person?", "“Average spend: 20 dollars a person”.", "a#average_spend"),
    ],
)
def test_a_question_is_answered_from_the_metadata_key_that_its_words_name(
    question: str, text: str, source: str
) -> None:
    answer = from_metadata(question, ROOM, METADATA, EAT)
    assert answer is not None
    assert answer.text == text
    [quote] = answer.quotes
    assert (quote.source, quote.item, quote.title) == (source, "a", "Lantern Room")
    assert quote.quote in answer.text


@pytest.mark.parametrize(
    "question", ["is it romantic?", "would my aunt like it?", "停车场", "does it have a spark?", ""]
)
def test_no_key_is_guessed(question: str) -> None:
    assert from_metadata(question, ROOM, METADATA, EAT) is None


def test_a_key_that_the_item_lacks_gives_no_answer() -> None:
    assert from_metadata("does it have parking?", ROOM, {"wifi": True}, EAT) is None


def test_the_year_of_an_item_answers_too() -> None:
    films = bundled_domain("movies")
    answer = from_metadata("what year is it from?", ROOM, {}, films)
    assert answer is not None
    assert answer.text == "“Year: 1999”."


def test_comparisons_conclude_only_what_the_values_show() -> None:
    quiet, loud, silent = {"noise_level": "quiet"}, {"noise_level": "loud"}, {}
    a, b, c = REFS[:3]
    assert (
        conclusion("which is quieter?", [a, b, c], [loud, quiet, silent], KNOWN)
        == "Of these, Drum House is the quietest. I do not know it of Noodle Corner."
    )
    assert conclusion("which is the loudest?", [a, b], [loud, quiet], KNOWN) == "Of these, Lantern Room is the loudest."
    assert conclusion("which is quieter?", [a, b], [quiet, quiet], KNOWN) == "So they are equal in this."
    assert (
        conclusion("which is quieter?", [a, b], [quiet, silent], KNOWN)
        == "I cannot say which is the quietest: I do not know it of Drum House."
    )
    assert conclusion("which is quieter?", [a, b], [silent, silent], KNOWN) is None
    assert conclusion("what kind of menu do they have?", [a, b], [quiet, loud], KNOWN) is None


def test_a_tie_at_the_end_names_all_of_them() -> None:
    spends = [{"average_spend": n} for n in (20, 11, 11)]
    assert conclusion(
        "how do their prices compare?", REFS[:3], [{**s, "price_range": "cheap"} for s in spends], KNOWN
    ) == ("So they are equal in this.")
    said = conclusion("which is cheaper?", REFS[:3], spends, KNOWN)
    assert said == "Of these, Drum House and Noodle Corner are the cheapest."


def test_which_of_several_have_something_is_concluded_from_what_each_value_says() -> None:
    lots = [{"parking": "own car park"}, {"parking": "no parking nearby"}]
    assert conclusion("do either have parking?", REFS[:2], lots, KNOWN) == "So Lantern Room, yes."
    assert conclusion("do either have parking?", REFS[:2], [lots[1], lots[1]], KNOWN) == "So none of them."
    hours = [{"opening_hours": "Mon-Fri"}, {"opening_hours": "daily"}]
    assert conclusion("is either open on Sunday?", REFS[:2], hours, KNOWN) == "So Drum House, yes."
    assert conclusion("is either open on Sunday?", REFS[:2], [hours[0], {}], KNOWN) is None
    assert (
        conclusion("do either have parking?", REFS[:2], lots, KNOWN, label="Parking") == "Parking: Lantern Room, yes."
    )


async def test_one_item_is_answered_in_one_line_with_its_quote(town: Town) -> None:
    shown = await town.say(REQUEST)
    calls = dict(town.agent.calls)
    view = await town.say("does the second have parking?")
    assert view.action is Action.ANSWER
    assert view.intents == (Intent.PROVIDE_PREFERENCE, Intent.INQUIRE)
    assert view.reply == f"{shown.items[1]['title']} – no (“Parking: no parking nearby”)."
    assert [(s.item, s.quote, s.source) for s in view.sources] == [("p2", "Parking: no parking nearby", "p2#parking")]
    assert view.usage.waves <= 2
    rebuilt = {"judge_pairs", "describe", "rewrite", "label_relations"}
    assert {name: town.agent.calls[name] for name in rebuilt} == {name: calls[name] for name in rebuilt}


async def test_what_a_question_asks_for_joins_the_soft_wishes_and_is_ranked_with_the_next_one(town: Town) -> None:
    first = await town.say(REQUEST)
    view = await town.say("does the second have parking?")
    assert [value.text for value in view.state.soft_constraints["others"]] == ["parking"]
    assert view.graph.graph == first.graph.graph
    later = await town.say("with a terrace")
    assert "I want parking." in later.graph.graph["narrative"]


async def test_every_item_shown_is_answered_when_the_question_names_none(town: Town) -> None:
    await town.say(REQUEST)
    view = await town.say("which is the quietest?")
    assert view.reply.splitlines() == [
        "| | Lantern Room | Drum House | Noodle Corner |",
        "| --- | --- | --- | --- |",
        "| Noise level | quiet | loud | lively |",
        "",
        "Of these, Lantern Room is the quietest.",
    ]
    assert [source.quote for source in view.sources] == [
        "Noise level: quiet",
        "Noise level: loud",
        "Noise level: lively",
    ]


async def test_two_questions_are_answered_one_after_the_other(town: Town) -> None:
    await town.say(REQUEST)
    view = await town.say("does the first have parking and how much does it cost?")
    assert view.reply == (
        "Lantern Room – yes (“Parking: own car park”).\n\nLantern Room – “Average spend: 20 dollars a person”."
    )


async def test_reviews_answer_what_metadata_do_not_and_otherwise_nobody_knows(town: Town) -> None:
    await town.say(REQUEST)
    assert "“The terrace is small.”" in (await town.say("what is the terrace of the second like?")).reply
    unknown = await town.say("what do waiters wear in number one?")
    assert unknown.reply == "I do not know: nothing I have about Lantern Room says so."
    assert unknown.sources == ()


async def test_a_question_about_an_item_that_is_not_there_says_what_there_is(town: Town) -> None:
    await town.say(REQUEST)
    view = await town.say("does the ninth have parking?")
    assert "the ninth" in view.reply
    assert "Lantern Room, Drum House and Noodle Corner" in view.reply


async def ask(folder: Path, agent: ScriptedDialogueAgent) -> TurnView:
    async with open_town(folder, agent) as town:
        await town.say("ramen")
        return await town.say("is it charming?")


def script(
    answers: dict[str, str], *, questions: tuple[str, ...] = ("is it charming?",), about: tuple[ItemRef, ...] = REFS[:1]
) -> ScriptedDialogueAgent:
    edits = (
        StateEdit(kind=EditKind.ADD, key="dish_type", text="ramen", span=(1, 0, 5)),
        StateEdit(kind=EditKind.ADD, key="location", text="ramen", span=(1, 0, 5)),
    )
    return ScriptedDialogueAgent(
        [
            Understanding(intents=(Intent.PROVIDE_PREFERENCE,), edits=edits),
            Understanding(intents=(Intent.INQUIRE,), questions=questions, about=about),
        ],
        answers,
    )


async def test_the_agent_gets_the_three_nearest_passages_and_the_metadata_of_each_item_in_one_call(
    tmp_path: Path,
) -> None:
    agent = script({"p1": "The ramen is rich."})
    view = await ask(tmp_path, agent)
    [question] = agent.questions
    assert len(question.hits) == 3
    assert question.metadata["noise_level"] == "quiet"
    assert view.reply == "Lantern Room – The ramen is rich."
    assert view.sources[0].quote == "The ramen is rich."


async def test_an_answer_whose_quote_stands_in_no_passage_is_not_given(tmp_path: Path) -> None:
    view = await ask(tmp_path, script({"p1": "A charming palace with gold taps."}))
    assert view.reply == "I do not know: nothing I have about Lantern Room says so."
    assert view.sources == ()


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("why the first?", True),
        ("why did you pick this one?", True),
        ("compare the first two", True),
        ("what is the difference between them?", True),
        ("why not", False),
        ("why don't you show me more", False),
        ("does it have parking?", False),
        ("compare them for price", False),
    ],
)
def test_reasons_are_told_from_facts(question: str, asks: bool) -> None:
    assert facts.asks_for_reasons(question) is asks


DUNES = (ItemRef(id="d1", title="Dune", year=1984), ItemRef(id="d2", title="Dune", year=2021))
BILLS = (ItemRef(id="k1", title="Kill Bill"), ItemRef(id="k2", title="Kill Bill: Vol. 2"), ItemRef(id="it", title="It"))


@pytest.mark.parametrize(
    ("question", "items", "about"),
    [
        ("Is Drum House quiet?", REFS[:3], REFS[1:2]),
        ("Is Drum House's terrace larger than Lantern Room's?", REFS[:3], REFS[:2]),
        ("which is the quietest?", REFS[:3], REFS[:3]),
        ("How long is Kill Bill: Vol. 2?", BILLS, BILLS[1:2]),
        ("How long is Kill Bill?", BILLS, BILLS[:1]),
        ("How long is it?", BILLS, BILLS),
        ("How long is Dune?", DUNES, DUNES),
        ("Dune好看吗", (*DUNES, *BILLS), DUNES),
        ("Is it good?", (), ()),
    ],
)
def test_a_question_is_about_the_items_it_names_or_else_about_all_in_question(
    question: str, items: tuple[ItemRef, ...], about: tuple[ItemRef, ...]
) -> None:
    assert asked_about(question, items) == about


async def asking(folder: Path, agent: ScriptedDialogueAgent, *, calls: int = 400) -> TurnView:
    """The answer of a turn that may make so many agent calls."""
    async with open_town(folder, agent) as town:
        await town.say("ramen")
        limited = replace(town.ports, new_budget=lambda thread: Budget(agent_calls=calls))
        async with Conversations(folder, always(limited)) as conversations:
            return await replace(town, conversations=conversations).say("the questions")


async def test_two_questions_about_three_items_are_one_table(tmp_path: Path) -> None:
    questions = ("is it charming?", "is it lucky?")
    agent = script({"p2": "It is loud."}, questions=questions, about=REFS[:3])
    view = await asking(tmp_path, agent)
    assert view.reply.split("\n") == [
        "| | Lantern Room | Drum House | Noodle Corner |",
        "| --- | --- | --- | --- |",
        "| Is it charming | not known | It is loud. | not known |",
        "| Is it lucky | not known | It is loud. | not known |",
    ]
    assert view.comparison is not None
    assert view.comparison["questions"] == ["Is it charming", "Is it lucky"]
    assert [item["title"] for item in view.comparison["items"]] == ["Lantern Room", "Drum House", "Noodle Corner"]
    cells = [[(cell["text"], cell["known"], len(cell["quotes"])) for cell in row] for row in view.comparison["cells"]]
    assert cells == [[("", False, 0), ("It is loud.", True, 1), ("", False, 0)]] * 2
    asked = {(question.text, question.item.id) for question in agent.questions}
    assert asked == {(question, item) for question in questions for item in ("p1", "p2", "p3")}
    assert len(agent.questions) == 2 * 3
    assert [source.quote for source in view.sources] == ["It is loud."]


async def test_each_of_two_questions_is_asked_of_the_item_that_it_names(tmp_path: Path) -> None:
    questions = ("is Lantern Room charming?", "is Drum House lucky?")
    agent = script({"p2": "It is loud."}, questions=questions, about=REFS[:2])
    view = await asking(tmp_path, agent)
    unknown = "As to “is Lantern Room charming”, I do not know: nothing I have about Lantern Room says so."
    assert view.reply == f"{unknown}\n\nDrum House – It is loud."
    asked = [(question.text, question.item.id) for question in agent.questions]
    assert asked == list(zip(questions, ("p1", "p2"), strict=True))


async def test_a_budget_that_ends_among_the_answers_is_said_and_is_not_called_ignorance(tmp_path: Path) -> None:
    agent = script({"p1": "The ramen is rich.", "p2": "It is loud."}, about=REFS[:2])
    view = await asking(tmp_path, agent, calls=2)  # one reads the turn, one answers
    row = view.reply.splitlines()[-1]
    assert row.startswith("| Is it charming | The ramen is rich. | I reached the limit for one turn (agent calls)")
    assert view.cut_off == ("p2",)
    assert "I do not know" not in view.reply


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("is there parking for two lorries?", "Drum House – no (“Parking: no parking nearby”)."),
        ("does it have parking?", "Drum House – no (“Parking: no parking nearby”)."),
        ("is it not loud?", "Drum House – yes (“Noise level: loud”)."),
    ],
)
async def test_no_agent_is_asked_what_a_fact_answers_so_that_none_can_contradict_it(
    tmp_path: Path, question: str, reply: str
) -> None:
    agent = script({"p2": "It is loud."}, questions=(question,), about=(REFS[1],))
    assert (await asking(tmp_path, agent)).reply == reply
    assert agent.questions == []


async def test_an_answer_may_cite_the_year_of_an_item(tmp_path: Path) -> None:
    dated = REFS[0].model_copy(update={"year": 1999})
    view = await asking(tmp_path, script({"p1": "Year: 1999"}, about=(dated,)))
    assert view.reply == "Lantern Room – Year: 1999"


async def test_of_two_things_asked_in_one_breath_each_is_answered_or_said_not_to_be_known(town: Town) -> None:
    await town.say("ramen in Old Harbour")
    view = await town.say("does Lantern Room have parking and a michelin star?")
    known, unknown = view.reply.split("\n\n")
    assert known.startswith("Lantern Room – yes (")
    assert "own car park" in known
    assert unknown == (
        "As to “does Lantern Room have a michelin star”, I do not know: nothing I have about Lantern Room says so."
    )


async def test_one_question_alone_is_not_repeated_where_nobody_knows(town: Town) -> None:
    await town.say("ramen in Old Harbour")
    view = await town.say("does Lantern Room have a michelin star?")
    assert view.reply == "I do not know: nothing I have about Lantern Room says so."
