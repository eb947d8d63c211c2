"""Where the page is served, and which proxies before it are believed, as the environment or `.env` says."""

import ipaddress
import socket

from pydantic_settings import BaseSettings, SettingsConfigDict

PROXIES = "127.0.0.1,::1"  # of this computer only: whoever is believed can name any address for a visitor


class _Served(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore")

    gradio_server_name: str = "127.0.0.1"
    gradio_server_port: str = "7860"
    forwarded_allow_ips: str = PROXIES


def address() -> tuple[str, int]:
    """Host and port. Ends the program with a plain sentence when they cannot be used."""
    served = _Served()
    host, named = served.gradio_server_name, served.gradio_server_port
    if not named.isdigit() or not 0 < int(named) < 65_536:
        raise SystemExit(f"GRADIO_SERVER_PORT must be a number from 1 to 65535, not {named!r}.")
    try:
        socket.getaddrinfo(host, int(named))
    except OSError as error:
        named_here = "an address of this computer, or to 0.0.0.0 for all that it has"
        raise SystemExit(f"GRADIO_SERVER_NAME {host!r} is not known. Set it to {named_here}.") from error
    try:
        with socket.create_server((host, int(named))):
            pass
    except OSError as error:
        raise SystemExit(
            f"{host}:{named} cannot be used ({error.strerror}). Set GRADIO_SERVER_PORT to a free port."
        ) from error
    return host, int(named)


def believed_proxies() -> list[str]:
    """Addresses and networks from which X-Forwarded-For and X-Forwarded-Proto are believed; ["*"] for every one. Ends
    the program with a plain sentence for one that is none, which the server would pass over in silence."""
    named = [part.strip() for part in _Served().forwarded_allow_ips.split(",") if part.strip()]
    return ["*"] if named == ["*"] else [_network(part) for part in named]


def _network(named: str) -> str:
    try:
        if "/" in named:
            return str(ipaddress.ip_network(named, strict=False))
        return str(ipaddress.ip_address(named))
    except ValueError as error:
        raise SystemExit(
            "FORWARDED_ALLOW_IPS must hold addresses or networks of proxies with commas between, such as "
            f"10.0.0.5,172.30.78.0/24, or * alone; {named!r} is neither."
        ) from error
