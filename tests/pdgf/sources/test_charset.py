"""Bytes become the text they were written as, however they are declared."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.sources.charset import META_BYTES, declared_codec, decoded

TEXTS = {
    "zh": "这部动画讲一位年轻厨师回到乡下开小饭馆，节奏缓慢，几乎没有冲突。我最喜欢祖母教她揉面的那一段。",
    "zh-hant": "這部動畫講一位年輕廚師回到鄉下開小飯館，節奏緩慢，幾乎沒有衝突。我最喜歡祖母教她揉麵的那一段。",
    "ja": "若い料理人が故郷の村に戻って小さな食堂を開く物語です。祖母が生地のこね方を教える場面が好きです。",
    "ko": "젊은 요리사가 고향 마을로 돌아와 작은 식당을 여는 이야기이다. 전개는 느리고 갈등은 거의 없다.",
    "ru": "Молодая повариха возвращается в родную деревню и открывает маленькую столовую. Действие неторопливое.",
    "fr": "Une jeune cuisinière revient au village et ouvre une auberge. Les disputes sont rares, la fin émouvante.",
    "pl": "Młoda kucharka wraca do rodzinnej wsi i otwiera małą jadłodajnię. Źródłem całej historii jest ciasto babci.",
    "tr": "Genç bir aşçı köyüne döner ve küçük bir lokanta açar. Büyükannesinin hamur yoğurduğu sahneyi sevdim.",
    "el": "Μια νεαρή μαγείρισσα επιστρέφει στο χωριό της και ανοίγει ένα μικρό εστιατόριο. Ο ρυθμός είναι αργός.",
}
CHARSETS = {
    "utf-8": "zh", "utf-16": "ja", "gb2312": "zh", "big5": "zh-hant", "shift_jis": "ja", "euc-jp": "ja", "euc-kr": "ko",
    "windows-1251": "ru", "koi8-r": "ru", "windows-1252": "fr", "iso-8859-2": "pl", "iso-8859-9": "tr",
}  # fmt: skip
ASCII_HEAD = "<script>window.q.push(['slot', 1]);</script>\n" * 500  # more than 20,000 characters
WAYS = ("header", "meta", "http-equiv", "long ASCII head, undeclared", "a header that states the server's default")


def page(charset: str, way: str) -> tuple[bytes, str | None]:
    """A page and the charset of its header."""
    head = {
        "meta": f'<meta charset="{charset}">',
        "http-equiv": f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">',
        WAYS[3]: ASCII_HEAD,
    }.get(way, "")
    text = f"<html><head>{head}<title>x</title></head><body><p>{TEXTS[CHARSETS[charset]]}</p></body></html>"
    return text.encode(charset), {"header": charset, WAYS[4]: "iso-8859-1"}.get(way)


def test_of_sixty_pages_in_twelve_charsets_at_least_54_are_readable() -> None:
    unread = []
    for charset, language in CHARSETS.items():
        for way in WAYS:
            text = decoded(*page(charset, way))
            if text is None or TEXTS[language] not in text:
                unread.append((charset, way))
    assert len(CHARSETS) * len(WAYS) == 60
    assert set(unread) <= {("iso-8859-9", WAYS[3]), ("iso-8859-9", WAYS[4])}  # six letters from the western ones


@pytest.mark.parametrize("charset", ["gbk", "euc-jp", "windows-1251"])
def test_c12_a_long_ascii_head_does_not_hide_the_body(charset: str) -> None:
    text = TEXTS[{"gbk": "zh", "euc-jp": "ja", "windows-1251": "ru"}[charset]]
    body = f"<html><head>{ASCII_HEAD}</head><body><p>{text}</p></body></html>".encode(charset)
    assert len(ASCII_HEAD) > 20_000
    assert text in str(decoded(body))


@pytest.mark.parametrize(
    "charset", ["windows-1253", "windows-1250", "gb18030", "iso-2022-jp", "utf-16-le", "utf-16-be"]
)
def test_other_charsets_are_found_undeclared(charset: str) -> None:
    text = TEXTS[{"windows-1253": "el", "windows-1250": "pl", "gb18030": "zh", "iso-2022-jp": "ja"}.get(charset, "fr")]
    assert text in str(decoded(f"<html><body><p>{text}</p></body></html>".encode(charset)))


@pytest.mark.parametrize(
    ("mark", "charset"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF32_LE, "utf-32-le")],
)
def test_a_byte_order_mark_outdoes_every_declaration(mark: bytes, charset: str) -> None:
    body = mark + f'<meta charset="gbk"><p>{TEXTS["ru"]}</p>'.encode(charset)
    assert decoded(body, "windows-1252") == f'<meta charset="gbk"><p>{TEXTS["ru"]}</p>'


def test_a_body_that_is_utf8_is_read_as_utf8_whatever_is_declared() -> None:
    body = f'<meta charset="gb2312"><p>{TEXTS["fr"]}</p>'.encode()
    assert TEXTS["fr"] in str(decoded(body, "iso-8859-1"))


@pytest.mark.parametrize(
    ("declared", "words"),
    [("gb2312", "镕基、喆、€"), ("shift_jis", "①Ⅱ㈱髙﨑"), ("iso-8859-1", "“naïve” — €5…"), ("big5", "裏着㗎")],
)
def test_narrow_charsets_are_read_as_the_wider_ones_in_use(declared: str, words: str) -> None:
    wide = {"gb2312": "gb18030", "shift_jis": "cp932", "iso-8859-1": "cp1252", "big5": "big5hkscs"}[declared]
    assert words in str(decoded(f"<p>{words}</p>".encode(wide), declared))


@pytest.mark.parametrize("name", ["utf-16", "utf-16be", "ucs-2"])
@pytest.mark.parametrize("charset", CHARSETS)
def test_a_header_that_a_tag_could_not_be_read_under_is_not_believed(charset: str, name: str) -> None:
    text = decoded(body := f"<html><body><p>{TEXTS[CHARSETS[charset]] * 8}</p></body></html>".encode(charset), name)
    assert text is not None
    assert text == decoded(body)


def test_a_meta_beyond_the_first_4_kb_is_not_believed() -> None:
    body = (" " * META_BYTES + '<meta charset="koi8-r"><p>' + TEXTS["ru"]).encode("windows-1251")
    assert TEXTS["ru"] in str(decoded(body))


def test_a_broken_byte_here_and_there_does_not_matter() -> None:
    body = (TEXTS["zh"] * 20).encode("gb18030")
    text = decoded(body[:500] + b"\xff" + body[500:], "gb2312")
    assert text is not None
    assert TEXTS["zh"] in text


@pytest.mark.parametrize(
    "name", ["utf-7", "unicode_escape", "zlib", "rot13", "idna", "punycode", "hex", "undefined", "x", ""]
)
def test_names_that_are_no_charset_of_pages_are_not_believed(name: str) -> None:
    assert declared_codec(name) is None
    assert decoded(b"plain +ADw-script+AD4-", name) == "plain +ADw-script+AD4-"


@pytest.mark.parametrize(
    "body", [bytes(range(256)) * 40, b"\x00\x01\x02\x03" * 500, b"\x89PNG\r\n\x1a\n" + bytes(range(128, 256)) * 9]
)
def test_what_is_no_text_is_dropped(body: bytes) -> None:
    assert decoded(body) is None


@given(st.binary(max_size=400), st.sampled_from([None, "utf-8", "gbk", "iso-2022-jp", "utf-16", "koi8-r", "utf-7"]))
def test_any_bytes_are_a_text_or_none(body: bytes, declared: str | None) -> None:
    assert isinstance(decoded(body, declared), str | None)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=200))
def test_utf8_comes_out_as_it_was(text: str) -> None:
    assert decoded(text.encode(), "utf-8") == text.removeprefix("\ufeff")
