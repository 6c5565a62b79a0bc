package build

import (
	"sync"

	"github.com/lectern-docs/lectern/internal/build/imagevariant"
)

// pixelLimit limits the pixels that all builds of a process decode concurrently, and so their memory.
type pixelLimit struct {
	mu   sync.Mutex
	free sync.Cond
	left int
}

func newPixelLimit() *pixelLimit {
	l := &pixelLimit{left: imagevariant.MaxPixels}
	l.free.L = &l.mu
	return l
}

// acquire waits until n pixels are free; n is at most imagevariant.MaxPixels. The returned function releases them.
func (l *pixelLimit) acquire(n int) (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.left < n {
		l.free.Wait()
	}
	l.left -= n
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.left += n
		l.free.Broadcast()
	}
}
