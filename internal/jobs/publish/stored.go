package publish

import (
	"context"
	"fmt"
	"maps"
	"path"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// published returns what the site that readers see now has stored: it need not be stored again.
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
		if of, err := LoadManifest(ctx, r.Blob, v.Manifest); err == nil { // it only saves storing the same again
			maps.DeleteFunc(of.Files, func(_ string, f deploy.File) bool {
				return f.Pack < 0 || f.Pack >= len(of.Packs) || stored[of.Packs[f.Pack]] < f.Offset+f.Length
			})
			k = k.with(of)
		}
	}
	if lost > 0 {
		r.logLine(fmt.Sprintf("Stored files of the live site were missing and are stored again: %d.", lost))
	}
	return k, nil
}

// forgotten goes on without knowing what the live site has stored: it only saves storing the same again. An outage, and
// an update that has to stop, are still errors.
func (r *run) forgotten(ctx context.Context, err error) (known, error) {
	if ctx.Err() != nil || fault.IsOutage(err) {
		return known{}, err
	}
	r.logLine("The list of the live site's stored files is missing or damaged; all files are stored again.")
	if r.Logger != nil {
		r.Logger.Warn("cannot read the live site's manifest, storing all files again",
			"project", r.d.ProjectID, "deployment", r.d.ID, "error", err)
	}
	return known{}, nil
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
