"""Bodies within their caps."""

import gzip
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.sources.bodies import Body
from pdgf.sources.unusable import Unusable
from tests.web.page_server import gzip_bomb

MB = 1_000_000


def packed(data: bytes, coding: str) -> bytes:
    if coding == "gzip":
        return gzip.compress(data, mtime=0)
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS if coding == "raw deflate" else zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def read(data: bytes, coding: str = "", *, step: int = 1_000, cap: int = MB, cut: bool = False) -> bytes:
    body = Body([coding], max_raw=cap, max_decoded=cap, cut=cut)
    for place in range(0, len(data), step):
        body.add(data[place : place + step])
        if body.full:
            break
    return body.value()


@given(st.binary(max_size=3_000), st.sampled_from(["gzip", "deflate", "raw deflate"]), st.integers(1, 500))
def test_a_packed_body_comes_out_as_it_was_whatever_its_pieces(data: bytes, coding: str, step: int) -> None:
    assert read(packed(data, coding), coding.split()[-1], step=step) == data


def test_gzip_in_several_members_is_one_body_and_junk_after_it_is_left_out() -> None:
    assert read(gzip.compress(b"one ") + gzip.compress(b"two") + b"\0\0\0junk", "x-gzip", step=7) == b"one two"


@pytest.mark.parametrize("coding", ["", "gzip", "deflate", "raw deflate"])
def test_exactly_the_cap_passes_and_a_byte_more_is_too_large(coding: str) -> None:
    for size, passes in ((MB, True), (MB + 1, False)):
        data = b"a" * size if not coding else packed(b"a" * size, coding)
        if passes:
            assert len(read(data, coding.split()[-1] if coding else "")) == MB
        else:
            with pytest.raises(Unusable, match="too_large"):
                read(data, coding.split()[-1] if coding else "")


def test_c15_a_gzip_bomb_is_stopped_at_the_cap() -> None:
    bomb = gzip_bomb()
    assert len(bomb) < 200_000
    body = Body(["gzip"], max_raw=5 * MB, max_decoded=5 * MB)
    with pytest.raises(Unusable, match="too_large"):
        body.add(bomb)


def test_a_body_that_may_be_cut_ends_at_the_cap() -> None:
    assert read(b"ab" * MB, cut=True) == b"ab" * (MB // 2)
    assert read(gzip.compress(b"ab" * MB), "gzip", cut=True) == b"ab" * (MB // 2)


@pytest.mark.parametrize("coding", ["br", "gzip, gzip", "zstd", "gzip, br", "magic"])
def test_a_coding_that_was_not_asked_for_is_refused_before_a_byte_is_unpacked(coding: str) -> None:
    with pytest.raises(Unusable, match="broken"):
        Body([coding], max_raw=MB, max_decoded=MB)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"plain text", id="not gzip"),
        pytest.param(gzip.compress(b"x" * 5_000)[:-9], id="cut in its end"),
        pytest.param(b"\x1f", id="one byte"),
        pytest.param(gzip.compress(b"x")[:3], id="cut in its head"),
    ],
)
def test_bad_and_cut_gzip_are_broken(data: bytes) -> None:
    with pytest.raises(Unusable, match="broken"):
        read(data, "gzip")


def test_no_body_is_empty_whatever_its_coding() -> None:
    assert read(b"", "gzip") == read(b"") == b""


@given(st.binary(max_size=400), st.sampled_from(["gzip", "deflate"]))
def test_any_bytes_are_a_body_or_broken(data: bytes, coding: str) -> None:
    with suppress(Unusable):
        assert isinstance(read(data, coding, step=50), bytes)
