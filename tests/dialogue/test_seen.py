"""Titles known already, looked up in the catalogue."""

from dialogue.models import ItemRef
from dialogue.seen import by_any_title, known_here, naming, seen_items
from pdgf.identity import Exclusion
from pdgf.models import Candidate

CATALOGUE = tuple(
    Candidate(id=title.lower(), title=title, year=year)
    for title, year in (("Heat", 1995), ("The Princess Bride", 1987), ("Pride and Prejudice", 2005), ("Her", 2013))
)


def named(*titles: str) -> tuple[ItemRef, ...]:
    return tuple(ItemRef(id="", title=title) for title in titles)


def test_titles_are_found_with_their_years() -> None:
    assert seen_items(named("Heat"), CATALOGUE) == (ItemRef(id="heat", title="Heat", year=1995),)


def test_a_title_with_and_is_one_title_and_two_titles_are_two() -> None:
    assert [item.id for item in seen_items(named("Pride and Prejudice"), CATALOGUE)] == ["pride and prejudice"]
    assert [item.id for item in seen_items(named("Heat and The Princess Bride"), CATALOGUE)] == [
        "heat",
        "the princess bride",
    ]


def test_near_spellings_are_found_but_short_names_must_be_right() -> None:
    assert [item.id for item in seen_items(named("Princes Bride"), CATALOGUE)] == ["the princess bride"]
    assert seen_items(named("Hem"), CATALOGUE) == ()


def test_a_title_that_is_not_there_is_dropped_and_kept_where_there_is_no_catalogue() -> None:
    assert seen_items(named("Tokyo"), CATALOGUE) == ()
    assert seen_items(named("Tokyo Story"), ()) == (ItemRef(id="title:tokyostory", title="Tokyo Story"),)


def test_items_with_an_id_stay_as_they_are() -> None:
    known = ItemRef(id="x", title="Whatever")
    assert seen_items((known,), CATALOGUE) == (known,)
    assert seen_items((), CATALOGUE) == ()


def test_a_list_names_items_by_their_other_titles_too() -> None:
    snatchers = Candidate(id="b", title="Body Snatchers", year=1978, metadata={"other_titles": ["天外魔花", "Ladri"]})
    catalogue = (*CATALOGUE, snatchers)
    listed = (Exclusion(title="天外魔花", why="seen"), Exclusion(title="Heat", why="seen"))
    whole = by_any_title(listed, lambda: catalogue)
    assert [(each.title, each.year, each.why) for each in whole] == [
        ("天外魔花", None, "seen"),
        ("Heat", None, "seen"),
        ("Body Snatchers", 1978, "seen"),
    ]
    assert {item.id for item in known_here(catalogue, whole)} == {"b", "heat"}
    assert naming(catalogue, ["b"], listed) == listed[:1]
    assert by_any_title((), lambda: catalogue) == ()
