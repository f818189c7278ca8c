# Everything is one of these targets; `make` alone lists them. Two are enough to begin with:
#
#   make site    reads content/, writes public/, says which file to open
#   make test    brings what the tests need, then runs all of them
#
# Nothing here needs a GPU, and nothing but `make test` and `make font` needs anything but Go.

# No cgo: with it the binary would depend on the C library of the machine that built it, and a
# machine without a C compiler could not build it at all.
export CGO_ENABLED = 0

# -trimpath: no path of the building machine in the binary. -buildvcs=false: no commit either, and no
# failure in a clone whose owner is somebody else, where git refuses to answer. Together the same
# source gives the same binary in every folder.
GOBUILD = go build -trimpath -buildvcs=false

# Pinned here, not in go.mod: a checker's dependencies are not ours. A new version is a change of
# this line, so that it cannot begin to fail on a day on which nothing was changed.
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# How long `make fuzz` stays with each target; `make fuzz FUZZTIME=5m` looks longer.
FUZZTIME = 30s

# How many blows `make soak` deals.
SOAK = 300

# Named targets are words, never files.
.PHONY: help build site test deps pins lint golden fuzz soak cover schema font screenshot clean

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

build: ## the program, as bin/benchguide
	$(GOBUILD) -o bin/benchguide ./cmd/benchguide

site: build ## the guides, as public/
	bin/benchguide build content --out public
	@echo "open file://$(CURDIR)/public/index.html in a browser"

# `go test` comes last, so that the last lines are its own. -vet=off, because lint has run all of
# vet just before and go test would run a part of it again. run/executor is named first because it
# waits most of its time, for a real Slurm to miss a machine: the others have the processors then.
test: pins deps lint ## everything that can fail
	go test -vet=off ./run/executor ./...

# First of all: with a drifted go.mod nothing else can be built, and only this test says why.
pins:
	go test ./tools

# Each of the scripts leaves a machine as it is that cannot have what it brings, says which tests are
# then left out, and fails for that in continuous integration alone.
deps: node_modules/.package-lock.json ## what the tests need beside Go: a browser, axe-core, llama.cpp, Slurm
	tools/browser.sh
	tools/llama-up deps
	tools/slurm-up deps

# npm ci takes exactly what the lock file says, or fails. --ignore-scripts: we want one JavaScript
# file to read, not other people's install scripts. The file that it writes last is the target, so
# that the second `make test` downloads nothing. Without npm the tests that need the file are left
# out, as those that need a browser are: see tools/browser.sh.
node_modules/.package-lock.json: package-lock.json package.json
	@if command -v npm >/dev/null; then npm ci --ignore-scripts --no-audit --no-fund; else \
		echo "npm was not found: install Node.js 20 or newer for the tests of accessibility" >&2; \
		test "$${CI:-}" != true; fi

# gofmt prints the files that it would change and ends with 0 all the same, hence the test.
lint: ## go vet, gofmt, staticcheck
	go vet ./...
	@files=$$(gofmt -l $$(go list -f '{{.Dir}}' ./...)); test -z "$$files" || { echo "not formatted, run gofmt -w:" $$files >&2; exit 1; }
	$(STATICCHECK) ./...

# Golden files and schemas are written anew by the tests that compare them; the packages are found
# by their -update flag. UPDATE is the same for scripts of the command line. Read the diff before
# you commit it: this target makes every test of an output pass.
golden: ## accept what the golden tests see now
	go test $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -n1 dirname | sort -u) -update
	UPDATE=1 go test ./cmd/...

# Go fuzzes one target of one package at a time, so the list is asked for. -run '^$$' leaves the
# ordinary tests out. A crash is written below testdata/fuzz of its package: commit it as a test.
fuzz: ## each fuzz target for FUZZTIME
	@for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

# A rehearsal is ended SOAK times at random, by signals and by kill -9, and must come out as one
# that nobody disturbed. `make test` deals it eight blows. Each call draws others; the seed that it
# prints repeats what was drawn, though not at which instruction a blow falls.
soak: ## SOAK=300 kills of a run, each followed by --resume
	@seed=$${SEED:-$$(date +%s)}; echo "BENCHGUIDE_SOAK=$(SOAK) BENCHGUIDE_SOAK_SEED=$$seed"; \
	BENCHGUIDE_SOAK=$(SOAK) BENCHGUIDE_SOAK_SEED=$$seed go test ./cmd/benchguide -count=1 -v -timeout 60m -run '^TestAKilledRehearsal'

# Each package by its own tests only: what another package's tests happen to pass through is not
# tested here.
cover: ## statement coverage by package, and by line in coverage.out
	go test -vet=off -coverprofile=coverage.out ./...
	@go tool cover -func=coverage.out | tail -1

schema: ## the JSON Schemas of schema/, from the Go types
	go test ./schema -update
	UPDATE=1 go test ./cmd/benchguide -run Schema

# The charts' fonts hold the characters of the texts that are drawn, and no others: 35 kB for each
# weight instead of 19 MB. Run it when a build names a missing character. It needs Debian's
# fonts-noto-cjk and fonttools, and is the only target that does, since its result is checked in.
font: ## the chart fonts, cut to the characters in use
	tools/font/subset.sh i18n/active.*.json content/studies/*/study.yaml render/chart/*_test.go

# The picture in the README. Not part of any test: a browser draws it, and two versions of one do
# not draw alike.
screenshot: site ## docs/screenshot.png, from the built site
	tools/screenshot.sh public/en/qwen3-8b-h100-latency/index.html docs/screenshot.png

clean: ## remove what the other targets made
	rm -rf bin public node_modules coverage.out
