"""A page of more than 200,000 characters: the lending ledger of a reading room that does not exist.

Nothing in it is real. Every line is put together by counting, so that it is the same in every run.
"""

from tests.web.content import Block

LOANS = 2_700
_BORROWERS = ("Abel", "Briar", "Cato", "Dilys", "Enoch", "Faye", "Gethin", "Hulda", "Ivo", "Jessamy", "Kit", "Linus")
_FIRST = ("Amber", "Brass", "Clouded", "Drowsy", "Elder", "Folded", "Gilt", "Hollow", "Idle", "Jewelled", "Kindly")
_SECOND = ("Anchor", "Bridge", "Candle", "Dial", "Engine", "Ferry", "Granary", "Hinge", "Island", "Junction", "Kettle",
           "Lantern", "Mitten")  # fmt: skip
_VERDICTS = (
    *("found the magic thin and the meals ample", "kept it under the counter for a week"),
    *("laughed at the quarrel on the stairs", "said that the lovers never meet"),
    *("skipped from the map to the wedding", "asked for the second volume, which is lost"),
    *("disliked the horse", "read it to the lighthouse by telephone"),
    *("wept into the index", "wished for less weather", "returned it damp and unrepentant"),
)
_DAYS = (
    "on a Monday",
    "in the long frost",
    "before the fair",
    "by lamplight",
    "for a dare",
    "on the way to sea",
    "twice",
)


def ledger() -> list[Block]:
    """One item a loan, under a heading for every hundred."""
    blocks: list[Block] = []
    for loan in range(LOANS):
        if loan % 100 == 0:
            blocks.append(Block("heading", "##", f"Sheet {loan // 100 + 1}"))
        who, first, second = (words[loan % len(words)] for words in (_BORROWERS, _FIRST, _SECOND))
        verdict, day = _VERDICTS[loan % len(_VERDICTS)], _DAYS[loan % len(_DAYS)]
        blocks.append(Block("item", "-", f"Loan {loan + 1}: {who} took The {first} {second} {day} and {verdict}."))
    return blocks
