# Everything is installed into .venv by the first target that needs it, again only when pyproject.toml or the pins change.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MADE_FROM := pyproject.toml constraints.txt

.PHONY: serve test bench soak faults coverage lint
.DELETE_ON_ERROR:

serve: $(VENV)/installed
	@$(BIN)/foldtable serve

test: lint
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

coverage: $(VENV)/installed-test
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -n 2
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage json --quiet -o .coverage.json
	$(BIN)/python -m tests.support.coverage_floors .coverage.json

bench: $(VENV)/installed
	$(BIN)/python -m benchmarks

soak: $(VENV)/installed-test
	$(BIN)/python -m benchmarks.soak

faults: $(VENV)/installed-test
	$(BIN)/python -m benchmarks.faults

$(VENV)/installed: $(MADE_FROM) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/installed-test: $(MADE_FROM) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $@ $(VENV)/installed

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Foldtable needs Python 3.11 or later; choose one with make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
