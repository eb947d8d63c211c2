"""Accuracy and F1 of labels, from counts. Pure."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass
class Counts:
    """Right positives, wrong positives and missed ones of one class."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, *, given: bool, true: bool) -> None:
        """One decision about the class."""
        self.right += given and true
        self.wrong += given and not true
        self.missed += true and not given

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 0.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 0.0

    @property
    def f1(self) -> float:
        """Of a class that neither occurs nor is given, 0: nothing was shown."""
        both = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / both if both else 0.0

    def printed(self) -> dict[str, float | int]:
        """As JSON."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
        }


def by_class(pairs: Iterable[tuple[Hashable, Hashable]], classes: Sequence[Hashable]) -> dict[Hashable, Counts]:
    """Counts of each class from (true, given) pairs of single labels."""
    counts = {name: Counts() for name in classes}
    for true, given in pairs:
        for name, count in counts.items():
            count.add(given=given == name, true=true == name)
    return counts


def single_label(pairs: Sequence[tuple[str, str]], classes: Sequence[str]) -> dict[str, Any]:
    """Accuracy, macro F1 over the classes that occur, and each class. Raises ValueError without a pair."""
    if not pairs:
        raise ValueError("no row to judge")
    counts = by_class(pairs, classes)
    present = [counts[name] for name in classes if any(true == name for true, _ in pairs)]
    return {
        "accuracy": sum(true == given for true, given in pairs) / len(pairs),
        "macro_f1": macro_f1(present),
        "rows": len(pairs),
        "classes": {str(name): count.printed() for name, count in counts.items()},
        "confusion": {a: {b: sum(pair == (a, b) for pair in pairs) for b in classes} for a in classes},
    }


def macro_f1(counts: Sequence[Counts]) -> float:
    """The plain mean of the F1 of each class; 0 without a class."""
    return sum(count.f1 for count in counts) / len(counts) if counts else 0.0
