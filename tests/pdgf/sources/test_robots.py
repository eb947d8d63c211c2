"""What a robots.txt allows, by the examples and rules of RFC 9309."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.sources.robots import MAX_DELAY, Rules, rules_for

FILE = """
# for everyone
User-agent: *
Disallow: /private/
Disallow: /*.gif$
Allow: /private/open
Crawl-delay: 2

User-agent: otherbot
User-agent: PDGF/2
Disallow: /films
Allow: /films/quiet   # these are fine
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/", True), ("/private/", False), ("/private/open/1", True), ("/a.gif", False), ("/a.gif?x", True),
     ("/films", True)],
)  # fmt: skip
def test_the_group_for_everyone_holds_for_an_agent_that_is_not_named(path: str, allowed: bool) -> None:
    assert rules_for("somebot", FILE).allow(path) is allowed


@pytest.mark.parametrize(("path", "allowed"), [("/films", False), ("/films/quiet/1", True), ("/private/", True)])
def test_a_named_agent_follows_its_own_group_alone(path: str, allowed: bool) -> None:
    assert rules_for("pdgf", FILE).allow(path) is allowed


def test_groups_of_one_agent_are_one() -> None:
    text = "User-agent: pdgf\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: pdgf\nDisallow: /b"
    rules = rules_for("pdgf", text)
    assert [rules.allow(path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_the_longest_match_wins_and_allowing_wins_a_tie() -> None:
    rules = rules_for("pdgf", "User-agent: *\nDisallow: /page\nAllow: /page\nAllow: /p\nDisallow: /")
    assert [rules.allow(path) for path in ("/page", "/p", "/q")] == [True, True, False]


def test_an_empty_disallow_forbids_nothing() -> None:
    assert rules_for("pdgf", "User-agent: *\nDisallow:").allow("/anything")


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [("/a%3cd.html", "/a%3Cd.html", True), ("/%7ejoe/", "/~joe/index.html", True), ("/a%2fb", "/a/b", False),
     ("/电影", "/%E7%94%B5%E5%BD%B1", True), ("/*/x/*/y$", "/1/x/2/y", True), ("/*/x/*/y$", "/1/x/2/y/", False),
     ("/a*a", "/a", False), ("*.pdf", "/b/c.pdf?d", True), ("/fish*", "/fish.html", True), ("/fish/", "/fish", False)],
)  # fmt: skip
def test_patterns_match_as_the_rfc_says(pattern: str, path: str, matches: bool) -> None:
    assert rules_for("pdgf", f"User-agent: *\nDisallow: {pattern}").allow(path) is not matches


@pytest.mark.parametrize(
    ("value", "delay"),
    [("2", 2.0), ("0.5", 0.5), ("60", MAX_DELAY), ("-1", 0.0), ("nan", 0.0), ("x", 0.0)],
)
def test_a_crawl_delay_is_kept_within_what_a_turn_can_bear(value: str, delay: float) -> None:
    assert rules_for("pdgf", f"User-agent: *\nCrawl-delay: {value}").delay == delay


def test_a_closed_site_allows_nothing() -> None:
    assert not Rules(closed="robots").allow("/")


def test_rules_before_any_agent_and_lines_that_are_none_are_skipped() -> None:
    assert rules_for("pdgf", "Disallow: /\n<html><body>Not found</body></html>\n\ufeffUser-agent: *").allow("/")


def test_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    assert not rules_for("pdgf", "\ufeffUSER-AGENT: *\r\nDISALLOW: /a\r\n").allow("/a")


def test_many_agents_with_many_rules_are_read_in_one_pass() -> None:
    """Sharing every rule with every agent would make 10,000 x 10,000 of them; only those of the agent are kept."""
    text = "".join(f"User-agent: bot{n}\n" for n in range(10_000)) + "User-agent: pdgf\n" + "Disallow: /a\n" * 10_000
    assert len(rules_for("pdgf", text).patterns) == 10_000
    assert len(rules_for("pdgf", text.replace("User-agent: pdgf\n", "")).patterns) == 0


@given(st.text(max_size=300), st.text(max_size=40))
def test_no_file_and_no_path_is_an_error(text: str, path: str) -> None:
    assert rules_for("pdgf", f"User-agent: *\nDisallow: {text}\n{text}").allow(f"/{path}") in (True, False)
