package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/account"
)

// formToken matches the token of a session, with the organization of the page.
var formToken = regexp.MustCompile(`^[0-9a-f]{64}(\.org_[0-9a-z]+)?$`)

// On all pages linked for a role, links lead to pages that the role may open, forms to actions that it may take, and
// everything has a name for screen readers.
func TestPagesOfferOnlyPermittedActions(t *testing.T) {
	for _, role := range account.Roles() {
		t.Run(string(role), func(t *testing.T) {
			r, may := newRig(t), role
			if role == account.RoleGuest { // with a role in one project
				r.newGuest("guest", role, r.a.project.ID, account.RoleAdmin)
				may = account.RoleAdmin
			}
			seen, todo := map[string]bool{}, []string{"/dashboard/"}
			for len(todo) > 0 && len(seen) < 400 {
				path := todo[0]
				todo = todo[1:]
				if seen[path] {
					continue
				}
				seen[path] = true
				status, body := r.get(string(role), path)
				if status == http.StatusSeeOther {
					todo = append(todo, body)
					continue
				}
				if status != http.StatusOK {
					t.Errorf("a link leads to %s: %d", path, status)
					continue
				}
				if strings.HasPrefix(path, "/dashboard/settings/audit/export") ||
					strings.Contains(path, "/analytics/csv/") {
					continue // a file
				}
				p := readPage(t, path, body)
				p.check(may)
				todo = append(todo, p.links...)
			}
			if len(seen) < 15 {
				t.Errorf("only %d pages were found", len(seen))
			}
		})
	}
}

// htmlPage is a parsed page.
type htmlPage struct {
	t     testing.TB
	path  string
	root  *html.Node
	links []string // to other dashboard pages, without fragments
}

func readPage(t testing.TB, path, body string) *htmlPage {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	must(t, err)
	p := &htmlPage{t: t, path: path, root: root}
	base, err := url.Parse(path)
	must(t, err)
	for _, a := range p.all("a") {
		to, err := base.Parse(attr(a, "href"))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if to.Host != "" && attr(a, "rel") != "noreferrer" && !strings.HasPrefix(to.Host, "docs.lectern") {
			t.Errorf("%s: the link to %s sends a referrer", path, to)
		}
		if to.Scheme != "" && to.Scheme != "http" && to.Scheme != "https" {
			t.Errorf("%s: a link to %s", path, to)
		}
		if to.Fragment = ""; to.Host == "" && dashboard.Mine(to.Path) {
			p.links = append(p.links, to.RequestURI())
		}
	}
	return p
}

func (p *htmlPage) all(names ...string) (out []*html.Node) {
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && slices.Contains(names, n.Data) {
			out = append(out, n)
		}
	}
	return out
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

func (p *htmlPage) check(role account.Role) {
	p.t.Helper()
	if n := len(p.all("h1")); n != 1 {
		p.t.Errorf("%s has %d h1", p.path, n)
	}
	ids := map[string]bool{}
	for n := range p.root.Descendants() {
		if id := attr(n, "id"); n.Type == html.ElementNode && id != "" {
			if ids[id] {
				p.t.Errorf("%s has the id %s twice", p.path, id)
			}
			ids[id] = true
		}
		for _, a := range n.Attr {
			if n.Type == html.ElementNode &&
				(strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.Contains(a.Val, "ZgotmplZ")) {
				p.t.Errorf("%s has %s=%q", p.path, a.Key, a.Val)
			}
		}
	}
	p.checkNames(ids)
	for _, f := range p.all("form") {
		p.checkForm(f, role)
	}
}

// checkNames checks that every control has a name, and that referenced elements exist.
func (p *htmlPage) checkNames(ids map[string]bool) {
	p.t.Helper()
	labelled := map[string]bool{}
	for _, l := range p.all("label") {
		labelled[attr(l, "for")] = true
	}
	for _, n := range p.all("input", "select", "textarea") {
		if attr(n, "type") != "hidden" && !labelled[attr(n, "id")] && attr(n, "aria-label") == "" &&
			!within(n, "label") {
			p.t.Errorf("%s: the field %s has no label", p.path, attr(n, "name"))
		}
	}
	for _, n := range p.all("button", "a", "summary") {
		if textOf(n) == "" && attr(n, "aria-label") == "" {
			p.t.Errorf("%s: a %s without a name (%s)", p.path, n.Data, attr(n, "href"))
		}
	}
	for n := range p.root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, name := range []string{"aria-labelledby", "aria-describedby", "for"} {
			for _, id := range strings.Fields(attr(n, name)) {
				if !ids[id] {
					p.t.Errorf("%s: %s refers to %s, which does not exist", p.path, name, id)
				}
			}
		}
		if attr(n, "role") == "region" && attr(n, "aria-label") == "" && attr(n, "aria-labelledby") == "" {
			p.t.Errorf("%s: a region without a name", p.path)
		}
	}
}

func within(n *html.Node, name string) bool {
	for a := range n.Ancestors() {
		if a.Data == name {
			return true
		}
	}
	return false
}

// checkForm checks that a form leads to a route that the role may use, and contains the form token if it changes
// something.
func (p *htmlPage) checkForm(f *html.Node, role account.Role) {
	p.t.Helper()
	action, err := url.Parse(attr(f, "action"))
	must(p.t, err)
	path := action.Path
	if path == "" {
		path, _, _ = strings.Cut(p.path, "?")
	}
	method := http.MethodGet
	if strings.EqualFold(attr(f, "method"), "post") {
		method = http.MethodPost
	}
	at := slices.IndexFunc(dashboard.Routes(),
		func(rt dashboard.RouteInfo) bool { return rt.Method == method && matches(rt.Pattern, path) })
	if at < 0 {
		p.t.Errorf("%s: a form leads to %s %s, which has no route", p.path, method, path)
		return
	}
	rt := dashboard.Routes()[at]
	if rt.Role != "" && !role.AtLeast(rt.Role) {
		p.t.Errorf("%s: a %s is offered %s %s", p.path, role, method, path)
	}
	token := slices.ContainsFunc(slices.Collect(f.Descendants()), func(n *html.Node) bool {
		return n.Type == html.ElementNode && n.Data == "input" && attr(n, "name") == "csrf" &&
			formToken.MatchString(attr(n, "value"))
	})
	if method == http.MethodPost && !rt.Public && !token {
		p.t.Errorf("%s: the form to %s has no form token", p.path, path)
	}
	if method == http.MethodGet && token {
		p.t.Errorf("%s: the form token would be in the URL of %s", p.path, path)
	}
}

// matches reports whether a path matches a route's pattern.
func matches(pattern, path string) bool {
	quoted := regexp.QuoteMeta(strings.TrimSuffix(pattern, "{$}"))
	return regexp.MustCompile("^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(quoted, `[^/]+`) + "$").
		MatchString(path)
}
