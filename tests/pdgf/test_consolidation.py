"""From records to candidates and x_{v,i} (METHOD 6.1 to 6.3)."""

from pdgf.consolidation import Recall, consolidate, names
from pdgf.identity import name_key
from pdgf.ports import FoundRecord
from pdgf.settings import MethodConfig


def recall(
    name: str, *passages: str, year: int | None = None, node: str = "v", url: str = "https://a.test/1", chunk: str = ""
) -> Recall:
    record = FoundRecord(name=name, year=year, passages=passages or (f"{name} is quiet.",))
    return Recall(node=node, url=url, chunk=chunk or f"{name} {' '.join(record.passages)}", record=record)


def test_a_name_that_its_chunk_does_not_hold_is_dropped_unless_that_is_turned_off() -> None:
    found = [recall("Quiet Tide", chunk="Nothing of the kind."), recall("Salt House")]
    made = consolidate(found, MethodConfig())
    assert [candidate.title for candidate in made.candidates] == ["Salt House"]
    assert [(dropped.what, dropped.why) for dropped in made.dropped] == [("Quiet Tide", "name_not_in_text")]
    kept = consolidate(found, MethodConfig(verify_name_in_chunk=False))
    assert len(kept.candidates) == 2


def test_ways_of_writing_a_name_do_not_hide_it() -> None:
    assert names("We loved AMÉLIE & friends.", "Amelie and Friends")
    assert names("《千与千寻》很好看", "千与千寻")
    assert not names("We loved it.", "Amelie")
    assert not names("We loved it.", "  ")


def test_reading_many_chunks_leaves_the_memory_of_titles_alone() -> None:
    name_key.cache_clear()
    for number in range(500):
        assert names(f"We loved AMÉLIE & friends, {number} times.", "Amelie and Friends")
    assert (name_key.cache_info().currsize, name_key.cache_info().misses) == (1, 1)


def test_one_title_of_two_years_is_two_items_and_an_undated_record_joins_neither() -> None:
    """METHOD 6.3, RELIABILITY C23."""
    made = consolidate(
        [recall("Dune", year=1984), recall("Dune", year=2021), recall("Dune", "Sand everywhere.")], MethodConfig()
    )
    assert [(c.title, c.year) for c in made.candidates] == [("Dune", 1984), ("Dune", 2021), ("Dune", None)]
    assert len({c.id for c in made.candidates}) == 3


def test_an_undated_record_joins_the_only_dated_item_of_its_name() -> None:
    made = consolidate([recall("Suspiria", "No year here."), recall("Suspiria", year=1977)], MethodConfig())
    [item] = made.candidates
    assert item.year == 1977
    [evidence] = made.evidence
    assert [passage.text for passage in evidence.passages] == ["No year here.", "Suspiria is quiet."]


def test_descriptions_of_different_nodes_are_never_mixed_and_keep_their_addresses() -> None:
    made = consolidate(
        [
            recall("A House", "It is quiet.", node="v", url="https://a.test/1"),
            recall("A House", "It is loud.", node="w", url="https://a.test/1"),
            recall("a house", "Rooms are warm.", node="v", url="https://b.test/2"),
        ],
        MethodConfig(),
    )
    [item] = made.candidates
    assert item.title == "A House"
    texts = {evidence.node: [(p.text, p.source.url) for p in evidence.passages] for evidence in made.evidence}
    assert texts == {
        "v": [("It is quiet.", "https://a.test/1"), ("Rooms are warm.", "https://b.test/2")],
        "w": [("It is loud.", "https://a.test/1")],
    }


def test_what_was_said_before_is_not_said_again() -> None:
    made = consolidate(
        [
            recall("X Y", "One thing. Another thing."),
            recall("X Y", "Another  THING."),  # the overlap of two chunks of one page
            recall("X Y", "one thing. another thing.", url="https://b.test/"),
        ],
        MethodConfig(),
    )
    [evidence] = made.evidence
    assert [passage.text for passage in evidence.passages] == ["One thing. Another thing."]


def test_x_is_cut_at_a_sentence_and_not_at_all_in_the_preset_of_the_paper() -> None:
    long = [f"Sentence number {n} about the place is here." for n in range(100)]
    found = [recall("X Y", *long)]
    [cut] = consolidate(found, MethodConfig()).evidence
    assert len(cut.text) <= 2_000
    assert cut.text.endswith(".")
    [whole] = consolidate(found, MethodConfig(max_evidence_chars=None)).evidence
    assert len(whole.passages) == 100
