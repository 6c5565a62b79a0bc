package build

import (
	"context"
	"sync"

	"github.com/lectern-docs/lectern/internal/site"
)

// pagesAhead is the number of pages per worker that may be in progress or waiting for the writer. It limits memory,
// because nothing else holds HTML.
const pagesAhead = 8

// jobPages is the maximum number of pages in a job. A page without a record gets its own job. If jobs had more pages, a
// site with few groups could not keep all workers busy when all of its pages are rendered again.
const jobPages = 4

// pageStage renders the pages of a site.
type pageStage struct {
	cache  *pageCache
	ahead  chan struct{}                                               // has one value for each page in progress
	render func(ctx context.Context, p *site.Page, kept []byte) result // kept: the page's record; may be nil
	write  func(context.Context, result) error
}

// pageJob is a run of consecutive pages of a group, for one worker.
type pageJob struct {
	group    pageGroup
	from, to int // of group
	done     chan []result
}

// run renders every page, in parallel, and writes every result, in page order and from this goroutine.
func (s *pageStage) run(ctx context.Context, pages []*site.Page, workers int) error {
	work, cancel := context.WithCancel(ctx) // cancelled when this stage ends, also on failure
	var wg sync.WaitGroup
	defer wg.Wait() // no goroutine outlives the build
	defer cancel()
	s.ahead = make(chan struct{}, pagesAhead*workers)
	queue := make(chan *pageJob)                     // to the workers
	order := make(chan *pageJob, pagesAhead*workers) // to the writer, in page order
	wg.Go(func() {
		defer close(order)
		defer close(queue)
		s.divide(work, pages, order, queue)
	})
	for range workers {
		wg.Go(func() {
			for j := range queue {
				j.done <- s.renderJob(work, j)
			}
		})
	}
	return s.writeJobs(ctx, order)
}

// writeJobs writes the pages of jobs as they become ready, and stores the records of a group that has new ones.
func (s *pageStage) writeJobs(ctx context.Context, jobs <-chan *pageJob) error {
	var made [][]byte // records of the current group
	changed := false  // one of them is new
	for j := range jobs {
		select {
		case results := <-j.done:
			for _, r := range results {
				if err := s.write(ctx, r); err != nil {
					return err
				}
				made, changed = append(made, r.record), changed || r.record != nil
				<-s.ahead
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.to == len(j.group.pages) {
			if changed {
				s.cache.storeGroup(j.group, made)
			}
			made, changed = nil, false
		}
	}
	return ctx.Err()
}

// divide sends the jobs to the writer and the workers until ctx is cancelled.
func (s *pageStage) divide(ctx context.Context, pages []*site.Page, order, queue chan<- *pageJob) {
	for _, pages := range groupsOf(pages) {
		group := s.cache.loadGroup(pages)
		for from := 0; from < len(pages); {
			to := from + 1
			for to < len(pages) && to-from < jobPages && len(group.kept[to-1]) > 0 && len(group.kept[to]) > 0 {
				to++
			}
			j := &pageJob{group, from, to, make(chan []result, 1)} // buffered: a worker never waits for the writer
			if !s.start(ctx, j, order, queue) {
				return
			}
			from = to
		}
	}
}

// start queues a job as soon as there is room for its pages. ok is false if ctx is cancelled.
func (s *pageStage) start(ctx context.Context, j *pageJob, order, queue chan<- *pageJob) (ok bool) {
	for range j.to - j.from {
		select {
		case s.ahead <- struct{}{}:
		case <-ctx.Done():
			return false
		}
	}
	for _, next := range []chan<- *pageJob{order, queue} {
		select {
		case next <- j:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (s *pageStage) renderJob(ctx context.Context, j *pageJob) []result {
	results := make([]result, 0, j.to-j.from)
	for i := j.from; i < j.to; i++ {
		results = append(results, s.render(ctx, j.group.pages[i], j.group.kept[i]))
	}
	return results
}
