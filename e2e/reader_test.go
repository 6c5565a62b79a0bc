package e2e

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"
)

// readEvery is the interval between a reader's requests: short enough to hit every critical moment, but no shorter,
// because readers take processor time away from the server that they observe.
const readEvery = 25 * time.Millisecond

// readers reads pages of the domains over and over until stopped; any response that is not a page fails the test.
func readers(t *testing.T, p *process, domains ...string) (stop func()) {
	t.Helper()
	return readersAtIntervals(t, p, readEvery, domains...)
}

// readersAtIntervals is like readers, for tests in which little happens for a long time.
func readersAtIntervals(t *testing.T, p *process, every time.Duration, domains ...string) (stop func()) {
	t.Helper()
	quit, done := make(chan struct{}), make(chan error, len(domains))
	for _, domain := range domains {
		go func() { done <- readOn(p, domain, every, quit) }()
	}
	return func() {
		t.Helper()
		close(quit)
		for range domains {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
}

// readOn reads immediately and then repeatedly until quit is closed.
func readOn(p *process, domain string, every time.Duration, quit <-chan struct{}) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for n := 0; ; n++ {
		req, err := http.NewRequest(http.MethodGet, p.url+"/", nil)
		if err != nil {
			return err
		}
		req.Host = domain
		r, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, r.Body) // so that the connection can be reused
		_ = r.Body.Close()                   // read
		if err != nil {
			return fmt.Errorf("read %d of %s: %w", n, domain, err)
		}
		if r.StatusCode != http.StatusOK {
			return fmt.Errorf("read %d of %s: %d", n, domain, r.StatusCode)
		}
		select {
		case <-quit:
			return nil
		case <-tick.C:
		}
	}
}
