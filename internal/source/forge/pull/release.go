package pull

import "context"

// Releases gives access to the releases of a repository. It is safe for concurrent use, and its errors are those of
// Host. Not all code hosts have releases.
type Releases interface {
	// Release returns the published release of a tag. If there is none, the fault is unknown_release (NotFound).
	Release(ctx context.Context, tag string) (Release, error)
}

// Release is a release as stored by the host. Its text is untrusted.
type Release struct {
	Title string
	Notes string // Markdown; "" = none
}
