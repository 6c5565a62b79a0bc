package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"crypto/rand"

	"github.com/lectern-docs/lectern/internal/serve/analytics"
	"github.com/lectern-docs/lectern/internal/serve/eventcount"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// message is a typical message from a page: a view, and sometimes more events.
const message = `[{"kind":"view","path":"/guides/page-17","referrer":"https://news.example.com/"},{"kind":"search","path":"/guides/page-17","query":"install","hits":4},{"kind":"click","query":"install","target":"/guides/page-3"},` +
	`{"kind":"copy","path":"/guides/page-17"},{"kind":"view","path":"/guides/page-3"}]`

const messageEvents = 5

// beacons measures events received over HTTP, counted and stored, compared with a bare server that only reads the
// same messages.
func beacons(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	s, ids, err := ledgerWith(ctx, filepath.Join(dir, "ledger.db"), 1)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // errors do not matter at the end
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	var stored atomic.Int64
	c := eventcount.Open(ctx, eventcount.Options{Store: s, Now: time.Now, Rand: rand.Reader, Logger: quiet,
		Count: func(outcome string, n int) {
			if outcome == eventcount.Stored {
				stored.Add(int64(n))
			}
		}})
	endpoint := analytics.New(analytics.Options{Counter: c, FeedbackStore: s, Now: time.Now, Logger: quiet,
		PerMinute: 1 << 30}).Count()
	site := siteapi.Site{ProjectID: ids[0], Host: "docs.example.com", Origin: "https://docs.example.com"}
	ours, err := eventRate(ctx, o,
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { endpoint.ServeSite(w, r, site) }))
	if err = errors.Join(err, c.Close()); err != nil {
		return err
	}
	bare, err := eventRate(ctx, o, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // the content does not matter
		w.WriteHeader(http.StatusNoContent)
	}))
	if err != nil {
		return err
	}
	heading("events received over HTTP per second (SQLite)", "ours", "bare server", "ratio")
	row("messages of 5 events", ours, bare)
	return nil
}

// eventRate returns how many events per second a handler receives over local connections.
func eventRate(ctx context.Context, o options, h http.Handler) (float64, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // ends with Close
	defer func() { _ = server.Close() }()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: o.connections}}
	var n atomic.Int64
	var failed atomic.Value
	end := time.Now().Add(o.length)
	var wait sync.WaitGroup
	for range o.connections {
		wait.Go(func() {
			for time.Now().Before(end) && ctx.Err() == nil {
				if err := tell(ctx, client, "http://"+l.Addr().String()+"/"); err != nil {
					failed.Store(err)
					return
				}
				n.Add(messageEvents)
			}
		})
	}
	wait.Wait()
	if err, ok := failed.Load().(error); ok {
		return 0, err
	}
	return float64(n.Load()) / o.length.Seconds(), nil
}

func tell(ctx context.Context, client *http.Client, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(message))
	if err != nil {
		return err
	}
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	r.Header.Set("Content-Type", "text/plain")
	resp, err := client.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return errors.Join(err, resp.Body.Close())
}
