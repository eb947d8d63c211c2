"""A seeded part of every kind of bad input; the rest is `make stress` (RELIABILITY 4.5, LLM04, LLM09)."""

from itertools import islice
from pathlib import Path

import pytest

from tests.dialogue.llm_cells import plain_model
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import open_town
from tests.fuzz.files import bodies, wrongly_taken
from tests.fuzz.hallucinations import shown_as_true
from tests.fuzz.messages import BY_HAND, messages, mishandled
from tests.fuzz.orders import EVERY, WHERE, moved_by_notes, moved_by_orders
from tests.fuzz.poison import ranks_by_reviews, ranks_by_stuffed_reviews
from tests.fuzz.posts import attacked, let_through, results_of
from tests.fuzz.pure import misjudged, title_pairs, wrong_graphs, wrong_hits
from tests.openai_server import FakeOpenAI


def test_titles_of_one_item_meet_and_titles_of_two_never_do_in_twelve_languages() -> None:
    pairs = title_pairs()
    assert (len(pairs) >= 400, len({pair.language for pair in pairs})) == (True, 12)
    assert misjudged(pairs) == []


def test_whatever_is_drawn_becomes_one_sound_graph_in_any_order() -> None:
    assert list(wrong_graphs(range(100))) == []


def test_good_results_of_a_search_are_kept_among_bad_ones() -> None:
    assert list(wrong_hits(range(300))) == []


async def test_files_are_taken_or_refused_in_words_and_nothing_is_run_or_written_elsewhere(tmp_path: Path) -> None:
    assert len(bodies(tmp_path / "ran")) >= 60
    assert await wrongly_taken(tmp_path, 40) == []


async def test_what_a_model_makes_up_about_true_texts_is_never_shown_as_supported() -> None:
    tried, wrong = await shown_as_true()
    assert tried >= 200
    assert wrong == []


@pytest.mark.long
async def test_two_hundred_equal_reviews_gain_an_item_no_more_than_one_place(tmp_path: Path) -> None:
    once, often = await ranks_by_reviews(tmp_path, (1, 200))
    assert 1 < once <= 9
    assert abs(once - often) <= 1


async def test_words_that_are_heaped_up_lift_no_item(tmp_path: Path) -> None:
    found = await ranks_by_stuffed_reviews(tmp_path)
    assert len(found) >= 5
    assert {how: after for how, (before, after) in found.items() if after < before} == {}


@pytest.mark.parametrize("engine", ["builtin", "llm"])
async def test_messages_of_every_kind_are_answered_or_refused_and_stored_as_shown(tmp_path: Path, engine: str) -> None:
    assert len(BY_HAND) >= 150
    said = islice(messages(300), int(engine == "llm"), None, 9)
    if engine == "builtin":
        async with open_town(tmp_path) as town:
            assert await mishandled(town.conversations, "restaurants", said, turns=6) == []
        return
    with FakeOpenAI(plain_model) as server:
        async with open_llm_town(tmp_path, server.base_url) as town:
            assert await mishandled(town.conversations, "restaurants", islice(said, 12), turns=6) == []


async def test_requests_straight_at_the_page_break_nothing_and_bring_nothing_of_others(tmp_path: Path) -> None:
    async with attacked(tmp_path) as (page, thread):
        assert await let_through(page, tmp_path, thread, 60) == []
        assert await results_of(page, thread, owners=("attacker",)) == []


async def test_orders_in_the_notes_of_a_catalogue_move_nothing_with_the_built_in_engine(tmp_path: Path) -> None:
    assert len(EVERY) * len(WHERE) >= 120
    assert await moved_by_notes(tmp_path / "notes", ("plain", "chinese fence")) == []


async def test_orders_in_every_place_move_nothing_with_a_model_that_obeys(tmp_path: Path) -> None:
    cells = [("japanese", "review"), ("reply", "title")]
    assert await moved_by_orders(tmp_path, cells) == []
