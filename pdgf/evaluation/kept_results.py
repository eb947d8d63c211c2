"""Results by request on disk, so that an interrupted run goes on where it stopped.

One folder for everything that results depend on: the set, the numbers, engine and encoder, and the code itself. A line
is one request; of two lines about one request the later counts, and what only the earlier has stays.
"""

import hashlib
import json
import logging
from collections.abc import Collection, Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pdgf.errors import StoreUnavailable
from pdgf.evaluation.runner import ON_FULL, YEARS, QueryResult
from pdgf.evaluation.strategies import Strategy

FILE = "requests.jsonl"
_READ = (".py", ".toml", ".md", ".npz")  # code, word lists, prompts, vectors and weights
log = logging.getLogger(__name__)


def run_digest(config: Mapping[str, Any]) -> str:
    """A short digest of a config as JSON."""
    return hashlib.sha256(json.dumps(config, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def code_digest(packages: Iterable[str]) -> str:
    """A digest of the code, word lists, prompts and vectors of packages: results of another version are not taken for
    this one's."""
    digest = hashlib.sha256()
    for package in packages:
        root = Path(str(resources.files(package)))
        for path in sorted(root.rglob("*")):
            if path.suffix in _READ and path.is_file():
                digest.update(str(path.relative_to(root)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class KeptResults:
    """The results of one run."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def read(self) -> dict[str, QueryResult]:
        """What is there, by request. A line that cannot be read, such as one cut off, is measured again."""
        found: dict[str, QueryResult] = {}
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as error:
            log.warning("earlier results cannot be read and are made again: %s", error)
            return {}
        for line in lines:
            try:
                result = QueryResult.model_validate_json(line)
            except ValidationError:
                continue
            found[result.qid] = _joined(found.get(result.qid), result)
        return found

    def add(self, result: QueryResult) -> None:
        """Write one result. Raises StoreUnavailable."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{result.model_dump_json()}\n")
        except OSError as error:
            raise StoreUnavailable(f"{self._path}: {error.strerror or error}") from error


def _joined(earlier: QueryResult | None, later: QueryResult) -> QueryResult:
    """A result with the orders of an earlier run for other strategies: same config, same pool."""
    if earlier is None:
        return later
    return later.model_copy(
        update={
            "rankings": {**earlier.rankings, **later.rankings},
            "again": {**earlier.again, **later.again},
            "seconds": {**earlier.seconds, **later.seconds},
        }
    )


def serves(result: QueryResult | None, wanted: Collection[Strategy]) -> bool:
    """Whether a kept result has all wanted orders; a request that could not be read has those that need no graph."""
    if result is None:
        return False
    if result.unread:
        wanted = set(wanted) - {*ON_FULL, *YEARS, Strategy.NO_EDGES}
    return {name.value for name in wanted} <= result.rankings.keys()
