package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/build/prose"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// proseFlags contains the flags for checking prose.
type proseFlags struct {
	Prose           bool   `help:"Also check the prose with Vale, by the rules in .vale.ini of the docs folder or of a folder above it in the same repository. With --base only pages that differ from it. Vale's errors are errors, its warnings are warnings; suggestions are left out."`
	Vale            string `default:"vale" placeholder:"PROGRAM" help:"The program of Vale, for --prose."`
	ProseUnconfined bool   `help:"Run Vale without a sandbox. Required on operating systems other than Linux."`
}

// checkProse runs Vale on all pages or, with a base, only on the pages that differ from it.
func (c *checkCommand) checkProse(ctx context.Context, r *run, src, base fs.FS) (list diag.List, err error) {
	opt := prose.Options{Program: c.Vale, Base: base,
		Runner: sandbox.New(sandbox.Options{Exe: r.SelfExe, Args: []string{sandbox.Command}}),
		Folder: func() (string, func() error, error) {
			dir, err := os.MkdirTemp("", "lectern-prose-")
			return dir, func() error { return os.RemoveAll(dir) }, err
		}}
	if c.ProseUnconfined {
		opt.Runner = sandbox.Bare{}
	}
	if prose.Config(src) == "" {
		above, prefix, err := rulesAbove(c.Dir)
		if err != nil {
			return nil, err
		}
		if above == nil {
			return nil, fault.New(fault.Invalid, "no_prose_rules", "There is no .vale.ini in the docs folder, nor above it in its repository.").
				WithHint("Add one, or leave out --prose.")
		}
		defer func() { err = errors.Join(err, above.Close()) }()
		opt.Repository, opt.Prefix = above.FS(), prefix
	}
	result, err := prose.Check(ctx, src, opt)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(r.Stderr, "prose of %s checked by %s\n", count(result.Pages, "page"), result.Config)
	return result.Findings, nil
}

// rulesAbove searches for Vale rules in the parent folders, up to the root of the Git repository. It returns the folder
// with the rules and the path from there to dir, or nil if there are none.
func rulesAbove(dir string) (*os.Root, string, error) {
	docs, err := filepath.Abs(dir)
	if err != nil {
		return nil, "", err
	}
	for at := docs; ; at = filepath.Dir(at) {
		root, err := os.OpenRoot(at)
		if err != nil {
			return nil, "", fmt.Errorf("open %s: %w", at, err)
		}
		if prose.Config(root.FS()) != "" {
			prefix, err := filepath.Rel(at, docs)
			return root, filepath.ToSlash(prefix), err
		}
		_, err = root.Stat(".git")
		if closeErr := root.Close(); closeErr != nil {
			return nil, "", closeErr
		}
		if err == nil || at == filepath.Dir(at) {
			return nil, "", nil
		}
	}
}
