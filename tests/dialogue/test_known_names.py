"""Items by the names under which Chinese readers know them."""

import pytest

from dialogue import wording
from dialogue.domain import bundled_domain
from dialogue.known_names import chinese_names
from pdgf.models import Candidate


def film(number: int, title: str, *names: str) -> Candidate:
    return Candidate(id=f"f{number}", title=title, year=1990 + number, metadata={"other_titles": list(names)})


FILMS = (
    film(0, "Babe", "小猪宝贝"),
    film(1, "Dune", "沙丘"),
    film(2, "Dune", "沙丘"),
    film(3, "Crash", "撞车"),
    film(4, "Crash", "欲望号快车"),
    film(5, "Rye Lane"),
)


def test_titles_that_are_called_differently_from_item_to_item_have_no_one_name() -> None:
    assert chinese_names(FILMS) == {"Babe": "小猪宝贝", "Dune": "沙丘"}


@pytest.mark.parametrize(
    ("title", "said"),
    [("Babe", "Babe《小猪宝贝》"), ("Babe (1990)", "Babe《小猪宝贝》（1990）"), ("Rye Lane", "《Rye Lane》")],
)
def test_a_sentence_names_an_item_as_the_list_does(title: str, said: str) -> None:
    with wording.speaking("zh", bundled_domain("movies"), FILMS):
        assert wording.say("answer.line", title=title, text="好") == f"{said}：好"
        assert wording.say("answer.unknown", title=wording.titles([title])).count("《") == 1
        assert wording.say("placing.best", title=title).count("《") == 1
    with wording.speaking("en", bundled_domain("movies"), FILMS):
        assert wording.known_as(title) == title


def test_a_chinese_reply_addresses_everybody_alike() -> None:
    assert [key for key, said in wording.sentences("zh").items() if "您" in said] == []
