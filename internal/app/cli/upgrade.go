package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
)

type upgradeCommand struct {
	Dir    string `arg:"" optional:"" default:"." help:"Docs folder: the folder with mint.json."`
	DryRun bool   `name:"dry-run" help:"Print docs.json instead of writing it."`
	Force  bool   `help:"Replace a docs.json that already exists."`
	Remove bool   `help:"Remove mint.json afterwards."`
}

// Help returns the long description.
func (upgradeCommand) Help() string {
	return `Sites with a mint.json can be built as they are; this command converts the file to the newer format. Keys without an equivalent in docs.json are
listed on standard error with their lines. Files included with $ref become part of docs.json.

    lectern upgrade ./docs --dry-run
    lectern upgrade ./docs
    lectern upgrade ./docs --force --remove`
}

func (c *upgradeCommand) Run(_ context.Context, r *run) error {
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "The docs folder %s %s.", c.Dir, unopened(c.Dir)).
			WithField("dir").
			WithHint("Pass the folder that contains mint.json.").WithCause(err)
	}
	defer root.Close()
	text, list, err := docsjson.Upgrade(root.FS())
	if err != nil {
		return err
	}
	printDiagnostics(r.Stderr, list, "")
	if text == nil {
		return errReported
	}
	if c.DryRun {
		if _, err := r.Stdout.Write(text); err != nil {
			return fmt.Errorf("print docs.json: %w", err)
		}
		return nil
	}
	if err := c.write(r, root, text); err != nil {
		return err
	}
	if c.Remove {
		if err := root.Remove("mint.json"); err != nil {
			return fmt.Errorf("remove mint.json: %w", err)
		}
		fmt.Fprintln(r.Stderr, "docs.json was written and mint.json was removed.")
		return nil
	}
	fmt.Fprintln(r.Stderr,
		"docs.json was written and is used from now on. mint.json still exists but is no longer used.")
	return nil
}

// write writes docs.json atomically.
func (c *upgradeCommand) write(r *run, root *os.Root, text []byte) error {
	if _, err := root.Lstat("docs.json"); err == nil {
		if !c.Force {
			return fault.New(fault.Conflict, "exists", "A docs.json already exists and is used.").
				WithHint("Replace it with --force, or print the new one with --dry-run.")
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look for docs.json: %w", err)
	}
	partial := id.Source{Rand: r.Rand}.New(".partial-")
	f, err := root.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write docs.json: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(partial, "docs.json")
	}
	if err != nil {
		return fmt.Errorf("write docs.json: %w", errors.Join(err, root.Remove(partial)))
	}
	return nil
}
