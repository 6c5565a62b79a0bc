package race

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// profile shows which packages use the time of a cold export, and of one after a page changed.
func (r *race) profile(ctx context.Context, o *ours) error {
	name := r.Profile
	if name == "" {
		name = o.dir + ".prof"
	}
	if err := o.cold("tar.gz"); err != nil {
		return err
	}
	what := fmt.Sprintf("%s plain pages to tar.gz", thousands(o.site.pages))
	if err := r.profileOne(ctx, o, "where the time goes: "+what+", cold", name); err != nil {
		return err
	}
	if err := o.editText(); err != nil {
		return err
	}
	return r.profileOne(ctx, o, "where the time goes: "+what+", one page's text changed", name+".page")
}

func (r *race) profileOne(ctx context.Context, o *ours, what, name string) error {
	cmd := exec.CommandContext(ctx, r.Self, "-press", o.dir, "-out", o.out("tar.gz"), "-cache", o.cache, "-profile",
		name)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("export with a profile: %w", err)
	}
	traces, err := exec.CommandContext(ctx, "go", "tool", "pprof", "-traces", "-unit=ms", name).Output()
	if err != nil {
		return fmt.Errorf("read the profile: %w", err)
	}
	printShares(r.Out, what, sumTraces(traces))
	return nil
}

// share is the processor time of one package by kind of work, in milliseconds.
type share map[string]float64

// kinds of work, in the order of columns. A sample is of the first kind to which one of its functions belongs.
var kinds = []struct {
	name   string
	prefix []string
}{
	{"collect", []string{"runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge", "runtime.gcAssistAlloc",
		"runtime.gcStart"}},
	{"allocate", []string{"runtime.mallocgc", "runtime.growslice", "runtime.newobject", "runtime.makeslice"}},
	{"deflate", []string{"github.com/klauspost/compress/flate.", "compress/flate."}},
	{"digest", []string{"crypto/", "hash/"}},
	{"system", []string{"syscall.", "internal/runtime/syscall."}},
}

const elsewhere = "(runtime)"

// sumTraces groups the output of `go tool pprof -traces`: blocks between lines of dashes, each a stack with the
// innermost function first and the time before it. A sample counts for the innermost package of this repository on
// its stack.
func sumTraces(traces []byte) map[string]share {
	out := map[string]share{}
	var spent float64
	var stack []string
	flush := func() {
		if spent > 0 {
			name, kind := packageOf(stack), kindOf(stack)
			if out[name] == nil {
				out[name] = share{}
			}
			out[name][kind] += spent
		}
		spent, stack = 0, nil
	}
	inside := false
	for line := range bytes.Lines(traces) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "-----------+") {
			flush()
			inside = true
			continue
		}
		if !inside || text == "" {
			continue
		}
		if first, rest, ok := strings.Cut(text, " "); ok && len(stack) == 0 {
			if ms, err := strconv.ParseFloat(strings.TrimSuffix(first, "ms"), 64); err == nil {
				spent, text = ms, strings.TrimSpace(rest)
			}
		}
		if spent > 0 { // lines before it are labels
			stack = append(stack, text)
		}
	}
	flush()
	return out
}

// packageOf returns the innermost package of this repository on a stack, without its layer.
func packageOf(stack []string) string {
	for _, f := range stack {
		if _, rest, ok := strings.Cut(f, "/lectern/internal/"); ok {
			path, _, _ := strings.Cut(rest, ".")
			layer, name, below := strings.Cut(path, "/")
			if below && layer != "mdx" { // the packages of mdx form one parser
				layer, _, _ = strings.Cut(name, "/")
			}
			return layer
		}
	}
	return elsewhere
}

func kindOf(stack []string) string {
	for _, k := range kinds {
		for _, f := range stack {
			if slices.ContainsFunc(k.prefix, func(p string) bool { return strings.HasPrefix(f, p) }) {
				return k.name
			}
		}
	}
	return "own"
}

func (s share) sum() (total float64) {
	for _, v := range s {
		total += v
	}
	return total
}

// printShares prints packages by decreasing cost, without those that cost almost nothing.
func printShares(w io.Writer, name string, rooms map[string]share) {
	var total float64
	all := share{}
	for _, s := range rooms {
		total += s.sum()
		for kind, v := range s {
			all[kind] += v
		}
	}
	if total == 0 {
		return
	}
	percent := func(v float64) string { return strconv.FormatFloat(100*v/total, 'f', 1, 64) }
	row := func(room string, s share) {
		fmt.Fprintf(w, "%-54s %9s %9s", room, percent(s.sum()), percent(s["own"]))
		for _, k := range kinds {
			fmt.Fprintf(w, " %9s", percent(s[k.name]))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\n%s\n%-54s %9s %9s", name, fmt.Sprintf("%% of %.1f s of processor time, by package", total/1000),
		"all", "own")
	for _, k := range kinds {
		fmt.Fprintf(w, " %9s", k.name)
	}
	fmt.Fprintln(w)
	rest := share{}
	dearest := func(a, b string) int { return cmp.Or(cmp.Compare(rooms[b].sum(), rooms[a].sum()), cmp.Compare(a, b)) }
	for _, room := range slices.SortedFunc(maps.Keys(rooms), dearest) {
		if rooms[room].sum() < total/100 {
			for kind, v := range rooms[room] {
				rest[kind] += v
			}
			continue
		}
		row(room, rooms[room])
	}
	row("others", rest)
	row("together", all)
}
