// Package snapshot fetches a project's source, and stores a copy of every published version.
//
// Inputs: a project and a branch, or the key of a stored copy; an empty folder for archives.
// Outputs: the files as an fs.FS with their digests, and the commit they are from.
// It never reads a page or interprets a file.
//
// With the stored copy, an export shows exactly what readers see, even if the branch has moved on, the repository is
// gone, or the worker cannot reach the folder that the source came from.
package snapshot

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Fetcher fetches, stores and restores sources.
type Fetcher struct {
	Git *git.Cache
	// returns the project's credential by name; only for repositories that the credential covers
	Credentials func(ctx context.Context, p project.Project) (*git.Credential, error)
	// nil = no source may be on the server's own disk
	Local localdir.Rule
	// the server's data folder: no source may be inside it, and it is never read as part of a source; "" = none
	Private string
	Limits  sourcetree.Limits
	Blob    blob.Store
	BuiltIn fs.FS     // the documentation embedded in this program
	Built   time.Time // when it last changed; zero = unknown
	// folder with the repositories that this server manages for projects; "" = none
	Own      string
	OwnReady func(ctx context.Context) error // returns an error if Own must not be used; nil = always usable
}

// place returns the place on this disk of a project's source, if it may be used.
func (f *Fetcher) place(ctx context.Context, p project.Project) (localdir.Place, error) {
	at, _ := p.Source.Disk()
	return f.Local.Allow(ctx, p.OrganizationID, at)
}

// BuiltIn is the repository value for the embedded documentation, and Own for a repository that this server
// manages.
const (
	BuiltIn = project.BuiltIn
	Own     = project.Own
)

// Fetch fetches the newest state of a project's docs folder. If branch is "", it uses the project's branch. The
// source uses the empty folder dir, which must exist until the source is closed.
//
// like is an earlier source of the project, whose unchanged files become part of the new source: it must stay open
// as long as the new one. It may be nil.
func (f *Fetcher) Fetch(ctx context.Context, p project.Project, branch, dir string, like *Source) (*Source, error) {
	return f.into(ctx, dir, like, func(a *archive) (sourcetree.Snapshot, error) {
		a.ours = true
		s, err := f.fetch(ctx, p, branch, a)
		if err == nil && p.Source.Path != "" && !proposed(branch) && f.free(ctx, p) {
			s.Modified = git.LocalDates(ctx, "", filepath.Join(p.Source.Path, filepath.FromSlash(p.DocsFolder)))
		}
		if err != nil {
			return s, err
		}
		dates, err := encodeDates(s.Modified)
		if err == nil && dates != nil {
			err = a.write(datesFile, dates)
		}
		return s, err
	})
}

// into returns the source that fetch passes to an archive in dir.
func (f *Fetcher) into(ctx context.Context, dir string, like *Source, fetch func(*archive) (sourcetree.Snapshot, error),
) (*Source, error) {
	a, err := newArchive(ctx, dir, like, f.Limits)
	if err != nil {
		return nil, err
	}
	s, err := fetch(a)
	if err != nil {
		return nil, errors.Join(err, a.file.Close())
	}
	src, err := a.source(s)
	if err != nil {
		return nil, errors.Join(err, a.file.Close())
	}
	return src, nil
}

// free reports whether a project's folder is not restricted to a root. Git is run only in such a folder, because it
// also searches the parent folders for a repository.
func (f *Fetcher) free(ctx context.Context, p project.Project) bool {
	place, err := f.place(ctx, p)
	return err == nil && place.Root == ""
}

// Plain is like Fetch for the project's branch, but the source has exactly the files of the docs folder.
func (f *Fetcher) Plain(ctx context.Context, p project.Project, dir string) (fs.FS, io.Closer, error) {
	src, err := f.into(ctx, dir, nil,
		func(a *archive) (sourcetree.Snapshot, error) { return f.fetch(ctx, p, "", a) })
	if err != nil {
		return nil, nil, err
	}
	return src.FS, src, nil
}

func (f *Fetcher) fetch(ctx context.Context, p project.Project, branch string, to sourcetree.Sink) (
	sourcetree.Snapshot, error) {
	if p.Source.Repository == BuiltIn && !proposed(branch) {
		return f.builtIn(to)
	}
	if p.Source.Path != "" {
		place, err := f.place(ctx, p)
		if err != nil {
			return sourcetree.Snapshot{}, err
		}
		if f.exposes(p.Source.Path) {
			return sourcetree.Snapshot{}, localdir.Private("source.path")
		}
		if !proposed(branch) {
			return localdir.Snapshot(ctx, place, p.DocsFolder, f.Private, to, f.Limits)
		}
	}
	if err := f.ready(ctx, p); err != nil {
		return sourcetree.Snapshot{}, err
	}
	remote, err := f.Remote(ctx, p, branch)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	return f.Git.Snapshot(ctx, remote, to)
}

// ForkPoint finds the newest common commit of a project's branch ref, which is at head, and its branch base.
func (f *Fetcher) ForkPoint(ctx context.Context, p project.Project, ref, head, base string) (git.ForkPoint, error) {
	remote, err := f.Remote(ctx, p, ref)
	if err != nil {
		return git.ForkPoint{}, err
	}
	return f.Git.ForkPoint(ctx, remote, head, base)
}

// FetchAt fetches a project's docs folder at a commit of a branch. It returns no dates. For dir and like see Fetch.
func (f *Fetcher) FetchAt(ctx context.Context, p project.Project, branch, commit, dir string, like *Source) (*Source,
	error) {
	remote, err := f.Remote(ctx, p, branch)
	if err != nil {
		return nil, err
	}
	return f.into(ctx, dir, like, func(a *archive) (sourcetree.Snapshot, error) {
		a.ours = true
		return f.Git.SnapshotAt(ctx, remote, commit, a)
	})
}

// Head returns the newest commit of a project's branch without fetching it.
func (f *Fetcher) Head(ctx context.Context, p project.Project) (string, error) {
	if p.Source.Repository == BuiltIn {
		commit, _, _, err := treeHash(f.BuiltIn)
		return commit, err
	}
	if err := f.ready(ctx, p); err != nil {
		return "", err
	}
	remote, err := f.Remote(ctx, p, "")
	if err != nil {
		return "", err
	}
	return f.Git.Head(ctx, remote)
}

// exposes reports whether a folder is inside the folder of managed repositories or contains it. If the managed folder
// is inside the data folder, which is protected anyway, it returns false.
func (f *Fetcher) exposes(folder string) bool {
	return f.Own != "" && !localdir.Within(f.Own, f.Private) &&
		(localdir.Within(folder, f.Own) || localdir.Within(f.Own, folder))
}

// ready returns an error if the project uses a repository that this server manages but such repositories are not
// usable.
func (f *Fetcher) ready(ctx context.Context, p project.Project) error {
	if f.OwnReady == nil || p.Source.Path == "" && p.Source.Repository != BuiltIn && p.Source.Repository != Own {
		return nil
	}
	return f.OwnReady(ctx)
}

// Remote returns the location of a project's repository, with the organization's credential.
func (f *Fetcher) Remote(ctx context.Context, p project.Project, branch string) (git.Remote, error) {
	if branch == "" {
		branch = p.Source.Branch
	}
	if p.Source.Path != "" || p.Source.Repository == BuiltIn || p.Source.Repository == Own {
		return f.own(p, branch)
	}
	r := git.Remote{URL: p.Source.Repository, Branch: branch, Folder: p.DocsFolder}
	if p.Source.Local() {
		return f.onDisk(ctx, p, r)
	}
	if p.Source.Credential == "" {
		return r, nil
	}
	c, err := f.Credentials(ctx, p)
	if err != nil {
		return r, err
	}
	r.Credential = c
	return r, nil
}

// onDisk returns the remote of a repository on this server's disk, if the organization may use it.
func (f *Fetcher) onDisk(ctx context.Context, p project.Project, r git.Remote) (git.Remote, error) {
	place, err := f.place(ctx, p)
	if err != nil {
		return r, err
	}
	at, err := place.Repository()
	if err != nil {
		return r, err
	}
	if localdir.Within(at, f.Private) || f.exposes(at) {
		return r, localdir.Private("source.repository") // the cache with copies of all repositories
	}
	if r.Local = true; place.Root != "" {
		r.URL = at // git must open exactly the path that was checked
	}
	return r, nil
}

// proposed reports whether a branch is an agent's. For a folder and for the embedded documentation, these branches are
// in the repository that this server manages for the project.
func proposed(branch string) bool { return strings.HasPrefix(branch, agentjob.BranchPrefix) }

func (f *Fetcher) own(p project.Project, branch string) (git.Remote, error) {
	if f.Own == "" {
		return git.Remote{}, fault.New(fault.Unavailable, "no_own_repositories",
			"This server does not host repositories.")
	}
	if branch == "" {
		branch = git.Main
	}
	return git.Remote{URL: local.Path(f.Own, p.ID), Branch: branch, Folder: p.DocsFolder}, nil
}
