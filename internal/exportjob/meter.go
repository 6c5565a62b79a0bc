package exportjob

import (
	"context"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/sitebuild"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/task"
)

// meter stores progress from time to time, so that the build never waits for the database.
type meter struct {
	mu      sync.Mutex
	now     store.ExportProgress // guarded by mu
	changed bool                 // guarded by mu
	quit    chan struct{}
	done    chan struct{}
	once    sync.Once
}

// Shares of the whole, in percent: fetching, then pages in proportion, then what follows the last page.
const (
	afterFetch = 5
	afterPages = 95
)

func (e *Exporter) startMeter(ctx context.Context, h task.Hold) *meter {
	m := &meter{quit: make(chan struct{}), done: make(chan struct{})}
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
				// An error here is the heartbeat's to judge: it sees the same database.
				_, _ = e.Store.AdvanceExport(ctx, h, e.Lease, p)
			}
		}
	}()
	return m
}

// stop ends the storing. It may be called twice.
func (m *meter) stop() {
	m.once.Do(func() { close(m.quit) })
	<-m.done
}

func (m *meter) take() (store.ExportProgress, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	changed := m.changed
	m.changed = false
	return m.now, changed
}

func (m *meter) set(change func(*store.ExportProgress)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.now)
	m.changed = true
}

func (m *meter) stage(name string) { m.set(func(p *store.ExportProgress) { p.Stage = name }) }

func (m *meter) commit(id string) {
	m.set(func(p *store.ExportProgress) { p.Commit, p.Progress = id, afterFetch })
}

// build takes the build's own report: pages written of pages in all.
func (m *meter) build(b sitebuild.Progress) {
	m.set(func(p *store.ExportProgress) {
		p.Stage, p.PageCount = b.Stage, b.Done
		if b.Total > 0 {
			p.Progress = max(p.Progress, afterFetch+float64(afterPages-afterFetch)*float64(b.Done)/float64(b.Total))
		}
	})
}
