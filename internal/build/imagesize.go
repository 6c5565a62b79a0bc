package build

import (
	"io/fs"
	"sync"

	"github.com/lectern-docs/lectern/internal/render/imagesize"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// imageSizes reads the dimensions of the images that pages show, each file once. It is safe for concurrent use.
type imageSizes struct {
	src  fs.FS
	site *site.Site

	mu    sync.RWMutex
	known map[string]imageSize // by path of the asset
}

// imageSize is in CSS pixels; zero for files that are not images.
type imageSize struct{ width, height uint16 }

func newImageSizes(src fs.FS, s *site.Site) *imageSizes {
	return &imageSizes{src: src, site: s, known: map[string]imageSize{}}
}

// lookup returns the size of the image that a reference leads to; 0 when it is not a file of the author's, or has no
// size of its own.
func (s *imageSizes) lookup(t link.Target) (width, height int) {
	if t.Kind != link.ToFile {
		return 0, 0
	}
	a := s.site.FindAsset(t.File)
	if a == nil {
		return 0, 0
	}
	s.mu.RLock()
	size, ok := s.known[a.Path]
	s.mu.RUnlock()
	if !ok {
		size = s.read(a.Path)
		s.mu.Lock()
		if first, ok := s.known[a.Path]; ok {
			size = first // all pages use the same size, even if the file changes meanwhile
		}
		s.known[a.Path] = size
		s.mu.Unlock()
	}
	return int(size.width), int(size.height)
}

func (s *imageSizes) read(file string) imageSize {
	f, err := s.src.Open(file)
	if err != nil {
		return imageSize{} // copyAssets reports it
	}
	defer func() { _ = f.Close() }() // read only
	w, h, _ := imagesize.Read(f)
	return imageSize{uint16(w), uint16(h)} // Read has no larger ones
}

// stale reports whether the size that pages were rendered with is outdated.
func (s *imageSizes) stale(file string) bool {
	s.mu.RLock()
	size, ok := s.known[file]
	s.mu.RUnlock()
	return ok && size != s.read(file)
}

// Size implements layout.Links.
func (v *view) Size(ref string) (width, height int) {
	if ref == "" {
		return 0, 0
	}
	ref = rooted(ref)
	return v.resolveSize(ref, v.From.Resolve(ref))
}
