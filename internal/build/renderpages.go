package build

import (
	"context"
	"sync"

	"github.com/lectern-docs/lectern/internal/site"
)

// pagesAhead is the number of pages per worker that may be in progress or waiting for the writer. It limits memory,
// because nothing else holds HTML.
const pagesAhead = 4

// renderPages calls render for every page, in parallel, and write for every result, in page order and from this
// goroutine.
func renderPages(
	ctx context.Context, pages []*site.Page, workers int,
	render func(context.Context, *site.Page) result, write func(context.Context, result) error,
) error {
	work, cancel := context.WithCancel(ctx) // cancelled when this stage ends, also on failure
	var wg sync.WaitGroup
	defer wg.Wait() // no goroutine outlives the build
	defer cancel()
	type job struct {
		page *site.Page
		done chan result
	}
	queue := make(chan job)                             // to the workers
	order := make(chan chan result, pagesAhead*workers) // to the writer, in page order
	wg.Go(func() {
		defer close(order)
		defer close(queue)
		for _, p := range pages {
			j := job{p, make(chan result, 1)} // buffered, so that a worker never waits for the writer
			select {
			case order <- j.done:
			case <-work.Done():
				return
			}
			select {
			case queue <- j:
			case <-work.Done():
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for j := range queue {
				j.done <- render(work, j.page)
			}
		})
	}
	for done := range order {
		select {
		case r := <-done:
			if err := write(ctx, r); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}
