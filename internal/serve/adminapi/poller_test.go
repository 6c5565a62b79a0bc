package adminapi_test

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

const (
	pollers   = 1000
	pollsEach = 5 // while the job's row is locked
)

// A6: a thousand pollers of one job take no row locks. A writer that changes the job keeps its transaction, and thereby
// the locks on the job's rows, open until every poller has a response. If a poller's read needed such a lock, the two
// would wait for each other forever. Afterwards all pollers see the end of the job.
func TestPollersDoNotWaitForWriters(t *testing.T) {
	server, err := postgres.Start(t.Context())
	must(t, err)
	t.Cleanup(server.Stop)
	for engine, database := range map[string]func() string{
		"SQLite": func() string { return storetest.SQLite(t, filepath.Join(t.TempDir(), "ledger.db")) }, "PostgreSQL": func() string {
			return server.Database(t)
		},
	} {
		t.Run(engine, func(t *testing.T) {
			w := newWorldOn(t, database(), nil)
			x := w.newTenant(t, "a", account.PlanEnterprise)
			path := w.server.URL + "/v1/static-export/jobs/" + x.queued.ID
			transport := &http.Transport{MaxIdleConnsPerHost: pollers}
			defer transport.CloseIdleConnections()
			crowd := make([]*poller, pollers)
			for i := range crowd {
				crowd[i] = &poller{client: &http.Client{Transport: transport}, url: path, key: x.key}
			}
			locked, answered, written := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			go func() {
				written <- w.store.Tx(t.Context(), func(tx *store.Tx) error {
					_, err := tx.CancelExport(t.Context(), x.org.ID, x.queued.ID, "somebody")
					close(locked)
					for err == nil {
						select {
						case <-answered:
							return nil
						case <-t.Context().Done():
							return t.Context().Err()
						case <-time.After(time.Second): // PostgreSQL ends transactions that are idle for five seconds
							_, err = tx.FindOrganization(t.Context(), x.org.ID)
						}
					}
					return err
				})
			}()
			<-locked
			together(t, crowd, func(p *poller) error { return p.polls(pollsEach, export.Queued) })
			close(answered)
			must(t, <-written)
			together(t, crowd, func(p *poller) error { return p.polls(1, export.Failed) })
			for _, p := range crowd {
				if p.unchanged != pollsEach-1 || p.asked != pollsEach+1 {
					t.Fatalf("%d polls, %d unchanged", p.asked, p.unchanged)
				}
			}
		})
	}
}

// together calls do for all pollers concurrently.
func together(t *testing.T, crowd []*poller, do func(*poller) error) {
	t.Helper()
	failed := make([]error, len(crowd))
	var wg sync.WaitGroup
	for i, p := range crowd {
		wg.Go(func() { failed[i] = do(p) })
	}
	wg.Wait()
	for _, err := range failed {
		must(t, err)
	}
}

// poller polls a job as the specification describes, requesting only changes.
type poller struct {
	client           *http.Client
	url, key, tag    string
	asked, unchanged int
	last             string // last body received
}

func (p *poller) polls(times int, want export.Status) error {
	for range times {
		if err := p.poll(); err != nil {
			return err
		}
		if !strings.Contains(p.last, `"status":"`+string(want)+`"`) {
			return fmt.Errorf("the job is %s, want %s", p.last, want)
		}
	}
	return nil
}

func (p *poller) poll() error {
	req, err := http.NewRequest(http.MethodGet, p.url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	if p.tag != "" {
		req.Header.Set("If-None-Match", p.tag)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	p.asked++
	switch {
	case resp.StatusCode == http.StatusNotModified && p.tag != "" && len(body) == 0:
		p.unchanged++
	case resp.StatusCode == http.StatusOK:
		p.tag, p.last = resp.Header.Get("ETag"), string(body)
	default:
		return fmt.Errorf("answered %s: %s", resp.Status, body)
	}
	if running := strings.Contains(p.last, `"status":"queued"`); running != (resp.Header.Get("Retry-After") != "") {
		return fmt.Errorf("Retry-After is %q while the job is %s", resp.Header.Get("Retry-After"), p.last)
	}
	return nil
}
