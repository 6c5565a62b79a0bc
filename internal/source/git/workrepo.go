package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

// workRepo is a temporary bare repository. It reads the objects of another repository, but never its settings, and
// its content is deleted when it is closed: only pushed objects remain. The caller closes it.
type workRepo struct {
	mirror        // its path and its own lock
	j      *job   // nil until initialized
	dir    string // contains the repository and the work's files
	format string // object format
}

// objectsOf is a repository whose objects a workRepo reads.
type objectsOf struct {
	common string // its common folder; "" = none
	format string // object format
}

// newWorkRepo creates a workRepo that uses the objects of another repository.
func (j *job) newWorkRepo(ctx context.Context, from objectsOf) (*workRepo, error) {
	b, err := j.cache.newWorkFolder(ctx)
	if err != nil {
		return nil, fmt.Errorf("create work repository: %w", err)
	}
	b.j, b.format = j, from.format
	if err := b.initialize(from); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *workRepo) initialize(from objectsOf) error {
	if err := initBare(b.path, from.format); err != nil {
		return err
	}
	if from.common == "" {
		return nil
	}
	info := filepath.Join(b.path, "objects", "info")
	err := os.MkdirAll(info, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(info, "alternates"), []byte(filepath.Join(from.common, "objects")+"\n"), 0o600)
	}
	if err != nil {
		return fmt.Errorf("name objects: %w", err)
	}
	// The work repository must have the same shallow boundary.
	ends, err := os.ReadFile(filepath.Join(from.common, "shallow"))
	if err == nil {
		err = os.WriteFile(filepath.Join(b.path, "shallow"), ends, 0o600)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("copy shallow boundary: %w", err)
	}
	return nil
}

// turn acquires the lock for creating and removing work folders.
func (c *Cache) turn(ctx context.Context) (*os.File, error) {
	f, err := filelock.WaitFile(ctx, filepath.Join(c.workFolders(), "lock"))
	if err != nil {
		return nil, fmt.Errorf("lock work repositories: %w", err)
	}
	return f, nil
}

// newWorkFolder creates a work folder and locks it. It holds the lock for work folders while doing so, so that other
// processes do not mistake the new folder for one of a dead process.
func (c *Cache) newWorkFolder(ctx context.Context) (*workRepo, error) {
	turn, err := c.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = turn.Close() }()
	dir, err := os.MkdirTemp(c.workFolders(), "bench-")
	if err != nil {
		return nil, err
	}
	lock, err := filelock.TryFile(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &workRepo{mirror: mirror{path: filepath.Join(dir, "repo.git"), file: lock}, dir: dir}, nil
}

func (b *workRepo) close() {
	_ = os.RemoveAll(b.dir) // leftovers are removed at the next start
	_ = b.file.Close()
}

// sweepWorkFolders removes the work folders of dead processes and returns their number.
func (c *Cache) sweepWorkFolders() (removed int, err error) {
	turn, err := c.turn(context.Background())
	if err != nil {
		return 0, err
	}
	defer func() { _ = turn.Close() }()
	entries, err := os.ReadDir(c.workFolders())
	if err != nil {
		return 0, fmt.Errorf("list work repositories: %w", err)
	}
	var errs []error
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		dir := filepath.Join(c.workFolders(), e.Name())
		lock, err := filelock.TryFile(filepath.Join(dir, "lock"))
		if err != nil {
			continue // its process, or a git that it started, is alive
		}
		errs = append(errs, os.RemoveAll(dir), lock.Close())
		removed++
	}
	return removed, errors.Join(errs...)
}

// run runs git in the workRepo with the given input and environment, and returns its output, at most maxOutput
// bytes.
func (b *workRepo) run(ctx context.Context, env []string, input io.Reader, args ...string) (string, error) {
	m := b.mirror
	m.env = env
	var out string
	err := b.j.stream(ctx, &m, func(in io.WriteCloser, stdout io.Reader) error {
		fed := make(chan error, 1)
		go func() {
			var err error
			if input != nil {
				_, err = io.Copy(in, input)
			}
			fed <- errors.Join(err, in.Close())
		}()
		var err error
		if out, err = readOutput(stdout); err != nil {
			_ = in.Close() // git may block on its output without reading its input
			<-fed
			return err
		}
		return <-fed
	}, args...)
	return out, err
}
