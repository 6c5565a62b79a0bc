package buildcache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultMaxBytes is the default size limit of a cache.
const DefaultMaxBytes = 2 << 30

// Options configures a cache.
type Options struct {
	MaxBytes int64            // size limit of the folder; 0 = DefaultMaxBytes
	Now      func() time.Time // the clock; required
	OnError  func(error)      // called with the reason if a session could not store a value; may be nil
}

// Store is an open cache folder. It is safe for concurrent use. Begin returns nil for a nil Store.
type Store struct {
	dir  string
	root *os.Root
	opt  Options

	program  func() ([32]byte, error)
	identify func() (key [32]byte, ok bool)

	mu    sync.Mutex
	packs map[string]*pack // in use by sessions
	known *[32]byte        // the program's digest; nil = not known yet

	hits, misses, stored, read, written atomic.Int64
}

// Open opens a cache folder, and creates it if it is missing. It rejects a folder that does not belong to this user
// alone, or that contains other files.
func Open(dir string, opt Options) (*Store, error) {
	if opt.MaxBytes <= 0 {
		opt.MaxBytes = DefaultMaxBytes
	}
	dir = absolute(dir)
	root, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	return &Store{
		dir: dir, root: root, opt: opt, program: programDigest, identify: identifyProgram,
		packs: map[string]*pack{},
	}, nil
}

// Close closes the folder. After that, open sessions can only use packs that they have already opened.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	return s.root.Close()
}

// Dir returns the folder's path.
func (s *Store) Dir() string { return s.dir }

// MaxBytes returns the size limit.
func (s *Store) MaxBytes() int64 { return s.opt.MaxBytes }

// Figures holds statistics of sessions since the Store was opened.
type Figures struct {
	Hits, Misses int64 // of Get
	Stored       int64 // records
	Read         int64 // bytes of values found
	Written      int64 // bytes of values stored
}

// Figures returns the statistics of all sessions of this Store.
func (s *Store) Figures() Figures {
	return Figures{s.hits.Load(), s.misses.Load(), s.stored.Load(), s.read.Load(), s.written.Load()}
}

// Usage is the number of packs and records in a folder, and the size of its files in bytes.
type Usage struct {
	Packs, Records int
	Bytes          int64
}

// Usage counts the packs and records in the folder.
func (s *Store) Usage() (u Usage, err error) {
	files, err := listFiles(s.root)
	if err != nil {
		return u, err
	}
	u.Bytes = total(files)
	for _, f := range files {
		if !f.isPack() {
			continue
		}
		u.Packs++
		if r, err := s.root.Open(f.name); err == nil {
			_, n, _, err := readTrailer(r, f.size)
			if err == nil {
				u.Records += n
			}
			_ = r.Close()
		}
	}
	return u, nil
}

// Clear removes all stored values. Running builds continue, and may store values again.
func (s *Store) Clear() error {
	files, err := listFiles(s.root)
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range files {
		if err := s.root.Remove(f.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("remove pack: %w", err))
		}
	}
	return errors.Join(errs...)
}

// acquire opens a pack, or shares an open one. Every pack must be released.
func (s *Store) acquire(name string) (*pack, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.packs[name]
	if p == nil {
		var err error
		if p, err = openPack(s.root, name); err != nil {
			return nil, err
		}
		s.packs[name] = p
	}
	p.users++
	return p, nil
}

func (s *Store) release(p *pack) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.users--; p.users == 0 {
		delete(s.packs, p.name)
		_ = p.file.Close() // opened for reading only
	}
}

// inUse returns the packs that sessions of this process have open.
func (s *Store) inUse() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]bool, len(s.packs))
	for name := range s.packs {
		out[name] = true
	}
	return out
}
