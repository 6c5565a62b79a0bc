package diffview

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/linediff"
)

// Kinds of lines.
const (
	Gap  = "gap"  // lines between two hunks are omitted
	Same = "same" // in both texts
	Old  = "old"  // removed
	New  = "new"  // added
)

// Line is a line of a comparison.
type Line struct {
	Kind     string
	Old, New int    // line numbers in both texts; 0 = not in that text
	Text     string // without the line ending
	Parts    []Part // of the text, if some of its words changed; nil = no parts are marked
}

// Lines is a formatted comparison.
type Lines struct {
	List           []Line
	Added, Removed int  // total numbers, even if the list is cut
	Cut            bool // the list is empty because there were too many lines
}

// Compare compares two texts, and returns up to most lines.
func Compare(before, after string, most int) Lines {
	var out Lines
	for _, h := range linediff.Hunks(before, after) {
		out.open(most)
		at := side{h.Old, h.New}
		for _, l := range h.Lines {
			out.add(&at, l.Kind, l.Text, most)
		}
	}
	return out.done()
}

// Added formats a whole text as added lines, up to most of them.
func Added(text string, most int) Lines {
	var out Lines
	at := side{0, 1}
	for line := range strings.Lines(text) {
		out.add(&at, '+', line, most)
	}
	return out.done()
}

// side contains the next line numbers in both texts.
type side struct{ old, fresh int }

// open starts a hunk.
func (l *Lines) open(most int) { l.keep(Line{Kind: Gap}, most) }

// add counts a line and keeps it within the limit. kind is in the format of package linediff.
func (l *Lines) add(at *side, kind byte, text string, most int) {
	line := Line{Kind: Same, Old: at.old, New: at.fresh, Text: strings.TrimRight(text, "\r\n")}
	switch kind {
	case '-':
		line.Kind, line.New = Old, 0
		l.Removed++
		at.old++
	case '+':
		line.Kind, line.Old = New, 0
		l.Added++
		at.fresh++
	default:
		at.old++
		at.fresh++
	}
	l.keep(line, most)
}

func (l *Lines) keep(line Line, most int) {
	if l.Cut = l.Cut || len(l.List) >= most; l.Cut {
		l.List = nil
		return
	}
	l.List = append(l.List, line)
}

// done marks the changes within lines.
func (l *Lines) done() Lines {
	mark(l.List)
	return *l
}
