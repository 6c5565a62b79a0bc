package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitediff"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/foundation/sarif"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/site/translation"
)

type checkCommand struct {
	Dir      string   `arg:"" help:"Docs folder: the folder with docs.json."`
	JSON     bool     `name:"json" help:"Print one JSON object per line: file, line, column, severity, code, message, hint."`
	SARIF    string   `name:"sarif" placeholder:"FILE|-" help:"Write the findings as a SARIF 2.1.0 log to a file, or with - to standard output instead of the usual output."`
	Markdown string   `placeholder:"FILE|-" help:"Write the result as Markdown, for a comment on a pull request, to a file, or with - to standard output instead of the usual output."`
	Base     string   `placeholder:"REF" help:"Compare with the docs folder at a Git commit, such as origin/main: report what the change breaks for readers, and fail on new findings only."`
	History  bool     `help:"With --base: also report addresses that were published at any time before the base. Reads at most 1,000 commits of its first-parent history that removed pages, and 1,000 that changed the site file."`
	All      bool     `help:"List every finding, with --base also those that the base has. Default: identical findings are merged, with a count and the first locations, and of more than 10 warnings with the same code only the first 10 are listed. --json and --sarif always have all of them."`
	External bool     `help:"Also request pages on other sites that links lead to, at most 2,000, and report those that are gone; with --base only links that the base does not have. Successful responses are cached for the day."`
	Strict   bool     `help:"Also fail on warnings."`
	Ignore   []string `placeholder:"CODE" help:"Ignore warnings with this code; can be repeated. Errors are never ignored."`
	Groups   []string `placeholder:"GROUP" help:"Check what readers in these groups see; a list with commas, or repeated. Default: what readers in no group see, and then what readers in all groups of the site see."`
	sampleFlags
	proseFlags
	scriptFlag
	cacheFlags
	fetchFlags
}

// Help returns the long description.
func (checkCommand) Help() string {
	return `Builds the whole site without writing it, and exits with

    0  every page can be published; warnings are allowed without --strict
    1  there are errors, or with --strict warnings other than inapplicable-key and restricted-page
    2  the command is wrong, or the folder cannot be read

The codes are described in docs/reference/findings.mdx.

    lectern check ./docs
    lectern check ./docs --all
    lectern check ./docs --strict --ignore missing-alt
    lectern check ./docs --base origin/main
    lectern check ./docs --base origin/main --history
    lectern check ./docs --external
    lectern check ./docs --samples python,bash
    lectern check ./docs --prose
    lectern check ./docs --sarif lectern.sarif
    lectern check ./docs --json | jq -r 'select(.severity == "error") | .file'`
}

// nowhere is a sink that discards everything.
type nowhere struct{}

func (nowhere) Put(context.Context, output.File) error { return nil }

// checkResult is the result of a check.
type checkResult struct {
	src      fs.FS
	findings diag.List
	ignored  int
	pages    int
	whole    bool            // every page can be published
	state    *sitediff.State // as seen by readers in all groups; nil without --base
	since    *baseResult     // nil without --base
}

func (c *checkCommand) Run(ctx context.Context, r *run) error {
	rules := findingRules()
	if err := c.complete(rules); err != nil {
		return err
	}
	scripts, err := c.scripts(r)
	if err != nil {
		return err
	}
	fetcher, err := c.fetcher()
	if err != nil {
		return err
	}
	src, closeSource, err := openSource(c.Dir, "")
	if err != nil {
		return err
	}
	defer closeSource()
	var base *checkBase
	if c.Base != "" {
		if base, err = c.openBase(ctx); err != nil {
			return err
		}
		defer base.close()
	}
	cache, err := c.begin(r, c.Dir)
	if err != nil {
		return err
	}
	defer cache.close()
	bar := r.progress(c.JSON || c.SARIF == "-" || c.Markdown == "-")
	opt := cache.into(build.Options{
		Links: link.Relative, Tool: r.Version, Now: build.Day(r.Now()), Manifest: true,
		Progress: bar.build, Scripts: scripts, Fetch: fetcher, Repository: repository(ctx, c.Dir),
	})
	if base != nil { // shared with the base's build
		if opt.Tools, err = build.NewTools(); err != nil {
			return err
		}
		defer func() { _ = opt.Tools.Close() }() // Close only frees memory
	}
	var links *externalLinks
	if c.External {
		links = &externalLinks{next: nowhere{}, pages: map[string][]string{}}
	}
	result, err := c.buildViews(ctx, src, opt, links)
	if err == nil && base != nil {
		cache.flush() // most pages of the base are unchanged
		err = c.compare(ctx, base, &result, opt, links)
	}
	bar.end()
	if err == nil && links != nil {
		var gone diag.List
		gone, err = c.checkExternal(ctx, r, src, links, opt)
		result.findings = append(result.findings, gone...)
	}
	if err == nil && len(c.Samples) > 0 {
		var failed diag.List
		failed, err = c.checkSamples(ctx, r, src, base.files())
		result.findings = append(result.findings, failed...)
		result.whole = result.whole && !failed.HasErrors()
	}
	if err == nil && c.Prose {
		var alerts diag.List
		alerts, err = c.checkProse(ctx, r, src, base.files())
		result.findings = append(result.findings, alerts...)
		result.whole = result.whole && !alerts.HasErrors()
	}
	if err == nil {
		var behind diag.List
		behind, err = translation.Check(ctx, src, base.files())
		result.findings = append(result.findings, behind...)
	}
	result.findings.Sort()
	if err != nil {
		return err
	}
	result.ignored = c.leaveOut(&result.findings)
	if err := c.log(r, result, rules); err != nil {
		return err
	}
	if err := c.writeMarkdown(r, result); err != nil {
		return err
	}
	if err := c.printResult(r, result); err != nil {
		return err
	}
	if result.fails(c.Strict) {
		return errReported
	}
	return nil
}

// fails reports whether the check fails; with a base, only findings introduced by the change count.
func (r *checkResult) fails(strict bool) bool {
	list := r.findings
	if r.since != nil {
		list = slices.DeleteFunc(slices.Clone(list), r.since.known)
		return list.HasErrors() || strict && slices.ContainsFunc(list, blames)
	}
	return !r.whole || strict && slices.ContainsFunc(list, blames)
}

// buildViews builds the site for the requested readers. By default, if pages have groups, it builds twice: without
// these pages, to check links to them, and with all of them.
func (c *checkCommand) buildViews(ctx context.Context, src fs.FS, opt build.Options, links *externalLinks) (result checkResult,
	err error) {
	opt.View = reader.New(c.Groups...)
	report, state, err := c.buildView(ctx, src, opt, links)
	if err != nil {
		return result, err
	}
	result = checkResult{src: src, findings: report.Diagnostics, pages: report.Pages, whole: whole(report), state: state}
	if len(c.Groups) > 0 || len(report.Groups) == 0 {
		return result, nil
	}
	opt.View = reader.New(report.Groups...)
	all, state, err := c.buildView(ctx, src, opt, links)
	if err != nil {
		return result, err
	}
	known := map[diag.Diagnostic]bool{}
	for _, d := range result.findings {
		known[d] = true
	}
	for _, d := range all.Diagnostics {
		if !known[d] {
			result.findings = append(result.findings, d)
		}
	}
	result.findings.Sort()
	result.pages, result.whole, result.state = all.Pages, result.whole && whole(all), state
	return result, nil
}

// buildView builds the site for one view. The state is nil unless there is a base to compare with; links may be nil.
func (c *checkCommand) buildView(ctx context.Context, src fs.FS, opt build.Options, links *externalLinks) (*build.Report,
	*sitediff.State, error) {
	if c.Base == "" {
		report, err := build.Build(ctx, src, opt, links.before(nowhere{}))
		return report, nil, err
	}
	into := sitediff.NewRecorder()
	report, err := build.Build(ctx, src, into.Into(opt), links.before(into))
	if err != nil {
		return nil, nil, err
	}
	return report, into.State(src, report), nil
}

// blames reports whether an author should fix a finding. It is false for a valid key of the site file that has no
// effect here, because the same file may be used elsewhere, and for a page restricted to other readers.
func blames(d diag.Diagnostic) bool {
	return d.Code != "inapplicable-key" && d.Code != "restricted-page"
}

// complete validates the flags.
func (c *checkCommand) complete(rules map[string]sarif.Rule) error {
	if c.JSON && c.SARIF == "-" {
		return fault.New(fault.Invalid, "invalid_field", "--json and --sarif - both write to standard output.").
			WithField("sarif").
			WithHint("Pass a file name to --sarif.")
	}
	if c.Markdown == "-" && (c.JSON || c.SARIF == "-") {
		return fault.New(fault.Invalid, "invalid_field", "--markdown - and another flag write to standard output.").
			WithField("markdown").WithHint("Pass a file name to --markdown.")
	}
	if c.History && c.Base == "" {
		return fault.New(fault.Invalid, "invalid_field", "--history needs --base.").WithField("history").
			WithHint("Pass the branch that is published: --base origin/main --history.")
	}
	for _, code := range c.Ignore {
		if _, ok := rules[code]; !ok {
			return fault.Newf(fault.Invalid, "invalid_field", "Unknown finding code %q.", code).WithField("ignore").
				WithHint("Each finding ends with its code in brackets.")
		}
	}
	return nil
}

// leaveOut removes ignored warnings from the list and returns their number.
func (c *checkCommand) leaveOut(list *diag.List) int {
	before := len(*list)
	*list = slices.DeleteFunc(slices.Clone(*list), func(d diag.Diagnostic) bool {
		return d.Severity == diag.Warning && slices.Contains(c.Ignore, d.Code)
	})
	return before - len(*list)
}

// log writes the SARIF log if requested.
func (c *checkCommand) log(r *run, result checkResult, rules map[string]sarif.Rule) error {
	if c.SARIF == "" {
		return nil
	}
	lines := newSourceLines(result.src)
	in := sarif.Input{
		Version: r.Version, Home: repositoryURL, Guide: findingsURL, Prefix: seenFrom(c.Dir),
		Findings: result.findings, Rules: rules, Line: lines.line,
	}
	if c.SARIF == "-" {
		return sarif.Write(r.Stdout, in)
	}
	f, err := os.Create(c.SARIF)
	if err != nil {
		return fmt.Errorf("create SARIF file: %w", err)
	}
	if err := sarif.Write(f, in); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("close SARIF file: %w", err)
	}
	return nil
}

// seenFrom returns the path of the docs folder relative to the current directory, which in CI is the repository's
// root: code hosts resolve the findings' files from there. It is "" if the docs are elsewhere.
func seenFrom(dir string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	there, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	way, err := filepath.Rel(here, there)
	if err != nil || way == "." || way == ".." || strings.HasPrefix(way, ".."+string(filepath.Separator)) {
		return ""
	}
	return filepath.ToSlash(way)
}

// printResult prints the findings and a summary.
func (c *checkCommand) printResult(r *run, result checkResult) error {
	switch {
	case c.SARIF == "-", c.Markdown == "-":
		return nil
	case c.JSON:
		for _, d := range result.findings {
			if err := printJSON(r.Stdout, d); err != nil {
				return err
			}
		}
		return result.since.printJSON(r.Stdout)
	case isTerminal(r.Stdout):
		printExcerpts(r.Stdout, newSourceLines(result.src), result.findings, c.All)
	default:
		findingsPrinter{w: r.Stdout, all: c.All, how: "--all",
			write: func(d diag.Diagnostic) { fmt.Fprintln(r.Stdout, d) }}.print(result.findings)
	}
	errs, warnings := result.counts()
	summary := fmt.Sprintf("%s, %s, %s", count(result.pages, "page"), count(errs, "error"), count(warnings, "warning"))
	if result.ignored > 0 {
		summary += fmt.Sprintf(" (%d ignored)", result.ignored)
	}
	if result.since != nil && result.since.old > 0 {
		summary += fmt.Sprintf(" (%s not shown: the base has them too)", count(result.since.old, "finding"))
	}
	result.since.print(r.Stderr, c.All)
	fmt.Fprintln(r.Stderr, summary)
	return nil
}
