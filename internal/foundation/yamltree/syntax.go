package yamltree

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// explanations maps the start of a library message to the mistake that the author probably made. The messages
// themselves describe internal states of the parser.
var explanations = []struct{ message, meaning string }{
	{"mapping values are not allowed", "a value that contains a colon must be in quotes"},
	{"found unexpected end of stream", "a quoted string is not closed"},
	{"did not find expected node content", "a value is missing, or a bracket or brace is not closed"},
	{"did not find expected ',' or ']'", "a list in brackets is not closed, or lacks a comma"},
	{"did not find expected ',' or '}'", "an object in braces is not closed, or lacks a comma"},
	{"did not find expected key", "expected a key here: check the indentation, and quotes inside quotes"},
	{"did not find expected '-' indicator", "expected a list entry here: check the indentation"},
	{"could not find expected ':'", "there is no colon after a key"},
	{"found character that cannot start any token", "a value that starts with this character must be in quotes"},
	{"found unknown escape character",
		"in double quotes a backslash starts an escape: write two, or use single quotes"},
	{"did not find expected hexdecimal number",
		"in double quotes a backslash starts an escape: write two, or use single quotes"},
	{"found a tab character", "lines must be indented with spaces, not with tabs"},
}

// explain rewrites a library message for authors. It returns unknown messages unchanged.
func explain(text string) string {
	for _, e := range explanations {
		if strings.HasPrefix(text, e.message) {
			return e.meaning
		}
	}
	return text
}

// keyed matches the indentation and key of a line, up to the value.
var keyed = lazyregexp.New(`^[ \t]*(?:- +)*(?:[^\s:#'"\[{][^:#]*:[ \t]+)?`)

// valueColumn returns the column of the value on a line, or of the text if the line has no key.
func valueColumn(src []byte, line int) int {
	row := lineOf(src, line)
	if key := keyed.Find(row); len(key) < len(row) {
		return 1 + utf8.RuneCount(key)
	}
	return 1
}

// tabColumn returns the column of a tab in a line's indentation, or 0.
func tabColumn(src []byte, line int) int {
	row := lineOf(src, line)
	blank := row[:len(row)-len(bytes.TrimLeft(row, " \t"))]
	return 1 + bytes.IndexByte(blank, '\t')
}

func lineOf(src []byte, line int) []byte {
	for ; line > 1; line-- {
		_, src, _ = bytes.Cut(src, []byte{'\n'})
	}
	row, _, _ := bytes.Cut(src, []byte{'\n'})
	return bytes.TrimRight(row, "\r")
}
