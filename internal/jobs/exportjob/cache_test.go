package exportjob_test

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// B6: bundles are the same with and without cached results of earlier builds. A failed job leaves the pages it built
// in the cache.
func TestExportsUseTheBuildCache(t *testing.T) {
	cache, err := buildcache.Open(filepath.Join(t.TempDir(), "cache"),
		buildcache.Options{Now: time.Now, OnError: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	want := exportNow(t, b, p)

	worktest.Rewrite(t, dir, map[string]string{"guides/start.mdx": "---\ntitle: {\n---\n"})
	e := exporter(b)
	e.Cache = cache
	queueExport(t, b, p)
	hold := b.Take(t)
	if err := e.Run(t.Context(), hold); err == nil {
		t.Fatal("a broken page was exported")
	}
	if err := e.Fail(t.Context(), hold, task.Failure{Sentence: "It is broken."}); err != nil {
		t.Fatal(err)
	}
	failed := cache.Figures()
	if failed.Stored == 0 {
		t.Fatal("the failed build left nothing in the cache")
	}

	worktest.Rewrite(t, dir, map[string]string{"guides/start.mdx": site["guides/start.mdx"]})
	j := queueExport(t, b, p)
	if err := e.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	if cache.Figures().Hits == failed.Hits {
		t.Error("no result of the failed build was reused")
	}
	for _, format := range []export.Format{export.TarGz, export.Zip} {
		if !bytes.Equal(read(t, b, find(t, b, j.ID), format), read(t, b, want, format)) {
			t.Errorf("%s: the bundle differs with the cache", format)
		}
	}
}
