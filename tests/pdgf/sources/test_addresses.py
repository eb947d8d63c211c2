"""Which hosts and addresses may be reached at all."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.sources.addresses import (
    DENIED_V4,
    DENIED_V6,
    ascii_host,
    is_reachable,
    is_refused_name,
    written_address,
)

PUBLIC = ("93.184.216.34", "8.8.8.8", "1.1.1.1", "223.5.5.5", "2606:4700:4700::1111", "2001:4860:4860::8888", "2400::1")


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_reachable(address: str) -> None:
    assert is_reachable(ip_address(address))


@pytest.mark.parametrize("network", [*DENIED_V4, *DENIED_V6], ids=str)
def test_the_ends_of_every_listed_network_are_refused(network) -> None:
    assert not is_reachable(network[0])
    assert not is_reachable(network[-1])


@given(st.sampled_from([*DENIED_V4, *DENIED_V6]), st.data())
def test_no_address_of_a_listed_network_is_reachable(network, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, network.num_addresses - 1))
    assert not is_reachable(network[offset])


@given(st.ip_addresses(v=4))
def test_a_reachable_ipv4_address_is_global_and_not_multicast(address: IPv4Address) -> None:
    if is_reachable(address):
        assert address.is_global
        assert not any([address.is_multicast, address.is_private, address.is_reserved, address.is_loopback])


@given(st.ip_addresses(v=4))
def test_no_form_that_carries_an_ipv4_address_is_reachable(inner: IPv4Address) -> None:
    bits = int(inner)
    carriers = (
        0xFFFF << 32 | bits,  # mapped
        bits,  # compatible
        0x64FF9B << 96 | bits,  # NAT64
        0x2002 << 112 | bits << 80 | 1,  # 6to4
        0x20010000 << 96 | 0x41 << 64 | bits ^ 0xFFFFFFFF,  # Teredo
    )
    assert not any(is_reachable(IPv6Address(carrier)) for carrier in carriers)


def test_an_address_with_a_scope_is_refused() -> None:
    assert not is_reachable(ip_address("2606:4700:4700::1111%eth0"))


@pytest.mark.parametrize(
    "spelling",
    ["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001", "0X7F.0.0.1"],
)
def test_every_spelling_of_loopback_is_read_as_loopback(spelling: str) -> None:
    host = ascii_host(spelling)
    assert host is not None
    assert written_address(host) == IPv4Address("127.0.0.1")
    assert not is_refused_name(host)  # it is the address that is judged


@given(st.ip_addresses(v=4), st.sampled_from(["{0}", "{0:#x}", "0{0:o}"]))
def test_a_number_is_the_address_that_it_spells(address: IPv4Address, form: str) -> None:
    assert written_address(form.format(int(address))) == address


@pytest.mark.parametrize("spelling", ["１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1", "127.0.0.1."])
def test_hosts_are_judged_in_the_form_that_is_asked_for(spelling: str) -> None:
    assert ascii_host(spelling) == "127.0.0.1"


def test_international_names_have_their_ascii_form() -> None:
    assert ascii_host("Bücher.Example") == "xn--bcher-kva.example"
    assert ascii_host("电影.example") == "xn--p3t879b.example"


@pytest.mark.parametrize(
    "host", ["", ".", "a..b", "a b.example", "a%2eb.example", "-", "x" * 64 + ".example", "a/b", "::1%1"]
)
def test_what_is_no_host_has_no_form(host: str) -> None:
    assert ascii_host(host) is None


@pytest.mark.parametrize(
    "host",
    ["localhost", "a.localhost", "printer.local", "db.internal", "metadata.google.internal", "metadata", "router",
     "metadata.goog", "a.lan", "kubernetes.default.svc", "1.2.3.4.5", "256.1.1.1", "08.8.8.8", "a.0x"],
)  # fmt: skip
def test_inner_names_and_broken_numbers_are_refused_unasked(host: str) -> None:
    assert is_refused_name(host)


@pytest.mark.parametrize("host", ["public.example", "local.example", "internal.org", "a.localhost.example", "3com.com"])
def test_names_that_only_look_alike_pass(host: str) -> None:
    assert not is_refused_name(host)


@given(st.text(max_size=60))
def test_any_text_is_a_host_or_none(text: str) -> None:
    host = ascii_host(text)
    if host is not None:
        assert host.isascii()
        assert ascii_host(host) == host
        assert isinstance(is_refused_name(host), bool)
