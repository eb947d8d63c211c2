"""Opt-in: these tests run where this folder is named (`make test-llm`), and then none of them is skipped.

They ask a real llama.cpp server with a model of 135 million parameters. Its answers are junk: what they show is that
the product speaks the protocol and gets through every turn, never how good anything is.
"""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.llm.llama_server import CannotStart, LlamaServer, llama_server
from tests.llm.product import Product, open_product

HERE = Path(__file__).parent


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Leave everything in here out unless the command line names it."""
    base = config.invocation_params.dir
    named = [(base / str(argument).partition("::")[0]).resolve() for argument in config.args]
    return None if any(path == HERE or HERE in path.parents for path in named) else True


@pytest.fixture(scope="session", autouse=True)
def no_settings_from_outside() -> Iterator[None]:
    """No PDGF_ or OPENAI_ variable of the machine reaches what lives as long as the run."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("PDGF_", "OPENAI_"))]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    try:
        with llama_server(tmp_path_factory.mktemp("llama")) as server:
            yield server
    except CannotStart as error:
        pytest.fail(str(error), pytrace=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def product(llama: LlamaServer, data_dir: Path, no_settings_from_outside: None) -> AsyncIterator[Product]:
    async with open_product(llama, data_dir) as product:
        yield product
