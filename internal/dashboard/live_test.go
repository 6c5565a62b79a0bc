package dashboard_test

import (
	"bufio"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/store"
)

// stream reads a live page's events.
type stream struct {
	t     testing.TB
	lines *bufio.Scanner
	res   *http.Response
}

func (r *rig) follow(who, page string) *stream {
	r.t.Helper()
	res := r.start(who, http.MethodGet, "/dashboard/live?page="+url.QueryEscape(page), nil)
	r.t.Cleanup(func() { _ = res.Body.Close() })
	return &stream{r.t, bufio.NewScanner(res.Body), res}
}

// next waits for an event and returns its name, or "" if the stream has ended.
func (s *stream) next() string {
	s.t.Helper()
	name := ""
	for s.lines.Scan() {
		line := s.lines.Text()
		if v, ok := strings.CutPrefix(line, "event: "); ok {
			name = v
		}
		if line == "" && name != "" {
			return name
		}
	}
	return ""
}

func (s *stream) want(name string) {
	s.t.Helper()
	if got := s.next(); got != name {
		s.t.Fatalf("event %q, want %q", got, name)
	}
}

// A page reports each step of a deployment, whichever process performs it.
func TestLivePageReportsChanges(t *testing.T) {
	r := newRig(t)
	d := r.deploy(r.a.project, deploy.Production, "")
	s := r.follow("viewer", "/dashboard/deployments/"+d.ID)
	if kind := s.res.Header.Get("Content-Type"); s.res.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatal(s.res.StatusCode, kind)
	}
	s.want("change") // the current state of the page
	h, d := r.begin(d)
	s.want("change")
	d.Logs = append(d.Logs, deploy.LogLine{At: r.clock.Now(), Message: "fetched main"})
	_, err := r.store.AdvanceDeployment(t.Context(), h, lease, d)
	must(t, err)
	s.want("change")
	d.ManifestKey, d.PageCount = "manifest/x", 3
	must(t, r.store.PublishDeployment(t.Context(), h, d))
	s.want("change")
}

// A stream ends with the session, the membership, the object that the page shows, or the server.
func TestLivePageStreamEnds(t *testing.T) {
	r := newRig(t)
	session, gone, stopped, member := r.follow("viewer", "/dashboard/"), r.follow("editor",
		"/dashboard/projects/"+r.a.folder.ID), r.follow("owner", "/dashboard/"), r.follow("admin", "/dashboard/")
	for _, s := range []*stream{session, gone, stopped, member} {
		s.want("change")
	}
	must(t, r.store.Tx(t.Context(),
		func(tx *store.Tx) error { return tx.EndSessions(t.Context(), r.people["viewer"].person.ID) }))
	must(t, r.store.Tx(t.Context(),
		func(tx *store.Tx) error { return tx.RemoveMember(t.Context(), r.people["admin"].member) }))
	must(t, r.store.Tx(t.Context(),
		func(tx *store.Tx) error { return tx.DeleteProject(t.Context(), r.a.org.ID, r.a.folder.ID) }))
	for name, s := range map[string]*stream{"session": session, "project": gone, "member": member} {
		last := ""
		for e := s.next(); e != ""; e = s.next() {
			last = e
		}
		if last != "gone" {
			t.Errorf("%s: the last event is %q", name, last)
		}
	}
	close(r.stop)
	for stopped.next() != "" { // ends without an event: the browser reconnects, to another replica
	}
}

// The page address in a stream's URL cannot make the server render another site, or the stream itself.
func TestOnlyPagesOfTheDashboardAreLive(t *testing.T) {
	r := newRig(t)
	for _, page := range []string{"", "/", "/v1/keys", "//evil.example/dashboard/", "https://evil.example/dashboard/",
		"http:/dashboard/", "dashboard/", "/dashboard/live", "/dashboard/live?page=/dashboard/",
		"/dashboard/live/", "/dashboard", "/_dashboard/exports", "javascript:alert(1)", "\\\\evil.example",
		"/dashboard/%zz", "%2Fdashboard%2F", "/dashboard/../v1/keys", "/dashboard/./live", "/dashboard//live"} {
		res := r.start("owner", http.MethodGet, "/dashboard/live?page="+url.QueryEscape(page), nil)
		if res.StatusCode == http.StatusOK {
			// A path that the multiplexer would clean or does not know is not a page: the stream reports that it is
			// gone and ends, without any details.
			s := &stream{t, bufio.NewScanner(res.Body), res}
			if first := s.next(); first != "gone" || s.next() != "" {
				t.Errorf("%q is followed: %q", page, first)
			}
		} else if res.StatusCode != http.StatusBadRequest {
			t.Errorf("%q: %d", page, res.StatusCode)
		}
		_ = res.Body.Close()
	}
	if status, _ := r.get("", "/dashboard/live?page=/dashboard/"); status != http.StatusUnauthorized {
		t.Errorf("a stranger: %d", status)
	}
}

// The stream does not reveal pages that a reader may not see: it ends immediately.
func TestLiveStreamHidesRestrictedPages(t *testing.T) {
	r := newRig(t)
	for _, page := range []string{"/dashboard/projects/" + r.a.project.ID, "/dashboard/exports/" + r.a.done.ID,
		"/dashboard/deployments/" + r.a.live.ID} {
		if s := r.follow("foreign", page); s.next() != "gone" || s.next() != "" {
			t.Errorf("a member of another organization follows %s", page)
		}
	}
}

// Pages that are not live are not followed: rendering one may be expensive (the whole audit log), send requests to
// others (the identity provider), or need a lot of memory (a download).
func TestStaticPagesAreNotFollowed(t *testing.T) {
	r := newRig(t)
	for _, page := range []string{"/dashboard/settings/audit", "/dashboard/settings/audit/check",
		"/dashboard/settings/audit/export", "/dashboard/settings/keys", "/dashboard/account", "/dashboard/oidc/start",
		"/dashboard/sign-in", "/dashboard/projects/" + r.a.project.ID + "/settings",
		"/dashboard/proposals/" + r.a.proposal.ID, "/dashboard/nothing", "/dashboard/files/dashboard.css"} {
		res := r.start("owner", http.MethodGet, "/dashboard/live?page="+url.QueryEscape(page), nil)
		_ = res.Body.Close()
		if res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", page, res.StatusCode)
		}
	}
}

// A person can have only a limited number of streams, about as many as people have windows; after closing one they can
// open another.
func TestStreamsPerPersonAreLimited(t *testing.T) {
	r := newRig(t)
	open := make([]*stream, 20)
	for i := range open {
		open[i] = r.follow("viewer", "/dashboard/projects")
		open[i].want("change")
	}
	got := r.send("viewer", http.MethodGet, "/dashboard/live?page=/dashboard/projects", nil)
	if got.status != http.StatusTooManyRequests {
		t.Errorf("one too many: %d", got.status)
	}
	r.follow("editor", "/dashboard/projects").want("change") // other people have their own limit
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error { return tx.EndSessions(t.Context(), r.people["viewer"].person.ID) }))
	for _, s := range open {
		for s.next() != "" {
		}
	}
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) error {
		v := r.people["viewer"]
		_, err := tx.CreateSession(t.Context(), account.Session{Hash: account.TokenHash(v.token), PersonID: v.person.ID,
			OrganizationID: r.a.org.ID, Method: "password"})
		return err
	}))
	r.follow("viewer", "/dashboard/projects").want("change")
}

// K10: automatic updates of an open page do not count as use of the session: it ends at the idle limit even if a window
// was left open.
func TestLivePageDoesNotExtendTheSession(t *testing.T) {
	r := newRig(t)
	s := r.follow("viewer", "/dashboard/")
	s.want("change")
	for range 4 {
		r.clock.Advance(2*time.Hour + 59*time.Minute)
		s.want("change") // the page shows relative times
		got := r.send("viewer", http.MethodGet, "/dashboard/", nil,
			func(q *http.Request) { q.Header.Set("Lectern-Live", "1") })
		if got.status != http.StatusOK {
			t.Fatal(got.status)
		}
	}
	r.clock.Advance(4 * time.Minute)
	if status, _ := r.get("viewer", "/dashboard/"); status != http.StatusSeeOther {
		t.Fatalf("the session lives beyond the idle limit: %d", status)
	}
	last := ""
	for e := s.next(); e != ""; e = s.next() {
		last = e
	}
	if last != "gone" {
		t.Errorf("the stream's last event is %q", last)
	}
}

// A temporarily overloaded server does not end live pages: the page remains and is updated later.
func TestLivePageToleratesABusyServer(t *testing.T) {
	var busy atomic.Int64 // the status of every API response; 0 = the API responds itself
	refused := make(chan int64)
	r := newRig(t, func(p *parts) {
		p.wrap = func(api http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				if status := busy.Load(); status != 0 {
					select {
					case refused <- status:
					case <-q.Context().Done():
					}
					w.WriteHeader(int(status))
					return
				}
				api.ServeHTTP(w, q)
			})
		}
	})
	s := r.follow("viewer", "/dashboard/projects/"+r.a.folder.ID)
	s.want("change")
	for _, status := range []int64{http.StatusTooManyRequests, http.StatusServiceUnavailable,
		http.StatusInternalServerError} {
		busy.Store(status)
		for <-refused != status { // a request that started before the change
		}
		<-refused // it polled, and polls again
	}
	r.deploy(r.a.folder, deploy.Production, "")
	go func() { // unblocks the waiting request
		for {
			select {
			case <-refused:
			case <-t.Context().Done():
				return
			}
		}
	}()
	busy.Store(0)
	s.want("change")
}
