"""A first message that asks for the kind of another domain goes over to it; what only speaks of it does not."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.topics import asked_for
from pdgf.catalogues.bundled import BUNDLED

DOMAINS = [bundled_domain(name) for name in BUNDLED]


def over(text: str, now: str, *, first: bool = True) -> str | None:
    found = asked_for(text, now, DOMAINS, first=first)
    assert found is None or len(found.text) == len(text)
    return found.domain if found else None


@pytest.mark.parametrize(
    ("now", "text", "domain"),
    [
        ("movies", "A quiet Japanese book about gardens or rain, short chapters, no murder", "books"),
        ("movies", "a long, slow and funny novel about a lighthouse", "books"),
        ("movies", "Hi! I'm looking for a short book for the train", "books"),
        ("movies", "I want to read a novel that makes me laugh", "books"),
        ("movies", "books about the sea", "books"),
        ("movies", "Good books for a ten-year-old", "books"),
        ("movies", "My train takes five hours. A thick novel would be... a novel about ships, please", "books"),
        ("movies", "a book like a good film: quick and loud", "books"),
        ("movies", "a book about the film industry", "books"),
        ("movies", "a book, not a film", "books"),
        ("movies", "something to read before sleep", "books"),
        ("movies", "an anime about music", "anime"),
        ("books", "an anime about cooking, one season", "anime"),
        ("movies", "a restaurant for my mother's birthday, quiet", "restaurants"),
        ("books", "a small restaurant near the river where we can talk", "restaurants"),
        ("books", "a place to eat with children", "restaurants"),
        ("restaurants", "a funny film for a rainy evening", "movies"),
        ("books", "a film based on a book", "movies"),
        ("books", "need a movie for tonight", "movies"),
        ("restaurants", "a good book to read while I wait", "books"),
        ("movies", "想读一本关于海的小说，不要太长", "books"),
        ("movies", "睡前想读一本安静的书", "books"),
        ("movies", "想读一本关于吃的，温暖一点", "books"),
        ("movies", "一本关于电影的书", "books"),
        ("movies", "一部关于音乐的动漫", "anime"),
        ("books", "想看一部讲做饭的电影", "movies"),
        ("books", "想找一家安静的餐厅，四个人", "restaurants"),
    ],
)
def test_a_first_message_that_asks_for_another_kind_goes_over(now: str, text: str, domain: str) -> None:
    assert over(text, now) == domain


@pytest.mark.parametrize(
    ("now", "text"),
    [
        ("movies", "a film about a book"),
        ("movies", "a book lover"),
        ("movies", "a book lover finds a letter"),
        ("movies", "a comic book movie"),
        ("movies", "a comic-book hero who gives up"),
        ("movies", "book club comedy"),
        ("movies", "a restaurant thriller"),
        ("movies", "a restaurant owner who loses everything"),
        ("movies", "a story set in a restaurant"),
        ("movies", "someone writes books for children"),
        ("movies", "a girl stealing books in the war"),
        ("movies", "a man who opens a restaurant"),
        ("movies", "an anime film"),
        ("movies", "a book or a film about rain"),
        ("movies", "a film or a book about rain"),
        ("movies", "the book was better, I want a film like it"),
        ("movies", "I just finished a book about ships; something like it"),
        ("movies", "based on a novel, slow"),
        ("movies", "not a book"),
        ("movies", "nothing from a book"),
        ("movies", "funny, warm, under two hours"),
        ("movies", "by the book"),
        ("books", "a book about a restaurant"),
        ("books", "a novel about film stars"),
        ("books", "a crime novel with a cook"),
        ("books", "a film star's memoir"),
        ("books", "a restaurant critic's life, a book with recipes"),
        ("books", "a story like an old movie"),
        ("restaurants", "book a table for two"),
        ("restaurants", "can you book the first?"),
        ("restaurants", "a place like in the movies"),
        ("restaurants", "a restaurant with books on the walls"),
        ("restaurants", "a cafe to read a book in"),
        ("restaurants", "near the movie theatre"),
        ("anime", "a film, not a series"),
        ("anime", "a short anime about a book shop"),
        ("my-shelf", "a quiet book about gardens"),
        ("movies", "想看一部关于书的电影"),
        ("movies", "想看小说改编的电影"),
        ("movies", "讲一家餐厅的故事"),
        ("movies", "想看动画片"),
        ("movies", "不要小说改编"),
        ("movies", "想看日本的，安静一点"),
        ("movies", "想看一部本土的电影"),
        ("restaurants", "能看书的咖啡馆"),
        ("restaurants", "想找个地方看书"),
        ("books", "想要有照片，短一点"),
        ("movies", "想看两个人开餐厅"),
        ("movies", "想看一个秘书，轻松一点"),
        ("movies", "想看一个人写小说"),
        ("restaurants", "想找一家书店附近的餐厅"),
        ("books", "一本讲餐厅的小说"),
        ("books", "想读一本关于电影导演的书"),
    ],
)
def test_a_first_message_that_only_speaks_of_another_kind_stays(now: str, text: str) -> None:
    assert over(text, now) is None


@pytest.mark.parametrize("text", ["a quiet Japanese book about gardens", "an anime about music", "一本关于海的书"])
def test_later_messages_need_words_for_going_over(text: str) -> None:
    assert over(text, "movies", first=False) is None


def test_the_words_are_left_to_read_as_they_stand() -> None:
    text = "A quiet Japanese book about rain, no murder"
    found = asked_for(text, "movies", DOMAINS, first=True)
    assert found is not None
    assert (found.text, found.keeps) == (text, False)
