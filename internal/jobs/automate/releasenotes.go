package automate

import (
	"context"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

const (
	maxTitle  = 200             // characters of a release's title
	notesLife = 2 * time.Minute // timeout for the notes of all tags in a run
)

// releaseNotes requests release notes from a code host. Missing notes never prevent a run: the log explains why they
// are missing.
type releaseNotes struct {
	host   pull.Releases // nil = no more requests
	why    string        // why no requests are sent, as a sentence; "" if they are, or if release notes are not configured
	absent []string      // tags without a release
}

// openReleases returns the releases of a product repository's code host.
func (w *Watcher) openReleases(ctx context.Context, p project.Product) *releaseNotes {
	n := &releaseNotes{}
	if w.Releases == nil {
		return n
	}
	host, err := w.Releases(ctx, p)
	if err != nil {
		n.fail(err)
		return n
	}
	n.host = host
	return n
}

// find returns a tag's release, or a zero value if there is none or it could not be read. After a failure it sends no
// further requests.
func (n *releaseNotes) find(ctx context.Context, tag string) pull.Release {
	if n.host == nil {
		return pull.Release{}
	}
	got, err := n.host.Release(ctx, tag)
	switch {
	case err == nil:
		return got
	case fault.HasCode(err, "unknown_release"):
		n.absent = append(n.absent, tag)
	default:
		n.fail(err)
	}
	return pull.Release{}
}

func (n *releaseNotes) fail(err error) {
	n.host, n.why = nil, "The code host could not be queried."
	if f, ok := fault.As(err); ok && f.Kind != fault.Internal {
		n.why = f.Public
	}
}

// explain returns a text for the log that says which notes are missing and why. It is "" or begins with a space.
func (n *releaseNotes) explain() (out string) {
	if len(n.absent) > 0 {
		out = " The code host has no release for " + clip.Runes(strings.Join(n.absent, ", "), maxNames) + "."
	}
	if n.why != "" {
		out += " The code host's release notes were not read: " + n.why
	}
	return out
}
