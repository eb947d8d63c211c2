"""Going over to another domain, and to another request in the same one."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dialogue.conversation import Conversations
from dialogue.domain import bundled_domain
from dialogue.events import Finished
from dialogue.models import Action, ConstraintValue, DialogueState, Intent, TurnRecord, TurnView, Understanding
from dialogue.ports import DialogueAgent, DomainPorts
from dialogue.record import values_of
from dialogue.topics import asked_for, moved
from pdgf.catalogues.bundled import BUNDLED
from pdgf.models import Candidate
from tests.dialogue.town import PLACES, REFS, WORDS, Town, town_ports
from tests.fakes import ScriptedDialogueAgent, Shelf, VocabularyAgent

DOMAINS = {name: bundled_domain(name) for name in BUNDLED}


@pytest.mark.parametrize(
    ("now", "text", "domain", "keeps", "left"),
    [
        ("anime", "Let's talk about films instead", "movies", False, ""),
        ("movies", "now a book, please", "books", False, ""),
        ("movies", "any anime like that?", "anime", True, ""),
        ("restaurants", "a movie, please", "movies", False, ""),
        ("books", "is there a film like that?", "movies", True, ""),
        ("movies", "a book in the same mood", "books", True, ""),
        ("movies", "same mood, but a book", "books", True, ""),
        ("movies", "what about books?", "books", False, ""),
        ("books", "switch to anime", "anime", False, ""),
        ("my-shelf", "let's talk about films", "movies", False, ""),
        ("movies", "Thanks! Now somewhere to eat", "restaurants", False, ""),
        ("movies", "I want a book about dragons", "books", False, "about dragons"),
        ("books", "can you recommend a funny anime?", "anime", False, "funny"),
        ("movies", "is there a book like that, but funnier?", "books", True, ", but funnier?"),
    ],
)
def test_words_go_over_to_another_domain(now: str, text: str, domain: str, keeps: bool, left: str) -> None:
    found = asked_for(text, now, list(DOMAINS.values()))
    assert found is not None
    assert (found.domain, found.keeps, found.text.strip(" ?")) == (domain, keeps, left.strip(" ?"))
    assert len(found.text) == len(text)  # spans stay where they are
    assert all(char in (" ", text[place]) for place, char in enumerate(found.text))


@pytest.mark.parametrize(
    ("now", "text"),
    [
        ("movies", "something based on a book"),
        ("movies", "I want a book adaptation"),
        ("movies", "a film set in a restaurant"),
        ("movies", "I want an anime film"),
        ("movies", "the book was better"),
        ("restaurants", "we'll book the first"),
        ("restaurants", "I want to book the first"),
        ("restaurants", "can you book it now?"),
        ("anime", "A film, not a series"),
        ("anime", "I want a film"),
        ("books", "is there a film of it?"),
        ("books", "I want a book"),
        ("my-shelf", "I want a book about dragons"),
        ("my-shelf", "a film like that"),
        ("movies", ""),
    ],
)
def test_other_words_stay_in_the_domain(now: str, text: str) -> None:
    assert asked_for(text, now, list(DOMAINS.values())) is None


def value(text: str) -> tuple[ConstraintValue, ...]:
    return (ConstraintValue(text=text, span=(1, 0, len(text))),)


STATE = DialogueState(
    hard_constraints={"length_format": value("under two hours"), "content_limits": value("no gore")},
    soft_constraints={"tone": value("slow"), "genre": value("horror"), "creators": value("by Ford")},
    rejected_items=REFS[:1],
    accepted_items=REFS[1:2],
)
RECORD: TurnRecord = {"dialogue": STATE.model_dump(mode="json"), "requests": [], "shown": [REFS[0].model_dump()]}


def test_wishes_that_make_sense_there_stay_where_they_are_referred_to() -> None:
    lasting, sentence = moved(RECORD, DOMAINS["movies"], DOMAINS["books"], keeps=True)
    after = DialogueState.model_validate(lasting["dialogue"])
    assert set(after.known_keys) == {"content_limits", "tone", "genre"}
    assert (after.rejected_items, after.accepted_items, lasting["shown"]) == (REFS[:1], REFS[1:2], [])
    assert all(f'"{text}"' in sentence for text in ("no gore", "slow", "horror", "under two hours", "by Ford"))


def test_otherwise_they_are_put_aside() -> None:
    lasting, sentence = moved(RECORD, DOMAINS["movies"], DOMAINS["books"], keeps=False)
    assert DialogueState.model_validate(lasting["dialogue"]).known_keys == frozenset()
    assert sentence.startswith("All right, books now.")
    assert "aside" in sentence
    assert moved({}, None, DOMAINS["books"], keeps=True)[1] == "All right, books now."


NOVELS = (
    (Candidate(id="b1", title="Slow River"), ("A quiet book.", "Dragons in it.")),
    (Candidate(id="b2", title="Loud Hills"), ("Dragons everywhere.",)),
)


def two_towns(dialogue: DialogueAgent | None = None) -> dict[str, DomainPorts]:
    agent = VocabularyAgent(WORDS)
    eat = town_ports(agent, Shelf(PLACES), dialogue)
    shelf = Shelf(NOVELS)
    read = replace(town_ports(agent, shelf, dialogue), reviews=shelf, catalogue=shelf, domain=DOMAINS["books"])
    return {"restaurants": eat, "books": read}


async def talk(folder: Path, said: Sequence[str], dialogue: DialogueAgent | None = None) -> list[TurnView]:
    ports = two_towns(dialogue)

    async def context_for(name: str) -> DomainPorts:
        return ports[name]

    views: list[TurnView] = []
    async with Conversations(folder, context_for) as conversations:
        thread = await conversations.start("restaurants", "someone")
        for text in said:
            [*_, last] = [event async for event in conversations.turn(thread, text)]
            assert isinstance(last, Finished)
            views.append(last.view)
        assert [view.utterance for view in await conversations.history(thread)] == list(said)
    return views


async def test_a_conversation_goes_on_in_another_domain_and_stays_there(tmp_path: Path) -> None:
    eat, over, wish, back = await talk(
        tmp_path, ["quiet ramen in Old Harbour", "now a book, please", "dragons", "undo that"]
    )
    assert {item["id"][0] for item in eat.items} == {"p"}
    assert (over.action, over.items) == (Action.REQUEST_INFORMATION, ())
    assert over.reply.startswith("All right, books now.")
    assert "quiet" in over.reply
    assert set(over.graph.removed) == {node["id"] for node in eat.graph.graph["nodes"]}
    assert [item["id"] for item in wish.items] == ["b1", "b2"]
    assert back.items == ()


async def test_a_wish_in_the_same_words_is_heard_in_the_new_domain(tmp_path: Path) -> None:
    [_, over] = await talk(tmp_path, ["quiet ramen in Old Harbour", "I want a book about dragons"])
    assert [item["id"] for item in over.items] == ["b1", "b2"]
    assert [v.text for vs in over.state.soft_constraints.values() for v in vs] == ["dragons"]


async def test_going_over_is_taken_back_with_the_domain(tmp_path: Path) -> None:
    [eat, _, back] = await talk(tmp_path, ["quiet ramen in Old Harbour", "now a book, please", "undo that"])
    assert (back.state, [i["id"] for i in back.items]) == (eat.state, [i["id"] for i in eat.items])


async def test_an_agent_that_hears_another_domain_reads_the_words_again_there(tmp_path: Path) -> None:
    heard = Understanding(domain="books", intents=(Intent.INQUIRE,))
    agent = ScriptedDialogueAgent([Understanding(greeting=True), heard, Understanding()])
    [_, over] = await talk(tmp_path, ["hello", "und jetzt etwas zum Lesen"], agent)
    assert [utterance.domain.name for utterance in agent.utterances] == ["restaurants", "restaurants", "books"]
    assert over.action is Action.REQUEST_INFORMATION
    assert over.reply.startswith("All right, books now.")


async def test_a_domain_that_nobody_knows_changes_nothing(tmp_path: Path) -> None:
    agent = ScriptedDialogueAgent([Understanding(domain="gardens"), Understanding(domain="restaurants")])
    views = await talk(tmp_path, ["gardens now", "places now"], agent)
    assert [utterance.domain.name for utterance in agent.utterances] == ["restaurants", "restaurants"]
    assert all("All right" not in view.reply for view in views)


@pytest.mark.parametrize(
    "words",
    [
        "different question: vegan ramen in Old Harbour",
        "new topic. Vegan ramen in Old Harbour",
        "For another evening: vegan ramen in Old Harbour",
    ],
)
async def test_another_request_in_the_same_domain_starts_afresh_and_forgets_no_judgement(
    town: Town, words: str
) -> None:
    await town.say("quiet ramen in Old Harbour")
    before = await town.say("not the first")
    view = await town.say(words)
    assert set(view.intents) == {Intent.PROVIDE_PREFERENCE, Intent.START_OVER}
    texts = {value.text.lower() for _, value, _ in values_of(view.state)}
    assert "vegan" in texts
    assert "quiet" not in texts
    assert view.state.rejected_items == before.state.rejected_items != ()
    assert before.state.rejected_items[0].id not in {item["id"] for item in view.items}


@pytest.mark.parametrize(
    ("said", "current", "domain"),
    [
        ("换成找书吧，想看推理小说", "restaurants", "books"),
        ("聊聊餐厅", "movies", "restaurants"),
        ("推荐一本轻松的小说吧", "movies", "books"),
        ("有没有类似的书", "movies", "books"),
        ("想看電影", "books", "movies"),
        ("改看番", "books", "anime"),
        ("想看讲餐厅的电影", "movies", None),
        ("小说改编的电影", "movies", None),
        ("适合看书的地方", "restaurants", None),
        ("想看动画片", "movies", None),
        ("不要小说", "books", None),
        ("想找个地方看书", "restaurants", None),
        ("想要有照片，短一点", "books", None),
        ("想看一本好看的小说", "movies", "books"),
        ("推荐一本好看小说", "movies", "books"),
    ],
)
def test_chinese_words_go_over_to_another_domain_or_stay(said: str, current: str, domain: str | None) -> None:
    found = asked_for(said, current, [bundled_domain(name) for name in BUNDLED])
    assert (found.domain if found else None) == domain


def test_what_is_wished_beside_the_other_domain_is_left_to_read() -> None:
    domains = [bundled_domain(name) for name in BUNDLED]
    moved = asked_for("推荐一本轻松的小说，要求不变", "movies", domains)
    assert moved is not None
    assert (moved.domain, moved.keeps) == ("books", True)
    assert "轻松" in moved.text
    assert "小说" not in moved.text
