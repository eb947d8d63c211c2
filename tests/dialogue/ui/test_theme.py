"""Contrast by the formula of WCAG 2.1, by day and by night."""

import re

import pytest

from dialogue.ui.templates import static
from dialogue.ui.theme import DAY, NIGHT, SHEETS, TEXT_PAIRS, Palette, style_sheet


def luminance(colour: str) -> float:
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [DAY, NIGHT], ids=["day", "night"])
@pytest.mark.parametrize("pair", TEXT_PAIRS, ids="-on-".join)
def test_text_can_be_read_on_what_it_stands_on(palette: Palette, pair: tuple[str, str]) -> None:
    assert contrast(palette[pair[0]], palette[pair[1]]) >= 4.5


@pytest.mark.parametrize("palette", [DAY, NIGHT], ids=["day", "night"])
def test_lines_that_carry_meaning_stand_out(palette: Palette) -> None:
    for line in ("accent", "against", "strong-line"):
        assert contrast(palette[line], palette["surface"]) >= 3.0


def test_day_and_night_name_the_same_colours() -> None:
    assert set(DAY) == set(NIGHT)


def test_the_style_sheet_uses_only_colours_of_the_palette_and_loads_nothing() -> None:
    page = "".join(map(static, SHEETS))
    assert set(re.findall(r"var\(--p-([a-z-]+)\)", page)) <= set(DAY)
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[;\s,)])", page)
    assert "url(" not in style_sheet()
    assert "@import" not in style_sheet()
    assert "prefers-reduced-motion" in page
