# `make book` and `make test` set everything up by themselves; `make help` lists the rest.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help book test style nbval quick lab notebooks sphinx dist try bench study clean

help:
	@echo "make book       build the site (_build/html/index.html)"
	@echo "make test       run every check: style, types, notebooks, tests, site"
	@echo "make style      style and types alone"
	@echo "make nbval      execute the notebooks alone, and compare their outputs"
	@echo "make quick      style, types and all but the slow tests"
	@echo "make lab        open a copy of the notebooks in JupyterLab (_build/lab)"
	@echo "make notebooks  execute the notebooks and store their text outputs"
	@echo "make sphinx     the same book by plain Sphinx, without Jupyter Book (_build/sphinx)"
	@echo "make dist       both packages as they are published (dist)"
	@echo "make try        these packages in empty environments, of each Python that is here"
	@echo "make bench      compare speed with the peers"
	@echo "make study      rerun the long studies (STUDY=groups: one of them)"
	@echo "make clean      remove what was built"
	@echo
	@echo "make -C teaching help   what a lecturer needs: decks, assignments, questions, the students' edition"

# The pip that comes with Python 3.11 to 3.13 knows no dependency groups.
.venv/ready: requirements.txt constraints.txt pyproject.toml book/pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet "pip>=25.1"
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	@touch $@

.venv/tested: .venv/ready
	$(BIN)/python -m pip install --quiet --group test --constraint constraints.txt
	@touch $@

book: .venv/ready
	$(BIN)/jupyter-book build --warningiserror --keep-going .

# All parts run, even where one fails; then `make` fails.
test: .venv/tested
	@failed=0; \
	$(MAKE) --no-print-directory --keep-going -j2 style nbval || failed=1; \
	$(MAKE) --no-print-directory book || failed=1; \
	$(MAKE) --no-print-directory -C teaching slides || failed=1; \
	$(BIN)/python -m pytest -n logical --dist worksteal -m "not nightly" || failed=1; \
	exit $$failed

style: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint --config book/.oxlintrc.json book teaching tests/site
	$(BIN)/oxfmt --config book/.oxfmtrc.json --check book teaching/decks tests/site
	$(BIN)/codespell
	@grep -rnIEf tools/phrases.txt --exclude=phrases.txt --exclude=CONTRIBUTING.md \
	  --exclude='1[7-9]_*.ipynb' --exclude='[2-9][0-9]_*.ipynb' \
	  --exclude-dir=_build --exclude-dir=dist --exclude-dir='*.egg-info' --exclude-dir='.?*' .; \
	  test $$? -eq 1 # no match
	$(BIN)/mypy

# Each cell of each chapter, audit, page and deck is executed and compared with its stored output.
# What has passed is kept for the book and the slides (tools/executed.py).
nbval: .venv/tested
	ERRLAB_OUTPUT=book $(BIN)/python -m pytest -n logical --dist loadfile -o addopts="" --nbval notebooks book teaching/decks

# Types take one core, so the tests run beside them.
quick: .venv/tested
	@$(MAKE) --no-print-directory style & style=$$!; \
	$(BIN)/python -m pytest -q -n logical -m "not slow and not site and not nightly"; tests=$$?; \
	wait $$style && exit $$tests

lab: .venv/ready
	$(BIN)/python -m errlab_book.handout notebooks _build/lab
	$(BIN)/jupyter lab _build/lab

notebooks: .venv/ready
	$(BIN)/python tools/notebooks.py

# The way out when Jupyter Book 1 ends: an environment of its own, with the newest of everything.
_build/plain/ready: pyproject.toml book/pyproject.toml
	$(PYTHON) -m venv _build/plain
	_build/plain/bin/python -m pip install --quiet "pip>=25.1"
	_build/plain/bin/python -m pip install --quiet --group sphinx --editable . --editable ./book
	@touch $@

sphinx: _build/plain/ready
	_build/plain/bin/python -m sphinx --fail-on-warning -c book/_plain . _build/sphinx

dist: .venv/tested
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m build --outdir dist book

try: dist
	$(BIN)/python tools/try_package.py dist

bench: .venv/tested
	for name in bounds compare resampling; do $(BIN)/python -m studies.benchmarks.bench_$$name || exit 1; done

# What other tools' intervals cover is measured with these tools, which have pins of their own.
_build/tools/ready: studies/tools.txt
	$(PYTHON) -m venv _build/tools
	_build/tools/bin/python -m pip install --quiet --requirement studies/tools.txt
	@touch $@

STUDY ?= $(notdir $(basename $(wildcard studies/[a-z]*.py)))
study: .venv/tested $(if $(filter tools,$(STUDY)),_build/tools/ready)
	for name in $(filter-out tools,$(STUDY)); do $(BIN)/python -m studies.$$name || exit 1; done
	$(if $(filter tools,$(STUDY)),_build/tools/bin/python -W ignore -m studies.tools)

clean:
	rm -rf _build build dist *.egg-info book/build book/*.egg-info .pytest_cache .ruff_cache .mypy_cache book/api/*.rst
