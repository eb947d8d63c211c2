"""Forty small pages as sites have them, and ways to spoil them. All sentences are ours; the films are invented."""

import random
from collections.abc import Iterator
from typing import NamedTuple


class OwnPage(NamedTuple):
    """A page, words of its content and words that stand around it."""

    name: str
    html: str
    content: tuple[str, ...]
    around: tuple[str, ...]


class Topic(NamedTuple):
    title: str
    first: str
    second: str
    third: str
    home: str


TOPICS = (
    Topic(
        "The Lantern Ferry",
        "Two sisters run a ferry across a lake that nobody wants to cross any more, and they bicker all the way.",
        "The romance stays at the edge of the picture; it is the talking that you remember afterwards.",
        "Nothing violent happens, unless you count what the younger sister does to the ferry's engine.",
        "Home",
    ),
    Topic(
        "Salt Winter",
        "A police officer in a town of four hundred people looks for a stolen church bell for a whole winter.",
        "The humour is so dry that it takes a second viewing to notice how much of it there is.",
        "It is slow, and I mean that as praise: every door that opens has been closed for a reason.",
        "Startseite",
    ),
    Topic(
        "青瓦食堂",
        "一位在城里做不下去的厨师回到乡下，租下一间青瓦老屋，开了只有四张桌子的食堂。",
        "整部动画没有反派，最紧张的一幕是第七集里那锅差点烧干的豆浆。",
        "喜欢安静节奏的人会觉得每一集都像饭后散步，想看情节的人可能会睡着。",
        "首页",
    ),
    Topic(
        "Le Four du village",
        "Une boulangère à la retraite rallume le four de son village et se dispute avec tout le monde, même le maire.",
        "On rit beaucoup, mais jamais de quelqu'un ; la caméra aime ces gens et nous finissons par les aimer aussi.",
        "Le dernier quart d'heure est trop long, et pourtant je n'en couperais pas une minute.",
        "Accueil",
    ),
    Topic(
        "Тихая мельница",
        "Молодая женщина принимает в наследство мельницу и вместе с ней соседа, который не умеет молчать.",
        "Любовная линия едва намечена, зато их перепалки можно слушать бесконечно.",
        "Насилия в фильме нет совсем, а единственная погоня происходит на лодках и заканчивается чаем.",
        "Главная",
    ),
)
MOST = 5_000_000  # bytes; the fetcher brings no longer page
AROUND = ("Sign up for our letter", "We use cookies to measure visits", "Imprint and contact of the site")


def pages() -> list[OwnPage]:
    """Eight kinds of page on five topics."""
    return [
        OwnPage(f"{kind.__name__.strip('_')}-{number}", _framed(topic, "".join(kind(topic))), topic[1:4], AROUND)
        for number, topic in enumerate(TOPICS)
        for kind in (_article, _list, _table, _thread, _definitions, _loose, _quotes, _nested)
    ]


def _framed(topic: Topic, main: str) -> str:
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{topic.title} - The Back Row</title>'
        "<style>p{margin:1em}</style><script>var page = {kind: 'review'};</script></head><body>"
        f'<nav><ul><li><a href="/">{topic.home}</a></li><li><a href="/films">Films</a></li></ul></nav>'
        f'<div class="cookie-banner" role="dialog"><p>{AROUND[1]}</p><button>OK</button></div>'
        f"<main>{main}</main><aside><h4>{AROUND[0]}</h4></aside><footer><p>{AROUND[2]}</p></footer></body></html>"
    )


def _article(t: Topic) -> Iterator[str]:
    yield f"<article><h1>{t.title}</h1><p>{t.first}</p><p>{t.second}</p><h2>And then</h2><p>{t.third}</p></article>"


def _list(t: Topic) -> Iterator[str]:
    yield f"<article><h1>Three reasons to see {t.title}</h1><ol>"
    yield f"<li>{t.first}</li><li>{t.second}</li><li>{t.third}</li></ol></article>"


def _table(t: Topic) -> Iterator[str]:
    yield f"<h1>{t.title} at a glance</h1><table><tr><th>What</th><th>Our view</th></tr>"
    for name, text in zip(("Story", "Romance", "Pace"), t[1:4], strict=True):
        yield f"<tr><td>{name}</td><td>{text}</td></tr>"
    yield "</table>"


def _thread(t: Topic) -> Iterator[str]:
    yield f"<h1>Is {t.title} for me?</h1>"
    for number, text in enumerate(t[1:4], start=1):
        yield f'<div class="post"><div class="by">user{number}</div><div class="body">{text}</div></div>'


def _definitions(t: Topic) -> Iterator[str]:
    yield f"<article><h1>{t.title}</h1><dl><dt>Story</dt><dd>{t.first}</dd>"
    yield f"<dt>Tone</dt><dd>{t.second}</dd></dl><p>{t.third}</p></article>"


def _loose(t: Topic) -> Iterator[str]:
    yield f"<div><h1>{t.title}</h1>{t.first}<br><br>{t.second}<br/>\n<div>{t.third}</div></div>"


def _quotes(t: Topic) -> Iterator[str]:
    yield f"<article><h1>{t.title}</h1><blockquote><p>{t.first}</p></blockquote>"
    yield f"<p><b>{t.second}</b></p><p>{t.third}</p></article>"


def _nested(t: Topic) -> Iterator[str]:
    yield f"<table><tr><td><h2>{t.title}</h2></td><td><ul><li>{t.first}</li><li>{t.second}</li></ul>"
    yield f"<p>{t.third}</p></td></tr></table>"


def spoilt(page: str, seed: int) -> bytes:
    """The bytes of a page with one to four things wrong with them; the same for the same seed."""
    dice = random.Random(seed)
    body = page.encode(dice.choice(["utf-8", "utf-8", "utf-8", "utf-16", "gb18030", "utf-7"]), "replace")
    for _ in range(dice.randint(1, 4)):
        body = dice.choice([_cut, _drop, _double, _flip, _insert, _retag, _nest, _repeat])(body, dice)
    return body[:MOST]


def _span(body: bytes, dice: random.Random, longest: int = 400) -> tuple[int, int]:
    start = dice.randrange(len(body) + 1)
    return start, min(len(body), start + dice.randrange(longest))


def _cut(body: bytes, dice: random.Random) -> bytes:
    return body[: dice.randrange(len(body) + 1)]


def _drop(body: bytes, dice: random.Random) -> bytes:
    start, end = _span(body, dice)
    return body[:start] + body[end:]


def _double(body: bytes, dice: random.Random) -> bytes:
    start, end = _span(body, dice)
    return body[:end] + body[start:end] * dice.randint(1, 50) + body[end:]


def _flip(body: bytes, dice: random.Random) -> bytes:
    changed = bytearray(body)
    for _ in range(dice.randint(1, 60) if changed else 0):
        changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed)


JUNK = (
    *(b"\0", b"<![CDATA[", b"<!--", b"-->", b"]]>", b"&#0;", b"&#x110000;", b"&amp" * 40, b"<?xml version='1.0'?>"),
    *(b"<script>", b"</body>", b"<plaintext>", b"<svg><title>", b"<template>", b"<base href='//127.0.0.1/'>"),
    *(b'<p style="display:none">', b"<math>", b"\xff\xfe", b"\xef\xbb\xbf", b"<td>" * 30, b'<a href="', b"<textarea>"),
    *("\u202e\u2066".encode(), "\u0301".encode() * 200, b'<meta charset="utf-16">', b'<meta charset="x-none">'),
)


def _insert(body: bytes, dice: random.Random) -> bytes:
    start = dice.randrange(len(body) + 1)
    return body[:start] + dice.choice(JUNK) * dice.randint(1, 5) + body[start:]


def _retag(body: bytes, dice: random.Random) -> bytes:
    tags = [b"p", b"li", b"td", b"div", b"h1", b"table", b"ul", b"body", b"html", b"main", b"x-thing", b"form"]
    old, new = dice.sample(tags, 2)
    return body.replace(b"<" + old + b">", b"<" + new + b">")


def _nest(body: bytes, dice: random.Random) -> bytes:
    tag = dice.choice([b"<div>", b"<b>", b"<table><tr><td>", b"<blockquote>", b"<ul><li>", b"<font size=1>"])
    return body.replace(b"<main>", b"<main>" + tag * dice.choice([10, 300, 3_000]))


def _repeat(body: bytes, dice: random.Random) -> bytes:
    start, end = _span(body, dice, 100)
    return body[:start] + body[start:end] * dice.choice([10, 500, 2_000]) + body[end:]
