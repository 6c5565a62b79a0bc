package adminapi_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) publish(t testing.TB, d *deploy.Deployment) {
	t.Helper()
	h := w.hold(t, d.ID)
	got, err := w.store.StartDeployment(t.Context(), h, lease)
	must(t, err)
	got.Commit, got.PageCount, got.ManifestKey = strings.Repeat("c0ffee", 6)+"1234", 3, "manifest/x"
	got.Logs = []deploy.LogLine{{At: w.clock.Now(), Message: "3 pages written"}}
	got.Change = deploy.Change{Message: "Fix it", Author: "Docs team", Compared: true, Modified: []string{"index.mdx"}}
	got.Diagnostics = diag.List{{File: "index.mdx", Line: 1, Column: 2, Severity: diag.Warning, Code: "long_title",
		Message: "The title is long."}}
	must(t, w.store.PublishDeployment(t.Context(), h, got))
	*d, err = w.store.FindDeploymentByID(t.Context(), d.ID)
	must(t, err)
}

func (w *world) finishExport(t testing.TB, j export.Job) export.Job {
	t.Helper()
	h := w.hold(t, j.ID)
	_, err := w.store.StartExport(t.Context(), h, lease)
	must(t, err)
	_, err = w.store.AdvanceExport(t.Context(), h, lease,
		store.ExportProgress{Progress: 50, PageCount: 2, Stage: export.StagePages, Commit: strings.Repeat("ab", 20)})
	must(t, err)
	var bundles []export.Bundle
	for _, f := range []export.Format{export.TarGz, export.Zip} {
		b := export.Bundle{Format: f, Key: "bundle/" + j.ID + "." + string(f), Size: int64(len(bundleBytes)),
			SHA256: bundleSHA}
		_, err := w.blob.Put(t.Context(), b.Key, strings.NewReader(bundleBytes))
		must(t, err)
		bundles = append(bundles, b)
	}
	must(t, w.store.CompleteExport(t.Context(), h, 3, bundles))
	j, err = w.store.FindExportByID(t.Context(), j.ID)
	must(t, err)
	return j
}
