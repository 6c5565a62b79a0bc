package cli

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/sitebuild"
)

type checkCommand struct {
	Dir  string `arg:"" help:"Docs folder: the one with docs.json."`
	JSON bool   `name:"json" help:"Print one JSON object a line: file, line, column, severity, code, message, hint."`
}

// Help is the long description.
func (checkCommand) Help() string {
	return `It exits with 0 if every page can be published; warnings do not count.

    lectern check ./docs
    lectern check ./docs --json | jq -r 'select(.severity == "error") | .file'`
}

// nowhere is a sink that keeps nothing.
type nowhere struct{}

func (nowhere) Put(context.Context, outtree.File) error { return nil }

func (c *checkCommand) Run(ctx context.Context, r *run) error {
	src, closeSource, err := openSource(c.Dir, "")
	if err != nil {
		return err
	}
	defer closeSource()
	report, err := sitebuild.Build(ctx, src, sitebuild.Options{Links: link.Relative, Tool: r.Version, Manifest: true}, nowhere{})
	if err != nil {
		return err
	}
	if err := c.tell(r, report); err != nil {
		return err
	}
	if !whole(report) {
		return errTold
	}
	return nil
}

func (c *checkCommand) tell(r *run, report *sitebuild.Report) error {
	if c.JSON {
		for _, d := range report.Diagnostics {
			if err := printJSON(r.Stdout, d); err != nil {
				return err
			}
		}
		return nil
	}
	printDiagnostics(r.Stdout, report.Diagnostics)
	errs := 0
	for _, d := range report.Diagnostics {
		if d.Severity == diag.Error {
			errs++
		}
	}
	fmt.Fprintf(r.Stderr, "%s, %s, %s\n", count(report.Pages, "page"), count(errs, "error"), count(len(report.Diagnostics)-errs, "warning"))
	return nil
}
