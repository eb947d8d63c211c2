"""From turns and events to what the page shows."""

import json
from typing import Any

import pytest

from dialogue.domain import ChineseWords, Domain
from dialogue.events import Finished, Note, ReplyPiece, Step
from dialogue.models import Action, DialogueState, GraphChange, ItemRef, QuotedSource, TurnView
from dialogue.ui.handlers import (
    Ending,
    Exchange,
    advance,
    closing_status,
    placed,
    step_sentence,
    strip,
    transcript,
)
from dialogue.ui.panels import panels, picks_of
from dialogue.ui.texts import page_texts
from dialogue.ui.trace import title_of, trace_of
from dialogue.wording import sentence_for
from pdgf.errors import IndexUnavailable
from pdgf.models import Reused, Usage

TEXTS = page_texts()
DOMAIN = Domain(
    name="movies", item_word="film", items_word="films", greeting="Hello.", constraint_keys=(), examples=("A heist.",)
)


def item(identity: str) -> dict[str, Any]:
    return {
        "id": identity,
        "title": identity.title(),
        "year": 2000,
        "demoted": None,
        "unknown": [],
        "metadata": {},
        "paths": [],
        "evidence": [],
    }


def view(utterance: str = "hello", action: Action = Action.RECOMMEND, **more: Any) -> TurnView:
    return TurnView(**{"utterance": utterance, "action": action, "state": DialogueState(), "reply": "Here.", **more})


def contents(messages: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]) for message in messages if "metadata" not in message]


def graph(*nodes: str) -> dict[str, Any]:
    rows = [{"id": node, "atom": "a", "perspective": "tone", "instantiation": node} for node in nodes]
    return {"narrative": "", "nodes": rows, "edges": [], "order": list(nodes)}


def test_events_are_gathered_and_the_finished_reply_replaces_its_pieces() -> None:
    exchange = Exchange(utterance="hello")
    for event in (Step(name="understanding"), ReplyPiece(text="He"), ReplyPiece(text="re")):
        exchange = advance(exchange, event)
    assert (exchange.text, exchange.ending, len(exchange.steps)) == ("Here", Ending.RUNNING, 1)
    exchange = advance(exchange, Finished(view=view(reply="Here it is.")))
    assert (exchange.text, exchange.ending) == ("Here it is.", Ending.FINISHED)


def test_steps_are_said_with_their_counts() -> None:
    step = Step(name="graph", counts={"nodes": 7, "edges": 5})
    assert step_sentence(step) == "Reading your wishes: 7 preferences, 5 links"


def test_a_running_turn_shows_its_latest_step_as_pending() -> None:
    steps = (Step(name="understanding"), Step(name="ranking", counts={"items": 58}))
    _, thought = transcript([], [Exchange(utterance="hello", steps=steps)], TEXTS)
    title = "Held your wishes against what is known of 58 possible picks"
    assert thought["metadata"] == {"title": title, "status": "pending"}
    assert thought["content"] == "- Reading your message"


@pytest.mark.parametrize("ending", [Ending.STOPPED, Ending.FAILED])
def test_a_turn_that_has_ended_leaves_nothing_pending(ending: Ending) -> None:
    steps, gone = (Step(name="understanding"),), IndexUnavailable("gone")
    exchange = Exchange(utterance="hello", steps=steps, text="He", ending=ending, trouble=gone)
    messages = transcript([], [exchange], TEXTS)
    assert [message["metadata"]["status"] for message in messages if "metadata" in message] == ["done"]


def test_a_stopped_turn_keeps_its_partial_text() -> None:
    exchange = Exchange(utterance="hello", text="The Lantern", ending=Ending.STOPPED)
    said = contents(transcript([], [exchange], TEXTS))
    stopped = "Stopped here. Nothing was changed by it; you can send it again."
    assert said == [("user", "hello"), ("assistant", f"The Lantern\n\n*{stopped}*")]


def test_turns_stand_in_the_order_they_were_said() -> None:
    views = [view("one"), view("two", finished=False, reply="Unfinished."), view("three")]
    broken = [Exchange(utterance="two", after=1, text="Tw", ending=Ending.STOPPED)]
    said = [text for role, text in contents(transcript(views, broken, TEXTS)) if role == "user"]
    assert said == ["one", "two", "three"]


@pytest.mark.parametrize("ending", [Ending.STOPPED, Ending.FAILED])
def test_a_turn_that_was_broken_off_as_it_ended_is_shown_once_as_it_is_stored(ending: Ending) -> None:
    gone = IndexUnavailable("gone")
    broken = [Exchange(utterance="two", after=1, text="Her", ending=ending, trouble=gone)]
    assert contents(transcript([view("one"), view("two")], broken, TEXTS)) == contents(
        transcript([view("one"), view("two")], [], TEXTS)
    )


def test_a_broken_turn_of_an_earlier_process_is_shown_as_it_is_stored() -> None:
    messages = contents(transcript([view("one", finished=False, reply="Unfinished.")], [], TEXTS))
    assert messages == [("user", "one"), ("assistant", "Unfinished.")]


def test_what_the_visitor_typed_stays_text_and_a_reply_loses_its_images() -> None:
    views = [view("<b>*x*</b>", reply="![x](http://evil.invalid/) **good**")]
    said = contents(transcript(views, [], TEXTS))
    assert said == [("user", "&#60;b>&#42;x&#42;&#60;/b>"), ("assistant", "x **good**")]


def test_quotes_that_an_answer_does_not_say_itself_are_added() -> None:
    sources = (
        QuotedSource(item="a", title="Ashes", quote="Magic is talked of.", source="s"),
        QuotedSource(item="a", title="Ashes", quote="said", source="s", url="https://example.org/a"),
    )
    (_, (_, text)) = contents(transcript([view(action=Action.ANSWER, reply="He said so.", sources=sources)], [], TEXTS))
    assert text == "He said so.\n\n> Magic is talked of.\n>\n> Ashes"


@pytest.mark.parametrize("changed", [{"comparison": {"questions": ["Year"]}}, {"language": "zh"}])
def test_facts_that_a_table_or_other_words_state_are_not_quoted_once_more(changed: dict[str, Any]) -> None:
    sources = (
        QuotedSource(item="a", title="Ashes", quote="Year: 1990", source="a#year"),
        QuotedSource(item="a", title="Ashes", quote="Magic is talked of.", source="a#r2"),
    )
    answered = view(action=Action.ANSWER, reply="Here.", sources=sources, **changed)
    (_, (_, text)) = contents(transcript([answered], [], TEXTS))
    assert text == "Here.\n\n> Magic is talked of.\n>\n> Ashes"


def test_notes_are_said_after_the_reply() -> None:
    (_, (_, text)) = contents(transcript([view(notes=("I left out one wish.",))], [], TEXTS))
    assert text == "Here.\n\nNote: I left out one wish."


def test_the_trace_of_a_turn_tells_what_was_spent() -> None:
    change = GraphChange(graph={"nodes": [{}] * 7, "edges": [{}] * 5})
    told = trace_of(view(usage=Usage(searches=9, comparisons=61), graph=change), TEXTS)
    assert told == [
        "Your wishes: 7 preferences, 5 links",
        "Looked in the catalogue 9 times",
        "Held each wish against what is written, passage by passage: 61 comparisons",
    ]
    assert trace_of(view(graph=change), TEXTS) == []


def test_the_line_above_a_reply_says_in_plain_words_what_the_turn_took() -> None:
    nodes = graph(*"abcdefghij")
    cheap = view(usage=Usage(seconds=0.31, comparisons=61), graph=GraphChange(graph=nodes, kept=9))
    assert title_of(cheap, TEXTS) == "How I got there · 0.3 s · kept 9 of 10 wishes"
    dear = view(usage=Usage(seconds=4, tokens_in=1200, tokens_out=34, cost=0.0012))
    assert title_of(dear, TEXTS) == "How I got there · 4.0 s · 1,234 tokens · about $0.0012"
    assert title_of(view(), TEXTS) == "How I got there"
    chinese = title_of(cheap, page_texts("zh"))
    assert chinese == "我是怎么得出的 · 0.3 秒 · 10 个要求中沿用了 9 个"


def test_the_trace_of_a_follow_up_tells_what_was_kept_from_before() -> None:
    reused = Reused(pairs=36, descriptions=9, queries=8, searches=8, labels=300)
    change = GraphChange(graph={"nodes": [{}] * 10, "edges": [{}] * 1}, added=("n9",), kept=9, reused=reused)
    assert trace_of(view(usage=Usage(searches=1, comparisons=14), graph=change), TEXTS) == [
        "Your wishes: 10 preferences, 1 link",
        "Kept 9 of 10 preferences from before",
        "Looked in the catalogue 1 time",
        "Kept what 8 searches had found before",
        "Held each wish against what is written, passage by passage: 14 comparisons",
        "Kept from before: 345 comparisons",
    ]
    assert "Kept from before: 345 comparisons" in trace_of(view(graph=change), TEXTS)


def test_picks_are_the_last_list_without_what_was_turned_down_since() -> None:
    refused = DialogueState(rejected_items=(ItemRef(id="b", title="B"),))
    views = [view(items=(item("a"), item("b"))), view(action=Action.ANSWER, items=(item("c"),), state=refused)]
    shown, picks = picks_of(views)
    assert shown is views[0]
    assert [pick["id"] for pick in picks] == ["a"]


def test_starting_over_clears_picks_and_graph() -> None:
    change = GraphChange(graph=graph("n0"), added=("n0",))
    before = view(items=(item("a"),), graph=change)
    shown = panels([before, view(action=Action.START_OVER, graph=change)], DOMAIN, TEXTS)
    assert "Nothing picked yet" in shown.picks
    assert "No wishes yet" in shown.graph


def test_the_first_graph_is_not_highlighted_a_later_change_is() -> None:
    first = view(graph=GraphChange(graph=graph("n0", "n1"), added=("n0", "n1")))
    later = view(graph=GraphChange(graph=graph("n0", "n1", "n2"), added=("n2",), kept=2))
    assert 'class="halo"' not in panels([first], DOMAIN, TEXTS).graph
    assert panels([first, later], DOMAIN, TEXTS).graph.count('class="halo"') == 1


def test_cards_are_marked_by_the_graph_that_their_list_was_made_from() -> None:
    listed = view(items=(item("a"),), graph=GraphChange(graph=graph("n0"), added=("n0",)))
    asked = view(action=Action.ANSWER, graph=GraphChange(graph=graph("n0", "parking"), added=("parking",), kept=1))
    assert "parking" not in panels([listed, asked], DOMAIN, TEXTS).picks


def test_the_state_is_shown_with_exactly_its_five_keys() -> None:
    assert set(json.loads(panels([view()], DOMAIN, TEXTS).state_text)) == {
        "hard_constraints",
        "soft_constraints",
        "recommended_items",
        "rejected_items",
        "accepted_items",
    }


def test_an_empty_chat_offers_examples_and_an_answered_one_suggestions() -> None:
    assert strip([], [], DOMAIN, TEXTS).entries == (("A heist.", "A heist."),)
    answered = view(suggestions=("Show me more",))
    assert strip([answered], [], DOMAIN, TEXTS).entries == (("Show me more", "Show me more"),)


def test_an_empty_chat_over_a_catalogue_of_ones_own_says_what_can_be_named_in_it() -> None:
    columns = "Hello! You can name what its columns hold: players, theme."
    own = DOMAIN.model_copy(update={"name": "own-1", "greeting": columns})
    assert strip([], [], own, TEXTS).heading == f"{columns} {TEXTS['empty']['starters']}"
    chinese = own.model_copy(update={"chinese": ChineseWords(item_word="个", greeting="你好！", examples=("便宜的",))})
    assert strip([], [], chinese, page_texts("zh")).heading.startswith("你好！")
    assert strip([], [], chinese, page_texts("zh")).entries == (("便宜的", "便宜的"),)
    bare = strip([], [], own.model_copy(update={"examples": ()}), TEXTS)
    assert (bare.heading, bare.entries) == (columns, ())
    assert strip([], [], DOMAIN, TEXTS).heading == TEXTS["empty"]["starters"]
    assert strip([view()], [], own, TEXTS).heading == ""


def test_a_broken_turn_can_be_sent_again() -> None:
    again = (("Send again", "two"),)
    broken = Exchange(utterance="two", after=1, ending=Ending.FAILED, trouble=IndexUnavailable("gone"))
    assert strip([view()], [broken], DOMAIN, TEXTS).entries == again
    assert strip([view(), view("two", finished=False)], [], DOMAIN, TEXTS).entries == again
    assert strip([view(), view("two", finished=False), view()], [], DOMAIN, TEXTS).entries == ()


def test_the_closing_status_says_how_the_turn_ended() -> None:
    finished = Exchange(utterance="x", ending=Ending.FINISHED)
    assert closing_status([view(items=(item("a"),))], finished, TEXTS) == "1 pick, best first."
    assert closing_status([view(action=Action.ANSWER)], finished, TEXTS) == "Done."
    failed = Exchange(utterance="x", ending=Ending.FAILED, trouble=IndexUnavailable("gone"))
    assert closing_status([], failed, TEXTS) == sentence_for(IndexUnavailable("gone"))


def test_turning_a_pick_down_by_its_button_asks_for_a_reason_and_typing_does_not() -> None:
    rejected = view("Not for me: Ashes", Action.RESPOND_TO_REJECTION, suggestions=("Show me more",))
    asked = strip([rejected], [], DOMAIN, TEXTS)
    assert asked.heading == TEXTS["empty"]["reasons"]
    assert asked.entries == tuple((reason, f"{reason}: Ashes") for reason in TEXTS["reasons"]["movies"])
    more = (("Show me more", "Show me more"),)
    typed = view("Ashes is too violent", Action.RESPOND_TO_REJECTION, suggestions=("Show me more",))
    assert strip([typed], [], DOMAIN, TEXTS).entries == more
    own = DOMAIN.model_copy(update={"name": "of-my-own"})  # a catalogue that this page has no reasons for
    assert strip([rejected], [], own, TEXTS).entries == more


@pytest.mark.parametrize(
    ("cost", "said"), [(0.0123, "1,500 tokens, about $0.0123"), (None, "1,500 tokens, cost unknown")]
)
def test_what_a_turn_used_of_a_language_model_is_told(cost: float | None, said: str) -> None:
    usage = Usage(agent_calls=8, waves=4, tokens_in=1_400, tokens_out=100, cost=cost)
    assert trace_of(view(usage=usage), TEXTS) == [f"Asked the language model 8 times: {said}"]


def test_a_note_is_told_at_once_as_a_step_of_its_own() -> None:
    exchange = advance(Exchange(utterance="x", after=0), Note(text="The model is away."))
    assert [step_sentence(step) for step in exchange.steps] == ["The model is away."]


def test_an_edit_that_broke_off_is_never_offered_to_be_said() -> None:
    stopped = Exchange(utterance="(edited: dropped “x”)", ending=Ending.STOPPED, by_hand=True)
    assert "Send again" not in [label for label, _ in strip([], [stopped], DOMAIN, TEXTS).entries]
    unfinished = view(finished=False, edits=({"act": "drop"},))
    assert "Send again" not in [label for label, _ in strip([unfinished], [], DOMAIN, TEXTS).entries]
    assert [row.utterance for row in placed([], [stopped], TEXTS)] == [None, None]


def test_a_pick_turned_down_by_its_button_in_chinese_is_asked_about_in_chinese() -> None:
    chinese = page_texts("zh")
    asked = strip([view("不要《Ashes》", Action.RESPOND_TO_REJECTION)], [], DOMAIN, chinese)
    assert asked.entries[0] == ("太暴力", "《Ashes》太暴力")
    typed = strip([view("不要太暴力", Action.RESPOND_TO_REJECTION)], [], DOMAIN, chinese)
    assert typed.entries == ()
