# `make book` and `make test` set everything up by themselves; the rest is listed by `make help`.
PYTHON ?= python3
BIN := .venv/bin
export ERRLAB_OUTPUT ?= record
# What Python compiles is kept, also where it is told not to: without that, each process compiles
# the tests anew, which takes longer than many of them.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help book style quick quick-tests test mutants mutation lab notebooks bench study clean student instructor pdf lite lms assignments messy others

help:
	@echo "make book       build the site (_build/html/index.html)"
	@echo "make quick      style, types and all but the slow tests, in half a minute"
	@echo "make test       run every check: style, types, tests, notebooks, site"
	@echo "make mutants    change every figure in every way; each change must be noticed (an hour)"
	@echo "make mutation   change the library in small ways; its tests must notice (hours; PARTS=compare)"
	@echo "make lab        open a copy of the notebooks in JupyterLab (_build/lab)"
	@echo "make notebooks  execute the notebooks and store their text outputs"
	@echo "make bench      compare speed with the peers"
	@echo "make study      rerun the long studies"
	@echo "make student    site and notebooks without solutions (_build/student/_build/html, _build/student/notebooks.zip)"
	@echo "make instructor the site with solutions, teaching notes and slides (_build/instructor/_build/html)"
	@echo "make pdf        the book without its API as one PDF (_build/book.pdf; needs a Chromium)"
	@echo "make lite       a JupyterLite site with the notebooks in it (_build/lite)"
	@echo "make assignments  tasks to be marked by nbgrader or otter, numbers by student (_build/assignments)"
	@echo "make lms        all quizzes, and the bank, as Moodle XML, GIFT and QTI (_build/lms)"
	@echo "make messy      a data set that is not clean, with data sheet and task (_build/messy; SEED=7 for another)"
	@echo "make others     try assignments and quizzes with the programs of others that read them (_build/others; needs npm)"
	@echo "make clean      remove what was built"

.venv/ready: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "errlab needs Python 3.11 or later; call make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

book: .venv/ready
	$(BIN)/python tools/book.py

style: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Style and types beside the tests.
quick: .venv/ready
	@$(MAKE) --no-print-directory -j 2 style quick-tests

quick-tests: .venv/ready
	$(BIN)/python -m pytest -q -n 2 -p no:nbval -m "not slow and not site" --durations 5 --durations-min 1

# The notebooks are executed once, by the book: tests/tools/test_notebooks.py compares what it has shown,
# tests/book/test_mutants.py changes its figures. pytest --nbval notebooks would be a second time.
test: .venv/ready
	@$(MAKE) --no-print-directory -j 2 book style
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not site"
	$(BIN)/python -m pytest -n 3 --dist worksteal -m site tests/site tests/tools # browsers leave gaps

# make test tries a sample of these.
mutants: .venv/ready
	ERRLAB_MUTANTS=all $(BIN)/python -m pytest -n 2 --dist worksteal tests/book/test_mutants.py

# make test tries a sample of these, too.
mutation: .venv/ready
	$(BIN)/python tools/mutate.py $(PARTS)

student instructor: .venv/ready
	$(BIN)/python tools/book.py --edition $@ --to _build/$@

pdf: book
	$(BIN)/python tools/pdf.py

lite: book
	$(BIN)/python tools/lite.py

assignments: .venv/ready
	$(BIN)/python tools/assignments.py

lms: .venv/ready
	$(BIN)/python tools/lms.py

messy: .venv/ready
	$(BIN)/python teaching/messy/messy.py $(SEED)

# They have pins of their own, which are not ours. npm is asked for the one that reads GIFT.
others: .venv/ready
	$(PYTHON) -m venv _build/others
	_build/others/bin/python -m pip install --quiet --requirement tests/others.txt
	npm install --silent --prefix _build/others gift-pegjs@1.0.2
	$(BIN)/python -m pytest tests/tools/test_assignments.py tests/tools/test_lms.py

lab: .venv/ready
	$(BIN)/python tools/handout.py lab
	ERRLAB_OUTPUT=live $(BIN)/jupyter lab _build/lab

notebooks: .venv/ready
	$(BIN)/python tools/notebooks.py store

bench: .venv/ready
	for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

study: .venv/ready
	for file in studies/[a-z]*.py; do $(BIN)/python $$file || exit 1; done

clean:
	rm -rf _build build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache
