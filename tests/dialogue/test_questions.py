"""Questions taken apart: several in one, and what a yes-or-no question says of its item."""

import pytest

from dialogue.questions import Asked, halves, polar, split, without_free


@pytest.mark.parametrize(
    ("text", "single"),
    [
        ("how long is it and who directed it?", ("how long is it", "who directed it?")),
        ("is there parking, and do they take cards?", ("is there parking", "do they take cards?")),
        ("Does it have any violence, and how long is it?", ("Does it have any violence", "how long is it?")),
        ("Is it sad? Who wrote it?", ("Is it sad", "Who wrote it?")),
        ("which is the cheapest and the quietest?", ("which is the cheapest?", "which is the quietest?")),
        ("Who wrote the first and who wrote the last?", ("Who wrote the first", "who wrote the last?")),
        ("does it have parking and wifi?", ("does it have parking and wifi?",)),
        ("is it about a man who sold the world?", ("is it about a man who sold the world?",)),
        ("How long is Pride and Prejudice?", ("How long is Pride and Prejudice?",)),
        ("Is The Lion, the Witch and the Wardrobe long?", ("Is The Lion, the Witch and the Wardrobe long?",)),
        ("?", ()),
    ],
)
def test_a_text_is_split_where_another_question_begins(text: str, single: tuple[str, ...]) -> None:
    assert split(text) == single


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("does the second have parking?", Asked(body="parking", has=True)),
        ("is it Italian?", Asked(body="Italian")),
        ("isn't it violent?", Asked(body="violent")),
        ("is it not violent?", Asked(body="violent")),
        ("is it not too long?", Asked(body="long", too=True)),
        ("is it free of gore?", Asked(body="gore", denied=True)),
        ("does it lack parking?", Asked(body="parking", has=True, denied=True)),
        ("is there no parking at all?", Asked(body="parking", has=True, denied=True)),
        ("is the first bad for children?", Asked(body="good for children", denied=True)),
        ("Is it under two hours?", Asked(body="under two hours")),
        ("which of them has parking?", Asked(body="parking", has=True)),
        ("which ones are vegan?", Asked(body="vegan")),
        ("And does it have a lot of sex in it?", Asked(body="sex", has=True)),
    ],
)
def test_a_question_of_yes_or_no_is_what_it_says_of_its_item(question: str, asked: Asked) -> None:
    assert polar(question) == asked


@pytest.mark.parametrize("question", ["how long is it?", "why this one?", "parking?", "", "停车场", "Isle of Dogs?"])
def test_other_questions_are_none_of_yes_or_no(question: str) -> None:
    assert polar(question) is None


def test_a_title_is_what_a_question_is_about_and_no_part_of_what_it_says() -> None:
    assert polar("Is Free of Gore violent?", ["Free of Gore"]) == Asked(body="violent")
    assert polar("Does The Quiet Margin have wifi?", ["The Quiet Margin"]) == Asked(body="wifi", has=True)


def test_a_question_for_two_things_is_two_questions() -> None:
    assert halves("does it have parking and wifi?") == ("does it have parking?", "does it have wifi?")
    assert halves("does it have parking?") is None
    assert halves("how long and how sad is it?") is None


def test_what_something_is_free_of() -> None:
    assert without_free("gore-free") == "gore"
    assert without_free("free parking") is None
