# `make book` and `make test` set everything up by themselves; `make help` lists the rest.
PYTHON ?= python3
BIN := .venv/bin
BOOK := $(BIN)/jupyter-book build --warningiserror --keep-going .

.PHONY: help book test style tests nbval site sphinx newest address dist try paper quick lab notebooks student slides pdf lms key assignments rehearse messy others bench study tools clean

help:
	@echo "make book       build the site (_build/html/index.html)"
	@echo "make test       run every check: style, types, tests, notebooks, site"
	@echo "make sphinx     the same book by plain Sphinx, without Jupyter Book (_build/sphinx)"
	@echo "make newest     what breaks with the newest of everything (_build/newest.md)"
	@echo "make dist       the package as it is published (dist)"
	@echo "make try        that package in empty environments, of each Python that is here"
	@echo "make address    write the address in _config.yml into notebooks, README and CITATION"
	@echo "make paper      the article for the Journal of Open Source Education (_build/paper.pdf)"
	@echo "make quick      style, types and all but the slow tests"
	@echo "make lab        open a copy of the notebooks in JupyterLab (_build/lab)"
	@echo "make notebooks  execute the notebooks and store their text outputs"
	@echo "make student    site and notebooks without solutions (_build/student)"
	@echo "make slides     a deck for each week (_build/slides)"
	@echo "make pdf        the book as one PDF (_build/book.pdf; needs a Chromium)"
	@echo "make lms        the quizzes for a learning management system (_build/lms; SEED=7: those for marks)"
	@echo "make key        an empty key for the assignments, to be filled in (START=2026-10-05: the first class)"
	@echo "make assignments  tasks for nbgrader, marked with your key (_build/assignments)"
	@echo "make rehearse   a week with an invented class, marked with your key (SIZE=100)"
	@echo "make messy      a data set that is not clean, with data sheet and task (SEED=7 for another)"
	@echo "make others     try assignments and quizzes with the programs that read them"
	@echo "make bench      compare speed with the peers"
	@echo "make study      rerun the long studies"
	@echo "make tools      rerun the study of what other tools' intervals cover, with the tools"
	@echo "make clean      remove what was built"

.venv/ready: requirements.txt constraints.txt pyproject.toml book/pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable . --editable ./book
	@touch $@

.venv/tested: requirements-test.txt .venv/ready
	$(BIN)/python -m pip install --quiet --requirement requirements-test.txt
	@touch $@

book: .venv/ready
	$(BOOK)

# All parts run, even where one fails; then `make` fails.
test: .venv/tested
	@$(MAKE) --no-print-directory --keep-going style tests nbval site

style: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint .
	$(BIN)/oxfmt --check .
	$(BIN)/mypy

tests: .venv/tested
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not site and not nightly"

# Each cell of each chapter, audit and page is executed and compared with its stored output.
nbval: .venv/tested
	ERRLAB_OUTPUT=record $(BIN)/python -m pytest -n 2 --dist loadfile -o addopts="" --nbval notebooks book teaching/decks

site: book slides .venv/tested
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "site and not nightly" tests

# The way out when Jupyter Book 1 ends: an environment of its own, with the newest of everything.
_build/plain/ready: requirements-sphinx.txt pyproject.toml
	$(PYTHON) -m venv _build/plain
	_build/plain/bin/python -m pip install --quiet --requirement requirements-sphinx.txt
	_build/plain/bin/python -m pip install --quiet --no-deps --editable . --editable ./book
	@touch $@

sphinx: _build/plain/ready
	_build/plain/bin/python -m sphinx --fail-on-warning -c book/_plain . _build/sphinx

newest:
	$(PYTHON) tools/newest.py $(PYTHON)

dist: .venv/tested
	rm -rf dist
	$(BIN)/python -m build --outdir dist

try: dist
	$(BIN)/python tools/try_package.py dist/*.whl
	$(BIN)/python tools/try_package.py dist/*.tar.gz

address: .venv/ready
	$(BIN)/python tools/address.py

# Pandoc and Typst come as packages; the journal typesets the same two files by a template of its own.
_build/paper/ready:
	$(PYTHON) -m venv _build/paper
	_build/paper/bin/python -m pip install --quiet pypandoc_binary typst
	@touch $@

paper: _build/paper/ready
	_build/paper/bin/python tools/paper.py

quick: .venv/tested
	@$(MAKE) --no-print-directory style
	$(BIN)/python -m pytest -q -n 2 -m "not slow and not site and not nightly"

lab: .venv/ready
	$(BIN)/python -m errlab_book.handout notebooks _build/lab
	$(BIN)/jupyter lab _build/lab

notebooks: .venv/ready
	$(BIN)/python tools/notebooks.py

student: .venv/ready
	ERRLAB_EDITION=student $(BOOK) --path-output _build/student
	$(BIN)/python tools/student.py

# Offline: the decks ask for nothing but reveal.js, which lies beside them.
slides: .venv/ready
	mkdir -p _build/slides
	cp -r $(BIN)/../lib/python*/site-packages/sphinx_revealjs/_static/revealjs/. _build/slides/reveal
	ERRLAB_OUTPUT=book $(BIN)/jupyter nbconvert --config teaching/decks/nbconvert.json teaching/decks/*.ipynb

pdf: book .venv/tested
	$(BIN)/python tools/pdf.py

key: .venv/ready
	$(BIN)/python tools/assignments.py --key $(START)

assignments: .venv/ready
	$(BIN)/python tools/assignments.py

lms: .venv/ready
	$(BIN)/python tools/lms.py $(SEED)

messy: .venv/ready
	$(BIN)/python teaching/messy/messy.py $(SEED)

# They have pins of their own, which are not ours.
_build/others/ready: tests/others.txt
	$(PYTHON) -m venv _build/others
	_build/others/bin/python -m pip install --quiet --requirement tests/others.txt
	@touch $@

rehearse: _build/others/ready
	PYTHONPATH=.:tools _build/others/bin/python teaching/rehearsal/rehearse.py $(SIZE)

others: _build/others/ready .venv/tested
	$(BIN)/python -m pytest tests/tools/test_assignments.py tests/tools/test_sandbox.py tests/tools/test_lms.py

bench: .venv/tested
	for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

study: .venv/tested tools
	for file in $(filter-out studies/tools.py,$(wildcard studies/[a-z]*.py)); do $(BIN)/python -m studies.$$(basename $$file .py) || exit 1; done

# Fourteen tools of others, with pins of their own; hours, but it goes on where it was stopped.
_build/tools/ready: studies/tools.txt
	$(PYTHON) -m venv _build/tools
	_build/tools/bin/python -m pip install --quiet --requirement studies/tools.txt
	@touch $@

tools: _build/tools/ready
	_build/tools/bin/python -W ignore -m studies.tools

clean:
	rm -rf _build build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache book/api/*.rst
