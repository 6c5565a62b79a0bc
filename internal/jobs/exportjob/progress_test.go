package exportjob_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// manyPages returns a site whose export takes long enough to observe.
func manyPages(n int) map[string]string {
	files := map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nHome.\n"}
	for i := range n - 1 {
		files[fmt.Sprintf("p%04d.mdx",
			i)] = fmt.Sprintf("---\ntitle: Page %d\n---\n\n## One\n\n%s\n\n```go\nfunc main() { println(%d) }\n```\n",
			i, strings.Repeat("Some words of a page. ", 20), i)
	}
	for i := range 40 {
		files[fmt.Sprintf("files/f%02d.txt", i)] = fmt.Sprint(i)
	}
	return files
}

// watch reads a job as fast as possible until ended is closed, and returns every state that differs from the previous
// one.
func watch(t *testing.T, b *worktest.Env, id string, ended <-chan struct{}) (seen []export.Job) {
	t.Helper()
	for stop := false; !stop; {
		select {
		case <-ended:
			stop = true // one last read
		default:
		}
		j, err := b.Store.FindExportByID(context.Background(), id)
		if err != nil {
			t.Error(err)
			return seen
		}
		if len(seen) == 0 || j.UpdatedAt != seen[len(seen)-1].UpdatedAt || j.Status != seen[len(seen)-1].Status {
			seen = append(seen, j)
		}
	}
	return seen
}

// checkFigures checks the rules for progress: no figure decreases, only completed jobs are at 100, and estimates are
// not negative (J5).
func checkFigures(t *testing.T, seen []export.Job) {
	t.Helper()
	for i, j := range seen {
		if (j.Progress == 100) != (j.Status == export.Completed) || j.Progress < 0 || j.Progress > 100 {
			t.Errorf("%s at %v %%", j.Status, j.Progress)
		}
		if j.Left != nil && *j.Left < 0 || j.PagesPerSecond < 0 || j.PageTotal > 0 && j.Total() < j.PageCount {
			t.Errorf("left %v, %v pages/s, %d of %d", j.Left, j.PagesPerSecond, j.PageCount, j.Total())
		}
		if i > 0 && (j.Progress < seen[i-1].Progress || j.PageCount < seen[i-1].PageCount) {
			t.Errorf("from %v %%, %d pages to %v %%, %d pages", seen[i-1].Progress, seen[i-1].PageCount, j.Progress,
				j.PageCount)
		}
	}
}

// J5: figures increase in many small steps through the stages in order, and never decrease. If the first attempt is
// aborted halfway, they stay the same until the second one has overtaken it.
func TestProgressNeverDecreasesEvenAcrossAttempts(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, manyPages(400))})
	j := queueExport(t, b, p)
	ended, seen := make(chan struct{}), []export.Job(nil)
	var watching sync.WaitGroup
	watching.Go(func() { seen = watch(t, b, j.ID, ended) })

	first := b.Take(t)
	ctx, crash := context.WithCancel(t.Context())
	var dying sync.WaitGroup
	dying.Go(func() {
		for ctx.Err() == nil {
			if now, err := b.Store.FindExportByID(context.Background(), j.ID); err != nil || now.PageCount >= 100 {
				crash()
			}
		}
	})
	if err := exporter(b).Run(ctx, first); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	crash()
	dying.Wait()
	half := find(t, b, j.ID)
	if err := b.Store.ReleaseTask(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	if err := exporter(b).Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	close(ended)
	watching.Wait()
	checkFigures(t, seen)
	if half.PageCount < 100 || half.PageCount >= 400 || half.PageTotal != 400 {
		t.Errorf("the first attempt reached %d of %d pages", half.PageCount, half.PageTotal)
	}
	last := seen[len(seen)-1]
	if last.Status != export.Completed || last.Progress != 100 || last.PageCount != 400 || last.PageTotal != 400 ||
		last.Stage != export.StageDone || last.Left != nil {
		t.Errorf("ended as %+v", last)
	}
	counts, stages := map[int]bool{}, []export.Stage{}
	for _, s := range seen {
		counts[s.PageCount] = true
		stages = append(stages, s.Stage)
	}
	if len(counts) < 4 {
		t.Errorf("only %d page counts were seen", len(counts))
	}
	stages = slices.Compact(stages)
	order := []export.Stage{export.StageQueued, export.StageFetching, export.StageScanning, export.StagePages,
		export.StageAssets, export.StagePackaging, export.StageDone}
	at := -1
	for i, s := range stages {
		next := slices.Index(order, s)
		if next < at && s != export.StageFetching { // where the second attempt begins
			t.Errorf("stage %d of %v is out of order", i, stages)
		}
		at = next
	}
	if !slices.Contains(stages, export.StagePages) {
		t.Errorf("stages were %v", stages)
	}
}

// Exports of one page, of a site without files, and of a subset also follow the rules.
func TestProgressRulesHoldForSmallExports(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	for _, paths := range [][]string{nil, {"guides/start"}} {
		j := queueExport(t, b, p, paths...)
		ended, seen := make(chan struct{}), []export.Job(nil)
		var watching sync.WaitGroup
		watching.Go(func() { seen = watch(t, b, j.ID, ended) })
		if err := exporter(b).Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
		close(ended)
		watching.Wait()
		checkFigures(t, seen)
		if last := seen[len(seen)-1]; last.Progress != 100 || last.PageTotal != last.PageCount {
			t.Errorf("%+v", last)
		}
	}
}
