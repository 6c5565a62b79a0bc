package deadlink_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/deadlink"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// elsewhere is another site, whose responses the test sets.
type elsewhere struct {
	*httptest.Server
	mu     sync.Mutex
	status map[string]int // by path; 0 = the page exists
	asked  []string
}

func (e *elsewhere) set(path string, status int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status[path] = status
}

func newElsewhere(t *testing.T) *elsewhere {
	e := &elsewhere{status: map[string]int{}}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.asked = append(e.asked, r.Method+" "+r.URL.Path)
		if s := e.status[r.URL.Path]; s != 0 {
			w.WriteHeader(s)
		}
	}))
	t.Cleanup(e.Close)
	return e
}

func TestLongDeadLinksAreReported(t *testing.T) {
	b, other := worktest.New(t), newElsewhere(t)
	dir := worktest.Write(t, map[string]string{"docs.json": `{"name":"T","navigation":{"pages":["index","more"]}}`,
		"index.mdx": "---\ntitle: Home\n---\n[A](" + other.URL + "/a), [B](" + other.URL + "/b?x=1&y=2#part)\n",
		"more.mdx":  "---\ntitle: More\n---\n[A again](" + other.URL + "/a), [private](http://localhost:1/x)\n"})
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	update := func() {
		t.Helper()
		b.QueueDeployment(t, p, deploy.Production, "")
		pub := &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch,
			SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: b.Now}
		if err := pub.Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
	}
	update()
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	watch := &deadlink.Watch{Store: b.Store, Blob: b.Blob, Client: guard.Client(outbound.Limits{Time: time.Minute}), Agent: "test",
		After: 72 * time.Hour, Now: b.Now, Logger: slog.New(slog.DiscardHandler)}
	find := func() []deadlink.Site {
		t.Helper()
		found, err := watch.Find(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	other.set("/b", http.StatusNotFound)
	if got := find(); len(got) != 0 {
		t.Errorf("a link that just died: %+v", got)
	}
	if got := strings.Join(other.asked, ", "); got != "HEAD /a, HEAD /b, GET /b" {
		t.Errorf("requests: %s", got)
	}
	b.Advance(48 * time.Hour)
	other.set("/b", http.StatusServiceUnavailable) // 503 is no evidence about the page
	if got := find(); len(got) != 0 {
		t.Errorf("after two days: %+v", got)
	}
	b.Advance(24 * time.Hour)
	got := find()
	if len(got) != 1 || got[0].ProjectID != p.ID || got[0].Name != p.Name || len(got[0].Links) != 1 ||
		got[0].Links[0].Address != other.URL+"/b?x=1&y=2" || got[0].Links[0].Page != "index" || !strings.Contains(got[0].Links[0].Reason, "404") {
		t.Fatalf("after three days: %+v", got)
	}
	other.set("/b", 0)
	if got := find(); len(got) != 0 {
		t.Errorf("after the page came back: %+v", got)
	}
	other.set("/b", http.StatusGone)
	find()
	b.Advance(72 * time.Hour)
	worktest.Rewrite(t, dir, map[string]string{"index.mdx": "---\ntitle: Home\n---\n[A](" + other.URL + "/a)\n"})
	update()
	if got := find(); len(got) != 0 {
		t.Errorf("after the link was removed: %+v", got)
	}
}
