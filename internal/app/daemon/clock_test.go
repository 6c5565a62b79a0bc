package daemon

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// paper collects the text that a server prints for people.
type paper struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}
func (p *paper) find(form string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(regexp.MustCompile(form).Find(p.text.Bytes()))
}

// jumping starts a server whose clock can be set, and returns its address and first key.
func jumping(t *testing.T, clock func() time.Time) (address, key string) {
	t.Helper()
	s := config.Defaults()
	s.Data, s.Listen, s.MetricsListen, s.FirstSite = t.TempDir(), lectern.FreeAddress(t), "off", "off"
	s.FirstSecrets = "print"
	s.JobLease, s.JobHeartbeat, s.ShutdownGrace = 3*time.Second, 250*time.Millisecond, time.Second
	out := &paper{}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, Options{Config: s, Env: config.Env{}, Now: clock, Rand: rand.Reader,
			Logger: slog.New(slog.DiscardHandler), Out: out})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	address = "http://" + s.Listen
	deadline := time.After(time.Minute)
	for lectern.Status(address+"/readyz") != http.StatusOK {
		select {
		case err := <-ended:
			ended <- nil
			t.Fatalf("the server ended: %v", err)
		case <-deadline:
			t.Fatal("the server is not ready in time")
		case <-time.After(5 * time.Millisecond):
		}
	}
	return address, out.find(`lectern_[A-Za-z0-9_-]+`)
}

// D1, D6, J2: the clock of a server jumps forwards and backwards by an hour, during an export and between jobs. Sites
// are served, keys are valid, jobs complete, and no stored data is lost.
func TestClockJumpsLoseNoWork(t *testing.T) {
	var ahead atomic.Int64
	address, key := jumping(t, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) })
	c, err := client.New(address, key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"index.mdx": "---\ntitle: Home\n---\n\nWelcome.\n",
		"docs.json": `{"name":"Clock","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index"]}}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	made, err := c.CreateProject(ctx,
		client.CreateProject{Name: "Clock", Domain: "clock.localhost", Source: client.SourceInput{Path: dir}})
	if err == nil {
		_, err = c.WaitUpdate(ctx, made.LastUpdate.StatusID, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, jump := range []time.Duration{time.Hour, -time.Hour, -time.Hour, time.Hour} {
		export, err := c.StartExport(ctx,
			client.StartExport{Domain: "clock.localhost", Version: fmt.Sprint("jump-", i)})
		ahead.Add(int64(jump)) // while the export is queued or running
		if err == nil {
			_, err = c.WaitExport(ctx, export.JobID, nil)
		}
		if err != nil {
			t.Fatalf("the export during jump %d: %v", i, err)
		}
		update, err := c.StartUpdate(ctx, made.ProjectID, client.StartUpdate{})
		if err == nil {
			_, err = c.WaitUpdate(ctx, update.StatusID, nil)
		}
		if err != nil {
			t.Fatalf("the update after jump %d: %v", i, err)
		}
		if code := siteStatus(t, address, "clock.localhost"); code != http.StatusOK ||
			lectern.Status(address+"/readyz") != http.StatusOK {
			t.Errorf("after jump %d the site answers %d", i, code)
		}
	}
	exports, err := c.ListExports(ctx, client.ListExportsParams{Limit: 50, Status: client.ExportStatusCompleted})
	if err != nil || len(exports.Jobs) != 4 {
		t.Errorf("remaining exports: %+v, %v", exports, err)
	}
}

func siteStatus(t *testing.T, address, host string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	_ = resp.Body.Close() // only the status matters
	return resp.StatusCode
}
