package linediff

import (
	"fmt"
	"strings"
)

const (
	around = 3 // unchanged lines shown before and after a change
	// maximum number of changed lines that are compared one by one. If there are more, everything between the first and
	// the last change counts as one change
	maxDiff = 1000
)

// Line is a line of a comparison, including its line break: kept (' '), removed ('-') or added ('+').
type Line struct {
	Kind byte
	Text string
}

// Hunk is a group of changes with context lines.
type Hunk struct {
	Old, New int // number of its first line in each text, from 1; one less if the hunk has no line of that text
	Lines    []Line
}

// count returns the number of lines of each text in the hunk.
func (h Hunk) count() (olds, news int) {
	for _, l := range h.Lines {
		if l.Kind != '+' {
			olds++
		}
		if l.Kind != '-' {
			news++
		}
	}
	return olds, news
}

// Hunks returns the differences between two texts, or nil if they are equal.
func Hunks(before, after string) []Hunk {
	lines := Compare(splitLines(before), splitLines(after))
	var out []Hunk
	oldLine, newLine := 1, 1
	for i := 0; i < len(lines); {
		if lines[i].Kind == ' ' {
			oldLine, newLine, i = oldLine+1, newLine+1, i+1
			continue
		}
		start := max(0, i-around)
		for start < i && lines[start].Kind != ' ' {
			start++
		}
		end, back := hunkEnd(lines, i), i-start
		h := Hunk{Old: oldLine - back, New: newLine - back, Lines: lines[start:end]}
		olds, news := h.count()
		oldLine, newLine, i = oldLine-back+olds, newLine-back+news, end
		if olds == 0 {
			h.Old--
		}
		if news == 0 {
			h.New--
		}
		out = append(out, h)
	}
	return out
}

// hunkEnd returns the end of the hunk that starts with a change at i, which is the end of the context after its
// last change. Changes with overlapping contexts share one hunk.
func hunkEnd(lines []Line, i int) int {
	last := i
	for j := i; j < len(lines) && j <= last+2*around; j++ {
		if lines[j].Kind != ' ' {
			last = j
		}
	}
	return min(len(lines), last+1+around)
}

// Unified returns the differences in unified format with the given file names.
func Unified(oldName, newName, before, after string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", oldName, newName)
	for _, h := range Hunks(before, after) {
		olds, news := h.count()
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", h.Old, olds, h.New, news)
		for _, l := range h.Lines {
			b.WriteByte(l.Kind)
			b.WriteString(l.Text)
			if !strings.HasSuffix(l.Text, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	return b.String()
}

func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
