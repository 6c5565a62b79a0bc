package publish

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// files is the sink that stores a site. Text is stored compressed, either by the build or here, using one goroutine
// per processor. The results are added to packs as they arrive.
type files struct {
	packs *packer
	known known // contents already stored for the live site; read-only
	group *errgroup.Group
	ctx   context.Context
	// the files belong to a version whose name is not known yet: mark those that may contain VersionSegment
	versioned bool

	mu    sync.Mutex
	bySHA map[string]deploy.File // guarded by mu; contents of this build
	paths map[string]deploy.File // guarded by mu; wait sets Pack, Offset and Length
}

// gzipFrom is the minimum size in bytes of files to compress; smaller files fit in one network packet anyway.
const gzipFrom = 1024

func startFiles(ctx context.Context, packs *packer, k known) *files {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	return &files{packs: packs, known: k, group: g, ctx: ctx, bySHA: map[string]deploy.File{},
		paths: map[string]deploy.File{}}
}

// Put accepts a file of the site. It copies data that it stores later, because the build reuses its buffers. A packed
// form never changes.
func (s *files) Put(_ context.Context, f output.File) error {
	if s.ctx.Err() != nil { // an earlier file could not be stored
		return context.Cause(s.ctx)
	}
	file := Describe(f)
	if s.versioned && output.Compressible(f.ContentType) {
		var err error
		if file.Versioned, err = namesVersion(f); err != nil {
			return err
		}
	}
	if !s.note(f.Path, file) {
		return nil
	}
	if f.Packed == nil || f.Packed.Deflated == nil {
		f.Data = bytes.Clone(f.Data)
	} else {
		f.Data = nil
	}
	s.group.Go(func() error { return s.store(file, f) }) // blocks while the limit is reached, so mu must not be held
	return nil
}

// namesVersion reports whether a text may contain VersionSegment. Pages always contain it, so they are not unpacked for
// the check.
func namesVersion(f output.File) (bool, error) {
	if f.Data == nil && !f.Immutable {
		return true, nil
	}
	data, err := f.Bytes()
	return bytes.Contains(data, []byte(deploy.VersionSegment)), err
}

// Holds implements output.Holding: the build need not pass contents that are already stored for the live site. For a
// version it returns false, because namesVersion needs the text of every file.
func (s *files) Holds(_ string, sum [sha256.Size]byte) bool {
	if s.versioned {
		return false
	}
	_, ok := s.known.bySHA[hex.EncodeToString(sum[:])]
	return ok
}

// WantsPacked returns true: most files are stored packed.
func (s *files) WantsPacked() bool { return true }

// Describe returns a file's manifest entry without its storage location.
func Describe(f output.File) deploy.File {
	sum := f.Digest()
	return deploy.File{SHA256: hex.EncodeToString(sum[:]), Size: f.Size(), ContentType: f.ContentType,
		Immutable: f.Immutable}
}

// Rules converts a site's redirects to the manifest's form.
func Rules(list []site.Redirect) (out []deploy.Redirect) {
	for _, r := range list {
		out = append(out, deploy.Redirect{Source: r.Source, Destination: r.Destination, Permanent: r.Permanent})
	}
	return out
}

// note records a path and reports whether its content still has to be stored.
func (s *files) note(path string, file deploy.File) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paths[path] = file
	if _, twice := s.bySHA[file.SHA256]; twice {
		return false
	}
	if old, ok := s.known.bySHA[file.SHA256]; ok {
		old.Pack = s.packs.reuse(s.known.packs[old.Pack])
		s.bySHA[file.SHA256] = old
		return false
	}
	s.bySHA[file.SHA256] = file
	return true
}

func (s *files) store(f deploy.File, from output.File) error {
	data, packed, err := stored(from)
	if err != nil {
		return err
	}
	if f.Pack, f.Offset, err = s.packs.add(s.ctx, data); err != nil {
		return fmt.Errorf("store file: %w", err)
	}
	f.Gzip, f.Length = packed, int64(len(data))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bySHA[f.SHA256] = f
	return nil
}

// stored returns a file's content as it is stored: gzip for text that is not short, everything else unchanged.
func stored(f output.File) (data []byte, packed bool, err error) {
	if f.Size() >= gzipFrom && output.Compressible(f.ContentType) {
		if f.Packed == nil {
			f.Packed = output.Pack(f.Data, f.ContentType)
		}
		if f.Packed.Deflated != nil {
			return f.Packed.Gzip(), true, nil
		}
	}
	data, err = f.Bytes()
	return data, false, err
}

// wait waits until everything is stored, and returns the files by path and the packs that contain them. A non-nil
// buildErr aborts storing.
func (s *files) wait(buildErr error) (map[string]deploy.File, []string, error) {
	err := errors.Join(buildErr, s.group.Wait())
	if err := s.packs.close(err); err != nil {
		return nil, nil, err
	}
	for path, f := range s.paths {
		stored := s.bySHA[f.SHA256]
		f.Gzip, f.Pack, f.Offset, f.Length = stored.Gzip, stored.Pack, stored.Offset, stored.Length
		s.paths[path] = f
	}
	return s.paths, s.packs.keys, nil
}

// abandon aborts what a panic left open, so that the blob store does not wait for the rest of a pack. After wait it
// does nothing.
func (s *files) abandon() { _, _, _ = s.wait(errAbandoned) }

var errAbandoned = errors.New("the build did not finish")
