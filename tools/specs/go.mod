// The texts of the Markdown specifications, which the suites in conformance read. They are modules so that the package manager pins and
// verifies them; nothing of them is built. Do not run go mod tidy here: no package imports them.
module github.com/lectern-docs/lectern/tools/specs

go 1.26.8

require (
	github.com/github/cmark-gfm v0.0.0-20260713143608-499789b49373 // test/spec.txt: GFM 0.29
	github.com/yuin/goldmark v1.8.7 // _test/spec.json: the examples of CommonMark 0.31.2
)
