package race

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// figure is one row: the fastest of several identical runs.
type figure struct {
	name    string
	wall    float64 // seconds
	cpu     float64
	peak    int64 // bytes; the maximum of all runs
	files   int
	bytes   int64 // of the output
	least   bool  // the process was killed at the time limit: the figures are lower bounds
	failure string
}

// best combines the runs of one row.
func best(name string, runs []*took) figure {
	t := slices.MinFunc(runs, func(a, b *took) int { return cmp.Compare(a.Wall, b.Wall) })
	f := figure{name: name, wall: t.Wall, cpu: t.CPU, least: t.Killed == "limit"}
	for _, r := range runs {
		f.peak = max(f.peak, r.Peak)
	}
	return f
}

// exhausted reports whether the machine was too small: that is a result, not an error.
func (f figure) exhausted() bool { return f.failure == outOfMemory || f.failure == outOfDisk }

// bound returns the prefix of figures that are lower bounds.
func (f figure) bound() string {
	if f.least || f.failure != "" {
		return "> "
	}
	return ""
}

// table prints rows as they are measured.
type table struct {
	out  io.Writer
	base figure // reference of the ratios; zero = none
}

const rowFormat = "%-54s %9s %9s %9s %8s %8s %8s %8s %8s\n"

// head starts a group of rows without a reference.
func (t *table) head(name, over string) {
	t.base = figure{}
	fmt.Fprintf(t.out, "\n"+rowFormat, name, "wall s", "CPU s", "peak MiB", "files", "MB", "wall ×", "CPU ×", "peak ×")
	if over != "" {
		fmt.Fprintf(t.out, "× = the row divided by: %s\n", over)
	}
}

func (t *table) row(f figure) {
	if f.failure != "" && f.wall == 0 {
		fmt.Fprintf(t.out, "%-54s %s\n", f.name, f.failure)
		return
	}
	over := f.bound()
	fmt.Fprintf(t.out, rowFormat, f.name, over+seconds(f.wall), over+seconds(f.cpu),
		over+strconv.FormatInt(f.peak>>20, 10),
		count(f.files), megabytes(f.bytes),
		ratio(over, f.wall, t.base.wall), ratio(over, f.cpu, t.base.cpu),
		ratio(over, float64(f.peak), float64(t.base.peak)))
	if f.failure != "" {
		fmt.Fprintf(t.out, "%-54s failed: %s\n", "", f.failure)
	}
}

func seconds(s float64) string {
	if s < 10 {
		return strconv.FormatFloat(s, 'f', 2, 64)
	}
	return strconv.FormatFloat(s, 'f', 1, 64)
}

func count(n int) string {
	if n == 0 {
		return "–"
	}
	return strconv.Itoa(n)
}

func megabytes(n int64) string {
	if n == 0 {
		return "–"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64)
}

func ratio(over string, a, b float64) string {
	if a == 0 || b == 0 {
		return "–"
	}
	return over + times(a/b)
}

// times formats a ratio with about three digits.
func times(x float64) string {
	switch {
	case x >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// thousands formats 10000 as 10,000.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
