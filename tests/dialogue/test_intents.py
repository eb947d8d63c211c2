"""Understanding: what is dealt with before any agent, and what of a reading is believed."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.intents import believable, cleaned, refusal, understand
from dialogue.models import DialogueState, EditKind, Intent, ItemRef, StateEdit, TurnRecord, Understanding
from dialogue.ports import TurnContext, Utterance
from pdgf.errors import BudgetSpent, EmbedderUnavailable, LanguageNotSupported
from pdgf.usage import Budget
from tests.dialogue.town import PLACES, REFS, WORDS, town_ports
from tests.fakes import MemoryContent, ScriptedDialogueAgent, Shelf, VocabularyAgent

TEXT = "Quiet ramen, please"


def utterance(text: str = TEXT, shown: int = 3) -> Utterance:
    return Utterance(text=text, turn=4, state=DialogueState(), shown=REFS[:shown], domain=bundled_domain("restaurants"))


def context(agent: ScriptedDialogueAgent, budget: Budget | None = None) -> TurnContext:
    ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES), agent)
    return TurnContext(
        ports=ports.ports,
        agent=agent,
        reviews=ports.reviews,
        catalogue=ports.catalogue,
        store=MemoryContent(),
        domain=ports.domain,
        config=ports.config,
        budget=budget or Budget(),
        current_year=2026,
        engine="",
        embedder="",
    )


def record(text: str, shown: int = 3) -> TurnRecord:
    return {"turn": 4, "utterance": text, "shown": [item.model_dump() for item in REFS[:shown]]}


def edit(text: str, span: tuple[int, int, int] = (4, 0, 0), key: str = "atmosphere") -> StateEdit:
    return StateEdit(kind=EditKind.ADD, key=key, text=text, span=span)


def test_cleaning_replaces_lone_surrogates_and_nul_and_nothing_else() -> None:
    assert cleaned("a\ud800b\udcffc\x00d") == "a\ufffdb\ufffdc\ufffdd"
    assert cleaned("\ud83d\ude00") == "😀"
    assert cleaned(f"a{' ' * 3_000}b\n\nc") == f"a{' ' * 20}b\n\nc"
    untouched = "  spaces, \u200f tabs\t and\nlines stay 日本 "
    assert cleaned(untouched) == untouched


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\u200c", "🎉", "?!", "..."])
def test_blank_words_are_refused_gently(text: str) -> None:
    assert (refusal(text, limit=20_000, shown=True) or "").startswith("I am listening")


@pytest.mark.parametrize("sign", ["👍", "👎", "❤️", "👎🏽"])
def test_a_telling_sign_is_read_once_something_was_shown(sign: str) -> None:
    assert refusal(sign, limit=20_000, shown=True) is None
    assert refusal(sign, limit=20_000, shown=False) is not None


def test_the_length_limit_is_the_last_accepted_length() -> None:
    assert refusal("x" * 20_000, limit=20_000, shown=False) is None
    assert "20001" in (refusal("x" * 20_001, limit=20_000, shown=False) or "")


async def test_the_agent_sees_the_words_the_list_and_what_is_known_of_it() -> None:
    agent = ScriptedDialogueAgent([Understanding()])
    await understand(record(TEXT), context(agent))
    [seen] = agent.utterances
    assert (seen.text, seen.turn, seen.shown) == (TEXT, 4, REFS[:3])
    assert seen.metadata["p2"]["noise_level"] == "loud"
    assert seen.current_year == 2026


async def test_refused_words_reach_no_agent_and_spend_nothing() -> None:
    agent, budget = ScriptedDialogueAgent(), Budget()
    reading, notice = await understand(record(" "), context(agent, budget))
    assert (reading, bool(notice)) == (Understanding(), True)
    assert agent.utterances == []
    assert budget.usage().agent_calls == 0


async def test_a_reading_costs_one_call_and_one_wave() -> None:
    budget = Budget()
    await understand(record(TEXT), context(ScriptedDialogueAgent([Understanding()]), budget))
    assert (budget.usage().agent_calls, budget.usage().waves) == (1, 1)
    with pytest.raises(BudgetSpent):
        await understand(record(TEXT), context(ScriptedDialogueAgent([Understanding()]), Budget(agent_calls=0)))


class Refusing(ScriptedDialogueAgent):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    async def understand(self, utterance: Utterance, budget: Budget) -> Understanding:
        raise self.error


async def test_words_that_the_agent_cannot_read_are_answered_in_a_sentence_and_other_failures_rise() -> None:
    reading, notice = await understand(record(TEXT), context(Refusing(LanguageNotSupported("ar"))))
    assert reading == Understanding()
    assert "English" in notice
    with pytest.raises(EmbedderUnavailable):
        await understand(record(TEXT), context(Refusing(EmbedderUnavailable("x"))))


async def test_titles_known_already_are_looked_up_in_the_catalogue() -> None:
    named = (ItemRef(id="", title="Blue Bowl and Coper Pan"), ItemRef(id="", title="Nowhere at all"))
    agent = ScriptedDialogueAgent([Understanding(seen=named)])
    reading, _ = await understand(record(TEXT), context(agent))
    assert [item.title for item in reading.seen] == ["Blue Bowl", "Copper Pan"]


def test_an_added_value_must_stand_in_the_utterance_and_gets_its_true_place() -> None:
    reading = Understanding(
        edits=(edit("Quiet", (4, 0, 5)), edit("QUIET RAMEN"), edit("cheap"), edit("ramen", (3, 6, 11)))
    )
    found = believable(reading, utterance()).edits
    assert [(e.text, e.span) for e in found] == [
        ("Quiet", (4, 0, 5)),
        ("Quiet ramen", (4, 0, 11)),
        ("ramen", (4, 6, 11)),
    ]


def test_an_unknown_key_becomes_others_and_a_drop_needs_no_words_in_the_utterance() -> None:
    drop = StateEdit(kind=EditKind.DROP, key="colour", text="blue")
    found = believable(Understanding(edits=(drop, edit("ramen", key="colour"))), utterance()).edits
    assert [e.key for e in found] == ["others", "others"]
    assert found[0].text == "blue"


def test_feedback_on_an_item_that_was_never_shown_is_not_believed() -> None:
    stranger, shown = ItemRef(id="x", title="X"), REFS[0]
    reading = Understanding(accepted=(stranger, shown), rejected=(shown, REFS[1]), about=(stranger, REFS[7]))
    found = believable(reading, utterance())
    assert found.accepted == (shown,)
    assert found.rejected == (REFS[1],)
    assert found.about == ()


def test_intents_come_once_each_in_one_order() -> None:
    reading = Understanding(intents=(Intent.REJECT, Intent.PROVIDE_PREFERENCE, Intent.REJECT))
    assert believable(reading, utterance()).intents == (Intent.PROVIDE_PREFERENCE, Intent.REJECT)
