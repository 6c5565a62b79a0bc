package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// oldAddresses: links to proposals that were stored before the dashboard had its paths still lead to their pages.
func oldAddresses(p *page, f *fresh) {
	at := f.places()
	p.goes(f.url + "/_dashboard/proposals/" + at.Proposal)
	p.signIn(owner)
	p.same("where it leads", p.path(), "/dashboard/projects/"+at.Tour+"/proposals/"+at.Proposal)
	p.quiet()
}

// sent collects the cookies that requests of a tab carry, by host.
type sent struct {
	mu      sync.Mutex
	cookies map[string]string
}

func (s *sent) listen(ctx context.Context) {
	for e, err := range chromedp.Events(ctx, network.RequestWillBeSentExtraInfo) {
		if err != nil {
			return
		}
		s.mu.Lock()
		s.cookies[header(e.Headers, "Host")] += header(e.Headers, "Cookie") + ";"
		s.mu.Unlock()
	}
}

func header(all network.Headers, name string) string {
	for k, v := range all {
		if strings.EqualFold(k, name) {
			return fmt.Sprint(v)
		}
	}
	return ""
}

// to is all that a host got; asked tells whether it was asked for anything.
func (s *sent) to(host string) (cookies string, asked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cookies, asked = s.cookies[host]
	return cookies, asked
}

// othersCannotAct: a site has no page of the dashboard and gets no cookie of it, and forms of other origins, sites or
// not, do nothing (C4).
func othersCannotAct(p *page, f *fresh) {
	p.goes(f.url + "/dashboard/")
	p.signIn(owner)
	out := &sent{cookies: map[string]string{}}
	go out.listen(p.ctx)
	f.await("the dashboard's own cookie", func() bool { // the listening begins when it likes
		p.goes(f.url + "/dashboard/analytics")
		mine, _ := out.to(strings.TrimPrefix(f.url, "http://"))
		return strings.Contains(mine, "lectern_session=")
	})
	docs := f.site("docs.localhost")
	for _, path := range []string{"/dashboard/", "/dashboard/sign-in", "/dashboard/files/dashboard.js",
		"/_dashboard/exports"} {
		p.goes(docs + path)
		if status := p.status(); status != http.StatusNotFound || p.there("#password") ||
			p.there(`link[href^="/dashboard/"]`) {
			p.t.Errorf("%s%s: %d", docs, path, status)
		}
	}
	p.goes(docs + "/")
	p.forges(f, "docs.localhost")
	if theirs, asked := out.to("docs.localhost:" + f.port); !asked || strings.Contains(theirs, "lectern") {
		p.t.Errorf("the site got %q", theirs)
	}
	trap := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<!doctype html><title>trap</title><h1>trap</h1>") // the browser has gone
	}))
	defer trap.Close()
	p.goes(trap.URL) // the same host on another port: the browser sends the cookie
	p.forges(f, "another port")
	p.goes(strings.Replace(trap.URL, "127.0.0.1", "localhost", 1))
	p.forges(f, "another host")
	p.goes(f.url + "/dashboard/settings/organization")
	p.same("who is signed in", p.text(".side .me .quiet"), "owner")
	p.same("the organization", p.text(".side .org"), "Kestrel Works")
}

// forges sends forms of the dashboard from the page of somebody else that is open. The page's own policy may keep them
// from being sent at all.
func (p *page) forges(f *fresh, from string) {
	p.t.Helper()
	origin := eval[string](p, `location.href`)
	for action, fields := range map[string]string{"/dashboard/settings/organization": "name=Taken",
		"/dashboard/sign-out": "", "/dashboard/theme": "theme=dark",
		"/dashboard/sign-in":                 "email=" + owner.email + "&password=" + owner.password,
		"/dashboard/settings/members/invite": "email=x@example.com&role=owner&expiresInDays=7"} {
		p.goes(origin)
		eval[bool](p, `(() => {
			document.addEventListener('securitypolicyviolation', (e) => { window.kept = e.effectiveDirective === 'form-action' });
			const f = Object.assign(document.createElement('form'), { method: 'post', action: `+quote(f.url+
			action)+` });
			for (const [name, value] of new URLSearchParams(`+quote(
			fields)+`)) f.append(Object.assign(document.createElement('input'), { name, value }));
			document.body.append(f); f.submit(); return true })()`)
		p.awaits(`location.origin === ` + quote(f.url) + ` ? document.readyState === 'complete' : window.kept`)
		if eval[bool](p, `window.kept === true`) {
			continue
		}
		if status := p.status(); status != http.StatusForbidden || !strings.Contains(p.text("main"), "another site") {
			p.t.Errorf("a form for %s from %s: %d %s", action, from, status, p.text("main"))
		}
	}
}
