# Quadriga. `make` lists the targets; any make from 3.81 on, any POSIX shell.

PYTHON ?=
VENV ?= .venv

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
CACHE := .cache
ENGINES := $(shell find engines -name '*.py')
# Workers of a test run: one a core, four at most (each loads all kernels).
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 4
# Without machine code, or with every index checked, a part of the vectors says as much as all.
THIN ?= 25
ENGINE_TESTS := $(wildcard tests/battlesnake tests/ludo tests/isolation tests/flag tests/test_contract.py)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup serve test check lint format lock bench image clean \
	develop outside no-jit bounds audit

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 16

setup: $(VENV)/.project $(CACHE)/warmed ## virtual environment, dependencies, compiled kernels

serve: setup ## set up and serve on :8000 (options: make serve ARGS="--port 9000")
	$(BIN)/quadriga serve $(ARGS)

test: develop lint ## set up and pass the tests
	$(PYTEST) -m "not outside"

lint: develop ## style, types, the architecture's import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: develop ## put the sources in shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

check: $(VENV)/.check develop outside no-jit bounds audit ## what needs real outside parts, and the slower runs
	$(BIN)/hadolint Dockerfile
	$(BIN)/shellcheck .ci/run docker/entrypoint

outside: $(VENV)/.check develop
	$(BIN)/python -m pytest -m outside

# The engines as plain Python: the same answers, and no numpy warning.
no-jit: develop
	NUMBA_DISABLE_JIT=1 QUADRIGA_THIN=$(THIN) $(PYTEST) -m "not outside and not machine_code" $(ENGINE_TESTS)

# Machine code with every index checked, in a cache of its own.
bounds: develop
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CACHE)/numba-bounds $(BIN)/quadriga warm
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CACHE)/numba-bounds QUADRIGA_THIN=$(THIN) \
		$(PYTEST) -m "not outside and not machine_code" $(ENGINE_TESTS)

# A finding fails; an advisory service out of reach is said and passed over.
audit: $(VENV)/.check
	@mkdir -p $(CACHE) && rm -f $(CACHE)/audit.json; \
	if $(BIN)/pip-audit --requirement requirements/serve.txt --require-hashes --disable-pip \
		--timeout 20 --progress-spinner off --format json --output $(CACHE)/audit.json; then :; \
	elif [ -s $(CACHE)/audit.json ]; then cat $(CACHE)/audit.json; exit 1; \
	else echo "NOT AUDITED: the advisory service cannot be reached"; fi

lock: develop ## resolve requirements from pyproject.toml (ARGS=--upgrade for newer versions)
	$(PIP) uv
	$(LOCK) pyproject.toml -o requirements/serve.txt
	$(LOCK) --extra arena --extra cluster pyproject.toml -o requirements/arena.txt
	$(LOCK) --extra arena --extra tuning pyproject.toml -o requirements/tuning.txt
	$(LOCK) --extra arena --extra tuning --group dev pyproject.toml -o requirements/dev.txt
	$(LOCK) --extra arena --extra cluster --extra tuning --group dev --group check pyproject.toml -o requirements/check.txt
	$(LOCK) --no-deps --group ludopy -o requirements/ludopy.txt

# No index lines: whoever installs chooses where from, the hashes say what.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --no-header $(ARGS)

bench: develop ## figures as JSON lines; an idle machine, please
	$(BIN)/quadriga bench $(ARGS)

image: ## build the Docker image
	docker build --tag quadriga .

clean: ## remove everything that these targets made
	rm -rf $(VENV) $(CACHE) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

develop: $(VENV)/.dev $(VENV)/.project $(CACHE)/warmed

$(BIN)/python:
	@for candidate in $(or $(PYTHON),python3 python3.13 python3.12 python3.11); do \
		if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			found=$$candidate; break; \
		fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "Quadriga needs Python 3.11 or later; $(or $(PYTHON),python3) is missing or older." >&2; \
		echo "Install one, or name one: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; \
		exit 1; \
	fi; \
	if ! $$found -c 'import venv, ensurepip' 2>/dev/null; then \
		echo "$$found has no venv module. On Debian and Ubuntu: apt install python3-venv" >&2; \
		exit 1; \
	fi; \
	echo "virtual environment in $(VENV), of $$found"; \
	$$found -m venv $(VENV)

$(VENV)/.serve: requirements/serve.txt | $(BIN)/python
	$(PIP) --require-hashes --requirement requirements/serve.txt
	@touch $@

$(VENV)/.dev: requirements/dev.txt | $(BIN)/python
	$(PIP) --require-hashes --requirement requirements/dev.txt
	@touch $@ $(VENV)/.serve

# ludopy asks for an OpenCV with windows; it runs with the headless one of check.txt.
$(VENV)/.check: requirements/check.txt requirements/ludopy.txt | $(BIN)/python
	$(PIP) --require-hashes --requirement requirements/check.txt
	$(PIP) --require-hashes --no-deps --requirement requirements/ludopy.txt
	@touch $@ $(VENV)/.dev $(VENV)/.serve

$(VENV)/.project: pyproject.toml | $(VENV)/.serve
	$(PIP) --no-build-isolation --no-deps --editable .
	@touch $@

$(CACHE)/warmed: $(ENGINES) requirements/serve.txt | $(VENV)/.project
	@echo "compiling the kernels (a minute or two, once)"
	$(BIN)/quadriga warm
	@mkdir -p $(CACHE) && touch $@
