package exportjob

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
)

// meter stores progress periodically, so that the build never waits for the database. Every figure is a count of
// completed work, so no figure increases while no work is being done.
type meter struct {
	now     func() time.Time
	mu      sync.Mutex
	at      store.ExportProgress // guarded by mu
	changed bool                 // guarded by mu
	pace    pace                 // guarded by mu
	quit    chan struct{}
	done    chan struct{}
	once    sync.Once
}

// Progress at the end of each stage, in percent. Pages, files and bundles are counted; fetching and reading the
// folder are not, so they get small shares.
const (
	afterFetch     = 5
	afterScan      = 8
	afterPages     = 90
	afterAssets    = 96
	afterPackaging = 99
)

func (e *Exporter) startMeter(ctx context.Context, h task.Hold) *meter {
	m := &meter{now: e.Now, quit: make(chan struct{}), done: make(chan struct{})}
	m.at.Stage = export.StageFetching
	go func() {
		defer close(m.done)
		tick := time.NewTicker(e.Interval)
		defer tick.Stop()
		for {
			select {
			case <-m.quit:
				return
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if p, ok := m.take(); ok {
				// The heartbeat handles database errors, so this one is ignored.
				_, _ = e.Store.AdvanceExport(ctx, h, e.Lease, p)
			}
		}
	}()
	return m
}

// stop stops storing progress. It may be called twice.
func (m *meter) stop() {
	m.once.Do(func() { close(m.quit) })
	<-m.done
}

// take returns the progress to store, and whether it has changed since the last call.
func (m *meter) take() (store.ExportProgress, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rate, left := m.pace.add(m.now(), m.at)
	if rate != m.at.PagesPerSecond || !same(left, m.at.Left) {
		m.at.PagesPerSecond, m.at.Left, m.changed = rate, left, true
	}
	changed := m.changed
	m.changed = false
	return m.at, changed
}

func same(a, b *time.Duration) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// reach moves to a stage and scales done/total to the stage's range between from and to.
func (m *meter) reach(stage export.Stage, from, to float64, done, total int, more func(*store.ExportProgress)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if total > 0 {
		from += (to - from) * float64(min(done, total)) / float64(total)
	}
	m.at.Stage, m.at.Progress = stage, max(m.at.Progress, math.Round(from*100)/100)
	if more != nil {
		more(&m.at)
	}
	m.changed = true
}

// fetched records that the source was fetched.
func (m *meter) fetched(commit string) {
	m.reach(export.StageScanning, afterFetch, afterScan, 0, 0, func(p *store.ExportProgress) { p.Commit = commit })
}

// build processes the build's progress: pages written out of all pages, then files.
func (m *meter) build(b build.Progress) {
	figures := func(p *store.ExportProgress) { p.PageCount, p.PageTotal = max(p.PageCount, b.Done), b.Total }
	switch b.Stage {
	case build.StageScan:
		m.reach(export.StageScanning, afterFetch, afterScan, 0, 0, nil)
	case build.StagePages:
		m.reach(export.StagePages, afterScan, afterPages, b.Done, b.Total, figures)
	case build.StageAssets:
		m.reach(export.StageAssets, afterPages, afterAssets, b.File, b.Files, figures)
	default:
		m.reach(export.StagePackaging, afterAssets, afterPackaging, 0, 0, figures)
	}
}

// stored records how many of the bundles are stored.
func (m *meter) stored(bundles, all int) {
	m.reach(export.StagePackaging, afterAssets, afterPackaging, bundles, all, nil)
}
