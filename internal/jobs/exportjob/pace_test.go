package exportjob

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/store"
)

// The rate covers the last few seconds of one stage. It is unknown without progress, and no estimate is negative.
func TestPaceCoversRecentSecondsOfOneStage(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var p pace
	for _, step := range []struct {
		name     string
		at       time.Duration
		stage    export.Stage
		progress float64
		pages    int
		rate     float64
		left     time.Duration // -1 = unknown
	}{
		{"nothing was seen yet", 0, export.StagePages, 10, 0, 0, -1},
		{"too short a span", 200 * time.Millisecond, export.StagePages, 20, 10, 0, -1},
		{"half a second", 500 * time.Millisecond, export.StagePages, 20, 10, 20, 4 * time.Second},
		{"slower", 2 * time.Second, export.StagePages, 30, 20, 10, 7 * time.Second},
		{"it hangs: the average falls", 4 * time.Second, export.StagePages, 30, 20, 5, 14 * time.Second},
		{"it hangs for longer than the window", 8 * time.Second, export.StagePages, 30, 20, 0, -1},
		{"still", 14 * time.Second, export.StagePages, 30, 20, 0, -1},
		{"on it goes", 16 * time.Second, export.StagePages, 40, 40, 2.5, 48 * time.Second},
		{"another stage begins anew", 17 * time.Second, export.StageAssets, 90, 40, 0, -1},
		{"it has no page rate", 18 * time.Second, export.StageAssets, 95, 40, 0, time.Second},
	} {
		rate, left := p.add(start.Add(step.at),
			store.ExportProgress{Stage: step.stage, Progress: step.progress, PageCount: step.pages})
		got := time.Duration(-1)
		if left != nil {
			got = *left
		}
		if rate != step.rate || got != step.left {
			t.Errorf("%s: %v pages/s, %v left; want %v, %v", step.name, rate, got, step.rate, step.left)
		}
	}
}
