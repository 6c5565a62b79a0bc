package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Repo is a repository on this machine's disk that the embedded code host works on: one of the server's own, or one
// that others manage. Only the two git programs of a transfer ever run in the repository itself. All other work is done
// in a workRepo that uses its objects, and the result is pushed.
type Repo struct {
	cache *Cache
	path  string
}

// Repo returns the repository at an absolute path, which the caller has checked.
func (c *Cache) Repo(path string) Repo { return Repo{cache: c, path: path} }

// Remote returns the repository as a Remote, for use with other methods.
func (r Repo) Remote(branch, folder string) Remote {
	return Remote{URL: r.path, Branch: branch, Folder: folder, Local: true}
}

// Lock acquires the repository's lock, which is shared by processes on this machine or, for one of the server's own
// repositories, by all processes that have its folder. The other methods do not acquire it: it is for callers that
// make several calls and must not run concurrently with each other.
func (r Repo) Lock(ctx context.Context) (unlock func(), err error) {
	m, err := r.lock(ctx)
	if err != nil {
		return nil, err
	}
	return m.unlock, nil
}

func (r Repo) lock(ctx context.Context) (*mirror, error) {
	if !r.cache.owns(r.path) {
		return r.cache.lock(ctx, "work on "+r.path)
	}
	if err := durable.MkdirAll(r.cache.opt.Own, 0o700); err != nil {
		return nil, fmt.Errorf("create folder for repositories: %w", err)
	}
	return lockAt(ctx, strings.TrimSuffix(r.path, ".git"))
}

// Main is the first branch of a new repository that the server creates.
const Main = "main"

// Make creates a bare repository without commits, unless it exists. It does so atomically.
func (r Repo) Make(ctx context.Context) error {
	return r.work(ctx, "", func(ctx context.Context, j *job) error {
		if _, err := os.Stat(filepath.Join(r.path, "HEAD")); err == nil {
			return nil
		}
		if err := durable.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
			return fmt.Errorf("create folder for repositories: %w", err)
		}
		half, err := os.MkdirTemp(filepath.Dir(r.path), ".new-")
		if err != nil {
			return fmt.Errorf("create repository: %w", err)
		}
		defer func() { _ = os.RemoveAll(half) }() // a no-op after the rename
		if _, err := j.output(ctx, nil, "init", "--quiet", "--bare", "--template=", "--initial-branch="+Main, "--",
			half); err != nil {
			return err
		}
		if err := durable.SyncTree(half); err != nil {
			return fmt.Errorf("create repository: %w", err)
		}
		err = os.Rename(half, r.path)
		if _, there := os.Stat(filepath.Join(r.path, "HEAD")); err != nil && there != nil {
			return fmt.Errorf("create repository: %w", err)
		}
		return durable.Sync(filepath.Dir(r.path))
	})
}

// syncTries limits how often the files of a repository are listed again because git removed one in the meantime.
const syncTries = 5

// syncOwn syncs one of the server's own repositories to disk: git itself syncs neither directory entries nor single
// objects. Other repositories are their owners' responsibility.
func (c *Cache) syncOwn(url string) error {
	path, local := LocalPath(url)
	if !local || !c.owns(path) {
		return nil
	}
	var err error
	for range syncTries {
		if err = durable.SyncTree(path); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return err
}

// work runs a job on the repository. folder is the docs folder.
func (r Repo) work(ctx context.Context, folder string, do func(context.Context, *job) error) error {
	j, err := r.cache.begin(r.Remote("", folder))
	if err != nil {
		return err
	}
	defer j.end()
	ctx, cancel := r.cache.deadline(ctx)
	defer cancel()
	return do(ctx, j)
}

// withWorkRepo calls do with a workRepo that uses the repository's objects.
func (r Repo) withWorkRepo(ctx context.Context, folder string, do func(context.Context, *workRepo) error) error {
	return r.work(ctx, folder, func(ctx context.Context, j *job) error {
		from, err := j.objects(ctx)
		if err != nil {
			return err
		}
		b, err := j.newWorkRepo(ctx, from)
		if err != nil {
			return err
		}
		defer b.close()
		return do(ctx, b)
	})
}

// objects returns where the job's repository, which is on this disk, keeps its objects. It looks in the same order
// as git and, like git, stops at the first repository, usable or not.
func (j *job) objects(ctx context.Context) (objectsOf, error) {
	at, ok := LocalPath(j.remote.URL)
	if own, plain := j.cache.plainOwn(j.remote.URL); plain && isRepository(own) {
		return objectsOf{common: own, format: formatSHA1}, nil
	}
	if !ok {
		return objectsOf{}, errors.New("find repository: not on this disk")
	}
	for _, dir := range []string{filepath.Join(at, ".git"), at, filepath.Join(at+".git", ".git"), at + ".git"} {
		if !isRepository(dir) {
			continue
		}
		// This reads settings but runs no program.
		m := &mirror{path: dir}
		out, err := j.output(ctx, m, "rev-parse", "--path-format=absolute", "--show-object-format", "--git-common-dir")
		if err != nil {
			if ctx.Err() != nil {
				return objectsOf{}, err
			}
			return objectsOf{}, noRepository().WithCause(err)
		}
		format, common, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
		if (format != formatSHA1 && format != formatSHA256) || !filepath.IsAbs(common) ||
			strings.ContainsRune(common, '\n') {
			return objectsOf{}, errors.New("find repository: unexpected output from git")
		}
		return objectsOf{common: common, format: format}, nil
	}
	return objectsOf{}, noRepository()
}

// isRepository reports whether git would accept the path as a repository: a file that points to one, or a folder
// with the usual content.
func isRepository(at string) bool {
	info, err := os.Stat(at)
	if err != nil {
		return false
	}
	if info.Mode().IsRegular() {
		return true
	}
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(at, name)) // HEAD may be a link to a branch without a commit
		return err == nil
	}
	return has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

func noRepository() *fault.Error {
	return fault.New(fault.NotFound, "repository_not_found", "No repository was found at this path.").
		WithField(urlField)
}

// tips returns the commits of two branches. Both must exist.
func (b *workRepo) tips(ctx context.Context, one, other string) (string, string, error) {
	first, found, err := b.j.tip(ctx, one)
	if err == nil && !found {
		err = noBranch(one)
	}
	if err != nil {
		return "", "", err
	}
	second, found, err := b.j.tip(ctx, other)
	if err == nil && !found {
		err = noBranch(other)
	}
	return first, second, err
}

func noBranch(name string) error {
	return fault.Newf(fault.NotFound, "branch_not_found", "The repository has no branch %s.", name)
}

// mergeBase returns the commit where two histories diverged; "" if they are unrelated.
func (b *workRepo) mergeBase(ctx context.Context, one, other string) (string, error) {
	out, err := b.run(ctx, nil, nil, "merge-base", one, other)
	if err != nil {
		if exitCode(err) == 1 && ctx.Err() == nil {
			return "", nil
		}
		return "", err
	}
	return b.id(out)
}

// Tidy repacks one of the server's own repositories when many small files have accumulated. Unreferenced objects
// are removed after two weeks, so that work in progress loses nothing.
func (r Repo) Tidy(ctx context.Context) error {
	if !r.cache.owns(r.path) {
		return errors.New("tidy repository: it is not one of this server's own")
	}
	if r.isTidy() {
		return r.cache.syncOwn(r.path) // a process may have died between a push and this
	}
	return r.work(ctx, "", func(ctx context.Context, j *job) error {
		_, err := j.output(ctx, &mirror{path: r.path}, "-c", "gc.auto="+strconv.Itoa(tidyObjects), "-c",
			"gc.autoPackLimit="+strconv.Itoa(tidyPacks), "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet")
		if err != nil {
			return err
		}
		// Sync new packs first: the files that they replace are gone permanently once their folder is synced.
		return errors.Join(durable.SyncTree(filepath.Join(r.path, "objects", "pack")), r.cache.syncOwn(r.path))
	})
}

// Limits above which a repository is repacked.
const (
	tidyObjects = 2000 // files with a single object
	tidyPacks   = 30
)

// isTidy makes git's own estimate, without starting it: objects are spread evenly over 256 folders.
func (r Repo) isTidy() bool {
	single, err := os.ReadDir(filepath.Join(r.path, "objects", "17"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	packs, err := filepath.Glob(filepath.Join(r.path, "objects", "pack", "*.pack"))
	return err == nil && len(single) <= tidyObjects/256 && len(packs) <= tidyPacks
}
