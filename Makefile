# Two commands from a fresh clone: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
CHECKED := src tests tools benchmarks
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test slow lint docs pages skills stated shown golden bench lock clean system system-test

$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "m4bench needs Python 3.11 or newer: make demo PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.runtime: $(VENV)/.made requirements.lock pyproject.toml
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.dev: $(VENV)/.made requirements-dev.lock pyproject.toml
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $@ $(VENV)/.runtime

# System packages where that is possible; nothing fails here, the demo says what is missing.
system:
	@sh tools/system-packages bubblewrap

system-test:
	@sh tools/system-packages bubblewrap chromium default-jre-headless postgresql nodejs npm

demo: $(VENV)/.runtime system
	$(BIN)/m4bench demo --out demo-output

lint: $(VENV)/.dev
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/mypy
	$(BIN)/lint-imports

# A file's tests share what its fixtures build, so one worker has them all. The modules are compiled first: where
# PYTHONDONTWRITEBYTECODE is set, each of the hundreds of commands that tests start would compile them anew.
test: $(VENV)/.dev system-test lint
	$(BIN)/python -m compileall -q src
	$(BIN)/pytest -n $(WORKERS) --dist loadfile -m "not slow" --cov --cov-report=term:skip-covered $(PYTEST_ARGUMENTS)

# What takes too long for each run: whole engines, a live model on this machine, every protocol of every tool.
slow: $(VENV)/.dev system-test
	$(BIN)/pytest -n $(WORKERS) --dist loadfile -m slow $(PYTEST_ARGUMENTS)

# The pages of concepts, references and conventions, written from headers and SQL; the written parts of families and
# of outcomes.
pages: $(VENV)/.dev
	$(BIN)/python tools/derivation_pages.py
	$(BIN)/python tools/family_pages.py
	$(BIN)/python tools/outcome_page.py

# The skills agents are given, from those authored in tools/skills; needs Python alone.
skills:
	@$(PYTHON) tools/compose_skills.py

# What each task shows under each condition, by hash; run it when a text was changed on purpose.
# What each sentence of a skill states; look at what changed before it is committed.
stated: $(VENV)/.dev
	$(BIN)/python tools/stated_facts.py

shown: $(VENV)/.dev
	$(BIN)/python tools/shown_hashes.py

docs: $(VENV)/.dev
	$(BIN)/mkdocs build --strict

# Translations into SQL that no engine here runs, as they stand now; look at what changed before it is committed.
golden: $(VENV)/.dev
	M4BENCH_WRITE_GOLDEN=1 $(BIN)/pytest -n 0 -q -k looked_at tests/suites/derivation/library/dialects

bench: $(VENV)/.dev
	for script in benchmarks/*.py; do $(BIN)/python $$script || exit 1; done

# Locks carry hashes for every platform and no address of an index.
lock:
	$(PYTHON) -m venv $(VENV)-lock && $(VENV)-lock/bin/pip install --quiet uv
	$(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --extra build pyproject.toml -o requirements.lock
	$(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --extra build --extra dev pyproject.toml -o requirements-dev.lock
	$(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate src/m4bench/harness/sandbox/runtime.in -o src/m4bench/harness/sandbox/runtime.lock
	rm -rf $(VENV)-lock

clean:
	rm -rf $(VENV) demo-output site .pytest_cache .mypy_cache .ruff_cache .coverage
