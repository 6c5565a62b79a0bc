package exportjob

import (
	"math"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	paceWindow = 5 * time.Second        // window over which the rate is measured
	paceLeast  = 400 * time.Millisecond // over shorter spans the rate fluctuates too much
)

// pace measures the speed of a stage over the last seconds. It restarts with each stage, because the work differs.
type pace struct {
	stage export.Stage
	marks []mark // oldest first, all from this stage
}

// mark is a job's progress at a point in time.
type mark struct {
	at       time.Time
	progress float64
	pages    int
}

// add records the job's progress. It returns pages per second and the estimated remaining time at the current speed.
// They are 0 and nil if unknown, because too little time was measured or there is no progress.
func (p *pace) add(now time.Time, at store.ExportProgress) (rate float64, left *time.Duration) {
	if at.Stage != p.stage {
		p.stage, p.marks = at.Stage, p.marks[:0]
	}
	p.marks = append(p.marks, mark{now, at.Progress, at.PageCount})
	// Keep the last mark before the window, so that a slow job has something to compare with.
	for len(p.marks) > 2 && now.Sub(p.marks[1].at) >= paceWindow {
		p.marks = p.marks[1:]
	}
	first := p.marks[0]
	span := now.Sub(first.at)
	if span < paceLeast {
		return 0, nil
	}
	if pages := at.PageCount - first.pages; pages > 0 && at.Stage == export.StagePages {
		rate = math.Round(float64(pages)/span.Seconds()*10) / 10
	}
	if moved := at.Progress - first.progress; moved > 0 {
		seconds := math.Ceil((100 - at.Progress) / moved * span.Seconds())
		d := time.Duration(min(seconds, maxLeft.Seconds())) * time.Second
		left = &d
	}
	return rate, left
}

// maxLeft is the longest estimate that is still useful.
const maxLeft = 30 * 24 * time.Hour
