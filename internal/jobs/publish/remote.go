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

// lastGood are the API descriptions that other hosts answered with when the live site was built.
type lastGood struct {
	once   sync.Once
	copies map[string]openapi.Copy // nil = none are known
	err    error                   // why they could not be read
}

// descriptions returns where API descriptions at addresses come from. What is live is built again from those it was
// built from before. A fork gets those of the live site alone: the server may reach hosts that its author cannot.
func (r *run) descriptions(src fs.FS, p project.Project) (openapi.Fetch, error) {
	if r.untrusted {
		return r.liveOnly(p), nil
	}
	if r.d.Replaces == "" { // see source
		return r.Fetch, nil
	}
	copies, err := snapshot.Remote(src)
	if err != nil {
		return nil, err
	}
	r.last.once.Do(func() { r.last.copies = copies })
	return snapshot.Replay(copies, r.Fetch), nil
}

// lastGood finds the description that the live site was built from. The kept source is opened when a host has answered
// with something unusable, and not before: it may be large.
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
	defer func() { _ = remove() }() // leftovers go with the process
	src, closer, err := r.Source.Open(ctx, live.SnapshotKey, dir)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = closer.Close() }() // read only
	return snapshot.Remote(src)
}

// reportKept writes each description that the live site's copy stands in for into the update's log and the operator's.
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

// dated gives copies that this build fetched its time, and those that it took from the live site theirs.
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

// origins returns the digest of the settings that say where a project's pages come from.
func origins(p project.Project) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", p.Source.Repository, p.Source.Path, p.Source.Branch,
		p.DocsFolder))
	return hex.EncodeToString(sum[:])
}
