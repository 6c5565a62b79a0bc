package build

import (
	"io/fs"
	"sync"

	"github.com/lectern-docs/lectern/internal/render/imagesize"
	"github.com/lectern-docs/lectern/internal/site"
)

// imageSizes reads the dimensions of the images that pages show, each file once. It is safe for concurrent use.
type imageSizes struct {
	src  fs.FS
	site *site.Site

	mu    sync.RWMutex
	known map[string]imageSize // by path of the asset
}

// imageSize is the size of an image in CSS pixels; zero for files that are not images.
type imageSize struct{ width, height uint16 }

func newImageSizes(src fs.FS, s *site.Site) *imageSizes {
	return &imageSizes{src: src, site: s, known: map[string]imageSize{}}
}

// lookup returns the size of an image, or 0 if the file has no size.
func (s *imageSizes) lookup(a *site.Asset) (width, height int) {
	s.mu.RLock()
	size, ok := s.known[a.Path]
	s.mu.RUnlock()
	if !ok {
		size = s.read(a.Path)
		s.mu.Lock()
		if first, ok := s.known[a.Path]; ok {
			size = first // all pages use the same size, even if the file changes in the meantime
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
	defer func() { _ = f.Close() }() // opened for reading only
	w, h, _ := imagesize.Read(f)
	return imageSize{uint16(w), uint16(h)} // Read returns no larger values
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
	a := v.resolveImage(ref, v.From.Resolve(ref))
	return a.width, a.height
}
