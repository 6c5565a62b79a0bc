package exportjob_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// nothingLeft fails the test if an attempt left a blob or a folder.
func nothingLeft(t *testing.T, b *worktest.Env) {
	t.Helper()
	if left := b.Keys(t, "exports/"); len(left) > 0 {
		t.Errorf("left in the blob store: %v", left)
	}
	for _, kind := range []string{"export-*", "build-*"} {
		if left, err := filepath.Glob(filepath.Join(b.ScratchDir, "process-*", kind)); err != nil || len(left) > 0 {
			t.Errorf("left in the work folder: %v %v", left, err)
		}
	}
}

// Each limit ends the export with its own error code, names its value and setting, and leaves nothing behind.
func TestExportErrorNamesExceededLimit(t *testing.T) {
	for code, c := range map[string]struct {
		limits export.Limits
		says   []string
	}{
		"too_many_pages":   {export.Limits{MaxPages: 1}, []string{"2 pages", "is 1", "export.max-pages"}},
		"export_too_large": {export.Limits{MaxBytes: 4096}, []string{"4 KiB", "export.max-bytes"}},
		"export_too_long":  {export.Limits{MaxTime: time.Nanosecond}, []string{"1ns", "export.max-time"}},
		"export_quota":     {export.Limits{MaxStored: 1024}, []string{"1 KiB", "export.max-stored-bytes"}},
	} {
		t.Run(code, func(t *testing.T) {
			b := worktest.New(t)
			j := queueExport(t, b, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)}))
			e := exporter(b)
			e.Limits = c.limits
			err := e.Run(t.Context(), b.Take(t))
			f, ok := fault.As(err)
			if !ok || f.Code != code || f.Kind != fault.Invalid {
				t.Fatalf("%v", err)
			}
			for _, text := range c.says {
				if !strings.Contains(f.Sentence(), text) {
					t.Errorf("%q lacks %q", f.Sentence(), text)
				}
			}
			if got := find(t, b, j.ID); got.ErrorCode != code {
				t.Errorf("the job has the code %q", got.ErrorCode)
			}
			nothingLeft(t, b)
		})
	}
}

// Limits that are not reached, and missing ones, change nothing.
func TestUnreachedLimitsHaveNoEffect(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	plain := exportNow(t, b, p)
	j := queueExport(t, b, p)
	e := exporter(b)
	e.Limits = export.Limits{MaxPages: 2, MaxBytes: 1 << 30, MaxTime: time.Hour, MaxStored: 1 << 30}
	if err := e.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	if got := find(t, b, j.ID); got.Bundles[0].SHA256 != plain.Bundles[0].SHA256 {
		t.Error("the bundle differs")
	}
}

// J6: the error states the first location and the number of others; the job contains all of them, errors before
// warnings.
func TestFailureNamesFirstPageAndCountsOthers(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	worktest.Rewrite(t, dir, map[string]string{
		"a.mdx":            "---\ntitle: A\n---\n[Nowhere](/nowhere)\n",
		"guides/start.mdx": "---\ntitle: [\n---\n",
		"z.mdx":            "---\ntitle: [\n---\n",
	})
	j := queueExport(t, b, b.Project(t, "docs.example.com", project.Source{Path: dir}))
	err := exporter(b).Run(t.Context(), b.Take(t))
	f, ok := fault.As(err)
	if !ok || f.Code != "build_failed" || !strings.Contains(f.Public, "guides/start.mdx:2:8:") ||
		!strings.Contains(f.Public, "1 more error") {
		t.Fatalf("%v", err)
	}
	got := find(t, b, j.ID)
	var order string
	for _, d := range got.Diagnostics {
		order += map[diag.Severity]string{diag.Error: "e", diag.Warning: "w"}[d.Severity]
	}
	if !strings.HasPrefix(order, "eew") || strings.Contains(order, "we") || got.ErrorCode != "build_failed" {
		t.Errorf("%q %s: %v", order, got.ErrorCode, got.Diagnostics)
	}
	nothingLeft(t, b)
}

// A job keeps at most fifty findings, and long text quoted from a page is truncated.
func TestJobStoresAtMostFiftyFindings(t *testing.T) {
	b := worktest.New(t)
	files := map[string]string{"docs.json": site["docs.json"],
		"index.mdx": "---\ntitle: Home\n---\n" + strings.Repeat("[x](/nowhere-"+strings.Repeat("y", 3000)+")\n\n", 60)}
	for i := range 60 {
		files["p"+strings.Repeat("x", i)+".mdx"] = "---\ntitle: P\n---\n[gone](/gone" + strings.Repeat("z", i) + ")\n"
	}
	j := exportNow(t, b, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}))
	if len(j.Diagnostics) != 50 {
		t.Errorf("%d findings", len(j.Diagnostics))
	}
	for _, d := range j.Diagnostics {
		if len(d.Message) > 1010 {
			t.Errorf("%d bytes", len(d.Message))
		}
	}
}
