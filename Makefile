# `make book` and `make test` set everything up by themselves; `make help` lists the rest.
PYTHON ?= python3
BIN := .venv/bin
BOOK := $(BIN)/jupyter-book build --warningiserror --keep-going .

.PHONY: help book test style tests nbval site quick lab notebooks student slides pdf lms key assignments rehearse messy others bench study tools clean

help:
	@echo "make book       build the site (_build/html/index.html)"
	@echo "make test       run every check: style, types, tests, notebooks, site"
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

.venv/ready: requirements.txt constraints.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable .
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
	$(BIN)/mypy

tests: .venv/tested
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not site and not nightly"

# Each cell of each chapter, audit and page is executed and compared with its stored output.
nbval: .venv/tested
	ERRLAB_OUTPUT=record $(BIN)/python -m pytest -n 2 --dist loadfile -o addopts="" --nbval notebooks book teaching/decks

site: book slides .venv/tested
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "site and not nightly" tests

quick: .venv/tested
	@$(MAKE) --no-print-directory style
	$(BIN)/python -m pytest -q -n 2 -m "not slow and not site and not nightly"

lab: .venv/ready
	$(BIN)/python -m errlab.book.handout notebooks _build/lab
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
