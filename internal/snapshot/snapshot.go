// Package snapshot brings a project's source into a folder, and keeps a copy of what was published.
//
// In: a project and a branch, or the key of a kept copy.
// Out: plain files in an empty folder, and the commit they are.
// Never: what the files mean; no page is read here.
//
// The copy makes an export show exactly what readers see, also after the branch moved on, the repository went away,
// or on a worker that cannot reach the folder the source came from.
package snapshot

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/lectern-docs/lectern/internal/blob"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/gitrepo"
	"github.com/lectern-docs/lectern/internal/localdir"
	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/project"
	"github.com/lectern-docs/lectern/internal/sourcetree"
)

// Fetcher fetches, keeps and restores sources.
type Fetcher struct {
	Git         *gitrepo.Cache
	Credentials func(name, repository string) (*gitrepo.Credential, error) // resolves a credential's name; only for repositories it was made for
	AllowLocal  bool
	Private     string // the server's data folder: no source may be in it, and none is read with it; "" = none
	Limits      sourcetree.Limits
	Blob        blob.Store
	BuiltIn     fs.FS     // the documentation inside this program
	Built       time.Time // when that changed last; zero = unknown
}

// BuiltIn is the repository of the documentation inside this program. No caller can name it: it is no Git URL.
const BuiltIn = "builtin://docs"

// Fetch writes the newest state of a project's docs folder into the empty folder dir. branch "" is the project's own.
func (f *Fetcher) Fetch(ctx context.Context, p project.Project, branch, dir string) (sourcetree.Snapshot, error) {
	s, err := f.fetch(ctx, p, branch, dir)
	if err == nil {
		err = keepDates(dir, s.Modified)
	}
	return s, err
}

func (f *Fetcher) fetch(ctx context.Context, p project.Project, branch, dir string) (sourcetree.Snapshot, error) {
	if p.Source.Repository == BuiltIn {
		return f.builtIn(dir)
	}
	if p.Source.Local() && !f.AllowLocal {
		return sourcetree.Snapshot{}, fault.New(fault.Forbidden, "local_source_off", "This server does not read sources from its own disk.").
			WithHint("Its operator can allow it with the setting sources.local.")
	}
	if p.Source.Path != "" {
		s, err := localdir.Snapshot(ctx, p.Source.Path, p.DocsFolder, f.Private, dir, f.Limits)
		if err == nil {
			s.Modified = gitrepo.LocalDates(ctx, "", filepath.Join(p.Source.Path, filepath.FromSlash(p.DocsFolder)))
		}
		return s, err
	}
	remote, err := f.Remote(p, branch)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	return f.Git.Snapshot(ctx, remote, dir)
}

// Head returns the newest commit of a project's branch without fetching it.
func (f *Fetcher) Head(ctx context.Context, p project.Project) (string, error) {
	if p.Source.Repository == BuiltIn {
		commit, _, _, err := treeHash(f.BuiltIn)
		return commit, err
	}
	remote, err := f.Remote(p, "")
	if err != nil {
		return "", err
	}
	return f.Git.Head(ctx, remote)
}

// Remote is where a project's repository is, with the credential the operator keeps for it.
func (f *Fetcher) Remote(p project.Project, branch string) (gitrepo.Remote, error) {
	if branch == "" {
		branch = p.Source.Branch
	}
	r := gitrepo.Remote{URL: p.Source.Repository, Branch: branch, Folder: p.DocsFolder}
	if at, ok := gitrepo.LocalPath(r.URL); ok && localdir.Within(at, f.Private) {
		return r, localdir.Private("source.repository") // where copies of everybody's repositories are
	}
	if p.Source.Credential == "" {
		return r, nil
	}
	c, err := f.Credentials(p.Source.Credential, p.Source.Repository)
	if err != nil {
		return r, err
	}
	r.Credential = c
	return r, nil
}

// Save keeps the files below dir under key.
func (f *Fetcher) Save(ctx context.Context, key, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open source folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	w := blob.Create(ctx, f.Blob, key)
	if err := w.Close(pack(ctx, root.FS(), w)); err != nil {
		return fmt.Errorf("keep source: %w", err)
	}
	return nil
}

func pack(ctx context.Context, src fs.FS, w io.Writer) error {
	archive := outtree.NewTarGz(w)
	err := fs.WalkDir(src, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(src, p)
		if err != nil {
			return err
		}
		return archive.Put(ctx, outtree.File{Path: p, Data: data})
	})
	return errors.Join(err, archive.Close())
}

// Load restores a kept source into the empty folder dir.
func (f *Fetcher) Load(ctx context.Context, key, dir string) error {
	r, _, err := f.Blob.Open(ctx, key)
	if err != nil {
		return fmt.Errorf("open kept source: %w", err)
	}
	defer func() { _ = r.Close() }()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open source folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	if err := unpack(ctx, r, root); err != nil {
		return fmt.Errorf("restore kept source: %w", err)
	}
	return nil
}

// unpack writes regular files only; the root keeps every path inside the folder whatever the archive says.
func unpack(ctx context.Context, r io.Reader, root *os.Root) error {
	zr, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := writeFile(root, h.Name, tr); err != nil {
			return err
		}
	}
}

func writeFile(root *os.Root, name string, r io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	w, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}
