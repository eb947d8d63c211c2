"""Every fault of a language model at every call of a conversation, lasting and passing (RELIABILITY F1, F9, S1)."""

import gc
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.dialogue.llm_bar import no_trace
from tests.dialogue.llm_cells import beginnings, listening, swept
from tests.dialogue.test_llm_faults import MENDED_BY_RETRY, MENDED_IN_JSON, UNNOTICED, cells_of, changed, wrong
from tests.openai_server import Fault
from tests.stress import Figure

LEAST_FAULTS, LEAST_CELLS = 20, 400


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        good = await beginnings(place / "good")
        for lasting, faults in ((True, tuple(Fault)), (False, (*MENDED_BY_RETRY, *MENDED_IN_JSON))):
            cells, told = 0, list[str]()
            for fault in faults:
                chosen = cells_of(good, json_only=not lasting and fault in MENDED_IN_JSON)
                with listening() as log:
                    found = await swept(place / f"{fault.name}{lasting}", chosen, fault, lasting=lasting)
                    gc.collect()  # tasks whose failure nobody dealt with tell of it now
                cells += len(found)
                unlike = changed(found, good) if fault in UNNOTICED or not lasting else []
                told += [f"{fault.name}, {each}" for each in (*await wrong(found, good), *no_trace(log), *unlike)]
            what = (
                f"a model that fails {'from a call on' if lasting else 'at one call'}: spoilt, late, untold or leaking"
            )
            measured = f"{len(told)} of {cells} cells, {len(faults)} faults{': ' if told else ''}{' | '.join(told[:3])}"
            enough = len(faults) >= LEAST_FAULTS and cells >= LEAST_CELLS
            yield Figure(what, f"0 of >= {LEAST_CELLS}", measured, not told and enough)
