"""What a call costs in US dollars: the user's own table first, then the offline table of genai-prices."""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

PER_MILLION = 1_000_000
_PRIVATE_ENDINGS = (".localhost", ".local", ".internal", ".intranet", ".lan", ".home.arpa")


def cost_of(
    model: str,
    tokens_in: int,
    tokens_out: int,
    *,
    endpoint: str | None,
    table: Mapping[str, tuple[float, float]] | None = None,
) -> float | None:
    """US dollars, or None where no price is known.

    `table` maps a model to dollars per million tokens (in, out) and wins. Otherwise the price is that of the provider
    at `endpoint`; for an endpoint that the offline table does not know, or None, that of the provider who makes
    the model. A private or loopback endpoint has no price. The first call loads the table, about 0.2 s.
    """
    own = {name.casefold(): prices for name, prices in (table or {}).items()}.get(model.casefold())
    if own is not None:
        return (tokens_in * own[0] + tokens_out * own[1]) / PER_MILLION
    if endpoint is not None and _is_private(endpoint):
        return None
    return _listed(model, tokens_in, tokens_out, endpoint and endpoint.casefold())


def _listed(model: str, tokens_in: int, tokens_out: int, endpoint: str | None) -> float | None:
    from genai_prices import Usage, calc_price
    from genai_prices.data_snapshot import get_snapshot

    try:
        get_snapshot().find_provider(None, None, endpoint)
    except LookupError:
        endpoint = None
    usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
    try:
        return float(calc_price(usage, model, provider_api_url=endpoint).total_price)
    except LookupError:
        return None


def _is_private(endpoint: str) -> bool:
    """Whether an address names this machine or a network of its own, as far as its words tell: nothing is resolved."""
    try:
        host = urlsplit(endpoint if "//" in endpoint else f"//{endpoint}").hostname or ""
    except ValueError:
        return True
    host = host.rstrip(".")
    try:
        return not ipaddress.ip_address(host.partition("%")[0]).is_global
    except ValueError:
        return "." not in host or host.endswith(_PRIVATE_ENDINGS)
