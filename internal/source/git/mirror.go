package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

// sizePoll is how often the size of a growing mirror is checked.
const sizePoll = 200 * time.Millisecond

// maxPacks is the number of packs after which a mirror is fetched again from scratch, because each pack slows down
// reading objects.
const maxPacks = 100

// mirror is a locked bare repository in the cache.
type mirror struct {
	path string
	file *os.File // holds the lock
	env  []string // added to the job's environment for git in this mirror
}

// lock waits for exclusive use of the mirror for url.
func (c *Cache) lock(ctx context.Context, url string) (*mirror, error) {
	sum := sha256.Sum256([]byte(url))
	return lockAt(ctx, filepath.Join(c.mirrors(), hex.EncodeToString(sum[:16])))
}

// lockAt waits for the lock of the mirror whose path, without its suffix, is base.
func lockAt(ctx context.Context, base string) (*mirror, error) {
	file, err := filelock.WaitFile(ctx, base+".lock")
	if err != nil {
		return nil, fmt.Errorf("lock mirror: %w", err)
	}
	return &mirror{path: base + ".git", file: file}, nil
}

func (m *mirror) unlock() { _ = m.file.Close() } // closing releases the lock

// dirty returns the path of a file that exists while the mirror may be incomplete.
func (m *mirror) dirty() string { return m.path + ".dirty" }

// prepare makes the mirror ready for writing: it deletes a mirror that a killed fetch left incomplete or that has
// grown too large. A new mirror is created for the given object format.
func (j *job) prepare(m *mirror, format string) error {
	_, statErr := os.Stat(m.dirty())
	size, err := m.size()
	if err != nil {
		return fmt.Errorf("measure mirror: %w", err)
	}
	packs, _ := filepath.Glob(filepath.Join(m.path, "objects", "pack", "*.pack"))
	if statErr == nil || size > j.cache.opt.MaxBytes/2 || len(packs) > maxPacks {
		if err := os.RemoveAll(m.path); err != nil {
			return fmt.Errorf("remove stale mirror: %w", err)
		}
	}
	if err := os.WriteFile(m.dirty(), nil, 0o600); err != nil {
		return fmt.Errorf("mark mirror: %w", err)
	}
	if _, err := os.Stat(filepath.Join(m.path, "HEAD")); err == nil {
		return nil
	}
	return initBare(m.path, format)
}

// settle records that git exited normally, so the mirror is complete.
func (m *mirror) settle() error {
	if err := os.Remove(m.dirty()); err != nil {
		return fmt.Errorf("unmark mirror: %w", err)
	}
	return nil
}

// size returns the size of all files in the mirror, in bytes; 0 if it does not exist.
func (m *mirror) size() (int64, error) {
	var sum int64
	err := filepath.WalkDir(m.path, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // git renames and deletes its temporary files
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
	return sum, err
}

// watch cancels a fetch once the mirror has grown by more than the limit. It returns when ctx ends.
func (c *Cache) watch(ctx context.Context, cancel context.CancelCauseFunc, m *mirror, before int64) {
	poll := time.NewTicker(sizePoll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-poll.C:
			if size, err := m.size(); err == nil && size-before > c.opt.MaxBytes {
				cancel(c.tooLarge())
				return
			}
		}
	}
}

func (c *Cache) tooLarge() error {
	return fault.Newf(fault.TooLarge, "repository_too_large", "The repository has more than %d bytes.", c.opt.MaxBytes).
		WithField(urlField).
		WithHint("Keep large files out of the branch with the documentation.")
}
