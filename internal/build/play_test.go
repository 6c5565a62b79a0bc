package build

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// callable returns a site with public, hidden and restricted API operations.
func callable() map[string]string {
	return map[string]string{
		"docs.json":     `{"name": "x", "api": {"mdx": {"server": "https://manual.example.com"}}, "navigation": {"pages": ["index", "guide/own", {"group": "API", "openapi": "api.json"}]}}`,
		"index.mdx":     "---\ntitle: Home\n---\n\nHello.\n",
		"guide/own.mdx": "---\ntitle: Own\napi: GET /own/{id}\n---\n\nText.\n",
		"api.json": `{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://{r}.example.com:443/v1", "variables": {"r": {"default": "eu", "enum": ["eu", "us"]}}}], "paths": {
			"/open": {"get": {"summary": "Open", "description": "It plays.", "security": [{"o": []}], "parameters": [{"name": "limit", "in": "query", "description": "plancanary", "schema": {"type": "integer"}}]}},
			"/simple": {"servers": [{"url": "https://simple.example.com"}], "get": {"summary": "Simple", "x-mint": {"metadata": {"playground": "simple"}}}},
			"/hidden": {"servers": [{"url": "https://hiddencanary.example.com"}], "get": {"summary": "Hidden", "x-hidden": true}},
			"/excluded": {"servers": [{"url": "https://excludedcanary.example.com"}], "get": {"summary": "Excluded", "x-excluded": true}},
			"/staff": {"servers": [{"url": "https://staffcanary.example.com"}], "get": {"summary": "Staff", "x-mint": {"groups": ["staff"]}}}},
			"components": {"securitySchemes": {"o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://login.example.com/token", "scopes": {}}}}}}}`,
	}
}

// named returns the names of the playground's own files.
func named(out *memory) (list []string) {
	for name := range out.files {
		if strings.Contains(name, "playground") || name == capability.OriginsFile {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Only pages with an operation to call load the playground, and none do if it is disabled.
func TestOnlyCallablePagesLoadThePlayground(t *testing.T) {
	for style, proxy := range map[link.Style]string{link.Clean: `"proxyURL":"/_lectern/api/request"`,
		link.Relative: `"proxyURL":"../_lectern/api/request"`} {
		off, _ := build(t, files(callable()), Options{Links: style, Offers: capability.Offers{Search: true}})
		on, _ := build(t, files(callable()), Options{Links: style, Offers: capability.Offers{Search: true,
			Playground: capability.Playground{On: true, Proxy: capability.HasProxy}}})
		if found := named(off); len(found) > 0 {
			t.Errorf("off: %v", found)
		}
		for name, text := range off.files {
			if strings.Contains(text, "data-try") || strings.Contains(text, capability.ProxyPath) ||
				strings.Contains(text, "playground.") && strings.HasSuffix(name, ".html") {
				t.Errorf("off: %s refers to it", name)
			}
		}
		pages := map[string]bool{"guide/own.html": true, "api-reference/open.html": true,
			"api-reference/hidden.html": true, "api-reference/simple.html": false, "index.html": false,
			"404.html": false}
		for name, want := range pages {
			text := on.files[name]
			if text == "" {
				t.Fatalf("there is no %s: %v", name, slices.Sorted(maps.Keys(on.files)))
			}
			for _, part := range []string{"data-try hidden", "data-try-plan", "/playground.", proxy} {
				// the proxy refuses origins that only hidden pages use
				want := want && (part != proxy || name != "api-reference/hidden.html")
				if strings.Contains(text, part) != want {
					t.Errorf("%s: %q is there: %t", name, part, !want)
				}
			}
			if !want && text != off.files[name] {
				t.Errorf("%s has no playground, but enabling it changed the file", name)
			}
			for _, m := range loaded.FindAllStringSubmatch(text, -1) {
				if on.files[strings.TrimPrefix(path.Join("/", path.Dir(name), m[1]), "/")] == "" &&
					on.files[strings.TrimPrefix(m[1], "/")] == "" {
					t.Errorf("%s loads %s, which does not exist", name, m[1])
				}
			}
		}
		// Markdown forms, lists, the search index and the authors' API description are unchanged
		for name, text := range on.files {
			if !strings.HasSuffix(name, ".html") && off.files[name] != text && !slices.Contains(named(on), name) {
				t.Errorf("%s is changed by the playground", name)
			}
		}
	}
}

// F5, C7: the proxy's list contains the origins of public pages, and no others.
func TestProxyAllowsOriginsOfPublicPagesOnly(t *testing.T) {
	const want = `["https://eu.example.com","https://login.example.com","https://manual.example.com","https://us.example.com"]` + "\n"
	closed := []string{"https://us.example.com", "https://elsewhere.example.com"}
	for name, c := range map[string]struct {
		play capability.Playground
		want string
	}{
		"off":              {capability.Playground{Proxy: capability.HasProxy}, ""},
		"direct":           {capability.Playground{On: true}, ""},
		"with a proxy":     {capability.Playground{On: true, Proxy: capability.HasProxy}, want},
		"perhaps with one": {capability.Playground{On: true, Proxy: capability.MayHaveProxy}, want},
		"closed": {capability.Playground{On: true, Proxy: capability.HasProxy, Closed: true, Origins: closed},
			`["https://us.example.com"]` + "\n"},
		"closed to all": {capability.Playground{On: true, Proxy: capability.HasProxy, Closed: true}, ""},
		// the server adds the operator's origins itself
		"the operator's own": {capability.Playground{On: true, Proxy: capability.HasProxy, Origins: closed}, want},
	} {
		out, _ := build(t, files(callable()), Options{Offers: capability.Offers{Playground: c.play}})
		if got := out.files[capability.OriginsFile]; got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	site := callable()
	site["docs.json"] = strings.Replace(site["docs.json"], `"api": {`, `"api": {"playground": {"proxy": false}, `, 1)
	out, _ := build(t, files(site),
		Options{Offers: capability.Offers{Playground: capability.Playground{On: true, Proxy: capability.HasProxy}}})
	if out.files[capability.OriginsFile] != "" ||
		!strings.Contains(out.files["api-reference/open.html"], `"proxy":"none"`) {
		t.Error("a site without a proxy has a list of origins")
	}
	// F5: an empty list differs from no list, because the origins that the operator allows apply only to sites that use
	// the proxy.
	for server, want := range map[string]string{"": "", "https://{tenant}.example.com": "[]\n"} {
		site := map[string]string{
			"docs.json": `{"name": "x", "navigation": {"pages": ["index", {"group": "API", "openapi": "api.json"}]}}`,
			"index.mdx": "---\ntitle: Home\n---\n\nHello.\n",
			"api.json": `{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "servers": [{"url": "` + server +
				`", "variables": {"tenant": {}}}], "paths": {"/x": {"get": {"summary": "X"}}}}`}
		out, _ := build(t, files(site),
			Options{Offers: capability.Offers{Playground: capability.Playground{On: true, Proxy: capability.HasProxy,
				Origins: closed}}})
		if got := out.files[capability.OriginsFile]; got != want {
			t.Errorf("%q: %q", server, got)
		}
	}
	some, _ := build(t, files(callable()), Options{Paths: []string{"guide/own"},
		Offers: capability.Offers{Playground: capability.Playground{On: true, Proxy: capability.MayHaveProxy}}})
	if got := some.files[capability.OriginsFile]; got != `["https://manual.example.com"]`+"\n" {
		t.Errorf("a part of the site: %q", got)
	}
}

// Cached pages are not reused when the playground's settings change.
func TestCacheDependsOnPlaygroundSettings(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	cache := newFaultyCache(1)
	for range 2 {
		for _, play := range []capability.Playground{
			{}, {On: true}, {On: true, Proxy: capability.HasProxy}, {On: true, Proxy: capability.MayHaveProxy},
			{On: true, Closed: true, Origins: []string{"https://us.example.com"}},
			{On: true, Closed: true, Origins: []string{"https://eu.example.com"}},
		} {
			opt := Options{Links: link.Relative, Tools: tools, Manifest: true,
				Offers: capability.Offers{Search: true, Playground: play}}
			cold, _ := bundle(t, files(callable()), opt)
			opt.Cache = cache
			if warm, _ := bundle(t, files(callable()), opt); !bytes.Equal(cold, warm) {
				t.Errorf("%+v: a build with a cache gives a different site", play)
			}
		}
	}
	if cache.hits == 0 {
		t.Error("nothing was cached")
	}
}
