import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vector_database import database_url

__all__ = ["database_url"]

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
ROOT = Path(__file__).parents[2]


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Left to `make test-ray`: the package is an extra, and its nodes talk by the address of the computer."""
    there = importlib.util.find_spec("ray") is not None and config.getoption("force_enable_socket")
    return None if there else True


@pytest.fixture(scope="module")
def cluster_address() -> Iterator[str]:
    """The address of a cluster of two nodes, one core each, whose workers find this program."""
    from ray.cluster_utils import Cluster

    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = f"{ROOT}{os.pathsep}{before}" if before else str(ROOT)
    node = {"num_cpus": 1, "object_store_memory": 100_000_000}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    cluster.add_node(**node)
    yield cluster.address
    cluster.shutdown()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before
