package prose

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// Limits of one check, in bytes unless stated otherwise.
const (
	maxConfig     = 256 << 10
	maxStyle      = 4 << 20 // one file
	maxStyles     = 64 << 20
	maxStyleFiles = 10_000
	maxOutput     = 16 << 20
	maxMessage    = 400
)

// configNames are the names that Vale looks for.
var configNames = []string{".vale.ini", "_vale.ini", "vale.ini"}

// Runner runs a program until it exits: a *sandbox.Box, or sandbox.Bare.
type Runner interface {
	Run(context.Context, sandbox.Program) (sandbox.Result, error)
}

// Options configures how prose is checked.
type Options struct {
	Program string // Vale: a name in PATH, or a path
	Runner  Runner
	Folder  func() (dir string, remove func() error, err error) // creates an empty folder
	Time    time.Duration                                       // for the program; 0: 2 min
	Base    fs.FS                                               // pages that are unchanged in this folder are not checked; nil: all are checked

	// Repository contains the configuration, if the docs folder is a part of it; nil: the docs folder contains it.
	Repository fs.FS
	Prefix     string // path of the docs folder in Repository
}

// Result is the result of a check.
type Result struct {
	Findings diag.List
	Pages    int    // number of checked pages
	Config   string // the configuration; "" if there is none and nothing was checked
}

// Config returns the name of Vale's configuration in a folder, or "".
func Config(src fs.FS) string {
	for _, name := range configNames {
		if info, err := fs.Stat(src, name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// Check runs Vale on the pages of a docs folder. It returns an error if the program is missing. Rules that Vale cannot
// use are a finding.
func Check(ctx context.Context, docs fs.FS, opt Options) (Result, error) {
	root := docs
	if opt.Repository != nil {
		root = opt.Repository
	}
	result := Result{Config: Config(root)}
	if result.Config == "" {
		return result, nil
	}
	dir, remove, err := opt.Folder()
	if err != nil {
		return result, fmt.Errorf("create folder for Vale: %w", err)
	}
	defer func() { _ = remove() }() // best effort: the folder is temporary
	into := copier{from: root, dir: dir}
	pages, err := copyPages(ctx, docs, into, opt)
	if err != nil || len(pages) == 0 {
		return result, err
	}
	if err := into.rules(ctx, result.Config); err != nil {
		var unusable *rulesError
		if errors.As(err, &unusable) {
			result.rulesFinding(unusable.text)
			err = nil
		}
		return result, err
	}
	result.Pages = len(pages)
	return result, result.run(ctx, dir, pages, opt)
}

// copyPages copies the pages to check. It maps their names relative to the configuration's folder to their names in the
// docs folder.
func copyPages(ctx context.Context, docs fs.FS, into copier, opt Options) (map[string]string, error) {
	pages := map[string]string{}
	err := load.EachChanged(ctx, docs, opt.Base, func(name string, data []byte) error {
		at := path.Join(opt.Prefix, name)
		pages[at] = name
		return into.write(at, data)
	})
	return pages, err
}

// alert is one of Vale's messages. Columns start at 1 and count characters.
type alert struct {
	Check, Message, Description, Link, Severity string
	Line                                        int
	Span                                        [2]int
}

// run runs Vale in a folder and parses its output.
func (r *Result) run(ctx context.Context, dir string, pages map[string]string, opt Options) error {
	wall := cmp.Or(opt.Time, 2*time.Minute)
	var stdout limited
	var stderr sandbox.Printed
	program := sandbox.Program{
		Words: []string{opt.Program, "--no-exit", "--no-global", "--output=JSON", "--config=" + r.Config, "."},
		Dir:   dir, Stdout: &stdout, Stderr: &stderr,
		Limits: sandbox.Limits{Wall: wall, CPU: 8 * wall, Memory: 2 << 30, Processes: 128, Disk: 64 << 20, Scratch: 64 << 20},
	}
	if filepath.IsAbs(opt.Program) {
		program.Readable = []string{opt.Program}
	}
	ended, err := opt.Runner.Run(ctx, program)
	if fault.HasCode(err, "program_not_found") {
		return fault.Newf(fault.Invalid, "program_not_found", "The program %q, which checks prose, does not exist.", opt.Program).
			WithHint("Install Vale, or name its program.").WithCause(err)
	}
	if err != nil {
		return fmt.Errorf("run Vale: %w", err)
	}
	switch {
	case ended.Exceeded != "":
		r.rulesFinding("it was stopped: it exceeded its limit of " + ended.Exceeded)
		return nil
	case ended.Exit != 0:
		r.rulesFinding(reason(stderr.String()))
		return nil
	case stdout.over:
		r.rulesFinding("its output is too long")
		return nil
	}
	var found map[string][]alert
	if err := json.Unmarshal(stdout.text, &found); err != nil {
		return fmt.Errorf("read Vale's output: %w", err)
	}
	for at, alerts := range found {
		if name, ok := pages[filepath.ToSlash(at)]; ok { // the styles may contain Markdown files too
			r.add(name, alerts)
		}
	}
	r.Findings.Sort()
	return nil
}

func (r *Result) add(name string, alerts []alert) {
	for _, a := range alerts {
		pos := diag.Pos{File: name, Line: max(a.Line, 1), Column: max(a.Span[0], 1)}
		text := oneLine(a.Message) + " (" + oneLine(a.Check) + ")"
		switch a.Severity {
		case "error":
			r.Findings.Errorf(pos, "prose", "%s", text)
		case "warning":
			r.Findings.Warnf(pos, "prose", "%s", text)
		default: // suggestions are meant for writers and are not reported
			continue
		}
		if hint := cmp.Or(oneLine(a.Description), oneLine(a.Link)); hint != "" {
			r.Findings.Hint(hint)
		}
	}
}

// rulesFinding reports that the prose was not checked, with the reason.
func (r *Result) rulesFinding(why string) {
	r.Findings.Warnf(diag.Pos{File: r.Config, Line: 1, Column: 1}, "prose-rules", "Vale did not check the prose: %s.", why)
	r.Findings.Hint("Correct the configuration, and keep the styles that it names in the StylesPath folder. They are not downloaded.")
}

// reason extracts the sentence that describes the problem from Vale's error output.
func reason(stderr string) string {
	var said struct{ Text string }
	if json.Unmarshal([]byte(stderr), &said) != nil || said.Text == "" {
		said.Text = stderr
	}
	parts := slices.DeleteFunc(strings.Split(said.Text, "\n\n"), func(p string) bool {
		return strings.TrimSpace(p) == "" || strings.HasPrefix(p, "Execution stopped")
	})
	if len(parts) > 1 && strings.Contains(parts[0], " error") {
		parts = parts[1:] // the first part is a code and the name of a function
	}
	return cmp.Or(strings.TrimRight(oneLine(strings.Join(parts, " ")), "."), "it failed without an error message")
}

// oneLine removes line breaks from an untrusted text and truncates it.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return text
}

// limited keeps output up to a limit.
type limited struct {
	text []byte
	over bool
}

// Write never fails, so that the program is not blocked or stopped.
func (l *limited) Write(b []byte) (int, error) {
	room := maxOutput - len(l.text)
	l.over = l.over || len(b) > room
	l.text = append(l.text, b[:min(len(b), room)]...)
	return len(b), nil
}

// copier copies files into the folder for the program.
type copier struct {
	from fs.FS
	dir  string
}

func (c copier) write(name string, data []byte) error {
	at := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return err
	}
	return os.WriteFile(at, data, 0o666)
}
