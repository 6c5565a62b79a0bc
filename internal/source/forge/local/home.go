package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// Source fetches the files of projects.
type Source interface {
	// Plain returns the current files of a project's docs folder. It uses the empty folder dir, which must exist until
	// the closer is closed.
	Plain(ctx context.Context, p project.Project, dir string) (fs.FS, io.Closer, error)
	// Remote returns the location of a project's repository.
	Remote(ctx context.Context, p project.Project, branch string) (git.Remote, error)
}

// Home manages the repositories of projects without a code host. It is safe for concurrent use.
type Home struct {
	Git       *git.Cache
	Dir       string // contains the repositories; it is the cache's folder for the server's own ones
	Source    Source
	Scratch   func(name string) (dir string, remove func() error, err error) // creates an empty folder
	Proposals Proposals
	// returns an error if Dir is not the folder that all processes use; nil = not checked
	Ready func(ctx context.Context) error
	Link  func(projectID, proposalID string) string // address where people view a proposal
	Now   func() time.Time
}

// Path returns the absolute path of a project's repository in dir, as git resolves it.
func Path(dir, projectID string) string {
	at := filepath.Join(dir, projectID+".git")
	if abs, err := filepath.Abs(at); err == nil {
		return abs
	}
	return at
}

// Prepare brings the project's repository up to date with its source and returns where to fetch from and push to. A
// folder's files and the built-in documentation are committed to the branch main if they differ from it.
func (h *Home) Prepare(ctx context.Context, p project.Project) (git.Remote, error) {
	s := p.Source
	switch {
	case !s.Embedded():
		return git.Remote{}, fault.New(fault.Conflict, "has_code_host",
			"The project's repository is on a code host; propose changes there.")
	case !onDisk(p):
		if err := h.ready(ctx); err != nil {
			return git.Remote{}, err
		}
	}
	if s.Path == "" && s.Repository != project.BuiltIn {
		return h.Source.Remote(ctx, p, "")
	}
	repo := h.Git.Repo(Path(h.Dir, p.ID))
	if err := repo.Make(ctx); err != nil {
		return git.Remote{}, err
	}
	if err := h.bringIn(ctx, p, repo); err != nil {
		return git.Remote{}, err
	}
	_ = repo.Tidy(ctx) // failures only cost disk space and time
	return repo.Remote(git.Main, p.DocsFolder), nil
}

// onDisk reports whether a project's proposals are in a repository on this disk that the server does not manage.
func onDisk(p project.Project) bool {
	_, ok := git.LocalPath(p.Source.Repository)
	return ok
}

func (h *Home) ready(ctx context.Context) error {
	if h.Ready == nil {
		return nil
	}
	return h.Ready(ctx)
}

func (h *Home) bringIn(ctx context.Context, p project.Project, repo git.Repo) error {
	dir, remove, err := h.Scratch("import")
	if err != nil {
		return err
	}
	defer func() { _ = remove() }() // leftovers are removed when the process exits
	src, closer, err := h.Source.Plain(ctx, p, dir)
	if err != nil {
		return err
	}
	defer func() { _ = closer.Close() }() // read only
	// Once something is merged into the built-in documentation, the project has its own copy. If the server died before
	// recording this, an import would undo the merge.
	builtIn := p.Source.Repository == project.BuiltIn
	_, err = repo.Import(ctx, git.Import{Files: src, Folder: p.DocsFolder,
		Message: "Import the source as it is", When: h.Now(), KeepMerged: builtIn})
	return err
}

// Seed creates the repository of a project that starts with files embedded in this program. Calling it again
// changes nothing.
func (h *Home) Seed(ctx context.Context, projectID string, files fs.FS) error {
	if err := h.ready(ctx); err != nil {
		return err
	}
	repo := h.Git.Repo(Path(h.Dir, projectID))
	if err := repo.Make(ctx); err != nil {
		return err
	}
	_, err := repo.Import(ctx, git.Import{Files: files, Message: "Begin", When: h.Now()})
	return err
}

// Lock acquires the lock for merging or closing the project's proposals. All processes that use this folder share it.
func (h *Home) Lock(ctx context.Context, projectID string) (unlock func(), err error) {
	return h.Git.Repo(Path(h.Dir, projectID)).Lock(ctx)
}

// Repo returns the repository that contains a project's proposals.
func (h *Home) Repo(ctx context.Context, p project.Project) (git.Repo, error) {
	if _, ok := git.LocalPath(p.Source.Repository); ok {
		remote, err := h.Source.Remote(ctx, p, "") // checks whether this path may be used as a source
		if err != nil {
			return git.Repo{}, err
		}
		at, _ := git.LocalPath(remote.URL)
		return h.Git.Repo(at), nil
	}
	return h.Git.Repo(Path(h.Dir, p.ID)), h.ready(ctx)
}

// Prune removes the repositories of deleted projects and returns their number.
func (h *Home) Prune(ctx context.Context, gone func(ctx context.Context, projectID string) (bool, error)) (removed int,
	err error) {
	entries, err := os.ReadDir(h.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("list repositories: %w", err)
	}
	var errs []error
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".git")
		if !ok || !id.Has(id.Project, name) {
			continue
		}
		is, err := gone(ctx, name)
		if err == nil && is {
			err = os.RemoveAll(filepath.Join(h.Dir, e.Name()))
			_ = os.Remove(filepath.Join(h.Dir, name+".lock")) // if it exists
			removed++
		}
		errs = append(errs, err)
	}
	return removed, errors.Join(errs...)
}
