package apipage

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// loadSite loads a site of testdata/pages.
func loadSite(t *testing.T, name string) *load.Loaded {
	t.Helper()
	l, _, err := load.Load(context.Background(), os.DirFS(filepath.Join("testdata/pages", name, "in")),
		load.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// open returns a playground whose requests go through the site's server.
func open() capability.Playground { return capability.Playground{On: true, Proxy: capability.HasProxy} }

// input returns a page with its own text, expanded as in a build.
func input(t *testing.T, l *load.Loaded, dir string, p *site.Page, play capability.Playground) Input {
	t.Helper()
	in := Input{Page: p, Specs: l.Specs, Look: l.Site.API, Playground: play, ProxyURL: capability.ProxyPath}
	if p.File != "" {
		folder := os.DirFS(filepath.Join("testdata/pages", dir, "in"))
		src, list := load.ReadSource(folder, p)
		if list != nil {
			t.Fatal(list)
		}
		known := func(name string) bool { _, ok := component.Find(name); return ok }
		e := expand.New(expand.Options{Src: folder, Platform: known, Workers: 1})
		defer e.Close()
		own, list := e.Page(context.Background(), &ast.File{Name: p.File, Body: src.Body, Line: src.BodyLine})
		if list.HasErrors() {
			t.Fatal(list)
		}
		in.Own = own.Nodes
	}
	return in
}

// testdata/plans has one file for each page of testdata/pages that has a plan.
func TestPlansMatchGoldenFiles(t *testing.T) {
	sites, err := filepath.Glob("testdata/pages/*")
	if err != nil || len(sites) < 6 {
		t.Fatal("no sites", err)
	}
	for _, dir := range sites {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			l, got := loadSite(t, filepath.Base(dir)), map[string][]byte{}
			for _, p := range l.Site.Pages {
				if p.API == nil {
					continue
				}
				page := New(context.Background(), input(t, l, filepath.Base(dir), p, open()))
				if again := New(context.Background(),
					input(t, l, filepath.Base(dir), p, open())); !bytes.Equal(page.plan, again.plan) {
					t.Errorf("%s: two renderings have different plans", p.Path)
				}
				if page.Playable() {
					var b bytes.Buffer
					if err := json.Indent(&b, page.plan, "", "  "); err != nil {
						t.Fatal(p.Path, err)
					}
					got[strings.ReplaceAll(p.Path, "/", "+")+".json"] = append(b.Bytes(), '\n')
				}
			}
			want := filepath.Join("testdata/plans", filepath.Base(dir))
			if len(got) > 0 {
				compare(t, want, got)
			} else if _, err := os.Stat(want); err == nil {
				t.Error("want plans, got none")
			}
		})
	}
}

// playing reports whether a rendered page has a button and a plan. Having only one of them is an error.
func playing(t *testing.T, html string) bool {
	t.Helper()
	button, data := strings.Contains(html, "data-try hidden>Try it</button><script"),
		strings.Contains(html, `<script type="application/json" data-try-plan>`)
	if button != data || strings.Contains(html, "data-try") != button {
		t.Errorf("a button without a plan, or the reverse: %s", html)
	}
	return button
}

// Tests every combination of the page's and the site's display mode with every kind of playground.
func TestPlaygroundDependsOnDisplayMode(t *testing.T) {
	l := loadSite(t, "play")
	page := l.Site.Find("api-reference/own-server")
	if page == nil {
		t.Fatal(l.Site.Paths())
	}
	modes := []string{"", "interactive", "simple", "none", "auth"}
	effective := func(own, site string) string {
		for _, m := range []string{own, site} {
			if m != "" {
				return m
			}
		}
		return "interactive"
	}
	for _, play := range []struct {
		offer capability.Playground
		on    bool
	}{
		{capability.Playground{}, false},
		{capability.Playground{Proxy: capability.HasProxy, Origins: []string{"https://own.example.com"}}, false},
		{capability.Playground{On: true}, true},
		{capability.Playground{On: true, Proxy: capability.HasProxy}, true},
		{capability.Playground{On: true, Proxy: capability.MayHaveProxy}, true},
		{capability.Playground{On: true, Closed: true}, false},
		{capability.Playground{On: true, Closed: true, Origins: []string{"https://other.example.com"}}, false},
		{capability.Playground{On: true, Closed: true, Origins: []string{"https://OWN.example.com:443/"}}, true},
	} {
		for _, own := range modes {
			for _, all := range modes {
				p, ref := *page, *page.API
				ref.Playground, p.API = own, &ref
				look := l.Site.API
				look.Playground = all
				in := Input{Page: &p, Specs: l.Specs, Look: look}
				off := string(draw(in))
				in.Playground, in.ProxyURL = play.offer, capability.ProxyPath
				got := string(draw(in))
				mode := effective(own, all)
				if want := play.on && mode == "interactive"; playing(t, got) != want {
					t.Errorf("page %q, site %q, %+v: has a playground: %t", own, all, play.offer, !want)
				} else if !want && got != off {
					t.Errorf("page %q, site %q, %+v: a page without a playground differs from one where it is off", own,
						all, play.offer)
				}
				if strings.Contains(got, "api-bar") == (mode == "none") {
					t.Errorf("page %q, site %q: wrong bar", own, all)
				}
			}
		}
	}
}

// The Markdown form is for programs that read the text, so it contains no plan.
func TestMarkdownDoesNotDependOnPlayground(t *testing.T) {
	l := loadSite(t, "play")
	for _, p := range l.Site.Pages {
		if p.API == nil {
			continue
		}
		with, without := New(context.Background(), input(t, l, "play", p, open())).
			Twin(nil), New(context.Background(), input(t, l, "play", p, capability.Playground{})).Twin(nil)
		if !bytes.Equal(with, without) {
			t.Errorf("%s: the Markdown form depends on the playground", p.Path)
		}
	}
}

func TestSiteFileConfiguresProxyAndCredentials(t *testing.T) {
	l := loadSite(t, "play")
	page := l.Site.Find("api-reference/own-server")
	for _, c := range []struct {
		proxy                capability.Proxy
		noProxy, credentials bool
		word, url            string
		sends                bool
	}{
		{capability.NoProxy, false, false, "none", "", false},
		{capability.NoProxy, false, true, "none", "", true},
		{capability.HasProxy, false, false, "has", "/_lectern/api/request", false},
		{capability.HasProxy, false, true, "has", "/_lectern/api/request", false},
		{capability.HasProxy, true, true, "none", "", true},
		{capability.MayHaveProxy, false, true, "maybe", "/_lectern/api/request", false},
		{capability.MayHaveProxy, true, false, "none", "", false},
	} {
		look := l.Site.API
		look.NoProxy, look.Credentials = c.noProxy, c.credentials
		p := New(context.Background(), Input{Page: page, Specs: l.Specs, Look: look,
			Playground: capability.Playground{On: true, Proxy: c.proxy}, ProxyURL: capability.ProxyPath})
		var got plan
		if err := json.Unmarshal(p.plan, &got); err != nil {
			t.Fatal(err)
		}
		if got.Proxy != c.word || got.ProxyURL != c.url || got.Credentials != c.sends {
			t.Errorf("%+v: %s %q %t", c, got.Proxy, got.ProxyURL, got.Credentials)
		}
		if len(got.Languages) < 10 || !slices.Equal(got.Languages[:2], []string{"go", "bash"}) {
			t.Errorf("languages %v", got.Languages)
		}
	}
}
