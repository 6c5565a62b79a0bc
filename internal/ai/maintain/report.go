package maintain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// Report is the result of a task. The same task on the same folder gives the same report.
type Report struct {
	Changed []string // files, ordered
	Done    []Item   // completed changes; Why is empty
	Left    []Item   // problems that were not fixed
	More    int      // number of items that did not fit into the lists
}

// Item is one location in the folder. Line starts at 1; 0 means unknown. What and Why partly consist of the folder's
// own text, so treat them as untrusted.
type Item struct {
	File string
	Line int
	What string
	Why  string
}

const (
	maxItems = 500   // of each list
	maxKept  = 10000 // of each list, before it is sorted and cut
	maxShown = 100   // of each list, as text
	maxWhat  = 240   // characters of one text
)

func (i Item) String() string {
	var b strings.Builder
	b.WriteString(oneLine(i.File))
	if i.Line > 0 {
		b.WriteString(":" + strconv.Itoa(i.Line))
	}
	if i.What != "" {
		b.WriteString(": " + oneLine(i.What))
	}
	if i.Why != "" {
		b.WriteString(" – " + oneLine(i.Why))
	}
	return b.String()
}

// oneLine prepares a text for use within a line: it removes line breaks and control characters and limits the
// length.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
	return clip.Runes(s, maxWhat)
}

// The headings of a report's text, which ReadReport expects.
const (
	nothing     = "Nothing was changed."
	changedHead = "Changed files: "
	doneHead    = "Done: "
	leftHead    = "Left: "
)

// String returns the report for a model or a person, with lists of limited length.
func (r Report) String() string {
	var b strings.Builder
	part := func(head string, lines []string) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s%d\n", head, len(lines))
		for i, l := range lines {
			if i == maxShown {
				fmt.Fprintf(&b, "- … and %d more\n", len(lines)-i)
				break
			}
			b.WriteString("- " + oneLine(l) + "\n")
		}
	}
	if len(r.Changed) == 0 {
		b.WriteString(nothing + "\n")
	}
	part(changedHead, r.Changed)
	part(doneHead, texts(r.Done))
	part(leftHead, texts(r.Left))
	if r.More > 0 {
		fmt.Fprintf(&b, "… and %d more\n", r.More)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func texts(items []Item) []string {
	var out []string
	for _, i := range items {
		out = append(out, i.String())
	}
	return out
}

// ParsedReport is a report parsed from its text. The last line of a list may say how many items were omitted.
type ParsedReport struct{ Changed, Done, Left []string }

// ReadReport parses a report within a text that may contain more, such as markers around it. ok is false if the
// text contains no report.
func ReadReport(text string) (t ParsedReport, ok bool) {
	var list *[]string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		item, isItem := strings.CutPrefix(line, "- ")
		switch {
		case line == nothing && !ok:
			ok = true
		case heads(line, changedHead):
			list, ok = &t.Changed, true
		case ok && heads(line, doneHead):
			list = &t.Done
		case ok && heads(line, leftHead):
			list = &t.Left
		case isItem && list != nil && len(*list) <= maxShown:
			*list = append(*list, item)
		case list != nil:
			list = nil
		}
	}
	return t, ok
}

func heads(line, head string) bool {
	n, ok := strings.CutPrefix(line, head)
	_, err := strconv.Atoi(n)
	return ok && err == nil
}

// sort orders the lists by position and drops duplicates.
func (r *Report) sort() {
	slices.Sort(r.Changed)
	for _, list := range []*[]Item{&r.Done, &r.Left} {
		slices.SortStableFunc(*list, func(a, b Item) int {
			if c := strings.Compare(a.File, b.File); c != 0 {
				return c
			}
			return a.Line - b.Line
		})
		*list = slices.Compact(*list)
		if over := len(*list) - maxItems; over > 0 {
			*list = (*list)[:maxItems]
			r.More += over
		}
	}
}
