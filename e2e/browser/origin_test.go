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

// checkOldAddresses checks that links to proposals below the dashboard's old paths still open their pages.
func checkOldAddresses(p *page, f *freshServer) {
	at := f.places()
	p.navigate(f.url + "/_dashboard/proposals/" + at.Proposal)
	p.signIn(owner)
	p.expectEqual("where it leads", p.path(), "/dashboard/projects/"+at.Tour+"/proposals/"+at.Proposal)
	p.checkConsole()
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

// sentTo returns the cookies that a host received; asked reports whether it received any request.
func (s *sent) sentTo(host string) (cookies string, asked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cookies, asked = s.cookies[host]
	return cookies, asked
}

// checkOtherOrigins checks that a site serves no dashboard page and receives no dashboard cookie, and that forms from
// other origins have no effect (C4). It sends all forms from the origin that receives the dashboard's cookie, and one
// from each other origin; with -every, all from each.
func checkOtherOrigins(p *page, f *freshServer) {
	p.navigate(f.url + "/dashboard/")
	p.signIn(owner)
	out := &sent{cookies: map[string]string{}}
	go out.listen(p.ctx)
	f.waitUntil("the dashboard's own cookie", func() bool { // listen may start late
		p.navigate(f.url + "/dashboard/analytics")
		mine, _ := out.sentTo(strings.TrimPrefix(f.url, "http://"))
		return strings.Contains(mine, "lectern_session=")
	})
	docs := f.site("docs.localhost")
	for _, path := range []string{"/dashboard/", "/dashboard/sign-in", "/dashboard/files/dashboard.js",
		"/_dashboard/exports"} {
		p.navigate(docs + path)
		if status := p.status(); status != http.StatusNotFound || p.exists("#password") ||
			p.exists(`link[href^="/dashboard/"]`) {
			p.t.Errorf("%s%s: %d", docs, path, status)
		}
	}
	p.navigate(docs + "/")
	p.submitForged(f, "docs.localhost", first(1, forgedForms))
	if theirs, asked := out.sentTo("docs.localhost:" + f.port); !asked || strings.Contains(theirs, "lectern") {
		p.t.Errorf("the site got %q", theirs)
	}
	trap := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<!doctype html><title>trap</title><h1>trap</h1>") // the browser has gone
	}))
	defer trap.Close()
	p.navigate(trap.URL) // the same host on another port: the browser sends the cookie
	p.submitForged(f, "another port", forgedForms)
	p.navigate(strings.Replace(trap.URL, "127.0.0.1", "localhost", 1))
	p.submitForged(f, "another host", first(1, forgedForms))
	p.navigate(f.url + "/dashboard/settings/organization")
	p.expectEqual("who is signed in", p.text(".side .me .quiet"), "owner")
	p.expectEqual("the organization", p.text(".side .org"), "Kestrel Works")
}

// forgedForms are dashboard forms with their fields.
var forgedForms = [][2]string{
	{"/dashboard/settings/organization", "name=Taken"},
	{"/dashboard/sign-out", ""},
	{"/dashboard/theme", "theme=dark"},
	{"/dashboard/sign-in", "email=" + owner.email + "&password=" + owner.password},
	{"/dashboard/settings/members/invite", "email=x@example.com&role=owner&expiresInDays=7"},
}

// submitForged submits dashboard forms from the open page of another origin. That page's own policy may block them.
func (p *page) submitForged(f *freshServer, from string, forms [][2]string) {
	p.t.Helper()
	origin := eval[string](p, `location.href`)
	for i, form := range forms {
		action, fields := form[0], form[1]
		if i > 0 {
			p.navigate(origin)
		}
		eval[bool](p, `(() => {
			document.addEventListener('securitypolicyviolation', (e) => { window.kept = e.effectiveDirective === 'form-action' });
			const f = Object.assign(document.createElement('form'), { method: 'post', action: `+quote(f.url+
			action)+` });
			for (const [name, value] of new URLSearchParams(`+quote(
			fields)+`)) f.append(Object.assign(document.createElement('input'), { name, value }));
			document.body.append(f); f.submit(); return true })()`)
		p.waitFor(`location.origin === ` + quote(f.url) + ` ? document.readyState === 'complete' : window.kept`)
		if eval[bool](p, `window.kept === true`) {
			continue
		}
		if status := p.status(); status != http.StatusForbidden || !strings.Contains(p.text("main"), "another site") {
			p.t.Errorf("a form for %s from %s: %d %s", action, from, status, p.text("main"))
		}
	}
}
