package codesample

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// anything is a line of an expected output that matches any number of lines.
const anything = "..."

// differs describes how the output of a program differs from the page, ignoring white space at the ends of lines
// and blank lines at the start and end; "" if it does not differ.
func differs(want, got string) string {
	have := trimmed(got)
	if len(have) == 0 && strings.Trim(want, ". \t\r\n") != "" {
		return "it prints nothing"
	}
	part, rest, open := cutParts(trimmed(want))
	at := common(part, have)
	switch {
	case at < len(part) && at < len(have), !open && at < len(have):
		return fmt.Sprintf("line %d is %q", at+1, clip.Runes(have[at], maxShown))
	case at < len(part):
		return fmt.Sprintf("nothing follows after %q", clip.Runes(have[len(have)-1], maxShown))
	}
	for have = have[at:]; open; {
		if part, rest, open = cutParts(rest); !open { // the last part must be at the end of the output
			from := len(have) - len(part)
			if from < 0 || common(part, have[from:]) < len(part) {
				return fmt.Sprintf("it does not end with %q", clip.Runes(part[len(part)-1], maxShown))
			}
			return ""
		}
		for len(have) >= len(part) && common(part, have) < len(part) {
			have = have[1:]
		}
		if len(have) < len(part) {
			return fmt.Sprintf("%q is missing", clip.Runes(part[0], maxShown))
		}
		have = have[len(part):]
	}
	return ""
}

// maxShown limits a line in a message, in characters.
const maxShown = 120

func trimmed(s string) []string {
	list := strings.Split(strings.Trim(s, "\r\n"), "\n")
	for i := range list {
		list[i] = strings.TrimRight(list[i], " \t\r")
	}
	text := func(l string) bool { return l != "" }
	first := slices.IndexFunc(list, text)
	if first < 0 {
		return nil
	}
	list = list[first:]
	for list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

// cutParts returns the lines up to the first that matches anything, and those after it.
func cutParts(list []string) (part, rest []string, more bool) {
	if i := slices.Index(list, anything); i >= 0 {
		return list[:i], list[i+1:], true
	}
	return list, nil, false
}

// common returns the number of equal lines at the start of both.
func common(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
