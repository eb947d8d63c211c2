"""What is offered: which bundled catalogues, and what is said where there is nothing."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from dialogue.catalogues import Catalogues
from dialogue.domain import bundled_domain
from dialogue.offered import Offered
from pdgf.catalogues.bundled import BUNDLED
from pdgf.errors import ConfigInvalid, IndexUnavailable
from pdgf.settings import Settings


def catalogues(folder: Path, bundled: str | None) -> Catalogues:
    chosen = {} if bundled is None else {"bundled": bundled}
    return Catalogues(Settings(data_dir=folder, engine="builtin", **chosen))  # type: ignore[arg-type]


def with_a_shop(folder: Path) -> Path:
    shop = bundled_domain("books").model_copy(update={"name": "shop", "title": "Shop"})
    catalogues(folder, None).kept.keep(shop, [])
    return folder


@pytest.mark.parametrize(
    ("bundled", "names"),
    [(None, BUNDLED), ("movies", ("movies",)), (" Anime, books,,anime ", ("anime", "books")), (",", BUNDLED)],
)
async def test_the_bundled_catalogues_of_the_settings_are_offered_in_their_order(
    bundled: str | None, names: tuple[str, ...], tmp_path: Path
) -> None:
    given = catalogues(tmp_path, bundled)
    offered = Offered(given)
    assert tuple(offered) == names == tuple(domain.name for domain in given.domains())
    await offered.look()
    assert tuple(offered) == names


async def test_ones_own_catalogue_can_be_offered_alone(tmp_path: Path) -> None:
    given = catalogues(with_a_shop(tmp_path), "None")
    offered = Offered(given)
    assert tuple(offered) == ("shop",) == tuple(domain.name for domain in given.domains())
    assert given.domain("movies").name == "movies"  # whoever names one in a command still finds it


async def test_the_last_catalogue_stays_named_when_it_is_removed(tmp_path: Path) -> None:
    given = catalogues(with_a_shop(tmp_path), "none")
    offered = Offered(given)
    given.kept.remove_own("shop")
    assert await offered.look() == {"shop"}
    assert tuple(offered) == ("shop",)  # whoever talks of it is told that it is gone


def test_what_the_database_might_hold_is_not_called_unknown_while_it_cannot_be_asked(tmp_path: Path) -> None:
    settings = {"data_dir": with_a_shop(tmp_path), "database_url": "postgresql://ann@127.0.0.1:9/none"}
    given = Catalogues(Settings.model_validate(settings))
    assert given.domain("movies").name == "movies"
    assert given.domain("shop").name == "shop"
    with pytest.raises(IndexUnavailable, match="cannot be seen now: the database cannot be reached"):
        given.domain("labware")


def test_where_nothing_is_offered_it_is_said_how_to_bring_something(tmp_path: Path) -> None:
    with pytest.raises(ConfigInvalid, match="no catalogue of your own: pdgf index"):
        Offered(catalogues(tmp_path, "none"))


@pytest.mark.parametrize("bundled", ["movie", "movies,none", "films,books", "*"])
def test_a_name_that_is_none_is_refused_with_those_that_are(bundled: str, tmp_path: Path) -> None:
    with pytest.raises(
        ValidationError, match=r"is no bundled catalogue.*: there are movies, books, anime, restaurants"
    ):
        catalogues(tmp_path, bundled)
