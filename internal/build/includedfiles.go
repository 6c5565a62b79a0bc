package build

import (
	"crypto/sha256"
	digest "hash"
	"io"
	"io/fs"
	"sync"
)

// includedFiles computes the digests of files that several pages may include, once per build. The digest must match
// the bytes that pages were rendered from, even if the author saves the file in the meantime, so files read through
// wrap are hashed while they are read. It is safe for concurrent use.
type includedFiles struct {
	mu      sync.Mutex
	known   map[string][sha256.Size]byte // zero = no such file
	changed map[string]bool              // files whose digest changed during the build
}

// digest returns the digest of a file, or zero if it does not exist. sure is false if it changed during the build.
func (s *includedFiles) digest(src fs.FS, name string) (sum [sha256.Size]byte, sure bool) {
	s.mu.Lock()
	sum, ok := s.known[name]
	sure = !s.changed[name]
	s.mu.Unlock()
	if ok {
		return sum, sure
	}
	return s.record(name, digestOf(src, name))
}

// digestOf hashes a file as a stream, because authors may include a file of any size.
func digestOf(src fs.FS, name string) (sum [sha256.Size]byte) {
	info, err := fs.Stat(src, name)
	if err != nil || !info.Mode().IsRegular() {
		return sum
	}
	f, err := src.Open(name)
	if err != nil {
		return sum
	}
	defer func() { _ = f.Close() }() // opened for reading only
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// record stores the digest of a file. The first digest is kept; a different one later marks the file as changed.
func (s *includedFiles) record(name string, sum [sha256.Size]byte) (first [sha256.Size]byte, sure bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known, s.changed = map[string][sha256.Size]byte{}, map[string]bool{}
	}
	first, ok := s.known[name]
	if !ok {
		s.known[name], first = sum, sum
	}
	if first != sum {
		s.changed[name] = true
	}
	return first, !s.changed[name]
}

// wrap returns a file system that reads from src and records the digest of every file that is read.
func (s *includedFiles) wrap(src fs.FS) fs.FS { return digestingFS{src, s} }

type digestingFS struct {
	fs.FS
	to *includedFiles
}

// Open implements fs.FS.
func (w digestingFS) Open(name string) (fs.File, error) {
	f, err := w.FS.Open(name)
	if err != nil {
		w.to.record(name, [sha256.Size]byte{})
		return nil, err
	}
	return &digestingFile{File: f, name: name, to: w.to, sum: sha256.New()}, nil
}

// Stat implements fs.StatFS.
func (w digestingFS) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(w.FS, name)
	if err != nil || !info.Mode().IsRegular() {
		w.to.record(name, [sha256.Size]byte{})
	}
	return info, err
}

// digestingFile hashes a file while it is read and records the digest on Close. A file that is too large is not read to
// its end. The recorded digest then matches no file, so no result that is based on it is reused.
type digestingFile struct {
	fs.File
	name string
	to   *includedFiles
	sum  digest.Hash
}

// Read implements io.Reader.
func (f *digestingFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.sum.Write(p[:n])
	return n, err
}

// Close implements io.Closer.
func (f *digestingFile) Close() error {
	f.to.record(f.name, [sha256.Size]byte(f.sum.Sum(nil)))
	return f.File.Close()
}
