# `make check` does what CI does first: lint, spelling, types, tests. PYTHON is the environment's interpreter.
PYTHON ?= .venv/bin/python

# Begins a recipe that has an environment of its own, removed when the recipe ends.
FRESH = set -e; venv=$$(mktemp -d); trap 'rm -rf "$$venv"' EXIT; export NUMBA_CACHE_DIR=$$venv/numba; python3 -m venv "$$venv"
# Tests of what other packages call, and of the engine, which asks most of NumPy and Numba.
CONFORMANCE = $(wildcard $(addprefix tests/test_,pettingzoo.py aec*.py gym_env.py vector_env.py sb3*.py players.py engine*.py))

.PHONY: help setup check lint format types test slow plain coverage mutants lowest rllib ci benchmark clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

setup:  ## make .venv with all that development needs
	python3 -m venv .venv
	.venv/bin/pip install -c constraints.txt -e ".[train,plot,test,dev]"

check: lint types test  ## everything to run before a commit

lint:  ## ruff and spelling
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m codespell_lib

format:  ## let ruff mend what it can
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

types:  ## mypy
	$(PYTHON) -m mypy

test:  ## the tests that take seconds
	$(PYTHON) -m pytest

slow:  ## the tests that take minutes
	$(PYTHON) -m pytest -m slow -n 2

plain:  ## the rules as plain Python, without the compiler
	NUMBA_DISABLE_JIT=1 $(PYTHON) -m pytest tests/test_kernels.py tests/test_engine.py tests/test_examples.py rk_env/engine.py

coverage:  ## which lines the tests reach, with the kernels as plain Python
	NUMBA_DISABLE_JIT=1 $(PYTHON) -m coverage run -m pytest
	$(PYTHON) -m coverage report

mutants:  ## how many small faults in the rule kernels the kill suite notices; see tests/MUTANTS.md
	NUMBA_DISABLE_JIT=1 $(PYTHON) -m tests.mutate

lowest:  ## conformance tests with the lowest versions that pyproject.toml admits, in an environment made for it
	$(FRESH); $$venv/bin/pip install -q -c tests/lowest.txt -e ".[train,test]"; \
	$$venv/bin/python -m pytest -m "slow or not slow" $(CONFORMANCE)

# Ray leaves results in HOME and logs in RAY_TMPDIR.
rllib:  ## tests with RLlib, which pins an older Gymnasium, in an environment made for it
	$(FRESH); $$venv/bin/pip install -q -c tests/rllib.txt -e ".[rllib,test]"; \
	HOME=$$venv RAY_TMPDIR=$$venv $$venv/bin/python -m pytest -m "slow or not slow" tests/test_rllib.py tests/test_readme.py -k "rllib or ray"

ci:  ## all of it from nothing, as CI does
	.ci/run

benchmark:  ## speed, beside OpenSpiel and PettingZoo when the extra `peers` is installed
	$(PYTHON) -m rk_env.benchmark

clean:  ## remove what tools left behind; environments and runs stay
	rm -rf build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
