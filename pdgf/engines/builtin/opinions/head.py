"""The opinion head: softmax regression from signs and one cosine to what a sentence says of a wished-for thing (METHOD
12). The weights are a file of plain arrays, read when they are first needed and only if their digest is the one that
`head.toml` names."""

import hashlib
import io
import tomllib
import zipfile
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from pdgf.engines.builtin.opinions.signs import NAMES
from pdgf.errors import WeightsDamaged

CLASSES = ("contradicts", "neutral", "supports")
INPUTS = len(NAMES) + 1  # the signs and the cosine of sentence and wish
WEIGHTS, CARD = "head.npz", "head.toml"
MOST_BYTES = 2_000_000

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Head:
    """`mean` and `scale` of the inputs, shape (INPUTS,); `weights` (INPUTS, 3) and `bias` (3,) of their standard
    scores."""

    mean: Numbers
    scale: Numbers
    weights: Numbers
    bias: Numbers

    def probabilities(self, inputs: Numbers) -> Numbers:
        """Of each class for each row of inputs, shape (n, 3); rows sum to 1."""
        scores = (inputs - self.mean) / self.scale @ self.weights + self.bias
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Numbers = powers / powers.sum(axis=1, keepdims=True)
        return shares


def inputs_of(signs: list[float], cosine: float) -> Numbers:
    """One row of inputs, shape (1, INPUTS)."""
    return np.array([[*signs, cosine]], np.float64)


@cache
def shipped_head() -> Head:
    """The head that came with the package. Raises WeightsDamaged."""
    folder = resources.files(__package__)
    try:
        card = tomllib.loads(folder.joinpath(CARD).read_text(encoding="utf-8"))
        return head_of(folder.joinpath(WEIGHTS).read_bytes(), str(card["sha256"]))
    except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
        raise WeightsDamaged(f"{CARD} or {WEIGHTS} cannot be read: {error}") from error


def head_of(data: bytes, digest: str) -> Head:
    """The head in the bytes of a file. Raises WeightsDamaged when they are not those of the digest, or do not fit."""
    if len(data) > MOST_BYTES or hashlib.sha256(data).hexdigest() != digest:
        raise WeightsDamaged(f"{WEIGHTS} is not the file that {CARD} names")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            head = Head(*(np.asarray(stored[name], np.float64) for name in ("mean", "scale", "weights", "bias")))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise WeightsDamaged(f"{WEIGHTS} cannot be read: {error}") from error
    shapes = [head.mean.shape, head.scale.shape, head.weights.shape, head.bias.shape]
    fits = shapes == [(INPUTS,), (INPUTS,), (INPUTS, len(CLASSES)), (len(CLASSES),)]
    if not fits or not all(np.isfinite(part).all() for part in (head.mean, head.scale, head.weights, head.bias)):
        raise WeightsDamaged(f"{WEIGHTS} holds arrays of other shapes or numbers")
    return head


def bytes_of(head: Head) -> bytes:
    """The file of a head; the same head gives the same bytes."""
    written = io.BytesIO()
    np.savez(written, mean=head.mean, scale=head.scale, weights=head.weights, bias=head.bias)
    return written.getvalue()
