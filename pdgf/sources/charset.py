"""The bytes of a page -> its text: what is declared, if the text bears it out, else what the body looks like. Pure.

    byte order mark > body that is UTF-8 > header > <meta> in the first 4 kB > detector over the body

A declaration is believed only when the body decodes sanely under it: servers state a charset for all their pages. The
detector sees the parts of the body that are not ASCII, wherever they stand (RELIABILITY C12). Charsets are those of
browsers; a narrow one is read as the wider one that pages really use.
"""

import codecs
import re
from collections.abc import Iterator

from charset_normalizer import from_bytes
from charset_normalizer.md import mess_ratio

META_BYTES = 4_096
SAMPLE_BYTES = 32_768  # of text that is not ASCII; plenty for a verdict
MAX_LOST = 0.01  # share of what is not ASCII that may be undecodable: a page has a broken byte now and then
MAX_MESS = 0.3  # of a declared charset; text in its own charset has below 0.1, in another mostly above 1
FEW_FOREIGN = 32  # characters that are not ASCII; of fewer the mess says little
SAME_MESS = 0.005
FEW_SIGNS = 3  # within words, below which they may be slips
MAX_MESS_AT_ALL = 1.0  # above that nobody could read it
FEW_SEQUENCES = 4  # of UTF-8; so few may stand in a text of another charset by chance

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(
    rb"""<(?:meta\b[^>]{0,500}?charset|\?xml\b[^>]{0,200}?encoding)\s*=\s*["']?\s*([\w:.-]{2,40})""", re.I
)
_TAG = re.compile(rb"<[^<>]*>")
_NARROW_TAG = re.compile(rb"</?(?:html|head|title|meta|body|div|p|br|span|a|table|td|article)\b[^<>\0]*>", re.I)
_SEQUENCE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")
_JIS_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\([BJ])")
_SIGN_IN_WORD = re.compile(r"[^\W\d_][\xa1-\xa9\xab-\xb4\xb6\xb8\xb9\xbb-\xbf][^\W\d_]")
_LOST = "\ufffd"
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")

# The codec of each declared name; a name that is not here is not believed.
_CODECS = {
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8", "x-unicode20utf8"), "utf-8"),
    **dict.fromkeys(("utf-16", "utf-16le", "ucs-2", "unicode"), "utf-16-le"),
    "utf-16be": "utf-16-be",
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "x-gbk", "cp936", "chinese", "gb_2312-80", "euc-cn"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs", "cn-big5", "x-x-big5", "cp950"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "cp932"), "cp932"),
    **dict.fromkeys(("euc-jp", "x-euc-jp"), "euc_jp"),
    **dict.fromkeys(("iso-2022-jp", "csiso2022jp"), "iso2022_jp_ext"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ksc5601", "windows-949", "cp949", "korean"), "cp949"),
    **dict.fromkeys(("iso-8859-1", "latin1", "l1", "us-ascii", "ascii", "windows-1252", "cp1252"), "cp1252"),
    **dict.fromkeys(("iso-8859-9", "latin5", "windows-1254", "cp1254"), "cp1254"),
    **dict.fromkeys(("iso-8859-11", "tis-620", "windows-874"), "cp874"),
    **{name: f"cp125{digit}" for digit in "0135678" for name in (f"windows-125{digit}", f"cp125{digit}")},
    **{f"iso-8859-{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    "iso-8859-8-i": "iso8859_8",
    **{"koi8-r": "koi8_r", "koi8": "koi8_r", "koi8-u": "koi8_u", "ibm866": "cp866", "cp866": "cp866"},
    **{"macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic"},
}
# What the detector may find: without the many charsets that no page uses and that resemble one that pages do.
_DETECTABLE = [
    *("utf_8", "gb18030", "big5", "big5hkscs", "cp932", "euc_jp", "cp949", "cp1250", "cp1251", "cp1252", "cp1253"),
    *("cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874", "koi8_r", "koi8_u", "iso8859_2", "iso8859_5"),
    *("iso8859_7", "cp866"),
]
_LATIN = frozenset({"cp1250", "cp1254", "cp1257", "cp1258", "iso8859_2"})


def decoded(body: bytes, declared: str | None = None) -> str | None:
    """The text of a page, `declared` being the charset of its header; None when it cannot be read in any way."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return _if_readable(body[len(mark) :].decode(codec, "replace"))
    sample = _sample(body)
    best: tuple[float, str] | None = None
    for codec, trusted in _candidates(body, sample, declared):
        damage = 0.0 if trusted else _damage(sample.decode(codec, "replace"))
        if damage <= MAX_MESS:
            return _if_readable(body.decode(codec, "replace"))
        if best is None or damage < best[0]:
            best = (damage, codec)
    if best is None or best[0] > MAX_MESS_AT_ALL:
        return None
    return _if_readable(body.decode(best[1], "replace"))


def declared_codec(name: str | None) -> str | None:
    """The codec to read a declared charset with; None for one that is not known."""
    return _CODECS.get(name.strip().lower()) if name else None


def _candidates(body: bytes, sample: bytes, declared: str | None) -> Iterator[tuple[str, bool]]:
    """Codecs by preference, and whether there is no doubt about one."""
    header = declared_codec(declared)
    wide = _wide(body)
    if wide:
        yield wide, True
    if _JIS_ESCAPE.search(body):
        yield "iso2022_jp_ext", not sample
    found = _META.search(body[:META_BYTES])
    meta = declared_codec(found.group(1).decode("ascii")) if found else None
    if meta and meta.startswith("utf-16"):
        meta = "utf-8"  # it could not have been read
    if header and header.startswith("utf-16") and _NARROW_TAG.search(body):
        header = None  # nor could a tag, a byte a letter
    if _is_utf8(sample):
        many = len(_SEQUENCE.findall(sample)) >= FEW_SEQUENCES
        yield "utf-8", many or not sample or "utf-8" in (header, meta)
    for named in (header, meta):
        if named and not (named == "cp1252" and len(_signs_in_words(sample)) >= FEW_SIGNS):
            yield named, False
    if sample:
        yield _detected(sample), False


def _detected(sample: bytes) -> str:
    found = from_bytes(sample, cp_isolation=_DETECTABLE).best()
    if found is None:
        return "utf-8"
    return "cp1252" if found.encoding in _LATIN and _is_western(sample, found.encoding) else found.encoding


def _is_western(sample: bytes, codec: str) -> bool:
    """The Latin charsets share most letters. Where nothing speaks for another it is the western one; a sign within a
    word does, as another's letters are the western one's signs."""
    mess, other = (_mess(sample.decode(name, "replace")) for name in ("cp1252", codec))
    return mess <= other + SAME_MESS and not _signs_in_words(sample)


def _signs_in_words(sample: bytes) -> list[str]:
    return _SIGN_IN_WORD.findall(sample.decode("cp1252", "replace"))


def _sample(body: bytes) -> bytes:
    """The lines of text that hold more than ASCII, up to a size."""
    start = max(0, body.lower().find(b"<body"))
    for part in (body[start:], body):
        lines = [line.strip() for line in _TAG.sub(b"\n", part).splitlines() if not line.isascii()]
        if lines:
            return b"\n".join(lines)[:SAMPLE_BYTES]
    return b""


def _wide(body: bytes) -> str | None:
    """UTF-16 without a mark shows in the zero bytes of its markup."""
    head = body[:META_BYTES]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if min(even, odd) * 10 > max(even, odd) or max(even, odd) * 10 < len(head):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _is_utf8(sample: bytes) -> bool:
    lost = sample.decode("utf-8", "replace").count(_LOST)
    return lost <= MAX_LOST * max(1, len(_SEQUENCE.findall(sample)))


def _damage(text: str) -> float:
    """How little a text looks like one, from 0; above 1 when more is lost than a page may lose."""
    foreign = sum(character > "\x7f" for character in text)
    if text.count(_LOST) > MAX_LOST * foreign:
        return MAX_MESS_AT_ALL + text.count(_LOST) / foreign
    return _mess(text) if foreign >= FEW_FOREIGN else 0.0


def _mess(text: str) -> float:
    return mess_ratio(text.replace(_LOST, ""), 9.0)


def _if_readable(text: str) -> str | None:
    """The text, unless what cannot be read of it is too much."""
    unread = text.count(_LOST) + len(_CONTROLS.findall(text))
    return text if unread <= MAX_LOST * max(len(text), 1) else None
