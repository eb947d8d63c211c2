"""What a call costs: the user's table, the offline table, and no guess where no price is known."""

import pytest
from genai_prices.data_snapshot import get_snapshot
from hypothesis import given
from hypothesis import strategies as st

from pdgf.llm.prices import cost_of

OFFICIAL = "https://api.openai.com/v1"
MODEL = "gpt-4o-mini"
TABLE = {"My-Model": (0.5, 2.0), MODEL: (1.0, 1.0)}

PRIVATE = [
    "http://localhost:11434/v1",
    "http://127.0.0.1:8000/v1",
    "http://127.0.0.2/v1",
    "http://[::1]:8080/v1",
    "http://10.0.0.5/v1",
    "http://192.168.1.7:1234/v1",
    "http://172.20.0.3/v1",
    "http://169.254.1.1/v1",
    "http://[fe80::1%25eth0]/v1",
    "http://[fd00::1]/v1",
    "http://ollama:11434/v1",
    "http://gpu.local/v1",
    "http://llm.internal./v1",
    "http://box.lan/v1",
    "http://api.localhost/v1",
    "localhost:8000/v1",
    "http://[bad",
]


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_the_price_of_an_own_table_is_dollars_a_million_tokens(tokens_in: int, tokens_out: int) -> None:
    cost = cost_of("My-Model", tokens_in, tokens_out, endpoint=None, table=TABLE)
    assert cost == pytest.approx((0.5 * tokens_in + 2.0 * tokens_out) / 1_000_000)


@pytest.mark.parametrize("endpoint", [None, OFFICIAL, *PRIVATE])
def test_an_own_table_wins_everywhere_and_for_any_case_of_the_name(endpoint: str | None) -> None:
    assert cost_of(MODEL.upper(), 1_000_000, 1_000_000, endpoint=endpoint, table=TABLE) == 2.0


def test_a_listed_model_costs_what_the_offline_table_says() -> None:
    _, listed = get_snapshot().find_provider_model(MODEL, None, "openai", None)
    [prices] = [listed.prices] if not isinstance(listed.prices, list) else [listed.prices[0].prices]
    wanted = (1_000 * float(prices.input_mtok) + 200 * float(prices.output_mtok)) / 1_000_000
    assert cost_of(MODEL, 1_000, 200, endpoint=OFFICIAL) == pytest.approx(wanted)
    assert wanted > 0.0


@pytest.mark.parametrize("endpoint", [None, "https://API.OpenAI.com/v1/", "https://gateway.example.com/v1"])
def test_an_endpoint_that_is_not_listed_costs_what_the_maker_of_the_model_asks(endpoint: str | None) -> None:
    assert cost_of(MODEL, 1_000, 200, endpoint=endpoint) == cost_of(MODEL, 1_000, 200, endpoint=OFFICIAL)


def test_tokens_add_up() -> None:
    both = cost_of(MODEL, 5_000, 700, endpoint=OFFICIAL)
    parts = (cost_of(MODEL, 5_000, 0, endpoint=OFFICIAL), cost_of(MODEL, 0, 700, endpoint=OFFICIAL))
    assert all(part is not None and part > 0.0 for part in parts)
    assert both == pytest.approx(sum(part or 0.0 for part in parts))
    assert cost_of(MODEL, 0, 0, endpoint=OFFICIAL) == 0.0


@pytest.mark.parametrize("endpoint", PRIVATE)
def test_a_private_endpoint_has_no_price_even_for_a_listed_model(endpoint: str) -> None:
    assert cost_of(MODEL, 1_000, 200, endpoint=endpoint) is None


@pytest.mark.parametrize("model", ["no-such-model-7b", "qwen2.5:7b-q4", ""])
@pytest.mark.parametrize("endpoint", [None, OFFICIAL, "https://gateway.example.com/v1"])
def test_a_model_that_is_not_listed_has_no_price(model: str, endpoint: str | None) -> None:
    assert cost_of(model, 1_000, 200, endpoint=endpoint) is None
