package publish

import (
	"context"
	"fmt"
	"maps"
	"path"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// known finds stored contents by their hash.
type known struct {
	packs []string
	bySHA map[string]deploy.File
	live  deploy.Manifest // manifest of the site that they belong to; zero = none
	notes []string        // for the log of the update
}

// startPublished calls published in the background, because decoding a large site's manifest takes as long as fetching
// a commit. The caller must call wait before it returns.
func (r *run) startPublished(ctx context.Context, p project.Project) (wait func() (known, error)) {
	var k known
	var err error
	var done sync.WaitGroup
	done.Go(func() {
		defer func() {
			if cause := recover(); cause != nil { // a panic must fail this update alone
				err = fmt.Errorf("read the live site's manifest: panic: %v\n%s", cause, debug.Stack())
			}
		}()
		k, err = r.published(ctx, p)
	})
	return func() (known, error) {
		done.Wait()
		for _, note := range k.notes {
			r.logLine(note)
		}
		k.notes = nil
		return k, err
	}
}

// published returns the contents stored for the live site, which need not be stored again.
func (r *run) published(ctx context.Context, p project.Project) (known, error) {
	if p.LiveID == "" {
		return known{}, nil
	}
	live, err := r.Store.FindDeploymentByID(ctx, p.LiveID)
	if err != nil {
		return known{}, err
	}
	m, err := LoadManifest(ctx, r.Blob, live.ManifestKey)
	if err != nil {
		return r.forgotten(ctx, err)
	}
	stored, err := r.packSizes(ctx, p.ID)
	if err != nil {
		return r.forgotten(ctx, err)
	}
	k := known{live: m, packs: m.Packs, bySHA: make(map[string]deploy.File, len(m.Files))}
	lost := 0
	for _, f := range m.Files {
		if f.Pack < 0 || f.Pack >= len(m.Packs) || stored[m.Packs[f.Pack]] < f.Offset+f.Length {
			lost++
			continue
		}
		k.bySHA[f.SHA256] = f
	}
	for _, v := range m.Views {
		if v.Manifest == "" {
			continue
		}
		// an error is ignored: the manifest only avoids storing contents twice
		if of, err := LoadManifest(ctx, r.Blob, v.Manifest); err == nil {
			maps.DeleteFunc(of.Files, func(_ string, f deploy.File) bool {
				return f.Pack < 0 || f.Pack >= len(of.Packs) || stored[of.Packs[f.Pack]] < f.Offset+f.Length
			})
			k = k.with(of)
		}
	}
	if lost > 0 {
		k.notes = append(k.notes,
			fmt.Sprintf("Stored files of the live site were missing and are stored again: %d.", lost))
	}
	return k, nil
}

// forgotten continues without the live site's stored contents, which only avoid storing the same contents twice.
// Outages and canceled updates are still errors.
func (r *run) forgotten(ctx context.Context, err error) (known, error) {
	if ctx.Err() != nil || fault.IsOutage(err) {
		return known{}, err
	}
	if r.Logger != nil {
		r.Logger.Warn("cannot read the live site's manifest, storing all files again",
			"project", r.d.ProjectID, "deployment", r.d.ID, "error", err)
	}
	return known{notes: []string{
		"The list of the live site's stored files is missing or damaged; all files are stored again."}}, nil
}

// packSizes returns the sizes of a project's packs in bytes, by key.
func (r *run) packSizes(ctx context.Context, projectID string) (map[string]int64, error) {
	sizes := map[string]int64{}
	err := r.Blob.List(ctx, path.Join("sites", projectID, "packs")+"/", func(i blob.Info) error {
		sizes[i.Key] = i.Size
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list stored packs: %w", err)
	}
	return sizes, nil
}

// storedKeys lists the manifests and packs of a project.
func (r *run) storedKeys(ctx context.Context, projectID string) (map[string]bool, error) {
	keys := map[string]bool{}
	err := r.Blob.List(ctx, path.Join("sites", projectID)+"/", func(i blob.Info) error {
		keys[i.Key] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list stored files: %w", err)
	}
	return keys, nil
}

// with returns what is known plus the contents of a version that was just stored.
func (k known) with(m deploy.Manifest) known {
	out := known{live: k.live, packs: slices.Concat(k.packs, m.Packs), bySHA: maps.Clone(k.bySHA)}
	if out.bySHA == nil {
		out.bySHA = map[string]deploy.File{}
	}
	for _, f := range m.Files {
		f.Pack += len(k.packs)
		out.bySHA[f.SHA256] = f
	}
	return out
}

// add is like with, but modifies k.
func (k *known) add(m deploy.Manifest) {
	first := len(k.packs)
	k.packs = append(k.packs, m.Packs...)
	for _, f := range m.Files {
		f.Pack += first
		k.bySHA[f.SHA256] = f
	}
}
