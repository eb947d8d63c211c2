"""Recommending, the next ones, alternatives, acceptance: what is computed, what is left out, what is said."""

from pathlib import Path

import pytest

from dialogue.models import Action, DialogueState, EditKind, Intent, ItemRef, StateEdit, Understanding
from dialogue.recommendation import exclusions
from pdgf.settings import MethodConfig
from tests.dialogue.town import REFS, Town, open_town
from tests.fakes import ScriptedDialogueAgent

REQUEST = "ramen in Old Harbour"


def ids(items: tuple[dict[str, object], ...]) -> list[object]:
    return [item["id"] for item in items]


async def test_three_items_are_shown_with_headings_reasons_and_quotes(town: Town) -> None:
    view = await town.say(REQUEST)
    assert view.action is Action.RECOMMEND
    assert len(view.items) == 3
    assert view.reply.startswith("These 3 restaurants fit best")
    for rank, item in enumerate(view.items, start=1):
        assert f"### {rank}. {item['title']}" in view.reply
        assert item["rank"] == rank
    assert "“The ramen is rich.”" in view.reply
    assert {source.quote for source in view.sources} == {"The ramen is rich."}
    assert [source.source for source in view.sources] == [f"{item['id']}#r2" for item in view.items]
    assert set(view.reasons) == set(ids(view.items))


async def test_a_key_outside_explanations_is_not_given_as_a_reason(town: Town) -> None:
    view = await town.say(REQUEST)
    assert "Location:" not in view.reply


@pytest.mark.parametrize("plain", ["nah", "👎", "none of these", "more", "show me more", "what else?"])
async def test_a_plain_rejection_and_more_show_the_next_of_the_ranking_without_any_pdg_f_call(
    town: Town, plain: str
) -> None:
    first = await town.say(REQUEST)
    calls, searches = dict(town.agent.calls), town.shelf.acquired
    view = await town.say(plain)
    assert (dict(town.agent.calls), town.shelf.acquired) == (calls, searches)
    assert view.usage.waves == 1
    assert len(view.items) == 3
    assert set(ids(view.items)).isdisjoint(ids(first.items))
    assert (view.graph.added, view.graph.removed, view.graph.kept) == ((), (), 2)
    assert view.graph.graph == first.graph.graph


async def test_the_ranking_runs_dry_in_a_sentence_and_no_item_is_shown_twice(town: Town) -> None:
    seen: list[object] = ids((await town.say(REQUEST)).items)
    for _ in range(2):
        seen += ids((await town.say("more")).items)
    last = await town.say("more")
    assert len(seen) == len(set(seen)) == 8
    assert last.items == ()
    assert last.reply.startswith("That was everything I found")
    assert 'Drop "' in last.reply  # which wish to leave out


async def test_of_what_is_seen_nothing_comes_back_and_what_still_stands_is_shown_when_nothing_new_is_left(
    town: Town,
) -> None:
    await town.say(REQUEST)
    await town.say("more")
    last = await town.say("more")
    known = await town.say(f"I've been to {last.items[0]['title']}")
    assert known.action is Action.SHOW_MORE
    assert "Nothing new is left" in known.reply
    assert len(known.items) == 1  # in the place of what is known
    assert last.items[0]["id"] not in known.standing
    assert set(known.shown_before) == set(ids(known.items))
    refused = await town.say("none of these")
    assert len(refused.items) == 3
    assert set(ids(refused.items)).isdisjoint(known.standing)
    assert {item.id for item in refused.state.rejected_items} == set(known.standing)


async def test_interest_is_answered_without_a_note_and_an_acceptance_beside_a_question_is_noted_aloud(
    town: Town,
) -> None:
    await town.say(REQUEST)
    praised = await town.say("the second one sounds good")
    assert (praised.action, praised.state.accepted_items) == (Action.RESPOND_TO_ACCEPTANCE, ())
    assert "Drum House" in praised.reply
    taken = await town.say("yes, I'll take it. Does it have parking?")
    assert [item.title for item in taken.state.accepted_items] == ["Drum House"]
    assert taken.action is Action.ANSWER
    assert "I have noted Drum House" in taken.reply
    assert "parking" in taken.reply.lower()


async def test_an_open_verdict_is_said_to_be_open_and_the_question_beside_it_is_answered_about_all(town: Town) -> None:
    first = await town.say(REQUEST)
    view = await town.say("both look good, which is cheaper?")
    assert (view.action, view.state.accepted_items) == (Action.ANSWER, ())
    assert 'by "both"' in view.reply
    assert all(item["title"] in view.reply for item in first.items)


async def test_words_that_fit_several_are_asked_back_with_the_candidates_alone(town: Town) -> None:
    await town.say(REQUEST)
    view = await town.say("not the one with parking")
    assert view.state.rejected_items == ()
    assert view.reply == 'Which one do you mean by "the one with parking": Lantern Room or Noodle Corner?'


async def test_a_rejection_with_a_reason_is_ranked_anew_in_the_same_turn_without_what_was_shown(town: Town) -> None:
    first = await town.say(REQUEST)
    view = await town.say("too loud, something quieter")
    assert view.action is Action.RESPOND_TO_REJECTION
    assert view.intents == (Intent.PROVIDE_PREFERENCE, Intent.REJECT)
    assert [value.text for value in view.state.soft_constraints["atmosphere"]] == ["too loud", "quieter"]
    assert set(ids(view.items)).isdisjoint(ids(first.items))
    assert view.items[0]["title"] == "Salt Kettle"
    assert view.reply.startswith("Understood.")
    assert len(view.graph.added) == 2
    assert view.graph.kept == 2
    narrative = view.graph.graph["narrative"]
    assert narrative == "ramen in Old Harbour. something quieter. Not too loud."


async def test_after_a_refinement_a_shown_item_may_come_back_marked(town: Town) -> None:
    first = await town.say(REQUEST)
    view = await town.say("with a terrace")
    again = [item for item in ids(view.items) if item in ids(first.items)]
    assert again
    assert list(view.shown_before) == again
    assert view.reply.count("(shown before)") == len(again)
    assert len(view.state.recommended_items) == len(set(ids(first.items) + ids(view.items)))


async def test_rejected_accepted_and_seen_items_never_come_back(town: Town) -> None:
    first = await town.say(REQUEST)
    await town.say("not the first")
    await town.say("I'll take the first")
    await town.say("I've been to Copper Pan already")
    state = (await town.conversations.history(town.thread))[-1].state
    gone = {item.id for item in (*state.rejected_items, *state.accepted_items)} | {"p6"}
    assert first.items[0]["id"] in gone
    for said in ("with a terrace", "quiet please", "more", "more", "vegan"):
        assert gone.isdisjoint(ids((await town.say(said)).items))


async def test_items_that_break_a_condition_come_last_and_are_named_with_the_reason(town: Town) -> None:
    view = await town.say("quiet ramen in Mill Quarter")
    assert view.items[0]["title"] == "Far Mill"
    assert view.items[0]["demoted"] is None
    assert all(item["demoted"] for item in view.items[1:])
    assert view.reply.startswith(
        "Of the first restaurant I know nothing that breaks a condition; the others do not keep them all. "
        'Without "Mill Quarter" there are 7 more: '
    )
    assert view.suggestions[0] == "Anywhere"
    assert view.reply.count("Breaks a condition:") == 2


async def test_when_every_item_breaks_a_condition_the_reply_says_so_and_names_what_is_in_the_way(town: Town) -> None:
    view = await town.say("ramen under $5 in Old Harbour")
    assert view.reply.startswith("Nothing I know fits all of that.")
    assert 'Without "under $5" there are 7: ' in view.reply
    assert view.suggestions[0] == "Never mind the price range"
    after = await town.say(view.suggestions[0])
    assert "price_range" not in after.state.hard_constraints
    assert all(item["demoted"] is None for item in after.items)
    assert len(view.items) == 3
    assert all(item["demoted"] for item in view.items)


async def test_the_next_items_are_called_near_misses_when_none_of_them_keeps_every_condition(town: Town) -> None:
    await town.say("quiet ramen in Mill Quarter")
    view = await town.say("nah")
    assert view.reply.startswith("Everything else I know breaks a condition.")
    assert all(item["demoted"] for item in view.items)


async def test_a_wish_that_nothing_speaks_of_is_said_in_a_note(town: Town) -> None:
    view = await town.say("ramen with dragons in Old Harbour")
    assert view.items
    assert view.notes == ('Nothing I know of these speaks of "dragons".',)


async def test_dropping_every_wish_asks_for_one_and_without_one_shows_what_there_is(town: Town) -> None:
    await town.say("ramen anywhere")
    view = await town.say("forget the ramen")
    assert view.action is Action.REQUEST_INFORMATION
    answered = await town.say("anything goes")
    assert answered.reply.startswith("You leave it open")
    assert len(answered.items) == 3


async def test_an_acceptance_is_kept_and_confirmed_by_name(town: Town) -> None:
    shown = await town.say(REQUEST)
    view = await town.say("I'll take the second")
    assert view.action is Action.RESPOND_TO_ACCEPTANCE
    assert [item.id for item in view.state.accepted_items] == [shown.items[1]["id"]]
    assert view.state.accepted_items[0].title in view.reply
    assert view.items == ()


async def test_an_acceptance_that_does_not_say_which_is_asked_about(town: Town) -> None:
    await town.say(REQUEST)
    view = await town.say("sounds great, thanks")
    assert view.intents == (Intent.ACCEPT,)
    assert view.state.accepted_items == ()
    assert "which one" in view.reply
    assert "the ninth" in (await town.say("I'll take the ninth")).reply


async def test_a_question_and_then_its_pronoun_are_about_one_item(town: Town) -> None:
    shown = await town.say(REQUEST)
    await town.say("does the third have parking?")
    view = await town.say("perfect, I'll take it")
    assert [item.id for item in view.state.accepted_items] == [shown.items[2]["id"]]


def test_exclusions_hold_judged_and_seen_items_always_and_shown_ones_on_request() -> None:
    state = DialogueState(recommended_items=REFS[:4], rejected_items=REFS[:1], accepted_items=REFS[1:2])
    always = exclusions(state, REFS[4:5])
    assert [(e.title, e.why) for e in always] == [
        ("Lantern Room", "rejected"),
        ("Drum House", "accepted"),
        ("Blue Bowl", "seen"),
    ]
    shown = exclusions(state, (), leaving=state.recommended_items)
    assert [e.title for e in shown if e.why == "shown"] == [item.title for item in REFS[:4]]


async def test_the_agent_words_a_new_list_and_the_labels_word_the_next_one(tmp_path: Path) -> None:
    edits = tuple(
        StateEdit(kind=EditKind.ADD, key=key, text=text, hard=True, span=(1, start, start + len(text)))
        for key, text, start in (("dish_type", "ramen", 0), ("location", "Old Harbour", 9))
    )
    agent = ScriptedDialogueAgent(
        [
            Understanding(intents=(Intent.PROVIDE_PREFERENCE,), edits=edits),
            Understanding(intents=(Intent.CONTINUE,)),
        ]
    )
    async with open_town(tmp_path, agent) as town:
        first = await town.say(REQUEST)
        assert agent.explained == ids(first.items)
        assert "Because of Lantern Room." in first.reply
        more = await town.say("more")
        assert agent.explained == ids(first.items)
        assert "“The ramen is rich.”" in more.reply


def test_eight_lists_of_three_are_ranked_at_once() -> None:
    assert MethodConfig().ranked_ahead == 24
    assert ItemRef(id="x", title="x") not in REFS
