package yamltree

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

// explanations say what authors most likely did, by the beginning of the library's message, which speaks of its own states.
var explanations = []struct{ message, meaning string }{
	{"mapping values are not allowed", "a value that contains a colon must be in quotes"},
	{"found unexpected end of stream", "a text in quotes is not closed"},
	{"did not find expected node content", "a value is missing, or a bracket or brace is not closed"},
	{"did not find expected ',' or ']'", "a list in brackets is not closed, or lacks a comma"},
	{"did not find expected ',' or '}'", "an object in braces is not closed, or lacks a comma"},
	{"did not find expected key", "a key was expected here: check the indentation, and quotes inside quotes"},
	{"did not find expected '-' indicator", "an entry of the list was expected here: check the indentation"},
	{"could not find expected ':'", "a key has no colon after it"},
	{"found character that cannot start any token", "a value that begins with this character must be in quotes"},
	{"found unknown escape character", "in double quotes a backslash starts an escape: write two, or use single quotes"},
	{"did not find expected hexdecimal number", "in double quotes a backslash starts an escape: write two, or use single quotes"},
	{"found a tab character", "lines must be indented with spaces, not with tabs"},
}

// explain puts a message of the library into words for authors; one that is not known stays as it is.
func explain(text string) string {
	for _, e := range explanations {
		if strings.HasPrefix(text, e.message) {
			return e.meaning
		}
	}
	return text
}

// keyed is a line's indentation and key, up to the value.
var keyed = regexp.MustCompile(`^[ \t]*(?:- +)*(?:[^\s:#'"\[{][^:#]*:[ \t]+)?`)

// valueColumn is where the value on a line begins, or the text of a line without a key.
func valueColumn(src []byte, line int) int {
	row := lineOf(src, line)
	if key := keyed.Find(row); len(key) < len(row) {
		return 1 + utf8.RuneCount(key)
	}
	return 1
}

// tabColumn is where a tab indents a line; 0 when none does.
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
