# Every target sets up .venv by itself, from nothing but python3 ≥ 3.11; a repeat is quick.
#
#   make demo     run the whole platform once: a real tournament of real bots
#   make test     run the tests            (ARGS="-k pass" goes to pytest)
#   make test-deep  the long run: 100,000 deals against a second engine, 200,000 shuffles, 200,000 rubbish frames
#   make soak     ten minutes at full load; memory must stay flat   (ARGS="--seconds 180": shorter)
#   make chaos    the long run: 64 blows to every process, and still the same bytes
#   make lint     every check that CI does, without the tests
#   make proto    regenerate hearts/v1 from proto/
#   make bench    measure                  (ONLY=rules: just that one)
#   make clean    remove .venv, caches and build output

.DEFAULT_GOAL := help
.PHONY: help demo test test-deep soak chaos lint proto bench clean
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
BIN := $(VENV)/bin

help:
	@sed -n '/^#   make/s/^#   //p' Makefile

$(READY): pyproject.toml
	@tools/setup.sh "$(PYTHON)" "$(VENV)"
	@touch $@

demo: $(READY)
	@$(BIN)/hearts demo

test: $(READY)
	@$(BIN)/python -m pytest $(ARGS)

test-deep: $(READY)
	@HEARTS_DEEP=1 $(BIN)/python -m pytest -p no:cacheprovider --timeout=7200 tests/hearts tests/arbiter/test_fuzz.py $(ARGS)

soak: $(READY)
	@$(BIN)/python -m benchmarks.soak $(ARGS)

chaos: $(READY)
	@$(BIN)/python tests/chaos $(ARGS)

lint: $(READY)
	@tools/lint.sh "$(BIN)"

proto: $(READY)
	@tools/proto.sh "$(BIN)" hearts/v1

bench: $(READY)
	@tools/bench.sh $(BIN) $(ONLY)

clean:
	rm -rf $(VENV) build dist ./*.egg-info tools/node_modules tests/js/node_modules
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
