package buildcache

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
)

// Program returns a digest of the running program for use in keys, so that results of other programs are never used. It
// is computed once, from the whole file, which takes about a tenth of a second of processor time.
func (s *Store) Program() ([32]byte, error) { return s.program() }

// thisProgram is like Program, but stores the digest in the cache itself, under the identity of the file. Every command
// needs the digest, and hashing the program would take a considerable part of the time needed to build a small edit.
func (n *Session) thisProgram() ([32]byte, error) {
	s := n.store
	s.mu.Lock()
	known := s.known
	s.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	id, ok := s.identify()
	if value, found := n.find(id); ok && found && len(value) == sha256.Size {
		known = (*[32]byte)(value)
	} else {
		sum, err := s.Program()
		if err != nil {
			return sum, err
		}
		if known = &sum; ok {
			n.own.add(id, sum[:], checksum(id[:], sum[:]), s.opt.MaxBytes)
		}
	}
	s.mu.Lock()
	s.known = known
	s.mu.Unlock()
	return *known, nil
}

// openProgram opens the executable of this process.
func openProgram() (*os.File, error) {
	// A name would refer to the new file if the program was replaced while it runs; this does not.
	if f, err := os.Open("/proc/self/exe"); err == nil {
		return f, nil
	}
	name, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find program: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open program: %w", err)
	}
	return f, nil
}

// programDigest is like runningProgram, but computes the digest only once per process, regardless of the number of
// stores.
var programDigest = sync.OnceValues(runningProgram)

// runningProgram returns the digest of this process's executable.
func runningProgram() ([32]byte, error) {
	f, err := openProgram()
	if err != nil {
		return [32]byte{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return [32]byte{}, fmt.Errorf("inspect program: %w", err)
	}
	return digest(f, info.Size())
}

// headSize is how many bytes at the start of the program identify it. Go's linker writes a digest of the whole program
// there.
const headSize = 64 << 10

// identifyProgram quickly computes a key for the executable of this process. It hashes the device, the inode number,
// the size, the modification and change times, and the first headSize bytes. It returns false if the system does not
// provide them.
func identifyProgram() (key [32]byte, ok bool) {
	f, err := openProgram()
	if err != nil {
		return key, false
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return key, false
	}
	identity, ok := identityOf(info)
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return key, false
	}
	h := sha256.New()
	fmt.Fprintf(h, "program\n%s\n", identity)
	h.Write(head[:n])
	return [32]byte(h.Sum(nil)), ok
}

// chunk is the size in bytes of the parts of the program that are hashed separately.
const chunk = 1 << 20

// digest returns the SHA-256 of the SHA-256 of each chunk, so that all processors can be used.
func digest(r io.ReaderAt, size int64) ([32]byte, error) {
	count := int((size + chunk - 1) / chunk)
	sums, errs := make([][32]byte, count), make([]error, count)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(count, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			buffer := make([]byte, chunk)
			for i := range next {
				part := buffer[:min(chunk, size-int64(i)*chunk)]
				if n, err := r.ReadAt(part, int64(i)*chunk); n < len(part) {
					errs[i] = fmt.Errorf("read program: %w", err)
				}
				sums[i] = sha256.Sum256(part)
			}
		})
	}
	for i := range count {
		next <- i
	}
	close(next)
	wg.Wait()
	h := sha256.New()
	for _, sum := range sums {
		h.Write(sum[:])
	}
	return [32]byte(h.Sum(nil)), errors.Join(errs...)
}
