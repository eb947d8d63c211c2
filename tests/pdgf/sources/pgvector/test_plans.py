"""What the database does for a large catalogue is planned once over its tables, never once a row."""

import json
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from pdgf.sources.pgvector import building, serving
from pdgf.sources.pgvector.building import index_file
from pdgf.sources.pgvector.schema import table
from tests.fakes import HashingEmbedder
from tests.pdgf.sources.pgvector.made_up import EncoderGone, shop
from tests.vector_database import write_items


async def test_no_table_is_read_again_for_each_text_that_is_laid_out(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time would grow with the square of the texts: 500,000 took hours."""

    async def stopped(*_: object) -> None:
        raise EncoderGone

    monkeypatch.setattr(building, "publish", stopped)
    path = write_items(tmp_path / "a.jsonl", shop(300))
    with pytest.raises(EncoderGone):
        await index_file(database_url, path, owner="ann", name="shop", embedder=HashingEmbedder())
    names: dict[str, sql.Composable] = {kind: table(kind, 1) for kind in (*serving.KINDS, "vectors")}
    names |= {"dimension": sql.Literal(64), "storage": sql.SQL("plain")}
    with psycopg.connect(database_url) as connection:
        for statement in serving.LAY_OUT.split(";"):
            if statement.strip().startswith("insert"):
                explained = sql.SQL("explain (format json) " + statement).format(**names)
                [[[plan]]] = connection.execute(explained).fetchall()
                assert not [step for step in steps(plan["Plan"]) if "SubPlan" in json.dumps(step.get("Filter", ""))]
                assert "Nested Loop" not in [step["Node Type"] for step in steps(plan["Plan"])]
            else:
                connection.execute(sql.SQL(statement).format(**names))


def steps(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(step for inner in plan.get("Plans", ()) for step in steps(inner))]
