//go:build kubernetes

package kubernetes

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A load consists of a fixed number of readers who pause between requests. It never lasts longer than loadLife.
const (
	readers   = 4
	readPause = 25 * time.Millisecond
	readLife  = 10 * time.Second
	loadLife  = 5 * time.Minute
)

// read gets a page as one reader on a new connection, so that each request is balanced separately.
func read(url, host string) (status int, body string, err error) {
	client := &http.Client{Timeout: readLife, Transport: &http.Transport{DisableKeepAlives: true}}
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	if host != "" {
		req.Host = host
	}
	r, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = r.Body.Close() }() // read only
	data, err := io.ReadAll(r.Body)
	return r.StatusCode, string(data), err
}

// checkServes fails the test unless the page contains the sentence.
func checkServes(t testing.TB, url, host, sentence string) {
	t.Helper()
	if status, body, err := read(url, host); err != nil || status != http.StatusOK ||
		!strings.Contains(body, sentence) {
		t.Errorf("%s returns %d %v, without %q:\n%.2000s", url, status, err, sentence, body)
	}
}

// load records the responses that readers received during a change.
type load struct {
	quit     chan struct{}
	done     sync.WaitGroup
	mu       sync.Mutex
	requests int
	failures []string
	seen     map[string]int // how often each sentence was on the page
}

// startLoad makes readers request a page over and over. The page must contain one of the sentences.
func startLoad(url string, sentences ...string) *load {
	l := &load{quit: make(chan struct{}), seen: map[string]int{}}
	end := time.Now().Add(loadLife)
	for range readers {
		l.done.Go(func() {
			tick := time.NewTicker(readPause)
			defer tick.Stop()
			for time.Now().Before(end) {
				select {
				case <-l.quit:
					return
				case <-tick.C:
					l.record(url, sentences)
				}
			}
		})
	}
	return l
}

func (l *load) record(url string, sentences []string) {
	status, body, err := read(url, "")
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests++
	for _, s := range sentences {
		if strings.Contains(body, s) {
			l.seen[s]++
			if status == http.StatusOK && err == nil {
				return
			}
		}
	}
	l.failures = append(l.failures, fmt.Sprintf("%s: %d %v %.200s", time.Now().Format("15:04:05.000"), status, err,
		body))
}

// stop stops the readers; one failed request fails the test.
func (l *load) stop(t testing.TB, least int) {
	t.Helper()
	close(l.quit)
	l.done.Wait()
	if len(l.failures) > 0 || l.requests < least {
		t.Errorf("%d of %d requests failed: %q", len(l.failures), l.requests, l.failures[:min(5, len(l.failures))])
	}
	t.Logf("%d requests, seen: %v", l.requests, l.seen)
}
