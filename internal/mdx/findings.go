package mdx

import (
	"fmt"
	"sort"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// maxErrors and maxWarnings limit the number of findings of one page, because nobody reads a hundred of them.
const (
	maxErrors   = 20
	maxWarnings = 50
)

// findings collects diagnostics and converts offsets to lines and columns.
type findings struct {
	file     string
	first    int // line of the file at which src starts
	src      string
	lines    []line
	list     diag.List
	errors   int
	warnings int
	waiting  []unclosed // tags without a partner, in the order of detection; see finish
	stray    []stray
}

// position returns the line and column of an offset, counted in characters.
func (f *findings) position(offset int) diag.Pos {
	i := sort.Search(len(f.lines), func(i int) bool { return f.lines[i].start > offset }) - 1
	if i < 0 {
		return diag.Pos{File: f.file, Line: f.first, Column: 1}
	}
	start := f.lines[i].start
	offset = max(start, min(offset, len(f.src)))
	return diag.Pos{File: f.file, Line: f.first + i, Column: 1 + utf8.RuneCountInString(f.src[start:offset])}
}

func (f *findings) fail(offset int, code, hint, format string, args ...any) {
	if f.errors++; f.errors > maxErrors {
		return
	}
	f.list.Errorf(f.position(offset), code, format, args...)
	f.list.Hint(hint)
}

func (f *findings) warn(offset int, code, hint, format string, args ...any) {
	if f.warnings++; f.warnings > maxWarnings {
		return
	}
	f.list.Warnf(f.position(offset), code, format, args...)
	f.list.Hint(hint)
}

// where returns a position as text for a message. If the message will be dropped anyway, it returns "", because
// counting columns takes time.
func (f *findings) where(offset int) string {
	if f.errors >= maxErrors {
		return ""
	}
	p := f.position(offset)
	return fmt.Sprintf("line %d, column %d", p.Line, p.Column)
}

// finish adds the findings that require the whole page and returns all findings in order.
func (f *findings) finish() diag.List {
	byName := map[string][]*tagToken{}
	for _, s := range f.stray {
		byName[s.tag.name] = append(byName[s.tag.name], s.tag)
	}
	used := map[*tagToken]bool{}
	for _, u := range f.waiting {
		f.unclosedTag(u, byName, used)
	}
	for _, s := range f.stray {
		if !used[s.tag] {
			f.warn(s.tag.Start, "mdx-lenient-stray-tag", "Remove it, or add the opening tag.",
				"</%s> has no opening tag and is ignored.", s.tag.name)
		}
	}
	f.list.Sort()
	return f.list
}

// unclosedTag reports an unclosed tag. If another block contains the closing tag that was probably meant, the message
// refers to it.
func (f *findings) unclosedTag(u unclosed, byName map[string][]*tagToken, used map[*tagToken]bool) {
	t := u.tag
	add := "Add </" + t.name + ">"
	for i, s := range byName[t.name] {
		if s.Start < t.Start {
			continue
		}
		byName[t.name] = byName[t.name][i+1:]
		used[s] = true
		f.fail(t.Start, "mdx-unclosed-tag",
			"Put both tags into the same block: an element that starts in a list item, quote or paragraph must end there.",
			"The closing tag of <%s> is in another block or emphasis, at %s.", t.name, f.where(s.Start))
		return
	}
	if u.closer != nil {
		f.fail(t.Start, "mdx-tag-mismatch", add+" before it.", "<%s> is not closed before </%s> at %s.", t.name,
			u.closer.name, f.where(u.closer.Start))
		return
	}
	f.fail(t.Start, "mdx-unclosed-tag", add+".", "<%s> is not closed before the end of %s.", t.name, u.where)
}
