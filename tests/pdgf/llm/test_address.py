"""Addresses: what they are taken as, and that their secrets stay out of sight."""

import pytest
from pydantic import SecretStr, ValidationError

from pdgf.llm.address import Address
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel


@pytest.mark.parametrize(
    ("given", "base_url", "place"),
    [
        ("https://api.example.org/v1", "https://api.example.org/v1", "api.example.org/v1"),
        ("https://api.example.org/v1/", "https://api.example.org/v1", "api.example.org/v1"),
        ("http://localhost:11434/v1/chat/completions", "http://localhost:11434/v1", "localhost:11434/v1"),
        ("localhost:8000/v1", "http://localhost:8000/v1", "localhost:8000/v1"),
        ("http://[::1]:8000", "http://[::1]:8000", "[::1]:8000"),
        ("https://me:pw@api.example.org/v1?api-version=2", "https://api.example.org/v1", "api.example.org/v1"),
    ],
)
def test_an_address_is_taken_as_it_is_meant(given: str, base_url: str, place: str) -> None:
    address = Address(base_url=given)
    assert (address.base_url, address.place) == (base_url, place)


@pytest.mark.parametrize("given", ["ftp://a/b", "https://", "http://a:port/", "file:///etc/passwd"])
def test_an_address_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(ValidationError, match="base_url"):
        Address(base_url=given)


def test_login_and_query_of_an_address_are_kept_apart() -> None:
    address = Address(base_url="https://me:p%40ss@a/v1?api-version=2&x=y%20z")
    assert address.login == ("me", "p@ss")
    assert address.query == {"api-version": "2", "x": "y z"}
    assert {"p@ss", "p%40ss", "y z", "y%20z"} <= set(address.secrets)


def test_nothing_that_shows_an_address_shows_a_secret() -> None:
    address = Address(base_url="https://me:canary1@a/v1?t=canary2", api_key=SecretStr("canary3"))
    for shown in (repr(address), str(address), str(address.model_dump()), address.model_dump_json(), address.place):
        assert "canary" not in shown


def test_a_complaint_about_an_address_does_not_repeat_it() -> None:
    for wrong in ({"base_url": "ftp://me:canary@a"}, {"base_url": "https://a", "api_key": "canary\u2026"}):
        with pytest.raises(ValidationError) as raised:
            Address(**wrong)  # type: ignore[arg-type]
        assert "canary" not in str(raised.value)


def test_an_empty_value_counts_as_none_and_space_around_a_key_is_dropped() -> None:
    assert Address(base_url="", api_key="") == Address()  # type: ignore[arg-type]
    assert Address(api_key=" k \n").key == "k"  # type: ignore[arg-type]
    assert Address().key == "not-needed"


def test_the_id_of_a_model_names_place_and_models_and_no_secret() -> None:
    settings = EndpointSettings(base_url="https://u:canary@a/v1?k=canary", api_key="canary", model="m")  # type: ignore[arg-type]
    assert OpenAIModel(settings).id == "a/v1|m|m"
    assert "canary" not in repr(settings) + repr(OpenAIModel(settings))
