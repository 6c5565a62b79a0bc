package codesample

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// MaxSamples limits the programs of one check.
const MaxSamples = 500

// Runner runs a program until it exits: a *sandbox.Box, or sandbox.Bare.
type Runner interface {
	Run(context.Context, sandbox.Program) (sandbox.Result, error)
}

// Options configures how samples are run.
type Options struct {
	Languages Languages
	Runner    Runner
	Readable  []string                                            // folders that programs may read, in addition to the system's own
	Time      time.Duration                                       // for one program; 0: 30 s
	Total     time.Duration                                       // for all programs together; 0: no limit
	Folder    func() (dir string, remove func() error, err error) // creates an empty folder
	Base      fs.FS                                               // samples of pages that are unchanged in this folder are not run; nil: all are run
}

// Result is the result of a check.
type Result struct {
	Findings diag.List
	Ran      int
	Disabled map[string]int // samples whose language is not enabled, by language
	Left     int            // samples beyond MaxSamples, or for which there was no time left
}

// Check runs the samples of a docs folder. It returns an error if one of the operator's programs does not exist or a
// sandbox is not available; a sample that fails is a finding.
func Check(ctx context.Context, src fs.FS, opt Options) (Result, error) {
	result := Result{Disabled: map[string]int{}}
	find := finder{languages: opt.Languages, result: &result}
	err := load.EachChanged(ctx, src, opt.Base, func(name string, data []byte) error {
		find.page(name, data)
		return nil
	})
	if err != nil {
		return result, err
	}
	timed, cancel := ctx, func() {}
	if opt.Total > 0 {
		timed, cancel = context.WithTimeoutCause(ctx, opt.Total, errTotal)
	}
	defer cancel()
	var found diag.List
	found, result.Ran, err = runAll(timed, find.list, opt)
	if errors.Is(err, errTotal) {
		result.Left += len(find.list) - result.Ran
		err = nil
	}
	result.Findings = append(result.Findings, found...)
	result.Findings.Sort()
	return result, err
}

// errTotal is the reason why a check ends if its programs take too long in total.
var errTotal = errors.New("the samples took too long")

// runAll runs programs, a few concurrently, and counts those that ended. The first error stops the others.
func runAll(ctx context.Context, todo []*sample, opt Options) (found diag.List, ended int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		mu      sync.Mutex
		workers sync.WaitGroup
		next    = make(chan *sample)
	)
	for range min(4, runtime.GOMAXPROCS(0), len(todo)) {
		workers.Go(func() {
			for s := range next {
				list, err := s.run(ctx, opt)
				if err != nil {
					cancel(err) // keeps the cause of a context that has ended
					continue
				}
				mu.Lock()
				found = append(found, list...)
				ended++
				mu.Unlock()
			}
		})
	}
	for _, s := range todo {
		if ctx.Err() != nil {
			break
		}
		next <- s
	}
	close(next)
	workers.Wait()
	return found, ended, context.Cause(ctx)
}

// limits returns the limits of one program.
func limits(wall time.Duration) sandbox.Limits {
	if wall <= 0 {
		wall = 30 * time.Second
	}
	// The processor time of several threads adds up. A program that runs too long is stopped by the wall time
	// limit, which is reported by name.
	return sandbox.Limits{Wall: wall, CPU: 8 * wall, Memory: 1 << 30, Processes: 128, Disk: 256 << 20, Scratch: 256 << 20}
}

func (s *sample) run(ctx context.Context, opt Options) (list diag.List, err error) {
	l := s.lang
	dir, remove, err := opt.Folder()
	if err != nil {
		return nil, fmt.Errorf("create folder for sample: %w", err)
	}
	defer func() { _ = remove() }() // best effort: the folder is temporary
	if err := os.WriteFile(filepath.Join(dir, l.file), s.source(), 0o666); err != nil {
		return nil, fmt.Errorf("write sample: %w", err)
	}
	var stdout, stderr sandbox.Printed
	ended, err := opt.Runner.Run(ctx, sandbox.Program{Words: append(slices.Clone(l.words), l.file), Dir: dir,
		Readable: opt.Readable, Limits: limits(opt.Time), Stdout: &stdout, Stderr: &stderr})
	if fault.HasCode(err, "program_not_found") {
		return nil, fault.Newf(fault.Invalid, "program_not_found", "The program %q for samples in %s does not exist.",
			l.words[0], l.name).WithHint("Install it, or name another: " + l.name + "=PROGRAM").WithCause(err)
	}
	if err != nil {
		return nil, fmt.Errorf("run sample at %s:%d: %w", s.pos.File, s.pos.Line, err)
	}
	s.judge(&list, ended, &stdout, &stderr)
	return list, nil
}

// judge reports a program that failed or whose output differs from the page.
func (s *sample) judge(list *diag.List, ended sandbox.Result, stdout, stderr *sandbox.Printed) {
	what := "The sample"
	if s.name != "" {
		what = fmt.Sprintf("The sample %q", s.name)
	}
	switch {
	case ended.Exceeded != "":
		list.Errorf(s.pos, "sample-failed", "%s was stopped: it exceeded its limit of %s.", what, ended.Exceeded)
		list.Hint(excerpt(cmp.Or(stderr.End(), stdout.End())))
	case ended.Exit != 0:
		list.Errorf(s.pos, "sample-failed", "%s ended with exit code %d.", what, ended.Exit)
		list.Hint(excerpt(cmp.Or(stderr.End(), stdout.End())))
	case s.output != nil:
		why := "its output is too long to compare"
		if !stdout.Cut() {
			why = differs(s.output.text, stdout.String())
		}
		if why != "" {
			list.Errorf(s.output.pos, "sample-output", "%s does not print this: %s.", what, why)
			list.Hint("Correct the sample or its output. A line with only " + anything + " stands for any lines.")
		}
	}
}

// excerptLines and excerptBytes limit the part of a program's output in a finding: its end, which contains the errors.
const (
	excerptLines = 8
	excerptBytes = 600
)

func excerpt(text string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	if len(lines) == 0 {
		return "It printed nothing."
	}
	lines = lines[max(0, len(lines)-excerptLines):]
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	out := strings.Join(lines, " | ")
	if len(out) > excerptBytes {
		out = "…" + strings.ToValidUTF8(out[len(out)-excerptBytes:], "")
	}
	return "It printed: " + out
}
