"""Late fusion chooses which quote of a label is shown first; it never adds one."""

from dialogue.reviews import choose_evidence, pieces_by_item, with_best_quotes_first
from pdgf.models import Candidate, Label, Passage, RankedItem, RelationLabel, Source
from pdgf.ports import ReviewHit
from tests.fakes import ListedReviews

FIRST, SECOND, THIRD = "The soup is hot.", "Tables stand far apart.", "A quiet garden behind the house."


def item(*quotes: str) -> RankedItem:
    label = RelationLabel(label=Label.SUPPORT, quotes=quotes)
    return RankedItem(candidate=Candidate(id="i", title="I"), score=1.0, judged={"n": {"n": label}})


def hit(text: str, score: float, of: str = "i") -> ReviewHit:
    return ReviewHit(item=of, passage=Passage(text=text, source=Source(id="s")), score=score)


def quotes(ranked: RankedItem) -> tuple[str, ...]:
    return ranked.judged["n"]["n"].quotes


def test_the_quote_in_the_best_piece_comes_first_and_quotes_outside_the_pieces_keep_their_order() -> None:
    pieces = [hit(f"{THIRD} And more.", 0.9), hit(FIRST, 0.2)]
    assert quotes(with_best_quotes_first(item(FIRST, SECOND, THIRD), pieces)) == (THIRD, FIRST, SECOND)
    assert quotes(with_best_quotes_first(item(SECOND, FIRST), ())) == (SECOND, FIRST)


def test_white_space_does_not_hide_a_quote_and_scores_may_be_negative() -> None:
    pieces = [hit("Tables  stand\nfar apart.", -0.1), hit(FIRST, -0.5)]
    assert quotes(with_best_quotes_first(item(FIRST, SECOND), pieces)) == (SECOND, FIRST)


async def test_pieces_are_sought_for_the_items_in_question_and_no_quote_is_added() -> None:
    reviews = ListedReviews({"i": [Passage(text=text, source=Source(id="s")) for text in (FIRST, THIRD)]})
    [found] = await choose_evidence([item(FIRST, THIRD)], "a quiet garden", reviews=reviews, k=3)
    assert quotes(found) == (THIRD, FIRST)


def test_pieces_are_grouped_by_item_in_their_order() -> None:
    hits = [hit(FIRST, 0.5, "a"), hit(SECOND, 0.1, "a"), hit(THIRD, 0.9, "b")]
    assert {item: [h.passage.text for h in found] for item, found in pieces_by_item(hits).items()} == {
        "a": [FIRST, SECOND],
        "b": [THIRD],
    }
