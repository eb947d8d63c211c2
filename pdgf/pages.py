"""Which addresses are pages worth reading, which pages a node keeps, and how a page is cut (METHOD 5.2, 5.4).

Pure. Odd input is no error here: an address that cannot be used is not kept.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Literal
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from pdgf.models import Value
from pdgf.page_copies import without_copies

# "d" stands for d and every host below it; "d.*" for d under any top-level domain.
FORUM_HOSTS = frozenset({"reddit.com", "redd.it"})  # social too, but a chat may allow them (METHOD 5.2)
SOCIAL_HOSTS = FORUM_HOSTS | {
    *("facebook.com", "fb.com", "instagram.com", "x.com", "twitter.com", "threads.net", "threads.com"),
    *("tiktok.com", "douyin.com", "weibo.com", "weibo.cn", "xiaohongshu.com", "xhslink.com", "linkedin.com"),
    *("pinterest.*", "tumblr.com", "snapchat.com", "telegram.org", "t.me", "discord.com", "discord.gg", "vk.com"),
    *("quora.com", "zhihu.com", "tieba.baidu.com"),
}
VIDEO_HOSTS = frozenset(
    {
        *("youtube.com", "youtu.be", "vimeo.com", "dailymotion.com", "bilibili.com", "b23.tv", "twitch.tv"),
        *("netflix.com", "hulu.com", "disneyplus.com", "primevideo.com", "tubitv.com", "rumble.com"),
        *("iqiyi.com", "iq.com", "youku.com", "v.qq.com", "mgtv.com", "nicovideo.jp"),
    }
)
FILE_EXTENSIONS = frozenset(
    {
        *("pdf", "doc", "docx", "ppt", "pptx", "xls", "xlsx", "epub", "zip", "rar", "7z", "gz"),
        *("mp3", "mp4", "m4a", "avi", "mov", "mkv", "webm"),
        *("jpg", "jpeg", "png", "gif", "webp", "svg"),
    }
)
DEFAULT_PORTS = {"http": 80, "https": 443}
TRACKING = re.compile(r"(?:utm_[^=]*|gclid|fbclid)(?:=|$)", re.IGNORECASE)
UNUSABLE = re.compile(r"[\s\\\x00-\x1f\x7f\ud800-\udfff]")
TOP_LEVEL = r"\.(?:com?\.)?[a-z]{2,}"  # pinterest.de, pinterest.co.uk, pinterest.com.mx


class Page(Value):
    """The extracted text of one final address and the best rank at which a search found it, from 1."""

    url: str
    text: str
    rank: int = 1


def canonical_url(url: str) -> str | None:
    """The form under which spellings of one address meet (METHOD 5.2); None for an address that cannot be used.

    Scheme and host in lower case; no fragment, default port, trailing slash or tracking parameters. Only http and
    https with a host and without credentials can be used.
    """
    if not isinstance(url, str) or UNUSABLE.search(url.strip()):
        return None
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return None
    host = _host(parts)
    if parts.scheme not in DEFAULT_PORTS or not host or "@" in parts.netloc:
        return None
    shown = f"[{host}]" if ":" in host else host
    place = shown if port in (None, DEFAULT_PORTS[parts.scheme]) else f"{shown}:{port}"
    query = "&".join(field for field in parts.query.split("&") if field and not TRACKING.match(field))
    return urlunsplit((parts.scheme, place, parts.path.rstrip("/"), query, ""))


def is_page(url: str, *, social: Collection[str] = SOCIAL_HOSTS, video: Collection[str] = VIDEO_HOSTS) -> bool:
    """Whether an address may be read: usable, not social media, video or a file of another type (METHOD 5.2).

    Run it again on the address where redirects ended.
    """
    usable = canonical_url(url)
    if usable is None:
        return False
    parts = urlsplit(usable)
    name = unquote(parts.path).rsplit("/", 1)[-1].lower()
    extension = name.rpartition(".")[2] if "." in name else ""
    return extension not in FILE_EXTENSIONS and not any(_is_under(_host(parts), listed) for listed in {*social, *video})


def node_urls(
    results: Iterable[Sequence[str]], *, social: Collection[str] = SOCIAL_HOSTS, video: Collection[str] = VIDEO_HOSTS
) -> tuple[str, ...]:
    """U_v: the canonical addresses of all results of a node's queries that may be read, each once (METHOD 5.2).

    Each of `results` is one query's list in rank order. The best search rank comes first, then the address.
    """
    best: dict[str, int] = {}
    for found in results:
        for rank, url in enumerate(found, start=1):
            address = canonical_url(url)
            if address is not None and is_page(address, social=social, video=video):
                best[address] = min(rank, best.get(address, rank))
    return tuple(sorted(best, key=lambda address: (best[address], address)))


def longest_pages(
    pages: Iterable[Page],
    *,
    limit: int = 3,
    max_chars: int = 200_000,
    by: Literal["length", "rank"] = "length",
    copies_once: bool = False,
) -> tuple[Page, ...]:
    """The pages a node keeps (METHOD 5.4): at most `limit` distinct addresses, the longest texts first.

    Empty texts and texts of more than `max_chars` characters are dropped, not cut. Ties: search rank, then address;
    `by="rank"` leaves length out. With `copies_once` the copies of one text (`page_copies`) count as one page, the
    first of them, and the next longest takes the place; the method of the paper has no such rule.
    """
    fitting = [page for page in pages if page.text.strip() and len(page.text) <= max_chars]
    fitting.sort(key=lambda page: (-len(page.text) if by == "length" else 0, page.rank, page.url))
    distinct: dict[str, Page] = {}
    for page in fitting:
        distinct.setdefault(canonical_url(page.url) or page.url, page)
    kept = distinct.values()
    return tuple(without_copies(kept, text=lambda page: page.text, limit=limit) if copies_once else kept)[:limit]


def chunk_spans(length: int, *, size: int = 12_000, overlap: int = 2_000) -> tuple[tuple[int, int], ...]:
    """The half-open spans that cover `length` characters: at most `size` each, neighbours share exactly `overlap`.

    1 + ceil((L - size) / (size - overlap)) spans for L > size, one for a shorter text, none for an empty one
    (METHOD 5.4). `overlap` must be smaller than `size`, as the config checks.
    """
    starts = range(0, max(length - overlap, min(length, 1)), size - overlap)
    return tuple((start, min(start + size, length)) for start in starts)


def chunks(text: str, *, size: int = 12_000, overlap: int = 2_000) -> tuple[str, ...]:
    """The pieces of a page that an extractor reads, by `chunk_spans`."""
    return tuple(text[start:end] for start, end in chunk_spans(len(text), size=size, overlap=overlap))


def _host(parts: SplitResult) -> str:
    return (parts.hostname or "").rstrip(".")


def _is_under(host: str, listed: str) -> bool:
    """Whether a host is the listed one or below it; a plain suffix would take netflix.com for x.com."""
    if listed.endswith(".*"):
        return re.search(rf"(?:^|\.){re.escape(listed[:-2])}{TOP_LEVEL}$", host) is not None
    return host == listed or host.endswith("." + listed)
