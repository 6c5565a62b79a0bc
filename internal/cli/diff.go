package cli

import (
	"fmt"
	"strings"
)

const (
	diffContext = 3    // lines around a change
	maxDiff     = 1000 // changed lines that are compared one by one; beyond, all between the first and the last is one change
)

// step is a line of a comparison: kept (' '), removed ('-') or added ('+').
type step struct {
	kind byte
	line string
}

// unifiedDiff tells what changed between two texts, as patch reads it.
func unifiedDiff(name, before, after string) string {
	steps := compareLines(splitLines(before), splitLines(after))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	oldLine, newLine := 1, 1
	for i := 0; i < len(steps); {
		if steps[i].kind == ' ' {
			oldLine, newLine, i = oldLine+1, newLine+1, i+1
			continue
		}
		start := max(0, i-diffContext)
		for start < i && steps[start].kind != ' ' {
			start++
		}
		end := hunkEnd(steps, i)
		back := i - start
		writeHunk(&b, steps[start:end], oldLine-back, newLine-back)
		for ; i < end; i++ {
			if steps[i].kind != '+' {
				oldLine++
			}
			if steps[i].kind != '-' {
				newLine++
			}
		}
	}
	return b.String()
}

// hunkEnd is where a hunk ends that has a change at i: after the context of its last change. Changes that are closer than their
// contexts share one hunk.
func hunkEnd(steps []step, i int) int {
	last := i
	for j := i; j < len(steps) && j <= last+2*diffContext; j++ {
		if steps[j].kind != ' ' {
			last = j
		}
	}
	return min(len(steps), last+1+diffContext)
}

func writeHunk(b *strings.Builder, steps []step, oldLine, newLine int) {
	olds, news := 0, 0
	for _, s := range steps {
		if s.kind != '+' {
			olds++
		}
		if s.kind != '-' {
			news++
		}
	}
	if olds == 0 {
		oldLine--
	}
	if news == 0 {
		newLine--
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", oldLine, olds, newLine, news)
	for _, s := range steps {
		b.WriteByte(s.kind)
		b.WriteString(s.line)
		if !strings.HasSuffix(s.line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// compareLines finds a short way from a to b: it strips what is the same at both ends and searches what remains greedily by the number
// of changes.
func compareLines(a, b []string) []step {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var steps []step
	for _, l := range a[:head] {
		steps = append(steps, step{' ', l})
	}
	steps = append(steps, shortest(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, l := range a[len(a)-tail:] {
		steps = append(steps, step{' ', l})
	}
	return steps
}

// shortest searches along diagonals: far[k] is how much of a is used on diagonal k (used of a minus used of b) after d changes.
func shortest(a, b []string) []step {
	limit := min(len(a)+len(b), maxDiff)
	far := make([]int, 2*limit+3)
	var trace [][]int
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int(nil), far[limit+1-d:limit+2+d]...))
		for k := -d; k <= d; k += 2 {
			at := limit + 1 + k
			x := far[at-1] + 1
			if k == -d || k != d && far[at-1] < far[at+1] {
				x = far[at+1]
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			far[at] = x
			if x >= len(a) && x-k >= len(b) {
				return retrace(a, b, trace)
			}
		}
	}
	var all []step
	for _, l := range a {
		all = append(all, step{'-', l})
	}
	for _, l := range b {
		all = append(all, step{'+', l})
	}
	return all
}

// retrace walks back from the end through what was reached after each number of changes.
func retrace(a, b []string, trace [][]int) []step {
	var back []step
	x, y := len(a), len(b)
	for d := len(trace) - 1; d >= 0; d-- {
		far := trace[d] // diagonals -d to d before the d-th change
		k := x - y
		reach := func(k int) int {
			if i := k + d; i >= 0 && i < len(far) {
				return far[i]
			}
			return -1
		}
		prev := k - 1
		if k == -d || k != d && reach(k-1) < reach(k+1) {
			prev = k + 1
		}
		px := 0
		if d > 0 {
			px = reach(prev)
		}
		py := px - prev
		if d == 0 {
			py = 0
		}
		for x > px && y > py {
			x, y = x-1, y-1
			back = append(back, step{' ', a[x]})
		}
		if d > 0 && x > px {
			x--
			back = append(back, step{'-', a[x]})
		} else if d > 0 && y > py {
			y--
			back = append(back, step{'+', b[y]})
		}
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}
