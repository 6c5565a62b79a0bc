package publish

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"sync"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

// lastGood holds the remote API descriptions from which the live site was built.
type lastGood struct {
	once   sync.Once
	copies map[string]openapi.Copy // nil = none known
	err    error                   // why they could not be read
}

// descriptions returns the fetcher for remote API descriptions. A rebuild of the live site uses the same copies as
// before. A fork gets only the copies stored for the live site, because the server may reach hosts that the fork's
// author cannot.
func (r *run) descriptions(src fs.FS, p project.Project) (openapi.Fetch, error) {
	if r.untrusted {
		return r.liveOnly(p), nil
	}
	if r.d.Replaces == "" { // see the method source
		return r.Fetch, nil
	}
	copies, err := snapshot.Remote(src)
	if err != nil {
		return nil, err
	}
	r.last.once.Do(func() { r.last.copies = copies })
	return snapshot.Replay(copies, r.Fetch), nil
}

// lastGood returns a function that finds the description from which the live site was built. It opens the stored
// source, which may be large, only after a host returned something unusable.
func (r *run) lastGood(p project.Project) openapi.Kept {
	return func(ctx context.Context, url string) (openapi.Copy, bool) {
		r.last.once.Do(func() { r.last.copies, r.last.err = r.liveCopies(ctx, p) })
		c, ok := r.last.copies[url]
		return c, ok
	}
}

func (r *run) liveCopies(ctx context.Context, p project.Project) (map[string]openapi.Copy, error) {
	if p.LiveID == "" {
		return nil, nil
	}
	live, err := r.Store.FindDeploymentByID(ctx, p.LiveID)
	if err != nil || live.SnapshotKey == "" {
		return nil, err
	}
	dir, remove, err := r.Scratch.Folder("kept")
	if err != nil {
		return nil, err
	}
	defer func() { _ = remove() }() // removed when the process ends, if not here
	src, err := r.Source.Open(ctx, live.SnapshotKey, dir)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = src.Close() }() // read only
	return snapshot.Remote(src.FS)
}

// reportKept logs, for the author and the operator, each description that was replaced by the live site's copy.
func (r *run) reportKept(list diag.List) {
	for _, d := range list {
		if d.Code != "spec-kept" {
			continue
		}
		r.logLine(d.Message)
		if r.Counts != nil {
			r.Counts.Kept.Add(1)
		}
		if r.Logger != nil {
			r.Logger.Warn("remote API description is unusable, publishing its last good copy",
				"project", r.d.ProjectID, "deployment", r.d.ID, "finding", d.String())
		}
	}
}

// dated sets the time of copies that this build fetched, and keeps the time of those taken from the live site.
func (r *run) dated(copies []openapi.Copy) []openapi.Copy {
	for i, c := range copies {
		if !c.At.IsZero() {
			continue
		}
		copies[i].At = r.Now()
		if old, ok := r.last.copies[c.URL]; ok && r.d.Replaces != "" && bytes.Equal(old.Data, c.Data) {
			copies[i].At = old.At
		}
	}
	return copies
}

// sums returns the digests of copies, by address.
func sums(copies []openapi.Copy) map[string]string {
	out := make(map[string]string, len(copies))
	for _, c := range copies {
		sum := sha256.Sum256(c.Data)
		out[c.URL] = hex.EncodeToString(sum[:])
	}
	return out
}

// origins returns a digest of the settings that determine where a project's pages come from.
func origins(p project.Project) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", p.Source.Repository, p.Source.Path, p.Source.Branch,
		p.DocsFolder))
	return hex.EncodeToString(sum[:])
}
