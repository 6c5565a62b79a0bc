package certificate

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/certmagic"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
	"github.com/lectern-docs/lectern/internal/store"
)

// Store stores certificate files.
type Store interface {
	PutCertificateFile(ctx context.Context, f store.CertificateFile) error
	FindCertificateFile(ctx context.Context, name string) (store.CertificateFile, error)
	ListCertificateFiles(ctx context.Context, name string) ([]store.CertificateFile, error)
	DeleteCertificateFiles(ctx context.Context, name string) error
	LockCertificate(ctx context.Context, name, holder string, life time.Duration) (held bool, err error)
	UnlockCertificate(ctx context.Context, name, holder string) error
}

const (
	purpose  = "certificate-file" // purpose of the derived encryption key
	lockLife = time.Minute        // after which a crashed process's lock expires
	lockPoll = 500 * time.Millisecond
)

// storage implements certmagic.Storage with the database. Every file is encrypted with a key derived from the
// server's secret key, so a copy of the database does not reveal private keys.
type storage struct {
	store   Store
	masters [][]byte // secret keys, the current one first
	rand    io.Reader

	mu    sync.Mutex
	locks map[string]*heldLock // guarded by mu; locks held by this process
}

// heldLock is a lock that is renewed until it is released.
type heldLock struct {
	holder string
	stop   context.CancelFunc
	done   chan struct{}
}

var _ certmagic.Storage = (*storage)(nil)

func newStorage(s Store, masters [][]byte, rand io.Reader) *storage {
	return &storage{store: s, masters: masters, rand: rand, locks: map[string]*heldLock{}}
}

// Store implements certmagic.Storage.
func (s *storage) Store(ctx context.Context, key string, value []byte) error {
	return s.store.PutCertificateFile(ctx, store.CertificateFile{Name: key, Size: int64(len(value)),
		Sealed: sealbox.Seal(s.masters[0], s.rand, purpose, key, value)})
}

// Load reads a file. A file encrypted with an unknown secret key counts as missing: the certificate is then ordered
// again, as after data loss.
func (s *storage) Load(ctx context.Context, key string) ([]byte, error) {
	f, err := s.find(ctx, key)
	if err != nil {
		return nil, err
	}
	var value []byte
	if _, ok := sealbox.Open(s.masters, purpose, key, f.Sealed, &value); !ok {
		return nil, fmt.Errorf("%s was encrypted with another secret key: %w", key, fs.ErrNotExist)
	}
	return value, nil
}

func (s *storage) find(ctx context.Context, key string) (store.CertificateFile, error) {
	f, err := s.store.FindCertificateFile(ctx, key)
	if fault.Is(err, fault.NotFound) {
		return f, fmt.Errorf("%s: %w", key, fs.ErrNotExist)
	}
	return f, err
}

// Delete removes a file, or a folder with all its files.
func (s *storage) Delete(ctx context.Context, key string) error {
	return s.store.DeleteCertificateFiles(ctx, key)
}

// Exists reports whether a file or folder exists.
func (s *storage) Exists(ctx context.Context, key string) bool {
	_, err := s.Stat(ctx, key)
	return err == nil
}

// List returns all files below a folder or, unless recursive, the files and folders directly in it.
func (s *storage) List(ctx context.Context, path string, recursive bool) ([]string, error) {
	path = strings.Trim(path, "/")
	files, err := s.store.ListCertificateFiles(ctx, path)
	if err != nil {
		return nil, err
	}
	prefix := path + "/"
	if path == "" {
		prefix = ""
	}
	var names []string
	for _, f := range files {
		rest, ok := strings.CutPrefix(f.Name, prefix)
		if !ok {
			continue // path itself is a file
		}
		if first, _, below := strings.Cut(rest, "/"); below && !recursive {
			rest = first
		}
		if name := prefix + rest; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return names, nil
}

// Stat describes a file or folder.
func (s *storage) Stat(ctx context.Context, key string) (certmagic.KeyInfo, error) {
	f, err := s.find(ctx, key)
	if err == nil {
		return certmagic.KeyInfo{Key: key, Modified: f.UpdatedAt, Size: f.Size, IsTerminal: true}, nil
	}
	if _, listErr := s.List(ctx, key, true); listErr == nil {
		return certmagic.KeyInfo{Key: key}, nil
	}
	return certmagic.KeyInfo{}, err
}

// Lock waits until this process holds the lock for a name, and renews it until Unlock.
func (s *storage) Lock(ctx context.Context, name string) error {
	number := make([]byte, 16)
	if _, err := io.ReadFull(s.rand, number); err != nil {
		return err
	}
	holder := hex.EncodeToString(number)
	for {
		held, err := s.store.LockCertificate(ctx, name, holder, lockLife)
		if err != nil {
			return err
		}
		if held {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPoll):
		}
	}
	extend, stop := context.WithCancel(context.WithoutCancel(ctx))
	l := &heldLock{holder: holder, stop: stop, done: make(chan struct{})}
	s.mu.Lock()
	s.locks[name] = l
	s.mu.Unlock()
	go func() {
		defer close(l.done)
		s.extend(extend, name, holder)
	}()
	return nil
}

func (s *storage) extend(ctx context.Context, name, holder string) {
	tick := time.NewTicker(lockLife / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			// After an error, either the next attempt succeeds or the lock expires; the worst consequence is a
			// duplicate order.
			_, _ = s.store.LockCertificate(ctx, name, holder, lockLife)
		}
	}
}

// Unlock releases a lock.
func (s *storage) Unlock(ctx context.Context, name string) error {
	s.mu.Lock()
	l := s.locks[name]
	delete(s.locks, name)
	s.mu.Unlock()
	if l == nil {
		return fmt.Errorf("the lock %s is not held", name)
	}
	l.stop()
	<-l.done
	return s.store.UnlockCertificate(context.WithoutCancel(ctx), name, l.holder)
}
