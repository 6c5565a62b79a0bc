package exportjob

import (
	"math"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	paceWindow = 5 * time.Second        // how far back a rate looks
	paceLeast  = 400 * time.Millisecond // below this span a rate would jump about
)

// pace measures how fast a stage went in the last seconds. A new stage starts over: it does other work.
type pace struct {
	stage export.Stage
	marks []mark // oldest first, all of this stage
}

// mark is where a job was at a moment.
type mark struct {
	at       time.Time
	progress float64
	pages    int
}

// add notes where the job is, and returns pages per second and how long it may take from here at the speed of the
// whole. 0 and nil are for not known: too little was seen, or nothing moves.
func (p *pace) add(now time.Time, at store.ExportProgress) (rate float64, left *time.Duration) {
	if at.Stage != p.stage {
		p.stage, p.marks = at.Stage, p.marks[:0]
	}
	p.marks = append(p.marks, mark{now, at.Progress, at.PageCount})
	// The oldest one kept is the last before the window, so that a slow job has something to compare with.
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

// maxLeft bounds a guess that is no use any more.
const maxLeft = 30 * 24 * time.Hour
