package cli

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/linediff"
	"github.com/lectern-docs/lectern/internal/site/rename"
)

type mvCommand struct {
	Old        string `arg:"" help:"Page, file or folder: its path relative to the current or the docs folder. A page needs no extension."`
	New        string `arg:"" help:"New name. If it is an existing folder or ends in a slash, the file is moved into it."`
	Dir        string `help:"Docs folder. Default: the nearest folder with a docs.json at or above the current one."`
	NoRedirect bool   `help:"Do not add a redirect from the old address."`
	DryRun     bool   `help:"Change nothing; print what would change."`
}

// Help returns the long description.
func (mvCommand) Help() string {
	return `Renames files and updates all references: navigation in docs.json and its parts, links and images in every page and snippet,
imports, and redirects. It adds a redirect from the old address to the new one. Everything else stays unchanged. Either all changes are
made or none.

    lectern mv guides/start guides/first-steps
    lectern mv guides handbook --dry-run
    lectern mv images/a.png images/b.png --dir ./docs`
}

func (c *mvCommand) Run(ctx context.Context, r *run) error {
	dir, prefix, err := c.folder()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "The docs folder %s %s.", dir, unopened(dir)).
			WithField("dir").WithCause(err)
	}
	defer root.Close()
	old, renamed := c.Old, c.New
	if prefix != "" && !strings.HasPrefix(old, "/") && there(root, path.Join(prefix, old)) {
		old = path.Join(prefix, old) + slashOf(old)
		if !strings.HasPrefix(renamed, "/") {
			renamed = path.Join(prefix, renamed) + slashOf(renamed)
		}
	}
	plan, err := rename.New(ctx, root.FS(), rename.Options{Old: old, New: renamed, NoRedirect: c.NoRedirect})
	if err != nil {
		return err
	}
	for _, note := range plan.Notes {
		fmt.Fprintln(r.Stderr, harmless(note))
	}
	if c.DryRun {
		return printPlan(r, plan)
	}
	if err := applyPlan(r, root, plan); err != nil {
		return err
	}
	for _, m := range plan.Moves {
		fmt.Fprintf(r.Stdout, "%s → %s\n", harmless(m.From), harmless(m.To))
	}
	fmt.Fprintf(r.Stderr, "%s moved, %s changed\n", count(len(plan.Moves), "file"), count(len(plan.Edits), "file"))
	return nil
}

func slashOf(name string) string {
	if strings.HasSuffix(name, "/") {
		return "/"
	}
	return ""
}

// folder finds the docs folder, and the path from there to the current directory.
func (c *mvCommand) folder() (dir, prefix string, err error) {
	if c.Dir != "" {
		return c.Dir, "", nil
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return "", "", fmt.Errorf("find docs folder: %w", err)
	}
	for dir = here; ; dir = filepath.Dir(dir) {
		for _, name := range []string{"docs.json", "mint.json"} {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
				way, err := filepath.Rel(dir, here)
				if err != nil || way == "." {
					way = ""
				}
				return dir, filepath.ToSlash(way), nil
			}
		}
		if dir == filepath.Dir(dir) {
			return "", "", fault.New(fault.Invalid, "invalid_field",
				"Neither this folder nor a parent folder has a docs.json.").WithField("dir").
				WithHint("Set the docs folder with --dir.")
		}
	}
}

// there reports whether the docs folder contains a file, or a page given without its extension.
func there(root *os.Root, name string) bool {
	for _, ending := range []string{"", ".mdx", ".md"} {
		if _, err := root.Stat(filepath.FromSlash(name + ending)); err == nil {
			return true
		}
	}
	return false
}

// printPlan prints the planned changes.
func printPlan(r *run, plan *rename.Plan) error {
	for _, m := range plan.Moves {
		if _, err := fmt.Fprintf(r.Stdout, "%s → %s\n", harmless(m.From), harmless(m.To)); err != nil {
			return fmt.Errorf("print plan: %w", err)
		}
	}
	for _, e := range plan.Edits {
		if _, err := fmt.Fprint(r.Stdout,
			linediff.Unified(harmless(e.File), harmless(e.File), string(e.Before), string(e.After))); err != nil {
			return fmt.Errorf("print plan: %w", err)
		}
	}
	return nil
}
