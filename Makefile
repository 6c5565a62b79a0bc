# `make help` lists the targets. CI runs `make test` and nothing else.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

export CGO_ENABLED := 0
# Without the paths of this tree in them, compiled packages are found again by another clone.
export GOFLAGS := -trimpath $(filter-out -trimpath,$(GOFLAGS))

# Built tools are kept outside the tree, so that a clean clone finds them again.
CACHE ?= $(or $(LECTERN_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/lectern)
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
BUILT ?= $(shell git log -1 --format=%cI 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.built=$(BUILT)

GO_VERSION = $(shell go env GOVERSION 2>/dev/null)
LINT_VERSION = $(shell awk '$$1 == "github.com/golangci/golangci-lint/v2" { print $$2; exit }' tools/lint/go.mod)
LINT = $(CACHE)/bin/golangci-lint-$(LINT_VERSION)-$(GO_VERSION)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: go
go:
	@tools/require-go

.PHONY: node
node:
	@tools/require-node

# npm packages are fetched when the lock file changes, and packed when they, the packer or a script packed with them change.
NPM := web/npm
PACKS := $(NPM)/dist/.packages

$(NPM)/node_modules/.package-lock.json: $(NPM)/package.json $(NPM)/package-lock.json $(NPM)/.npmrc | node
	tools/install-npm $(NPM)
	@touch $@

$(PACKS): $(NPM)/node_modules/.package-lock.json $(filter-out %_test.go,$(wildcard tools/packweb/*.go)) go.mod \
		$(shell find web/island -type f 2>/dev/null) | go
	go run ./tools/packweb
	@touch $@

.PHONY: packs
packs: $(PACKS) ## download the npm packages and pack them for the build

# Third-party validators come from npm too, in a separate folder.
JUDGES := judges/node_modules/.package-lock.json

$(JUDGES): judges/package.json judges/package-lock.json judges/.npmrc | node
	tools/install-npm judges
	@touch $@

# Descriptions of the API that this one is compatible with; not part of this repository. Naming a missing folder is an error.
ANCHOR ?= $(wildcard ../shared/corpus/mintlify+docs)

.PHONY: validators
validators: $(JUDGES)

.PHONY: judges
judges: go packs validators ## run third-party validators on the API description, responses, feeds and reports, and print a table
	tools/install-testservers
	go test -count=1 -tags nightly -timeout 20m ./judges -v -args -anchor "$(abspath $(ANCHOR))" | grep -vE '^(=== |[[:space:]]*--- PASS|PASS)'

.PHONY: build
build: go packs ## build bin/lectern
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/lectern ./cmd/lectern

.PHONY: run
run: build ## build and start the server; pass flags with ARGS='--listen :9000'
	LECTERN_FIRST_SECRETS="$${LECTERN_FIRST_SECRETS:-print}" bin/lectern serve $(ARGS)

.PHONY: test
test: go packs ## run everything that CI runs: install test servers, check, all tests; prints how long each step took
	tools/test

.PHONY: test-all
test-all: go packs ## run test and what takes hours: nightly tests, long outages, fuzzing, releases, Kubernetes, benchmarks against other tools; ONLY='fuzzing|Kubernetes' runs only matching steps
	tools/test all "$(ONLY)"

# Packages that parse untrusted input. There are many targets, so each gets little time. To run all of them for longer:
# make fuzz FUZZ=./... FUZZTIME=1m
FUZZ ?= ./internal/site/docsjson ./internal/mdx/frontmatter ./internal/foundation/yamltree ./internal/site/load ./internal/mdx/... ./internal/render/expand ./internal/render/htmlpolicy ./internal/render \
	./internal/render/markdown ./internal/render/stylesheet ./internal/render/imagesize ./internal/build/ogimage ./internal/foundation/jsontree ./internal/ai/maintain ./internal/ai/summarycheck ./internal/ai/llm/... ./internal/site/rename ./internal/render/pagetext ./internal/build/searchindex \
	./internal/site/route ./internal/site/output ./internal/build/bundlecheck ./internal/jobs/bundlestore ./internal/jobs/backup ./internal/source/snapshot ./internal/build/sitereader ./internal/build/score ./internal/domain/agentjob ./internal/ai/guard \
	./internal/source/forge ./internal/source/forge/rest ./internal/serve/passhash ./internal/serve/totp ./internal/serve/oidc ./internal/serve/signin ./internal/dashboard/... ./internal/foundation/capability ./internal/render/apipage ./internal/ai/assistant ./internal/serve/assistanthttp ./internal/ai/aistream ./tools/packweb
FUZZTIME ?= 3s

.PHONY: fuzz
fuzz: go packs ## fuzz the parsers for a short time: FUZZTIME=3s FUZZ='./internal/mdx/...'
	tools/fuzz $(FUZZTIME) $(FUZZ)

.PHONY: check
check: go packs format vet lint layout licences lockfiles claims-check types-check typescript ## check formatting, vet, lint, layout, licences, lock files, claims, generated code and front-end types

.PHONY: format
format:
	@unformatted=$$(gofmt -l $$(find . -name '*.go' -not -path '*/testdata/*' -not -path '*/node_modules/*')); \
	if [ -n "$$unformatted" ]; then printf 'not formatted, run gofmt -w:\n%s\n' "$$unformatted" >&2; exit 1; fi

# The linter vets the main module too.
.PHONY: vet
vet: go packs
	go vet -C tools/release ./...
	go vet -C tools/vuln ./...
	go vet -C tools/secretrules ./...
	go vet -C tools/judgetools ./...
	go vet -C tools/apitypes ./...

.PHONY: lint
lint: $(LINT) packs
	tools/run-linter $(LINT) "$(CACHE)"

# Keyed by its own version and Go's: a linter built with an older Go cannot parse newer code.
$(LINT): | go
	@mkdir -p $(@D)
	go build -C tools/lint -trimpath -ldflags="-s -w" -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: layout
layout: go
	go test -count=1 ./internal/testkit/layout

.PHONY: licences
licences: go packs
	go run ./tools/licences -check THIRD_PARTY.md

.PHONY: reference
reference: # docs/ generates its API pages from a copy
	cp api/openapi.yaml docs/openapi.yaml

.PHONY: third-party
third-party: go packs ## rewrite THIRD_PARTY.md after a dependency changed
	go run ./tools/licences -write THIRD_PARTY.md

.PHONY: claims-check
claims-check: go
	@go run ./tools/claims -check docs/reference/claims.mdx

.PHONY: claims
claims: go ## update the list of claims and the tests that prove them in docs/reference/claims.mdx
	go run ./tools/claims -write docs/reference/claims.mdx

.PHONY: types
types: go reference ## generate code from api/openapi.yaml: types and methods of client/; also update the copy in docs/
	cd tools/apitypes && go run .

.PHONY: types-check
types-check: go
	@cd tools/apitypes && go run . -check

.PHONY: typescript
typescript: packs
	node $(NPM)/node_modules/typescript/bin/tsc --singleThreaded -p web
	node $(NPM)/node_modules/typescript/bin/tsc --singleThreaded -p web/island/src/server

.PHONY: lockfiles
lockfiles:
	@tools/check-lockfiles

# Real sites and the oracle for their pages are not part of this repository; conformance/README.md describes the folders.
CORPUS ?= ../shared/corpus
ORACLE ?= ../shared/oracle
SAMPLE ?= 0
ONLY ?=

.PHONY: corpus
corpus: go packs ## build real sites and compare their pages with an independent oracle: CORPUS=dir ORACLE=dir SAMPLE=40 ONLY=name
	tools/corpus "$(CORPUS)" "$(ORACLE)" "$(CACHE)/oracle" -sample "$(SAMPLE)" -only "$(ONLY)" $(ARGS)

# Needs root, for namespaces, mounts and control groups. Its programs are built once, in about ten minutes:
# docs/decisions/0045-a-real-node.md.
KUBERNETES_RELEASE = $(CURDIR)/bin/kubernetes-release

.PHONY: test-kubernetes
test-kubernetes: go packs ## install the chart on a real Kubernetes node and test it; ARGS='-run Bundle'
	tools/install-testservers
	tools/install-kubernetes
	$(RELEASE) build -root "$(CURDIR)" -out "$(KUBERNETES_RELEASE)" -replace -cache "$(CACHE)" -version v0.0.1 -platforms "linux/$$(go env GOARCH)" -dirty
	go test -count=1 -timeout 40m -tags kubernetes ./e2e/kubernetes -v $(ARGS) -args -release "$(KUBERNETES_RELEASE)"

SITES ?=

.PHONY: read
read: go packs ## test this repository's docs and other docs folders in Chromium, including accessibility with axe: SITES=dir,dir
	go test -count=1 -timeout 30m ./e2e/browser -run 'TestReaders|TestPagesLoad|TestPagesAreAccessible' -args -corpus "$(SITES)"

PAGES ?= 25

.PHONY: bundles
bundles: go packs ## export this repository's docs and other docs folders, and test the bundles in Chromium without a network: SITES=dir,dir PAGES=25
	go test -count=1 -timeout 60m ./e2e/browser -run 'TestBundles' -v -args -corpus "$(SITES)" -sample "$(PAGES)"

.PHONY: requests
requests: go packs ## print the requests and bytes of a first page view, a click, and a hover with a click, for serve, serve-bundle and a static host
	go test -count=1 ./e2e/browser -run TestClickSendsOneRequest -v | grep -E '^ +(host|serve|serve-bundle|static files) |^(ok|FAIL)'

.PHONY: bench
bench: build ## run the benchmarks (bench/README.md); takes about an hour, mostly for the slower of the compared tools
	go run ./bench -cache "$(CACHE)/bench" $(ARGS)

.PHONY: bench-limits
bench-limits: build ## compare the cost of pages, polls and an idle server with bench/limits.json; MODE=print prints the current values in its format
	go run ./bench -limits $(or $(MODE),check)

.PHONY: bench-export
bench-export: build ## benchmark exports against Hugo, Starlight and VitePress: ARGS='-peers hugo -alone 0'
	go run ./bench -parts export -cache "$(CACHE)/bench" $(ARGS)

# Builds a release. The same commit always gives the same bytes: docs/decisions/0029-releases.md. VERSION=v1.2.3 replaces
# the commit's tag, LECTERN_RELEASE_KEY may hold the private key (PEM), ARGS='-platforms linux/amd64 -dirty' builds less or from changed files.
RELEASE = go run -C tools/release .

.PHONY: release
release: go packs licences ## build programs, packages, images and chart into dist/: VERSION=v1.2.3
	$(RELEASE) build -root "$(CURDIR)" -out "$(CURDIR)/dist" -replace -cache "$(CACHE)" $(if $(filter command line environment,$(origin VERSION)),-version "$(VERSION)") $(ARGS)

.PHONY: vuln
vuln: go packs ## fail if the program calls code with a known vulnerability; needs the Go vulnerability database
	go run -C tools/vuln . -dir "$(CURDIR)" -policy "$(CURDIR)/tools/vuln/accepted.json" ./cmd/lectern

.PHONY: sign-release
sign-release: go ## sign dist/ with the private key in LECTERN_RELEASE_KEY (PEM)
	$(RELEASE) sign -dist "$(CURDIR)/dist"

.PHONY: verify-release
verify-release: go ## verify dist/: KEY=public.pem, or ARGS=-unsigned for a release without signatures
	$(RELEASE) verify -dist "$(CURDIR)/dist" $(if $(KEY),-public-key "$(abspath $(KEY))") $(ARGS)

.PHONY: pin-debian
pin-debian: go ## update packaging/debian.lock to the newest Debian packages, using signed package indexes
	$(RELEASE) pin -root "$(CURDIR)" -cache "$(CACHE)" $(ARGS)

.PHONY: clean
clean: ## remove build output
	rm -rf bin dist $(NPM)/node_modules
	find $(NPM)/dist -mindepth 1 -not -name README.md -delete
