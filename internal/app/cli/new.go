package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
	"github.com/lectern-docs/lectern/internal/site/scaffold"
)

type newCommand struct {
	Dir   string `arg:"" optional:"" default:"." help:"Folder for the site; created if missing. Default: the current folder."`
	Name  string `help:"Name of the site. Default: the folder's name."`
	Theme string `default:"mint" help:"One of the nine themes: mint, maple, palm, willow, linden, almond, aspen, sequoia, luma."`
	Color string `placeholder:"HEX" help:"Main colour, such as #0F766E."`
	Force bool   `help:"Write into a folder that is not empty. No file is overwritten."`
}

// Help returns the long description.
func (newCommand) Help() string {
	return `The site has a few pages, navigation, an API description with its pages, and a logo. lectern check finds no problems in it.

    lectern new my-docs --name "My product" --color "#7C3AED"
    lectern dev my-docs`
}

func (c *newCommand) Run(_ context.Context, r *run) error {
	name := c.Name
	if name == "" {
		name = nameOf(c.Dir)
	}
	files, err := scaffold.Files(scaffold.Options{Name: name, Theme: c.Theme, Color: c.Color}, docsjson.Themes())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "The folder %s cannot be created.", c.Dir).WithField("dir").
			WithCause(err)
	}
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "The folder %s %s.", c.Dir, unopened(c.Dir)).WithField("dir").
			WithCause(err)
	}
	defer root.Close()
	if err := c.empty(root); err != nil {
		return err
	}
	var written, kept []string // printed at the end: if the output is closed early, the site must still be complete
	for _, f := range files {
		err := writeNew(root, f)
		switch {
		case errors.Is(err, fs.ErrExist):
			kept = append(kept, f.Path)
		case err != nil:
			return fmt.Errorf("write %s: %w", f.Path, err)
		default:
			written = append(written, filepath.Join(c.Dir, filepath.FromSlash(f.Path)))
		}
	}
	for _, name := range kept {
		fmt.Fprintf(r.Stderr, "%s already exists and was not changed\n", name)
	}
	for _, name := range written {
		fmt.Fprintln(r.Stdout, name)
	}
	c.printResult(r, len(written))
	return nil
}

// nameOf derives a site's name from its folder's.
func nameOf(dir string) string {
	full, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	words := strings.Fields(strings.NewReplacer("-", " ", "_", " ", ".", " ").Replace(filepath.Base(full)))
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("<>{}`\\/", r) {
			return -1
		}
		return r
	}, strings.Join(words, " "))
	if name == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// empty returns an error if the folder contains files, unless --force is set. Version control data is ignored.
func (c *newCommand) empty(root *os.Root) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return fmt.Errorf("read folder: %w", err)
	}
	for _, e := range entries {
		if e.Name() != ".git" && !c.Force {
			return fault.Newf(fault.Conflict, "not_empty", "The folder %s is not empty.", c.Dir).WithField("dir").
				WithHint("Choose another folder, or add the missing files with --force; no file is overwritten.")
		}
	}
	return nil
}

// writeNew writes a file that must not exist yet.
func writeNew(root *os.Root, f scaffold.File) error {
	if dir := path.Dir(f.Path); dir != "." {
		if err := root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return err
		}
	}
	out, err := root.OpenFile(filepath.FromSlash(f.Path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = out.Write(f.Data)
	return errors.Join(err, out.Close())
}

func (c *newCommand) printResult(r *run, written int) {
	where := ""
	if filepath.Clean(c.Dir) != "." {
		where = " " + c.Dir
	}
	fmt.Fprintf(r.Stderr, "\n%s written. Next:\n\n    lectern dev%s\n\n", count(written, "file"), where)
	fmt.Fprintln(r.Stderr,
		"shows the site in your browser while you write. Navigation and colours are set in docs.json.")
}
