package diffview

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/linediff"
)

// Kinds of lines.
const (
	Gap  = "gap"  // between two hunks: lines are left out
	Same = "same" // in both texts
	Old  = "old"  // removed
	New  = "new"  // added
)

// Line is a line of a comparison.
type Line struct {
	Kind     string
	Old, New int    // its number on either side; 0 = it has none
	Text     string // without its end
	Parts    []Part // of the text, where words of it changed; nil = it is shown whole
}

// Lines are a comparison laid out.
type Lines struct {
	List           []Line
	Added, Removed int  // of all, also where the list is cut
	Cut            bool // there were more lines than may be kept: the list is empty
}

// Compare lays out what changed between two texts, in at most so many lines.
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

// Added lays out a whole text as new, in at most so many lines.
func Added(text string, most int) Lines {
	var out Lines
	at := side{0, 1}
	for line := range strings.Lines(text) {
		out.add(&at, '+', line, most)
	}
	return out.done()
}

// side is the number of the next line on either side.
type side struct{ old, fresh int }

// open begins a hunk.
func (l *Lines) open(most int) { l.keep(Line{Kind: Gap}, most) }

// add counts a line and keeps it while there is room. kind is as package linediff has it.
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

// done marks what changed within lines.
func (l *Lines) done() Lines {
	mark(l.List)
	return *l
}
