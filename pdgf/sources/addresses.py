"""Which hosts, ports and IP addresses the fetcher may reach (METHOD 5.3). Pure: nothing is looked up here.

An address passes when it is global unicast *and* in none of the networks listed here: the flags of the standard
library differ between versions and take some networks for public that lead inside. Forms that carry an IPv4 address
in an IPv6 one are refused whatever they carry.
"""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import idna

IPAddress = IPv4Address | IPv6Address

PORTS = frozenset({80, 443})
MAX_HOST = 253  # characters, as DNS has it

DENIED_V4 = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",  # unspecified, "this network"
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT; metadata of some clouds
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a public number that leads to the host of a virtual machine
        "169.254.0.0/16",  # link local, metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112, answered by whoever is near
        "192.52.193.0/24",  # multicast tunnels
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
GLOBAL_V6 = ip_network("2000::/3")  # all that is given out as global unicast; the rest is refused unseen
DENIED_V6 = tuple(
    ip_network(network)
    for network in (
        "::/8",  # unspecified, loopback, mapped and compatible IPv4, local-use NAT64
        "64:ff9b::/96",  # NAT64: carries an IPv4 address
        "64:ff9b:1::/48",  # local-use NAT64
        "100::/64",  # discard
        "2001::/23",  # protocol assignments: Teredo (carries IPv4 addresses), benchmarking, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: carries an IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3ffe::/16",  # returned
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fc00::/7",  # unique local; metadata of some clouds
        "fe80::/10",  # link local
        "fec0::/10",  # site local
        "ff00::/8",  # multicast
    )
)
# Names under these are answered inside a network or not at all.
INNER_SUFFIXES = frozenset(
    {
        *("local", "internal", "localhost", "localdomain", "home.arpa", "lan", "home", "corp", "intranet", "private"),
        *("svc", "onion", "in-addr.arpa", "ip6.arpa"),
    }
)
METADATA_HOSTS = frozenset({"metadata.goog", "metadata.packet.net", "metadata.platformequinix.com"})

_HOST_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def is_reachable(address: IPAddress) -> bool:
    """Whether a connection to an address may be opened."""
    if isinstance(address, IPv4Address):
        return _is_global(address) and not any(address in network for network in DENIED_V4)
    if address.scope_id is not None or address not in GLOBAL_V6:
        return False
    return _is_global(address) and not any(address in network for network in DENIED_V6)


def ascii_host(host: str) -> str | None:
    """The one spelling under which a host is judged, asked for and named to the server; None if it has none.

    Lower case, without a final dot, international names in their ASCII form, so that full-width digits and dots are
    judged as what they become. IPv6 without brackets.
    """
    host = host.strip().rstrip(".").lower()
    if ":" in host:
        return str(ip) if isinstance(ip := _parsed(host), IPv6Address) and ip.scope_id is None else None
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii").rstrip(".").lower()
        except (idna.IDNAError, UnicodeError):
            return None
    return host if len(host) <= MAX_HOST and _HOST_NAME.fullmatch(host) else None


def written_address(host: str) -> IPAddress | None:
    """The IP address that a host spells, in any spelling that systems take: 127.0.0.1, 127.1, 0x7f.1, 0177.0.0.1,
    2130706433, ::1. None for a name."""
    address = _parsed(host)
    if address is not None or not _ends_in_number(host):
        return address
    try:
        return IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def is_refused_name(host: str) -> bool:
    """Whether a host is refused before it is looked up: single labels, inner suffixes, metadata services, and what
    ends in a number but is no address. The argument is an `ascii_host`."""
    if written_address(host) is not None:
        return False
    if "." not in host or _ends_in_number(host):
        return True
    inner = any(host == suffix or host.endswith(f".{suffix}") for suffix in INNER_SUFFIXES)
    return inner or any(host == name or host.endswith(f".{name}") for name in METADATA_HOSTS)


def _is_global(address: IPAddress) -> bool:
    return address.is_global and not address.is_multicast and not address.is_reserved


def _parsed(host: str) -> IPAddress | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _ends_in_number(host: str) -> bool:
    return _NUMBER.fullmatch(host.rpartition(".")[2]) is not None
