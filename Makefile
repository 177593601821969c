# make demo · make test · make docs · make bench: each sets up what it needs, in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(shell find native -type f) CMakeLists.txt pyproject.toml
# All but pgmpy, which brings so much that only `make test-peers` has it.
EXTRAS := draw,ilp,excel,sklearn,cluster
PIP := $(BIN)/pip --disable-pip-version-check
# Modules are compiled when they are first imported; most never are.
export PIP_NO_COMPILE := 1

.PHONY: all demo test test-peers fuzz sanitize sanitize-threads wheel docs notebooks bench study paper paper-parts check format clean
all: test

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	touch $@

# The build tools live in the environment too, so that a rebuild compiles only what changed.
$(VENV)/.tools: $(VENV)/.created
	$(PIP) install --quiet "scikit-build-core>=0.10" "nanobind>=2.4" cmake ninja
	touch $@

$(VENV)/.installed: $(VENV)/.tools $(NATIVE)
	@echo "compiling the core: this takes a minute or two"
	$(PIP) install --quiet --no-build-isolation --editable .
	cp $$(ls -t build/cp*/_native.pyi | head -1) src/anytimebn/  # for the type checker; not in git
	touch $@

# Groups are not known to the pip that Python 3.11 brings.
$(VENV)/.pip: $(VENV)/.created
	$(PIP) install --quiet --upgrade "pip>=25.1"
	touch $@

$(VENV)/.dev: $(VENV)/.installed $(VENV)/.pip
	$(PIP) install --quiet --group dev 'anytimebn[$(EXTRAS)]'
	touch $@

# pgmpy and pyAgrum, to compare with.
$(VENV)/.peers: $(VENV)/.dev
	$(PIP) install --quiet --group peers
	touch $@

# What is needed to run it: a wheel in dist/ (see wheel) that is no older than the sources, or else
# what the compiler makes of them.
$(VENV)/.runs: $(VENV)/.created $(NATIVE)
	wheel=$$(ls -t dist/*.whl 2>/dev/null | head -1); \
	if [ -z "$$wheel" ] || [ -e $(VENV)/.installed ] || \
	  [ -n "$$(find native src CMakeLists.txt pyproject.toml -newer "$$wheel" \
	    ! -path '*__pycache__*' ! -name '*.pyi' -type f -print -quit)" ] || \
	  ! $(PIP) install --quiet --only-binary anytimebn --find-links dist 'anytimebn[draw]'; \
	then $(MAKE) $(VENV)/.installed && $(PIP) install --quiet 'anytimebn[draw]'; fi
	touch $@

# Learns a table of 2,000 patients, shows its progress, prints the network and draws it in demo/.
demo: $(VENV)/.runs
	mkdir -p demo
	$(BIN)/anytimebn learn examples/clinic.csv --json demo/clinic.json -o demo/clinic.png

# On all cores; a worker that has nothing left takes tests over from another.
test: $(VENV)/.dev check
	$(BIN)/python -m pytest -n auto --dist worksteal

# Networks and scores beside those of other packages.
test-peers: $(VENV)/.peers
	$(BIN)/python -m pytest -m peers tests
	$(BIN)/python -m pytest -m '' --override-ini addopts=--doctest-modules \
	  -W ignore src/anytimebn/learning/pgmpy_search.py

# Attacks: so many seconds each, other ones with every SEED; CAMPAIGNS="search tables" runs these only.
SECONDS ?= 60
SEED ?= 0
CAMPAIGNS ?=
fuzz: $(VENV)/.dev
	$(BIN)/python -m fuzz $(CAMPAIGNS) --seconds $(SECONDS) --seed $(SEED) --jobs $(shell nproc)

# The core by itself, without Python: native tests with address and undefined-behaviour sanitizers,
# and those of several threads with the thread sanitizer. The latter compiles every file by itself,
# which shows what does not include all that it uses.
SANITIZED := -G Ninja -D CMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) \
  -D ANYTIMEBN_BINDINGS=OFF -D ANYTIMEBN_TESTS=ON
sanitize: $(VENV)/.tools
	$(BIN)/cmake -S . -B build/sanitize $(SANITIZED) -D ANYTIMEBN_SANITIZE=address
	$(BIN)/cmake --build build/sanitize
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure --parallel 2

sanitize-threads: $(VENV)/.tools
	$(BIN)/cmake -S . -B build/sanitize-threads $(SANITIZED) -D ANYTIMEBN_SANITIZE=thread \
	  -D ANYTIMEBN_FAST_BUILD=OFF
	$(BIN)/cmake --build build/sanitize-threads
	$(BIN)/ctest --test-dir build/sanitize-threads --output-on-failure --tests-regex threads

# Wheels in dist/, one for Python 3.11 and one for all later versions, each tried in environments
# without a compiler: some minutes of compiling each. Versions that are not here are left out.
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
wheel: $(VENV)/.tools $(VENV)/.pip
	$(PIP) install --quiet --group wheels
	$(BIN)/python tools/wheels.py $(PYTHONS)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	find native tests/native -name '*.h' -o -name '*.cpp' | xargs $(BIN)/clang-format --dry-run --Werror

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	find native tests/native -name '*.h' -o -name '*.cpp' | xargs $(BIN)/clang-format -i

# The site, in site/: open site/index.html. A link that leads nowhere fails (with --quiet it would not).
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --clean

# The notebooks of examples/ once more, with what they show.
notebooks: $(VENV)/.dev
	$(BIN)/jupyter-execute --inplace examples/*.ipynb

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# The study in docs/study: about an hour on a calm machine; stopped, it goes on where it was.
STUDY := --variables 20 24 29 --max-parents 3 6 --rows 1000 5000 --seed 1 --memory-limit 4GiB
STUDY_RUNS := runs/study
ANYTIME := anytime-weighted-astar anytime-repairing-astar anytime-window-astar
study: $(VENV)/.dev
	$(BIN)/anytimebn evaluate table1 $(STUDY) --out $(STUDY_RUNS) --time-limit 60 --snapshot 5 \
	  --algorithms all $(ANYTIME:=,local-search=0)
	$(BIN)/anytimebn evaluate table2 $(STUDY) --out $(STUDY_RUNS) --time-limit 1800 --threads 2
	$(BIN)/anytimebn evaluate report $(STUDY_RUNS) --quiet --pack docs/study/runs.jsonl.gz
	$(BIN)/python -m docs.study.write_page

# The paper's study at its own size, beside the paper's figures, in docs/paper: hours, in parts of up
# to an hour on one core. PART=table1-29 runs the parts whose names begin so; stopped, it goes on
# where it was; parts that are packed in docs/paper/packed are not run again. JOBS=2 runs two parts at
# a time, each kept on a core of its own, with up to 8 GiB each.
PART ?=
JOBS ?= 1
paper: $(VENV)/.dev
	$(BIN)/python -m docs.paper.parts --run "$(PART)" --jobs $(JOBS)
	$(BIN)/python -m docs.paper.write_page

paper-parts: $(VENV)/.dev
	@$(BIN)/python -m docs.paper.parts

clean:
	rm -rf $(VENV) build dist demo site
