package dashboard_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/draft"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/proposal"
)

const known = "pp_aaaaaaaaaaaaaaaaaaaaaaaaaa"

// asked is what the page sent to the API.
type asked struct {
	method, path, key, from string
	body                    string
	answer                  int
}

func proposals(a *asked) dashboard.Options {
	o := options
	o.Proposals = func(_ context.Context, id string) (dashboard.Proposed, error) {
		if id != known {
			return dashboard.Proposed{}, fault.New(fault.NotFound, "unknown_proposal", "no")
		}
		return dashboard.Proposed{Proposal: proposal.Proposal{ID: known, ProjectID: "prj_x", Number: 7, State: proposal.Open, Title: "Mend <links>", Body: "### Head\n\n**Bold** `a<b>` and <img src=x onerror=alert(1)>\n- one https://x.example/a.\n- [two](javascript:alert(1))\n\n---\nend",
			Head: "lectern/mend-abc", Base: "main", CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, Project: "Handbook", Preview: "http://p.preview.localhost",
			Changes: []draft.Change{{Path: "guides/a b.mdx", Before: []byte("one\ntwo\n"), After: []byte("one\n<script>2</script>\n")}, {Path: "logo.png", After: []byte{0, 1}}}}, nil
	}
	o.API = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*a = asked{r.Method, r.URL.Path, r.Header.Get("Authorization"), r.RemoteAddr, string(body), a.answer}
		w.WriteHeader(a.answer)
		if a.answer >= 300 {
			_, _ = io.WriteString(w, `{"error": "The folder has <changed>.", "code": "x"}`)
		}
	})
	return o
}

func TestAProposalShowsItsChanges(t *testing.T) {
	w := get(proposals(&asked{}), "GET", dashboard.ProposalsPath+known)
	body := w.Body.String()
	for _, want := range []string{"Mend &lt;links&gt;", "#7", "Handbook", "lectern/mend-abc", "<del>two</del>", "<ins>&lt;script&gt;2&lt;/script&gt;</ins>", "This file is no text.",
		`href="http://p.preview.localhost/guides/a%20b"`, "2026-01-02T03:04:05Z", "&lt;img src=x", "<h2>Head</h2>", "<strong>Bold</strong> <code>a&lt;b&gt;</code>", `<li>one <a href="https://x.example/a" rel="noreferrer nofollow">https://x.example/a</a>.</li>`, "<li>[two](javascript:alert(1))</li>", "<hr>"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if w.Code != 200 || strings.Contains(body, "<script") || strings.Contains(body, "<img src=x") || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v %s", w.Code, w.Header(), body)
	}
	if csp := w.Header().Get("Content-Security-Policy"); strings.Contains(csp, "script-src") || !strings.Contains(csp, "form-action 'self'") {
		t.Errorf("policy %q", csp)
	}
}

func TestOtherLinksLeadNowhere(t *testing.T) {
	o := proposals(&asked{})
	for _, p := range []string{"", "x", "pp_bbbbbbbbbbbbbbbbbbbbbbbbbb", "pp_short"} {
		if w := get(o, "GET", dashboard.ProposalsPath+p); w.Code != 404 {
			t.Errorf("%q: %d", p, w.Code)
		}
	}
	for _, m := range []string{"POST", "PUT"} {
		if w := get(o, m, dashboard.ProposalsPath+known); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", m, w.Code)
		}
	}
	if w := get(o, "GET", dashboard.ProposalsPath+known+"/merge"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("merge by GET: %d", w.Code)
	}
	if w := get(options, "GET", dashboard.ProposalsPath+known); w.Code != 404 {
		t.Errorf("without proposals: %d", w.Code)
	}
	o.Proposals = func(context.Context, string) (dashboard.Proposed, error) {
		return dashboard.Proposed{}, errors.New("/secret")
	}
	if w := get(o, "GET", dashboard.ProposalsPath+known); w.Code != 503 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// K10: what a form does is done by the admin API, with the key's own rights; nothing else of the request goes along.
func TestFormsGoThroughTheAPI(t *testing.T) {
	post := func(a *asked, action string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", dashboard.ProposalsPath+known+"/"+action, strings.NewReader(url.Values{"key": {" lectern_k "}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Cookie", "a=b")
		w := httptest.NewRecorder()
		dashboard.New(proposals(a)).ServeHTTP(w, r)
		return w
	}
	for _, action := range []string{"merge", "close"} {
		a := &asked{answer: 200}
		w := post(a, action)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != dashboard.ProposalsPath+known {
			t.Errorf("%s: %d %v", action, w.Code, w.Header())
		}
		if *a != (asked{"POST", "/v2/agent/prj_x/proposal/" + known + "/" + action, "Bearer lectern_k", "192.0.2.1:1234", "", 200}) {
			t.Errorf("the API was asked %+v", *a)
		}
	}
	w := post(&asked{answer: 409}, "merge")
	if w.Code != 409 || !strings.Contains(w.Body.String(), "The folder has &lt;changed&gt;.") || strings.Contains(w.Body.String(), "lectern_k") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAProposalWhoseBranchIsGoneIsStillShown(t *testing.T) {
	o := proposals(&asked{})
	all := o.Proposals
	o.Proposals = func(ctx context.Context, id string) (dashboard.Proposed, error) {
		p, err := all(ctx, id)
		p.Changes, p.Unseen = nil, "Its branch is gone."
		return p, err
	}
	w := get(o, "GET", dashboard.ProposalsPath+known)
	if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, "Its branch is gone.") || strings.Contains(body, "There is nothing left to change") {
		t.Errorf("%d %s", w.Code, body)
	}
}
