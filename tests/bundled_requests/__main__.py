"""What the built-in engine finds in the bundled catalogues: `make eval-bundled`. Prints, asserts nothing."""

from dialogue.composition import Composition
from pdgf.settings import Settings
from tests.bundled_requests.judged import report, run

if __name__ == "__main__":
    print(report(run(Composition(settings=Settings(engine="builtin", source="catalogue")))))
