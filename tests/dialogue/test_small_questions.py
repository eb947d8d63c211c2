"""Questions of a newcomer, through the whole loop: help, what was taken, unknown titles, what labels can answer."""

from collections.abc import AsyncIterator

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.item_answers import from_metadata
from dialogue.models import Action, ItemRef, Piece
from dialogue.ports import Question
from dialogue.standings import standings
from pdgf.models import Label
from pdgf.usage import Budget
from tests.dialogue.town import PLACES, Town

REQUEST = "ramen in Old Harbour"


async def test_help_is_the_greeting_and_what_can_be_said_at_any_time(town: Town) -> None:
    first = await town.say("what can you do?")
    await town.say(REQUEST)
    later = await town.say("help")
    assert first.action is later.action is Action.GREET
    assert first.reply == later.reply
    assert first.reply.startswith(town.ports.domain.greeting)
    assert "start over" in first.reply


async def test_a_later_hello_is_greeted_and_thanked_for_nothing(town: Town) -> None:
    await town.say(REQUEST)
    assert (await town.say("Hello")).reply.startswith("Hello again!")


async def test_what_was_taken_is_listed(town: Town) -> None:
    await town.say(REQUEST)
    assert (await town.say("What did I choose?")).reply == "You have not taken any of the restaurants yet."
    await town.say("take the first")
    await town.say("the second, please")
    view = await town.say("what have I accepted?")
    assert view.reply == "So far you have taken Lantern Room and Drum House."
    assert view.action is Action.ANSWER


async def test_a_title_that_is_not_known_is_said_to_be_so_once(town: Town) -> None:
    await town.say(REQUEST)
    view = await town.say("What about Copper Rain?")
    assert view.reply == "I do not know “Copper Rain”; it is not among the restaurants I have."
    assert view.sources == ()


async def test_a_place_of_the_catalogue_that_was_not_shown_is_answered_about(town: Town) -> None:
    shown = {item["title"] for item in (await town.say(REQUEST)).items}
    other = next(item for item, _ in PLACES if item.title not in shown)
    view = await town.say(f"does {other.title} have parking?")
    assert view.reply.startswith(f"{other.title} – ")
    assert str(other.metadata["parking"]) in view.reply


async def test_a_question_about_a_whole_item_of_the_ranking_gets_the_reasons(town: Town) -> None:
    shown = await town.say(REQUEST)
    view = await town.say("what about the second one?")
    [second] = [item for item in shown.items if item["rank"] == 2]
    assert view.reply == f"{second['title']} – {shown.reasons[second['id']]}"


async def test_a_question_that_a_label_of_the_ranking_answers_gets_its_quote(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(_: BuiltinDialogueAgent, question: Question, budget: Budget) -> AsyncIterator[Piece]:
        for piece in ():
            yield piece

    monkeypatch.setattr(BuiltinDialogueAgent, "answer", silent)
    await town.say("ramen with a terrace in Old Harbour")
    found = await town.conversations.recommendation(town.thread)
    assert found is not None
    wish = next(node for node in found.graph.nodes if node.instantiation == "terrace")
    first = found.items[0]
    standing = next(s for s in standings(first, found.graph) if s.wish == wish.instantiation)
    assert standing.label is Label.SUPPORT
    view = await town.say("does the first have a terrace?")
    assert view.reply == f"{first.candidate.title} – “{standing.quotes[0]}”"
    assert [(source.item, source.quote) for source in view.sources] == [(first.candidate.id, standing.quotes[0])]
    assert (await town.say("does the first have dragons?")).reply.startswith("I do not know")


@pytest.mark.parametrize("question", ["is the second one long?", "is the second one short?"])
def test_a_word_that_measures_by_nothing_known_depends_and_the_number_is_given(question: str) -> None:
    item = ItemRef(id="a", title="Howl")
    found = from_metadata(question, item, {"length_minutes": 119}, bundled_domain("movies"))
    assert found is not None
    assert found.text == "that depends on what you count as such (“Length: 119 minutes”)."


@pytest.mark.parametrize("question", ["Which is the shortest?", "which of these is long?", "which was longer?"])
def test_a_question_which_of_several_it_is_gets_the_number_alone(question: str) -> None:
    howl = ItemRef(id="howl", title="Howl", year=2004)
    found = from_metadata(question, howl, {"length_minutes": 119}, bundled_domain("movies"))
    assert found is not None
    assert "119 minutes" in found.text
    assert "depends" not in found.text


@pytest.mark.parametrize("domain", ["movies", "anime"])
@pytest.mark.parametrize("question", ["does it have subtitles?", "is it dubbed?", "is it subtitled?"])
def test_the_language_of_an_item_does_not_answer_whether_it_has_subtitles(domain: str, question: str) -> None:
    item, known = ItemRef(id="a", title="Howl"), {"language": "Japanese"}
    assert from_metadata(question, item, known, bundled_domain(domain)) is None
    spoken = from_metadata("what language is it in?", item, known, bundled_domain(domain))
    assert spoken is not None
    assert "Japanese" in spoken.text


@pytest.mark.parametrize("text", ["Ich suche ein Lokal ohne Musik", "Je cherche un restaurant avec des ramen"])
async def test_a_language_that_is_not_read_is_named_and_makes_no_wish(town: Town, text: str) -> None:
    view = await town.say(text)
    assert view.reply == "The built-in engine reads English and Chinese. Please say it in one of them."
    assert not view.state.soft_constraints
    assert not view.state.hard_constraints
