# `make` or `make help` lists what there is to do.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: help setup demo test test-slow test-uncompiled test-browser lint format bench docs claims results report clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */  make \1\t/' | expand -t 24

setup: $(STAMP)  ## create .venv and install lvc with everything it needs

# torch first and by itself: its exact pin is the build without an accelerator
$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^torch==' constraints.txt)" -c constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -c constraints.txt
	@touch $(STAMP)

demo: $(STAMP)  ## compare the named pairs, draw pictures into out/
	$(BIN)/lvc demo --out out

test: $(STAMP)  ## the whole suite, compiled, then the small ones uncompiled
	$(BIN)/python -m pytest -q -n 2
	$(MAKE) --no-print-directory test-uncompiled

test-uncompiled: $(STAMP)  ## kernels and colourings with NUMBA_DISABLE_JIT=1
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n 2 tests/search tests/colouring

test-browser: $(STAMP)  ## the explorer page in headless Chromium, installed from Debian's packages if it is missing
	@command -v chromium chromedriver > /dev/null || (apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends chromium chromium-driver) || \
	  { echo "install chromium and chromium-driver first, as root"; exit 2; }
	$(BIN)/python -m pytest -q tests/viz/test_explorer.py

test-slow: $(STAMP)  ## tests that take minutes
	$(BIN)/python -m pytest -q -m slow

lint: $(STAMP)  ## formatter, linter, type checker
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(STAMP)  ## format and mend what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)  ## speed and memory, as ratios to peers in the same run
	$(BIN)/python benchmarks/colouring.py
	$(BIN)/python benchmarks/sgn.py
	$(BIN)/python benchmarks/graphs.py
	$(BIN)/python benchmarks/baselines.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]' -c constraints.txt
	$(BIN)/python benchmarks/kernel.py

docs: $(STAMP)  ## build the documents into out/docs, tutorials run; a warning is an error
	$(BIN)/python -m sphinx -W --keep-going -n -E -q -b html -d out/doctrees docs out/docs
	@echo "the documents are there: open out/docs/index.html"

claims: $(STAMP)  ## check every claim of the paper, write docs/claims.md
	$(BIN)/lvc claims --markdown docs/claims.md

results: $(STAMP)  ## the studies behind the tables: hours; stop it and start it again at any moment
	JOBS=2 results/vertex.sh
	JOBS=2 results/per-class.sh
	JOBS=2 results/graph.sh

report: $(STAMP)  ## write the tables of the committed results into README.md and the pages of results
	$(BIN)/lvc report --best --into README.md
	$(BIN)/lvc report results/graph.jsonl --into docs/results-on-graphs.md
	$(BIN)/lvc report results/graph.jsonl --against gin --into docs/results-on-graphs.md
	$(BIN)/lvc report results/vertex.jsonl --into docs/results.md
	$(BIN)/lvc report results/runtime.jsonl --runtime --into docs/results.md
	for setting in radius scale own_term; do $(BIN)/lvc report --by $$setting --into docs/results.md || exit; done

clean:  ## remove .venv and everything generated
	rm -rf .venv out .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
