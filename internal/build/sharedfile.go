package build

import (
	"crypto/sha256"
	digest "hash"
	"io"
	"io/fs"
	"sync"
)

// sharedFiles digests files that several pages may be made from, each once in a build. A digest must be that of what pages were made from,
// also when the author saves a file meanwhile: what is read through watch is digested as it is read. It is safe for concurrent use.
type sharedFiles struct {
	mu     sync.Mutex
	known  map[string][sha256.Size]byte // zero = the file is not there
	unsure map[string]bool              // files that were seen in two forms
}

// file is the digest of a file; zero when it is not there. sure is false when it changed during the build.
func (s *sharedFiles) file(src fs.FS, name string) (sum [sha256.Size]byte, sure bool) {
	s.mu.Lock()
	sum, ok := s.known[name]
	sure = !s.unsure[name]
	s.mu.Unlock()
	if ok {
		return sum, sure
	}
	return s.enter(name, digestOf(src, name))
}

// digestOf reads a file; it is not held as a whole, since authors may name any.
func digestOf(src fs.FS, name string) (sum [sha256.Size]byte) {
	info, err := fs.Stat(src, name)
	if err != nil || !info.Mode().IsRegular() {
		return sum
	}
	f, err := src.Open(name)
	if err != nil {
		return sum
	}
	defer func() { _ = f.Close() }() // read only
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// enter notes what a file was found to be. The first word stands.
func (s *sharedFiles) enter(name string, sum [sha256.Size]byte) (first [sha256.Size]byte, sure bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known, s.unsure = map[string][sha256.Size]byte{}, map[string]bool{}
	}
	first, ok := s.known[name]
	if !ok {
		s.known[name], first = sum, sum
	}
	if first != sum {
		s.unsure[name] = true
	}
	return first, !s.unsure[name]
}

// watch is src; what is read of it is noted.
func (s *sharedFiles) watch(src fs.FS) fs.FS { return watchedFS{src, s} }

type watchedFS struct {
	fs.FS
	to *sharedFiles
}

// Open implements fs.FS.
func (w watchedFS) Open(name string) (fs.File, error) {
	f, err := w.FS.Open(name)
	if err != nil {
		w.to.enter(name, [sha256.Size]byte{})
		return nil, err
	}
	return &watchedFile{File: f, name: name, to: w.to, sum: sha256.New()}, nil
}

// Stat implements fs.StatFS.
func (w watchedFS) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(w.FS, name)
	if err != nil || !info.Mode().IsRegular() {
		w.to.enter(name, [sha256.Size]byte{})
	}
	return info, err
}

// watchedFile is digested while it is read, and noted when it is closed. One that is too large to be of use is not read to its end; its
// digest is then no file's, so that what was made of it is not found again.
type watchedFile struct {
	fs.File
	name string
	to   *sharedFiles
	sum  digest.Hash
}

// Read implements io.Reader.
func (f *watchedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.sum.Write(p[:n])
	return n, err
}

// Close implements io.Closer.
func (f *watchedFile) Close() error {
	f.to.enter(f.name, [sha256.Size]byte(f.sum.Sum(nil)))
	return f.File.Close()
}
