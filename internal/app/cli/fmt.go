package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/linediff"
	mdxwrite "github.com/lectern-docs/lectern/internal/mdx/write"
	"github.com/lectern-docs/lectern/internal/site/load"
)

type fmtCommand struct {
	Paths []string `arg:"" name:"path" help:"Docs folders, or single pages."`
	Check bool     `help:"Change nothing; list the pages that would change, and fail if there are any."`
	Diff  bool     `help:"Change nothing; print the changes."`
	JSON  bool     `name:"json" help:"Print one JSON object per line for each page that is changed or cannot be parsed: file, status, diagnostics."`
}

// Help returns the long description.
func (fmtCommand) Help() string {
	return `Changes only what readers cannot see: line endings, trailing spaces, bullets, spacing of headings, tags and tables, blank
lines around headings, code and tags. Code is never changed. A page that cannot be parsed is not changed and is reported.

    lectern fmt ./docs
    lectern fmt ./docs --check
    lectern fmt ./docs/index.mdx --diff`
}

// formatted is the result for one page as printed with --json.
type formatted struct {
	File        string    `json:"file"`
	Status      string    `json:"status"` // changed, refused
	Diff        string    `json:"diff,omitempty"`
	Diagnostics diag.List `json:"diagnostics"`
}

// fmtTally counts pages by result.
type fmtTally struct{ changed, unchanged, refused int }

func (c *fmtCommand) Run(ctx context.Context, r *run) error {
	var tally fmtTally
	for _, p := range c.Paths {
		if err := c.path(ctx, r, p, &tally); err != nil {
			return err
		}
	}
	verb := "changed"
	if c.Check || c.Diff {
		verb = "to be changed"
	}
	fmt.Fprintf(r.Stderr, "%s %s, %d unchanged, %d refused\n", count(tally.changed, "page"), verb, tally.unchanged,
		tally.refused)
	if tally.refused > 0 || c.Check && tally.changed > 0 {
		return errReported
	}
	return nil
}

// path formats a page, or all pages of a folder.
func (c *fmtCommand) path(ctx context.Context, r *run, p string, tally *fmtTally) error {
	info, err := os.Stat(p)
	if err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "%s %s.", p, unopened(p)).WithField("path").
			WithHint("Pass a docs folder or a page.")
	}
	dir, shown := p, p
	var pages []string
	if !info.IsDir() {
		if p, err = filepath.EvalSymlinks(p); err != nil {
			return fmt.Errorf("find page: %w", err)
		}
		dir, pages = filepath.Dir(p), []string{filepath.Base(p)}
		shown = filepath.Dir(shown)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	defer root.Close()
	if info.IsDir() {
		if pages, err = load.Sources(ctx, root.FS()); err != nil {
			return err
		}
	}
	for _, name := range pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.page(r, root, name, filepath.Join(shown, filepath.FromSlash(name)), tally); err != nil {
			return err
		}
	}
	return nil
}

// page formats one page; shown is its name in the output.
func (c *fmtCommand) page(r *run, root *os.Root, name, shown string, tally *fmtTally) error {
	src, err := fs.ReadFile(root.FS(), name)
	if err != nil {
		return fmt.Errorf("read page: %w", err)
	}
	out, changed, list := mdxwrite.Format(src)
	if list.HasErrors() {
		tally.refused++
		for i := range list {
			list[i].File = shown
		}
		return c.printResult(r, formatted{File: shown, Status: "refused", Diagnostics: list})
	}
	if !changed {
		tally.unchanged++
		return nil
	}
	tally.changed++
	result := formatted{File: shown, Status: "changed", Diagnostics: diag.List{}}
	if c.Diff {
		result.Diff = linediff.Unified(shown, shown, string(src), string(out))
	} else if !c.Check {
		if err := rewrite(r, root, name, out); err != nil {
			return err
		}
	}
	return c.printResult(r, result)
}

func (c *fmtCommand) printResult(r *run, f formatted) error {
	if c.JSON {
		return printJSON(r.Stdout, f)
	}
	var err error
	switch {
	case f.Status == "refused":
		printDiagnostics(r.Stderr, f.Diagnostics, "--json")
	case c.Diff:
		_, err = fmt.Fprint(r.Stdout, f.Diff)
	default:
		_, err = fmt.Fprintln(r.Stdout, f.File)
	}
	if err != nil {
		return fmt.Errorf("print result: %w", err)
	}
	return nil
}

// rewrite replaces a file atomically and keeps its permissions.
func rewrite(r *run, root *os.Root, name string, data []byte) error {
	mode := os.FileMode(0o644) // of a new page
	info, err := root.Stat(filepath.FromSlash(name))
	switch {
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("write page: %w", err)
	}
	partial := filepath.Join(filepath.Dir(filepath.FromSlash(name)), id.Source{Rand: r.Rand}.New(".partial-"))
	f, err := root.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = root.Rename(partial, filepath.FromSlash(name))
	}
	if err != nil {
		return fmt.Errorf("write page: %w", errors.Join(err, root.Remove(partial)))
	}
	return nil
}
