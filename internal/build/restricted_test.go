package build

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// groupSite has pages for everybody, for readers who may see the site, and for two groups. Everything that belongs to a
// page contains a word for its readers: "canaryalpha" for the group a, "canarybeta" for b, "canaryboth" for either,
// "canarymember" for everybody who may see the site, "canarynone" for a page that no one may see.
func groupSite() map[string]string {
	page := func(word, head string) string {
		return "---\ntitle: " + word + " title\ndescription: " + word + " description\nkeywords: [" + word +
			"]\nrss: true\n" + head + "---\n\nimport Part from '/snippets/" + word + ".mdx'\n\n## " + word +
			" heading\n\n" + word + " body\n\n![x](/images/" + word + ".png)\n\n[file](./" + word +
			".pdf)\n\n<Update label=\"" + word + " update\">x</Update>\n\n<Part />\n"
	}
	out := map[string]string{
		"docs.json": `{"name": "x", "navigation": {"tabs": [
			{"tab": "Guides", "groups": [
				{"group": "Start", "public": true, "pages": ["index", "near"]},
				{"group": "Members", "pages": ["canarymember/page", "open"]},
				{"group": "canaryalpha group", "icon": "/images/canaryalpha-icon.svg", "pages": ["canaryalpha/page"]}]},
			{"tab": "canarybeta tab", "groups": [{"group": "g", "pages": ["canarybeta/page", {"group": "canarynone group", "pages": ["canarynone/page"]}]}]},
			{"tab": "Both", "href": "https://example.com", "pages": ["canaryboth/page", "canaryboth/second"]},
			{"tab": "API", "openapi": "api.json"}],
			"global": {"anchors": [{"anchor": "canaryalpha anchor", "href": "/canaryalpha/page"}, {"anchor": "canarybeta anchor", "href": "/canarybeta-moved"}]}},
			"navbar": {"links": [{"label": "canaryalpha link", "href": "/canaryalpha/page#x"}], "primary": {"type": "button", "label": "canarybeta button", "href": "canarybeta/page"}},
			"footer": {"links": [{"header": "canaryboth header", "items": [{"label": "canaryboth item", "href": "/canaryboth/page"}]}]},
			"redirects": [{"source": "/canaryalpha-moved", "destination": "/canaryalpha/page"},
				{"source": "/canarybeta-moved", "destination": "/canarybeta-again"}, {"source": "/canarybeta-again", "destination": "/canarybeta/page"},
				{"source": "/canaryboth-moved/:slug*", "destination": "/canaryboth/:slug*"}, {"source": "/start", "destination": "/open"},
				{"source": "/canaryalpha/:slug*", "destination": "/open"}]}`,
		"index.mdx":                     "---\ntitle: Home\n---\n\nHello. ![logo](/images/shared.png)\n",
		"near.mdx":                      "---\ntitle: Near\n---\n\nPublic by navigation.\n",
		"open.mdx":                      "---\ntitle: Open\ngroups: [a]\npublic: true\n---\n\nFor everybody.\n",
		"canaryalpha/extra/unnamed.pdf": "canaryalpha unnamed file", "images/canaryalpha-icon.svg": "<svg><title>canaryalpha icon</title></svg>",
		"images/shared.png": "shared", "images/unused.png": "unused",
		"canaryboth/second.mdx": "---\ntitle: canaryboth second\ngroups: [a, b]\n---\n\n![s](/images/shared.png)\n\n" +
			"export const pictures = ['canaryboth-computed']\n\n{pictures.map(p => <img src={'/images/' + p + '.png'} alt='' />)}\n",
		"images/canaryboth-computed.png":           "canaryboth computed",
		".lectern/skills/canaryalpha-key/SKILL.md": "---\ndescription: canaryalpha skill\ngroups: [a]\n---\n\ncanaryalpha\n",
		"api.json": `{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {
			"/open": {"get": {"summary": "Open", "x-mint": {"metadata": {"public": true}}}},
			"/canaryalpha-call": {"get": {"summary": "canaryalpha call", "tags": ["canaryalpha tag"], "x-mint": {"groups": ["a"]}}},
			"/canarybeta-call": {"get": {"summary": "canarybeta call", "x-mint": {"metadata": {"groups": ["b"]}}}},
			"/canarybeta-shown": {"get": {"summary": "canarybeta shown", "x-mint": {"metadata": {"groups": ["b"]}}}}}}`,
		"shown.mdx": "---\nopenapi: api.json GET /canarybeta-shown\n---\n",
	}
	for word, head := range map[string]string{
		"canaryalpha": "groups: [a]\n", "canarybeta": "groups: b\n", "canaryboth": "groups: [a, b]\n",
		"canarymember": "", "canarynone": "groups: {broken: true}\n",
	} {
		out[word+"/page.mdx"] = page(word, head)
		out[word+"/"+word+".pdf"] = word + " file"
		out["images/"+word+".png"] = word + " image"
		out["images/"+word+"-part.png"] = word + " image of a part"
		out["snippets/"+word+".mdx"] = word + " snippet ![y](/images/" + word + "-part.png)\n"
	}
	return out
}

// C7: files for readers who may not see a page reveal neither its content nor its existence. Files for readers who may
// see it contain all of it.
func TestEachViewHasExactlyItsPermittedContent(t *testing.T) {
	always := []string{"html", "md", "png", "pdf", "search/", "llms.txt", "llms-full.txt", "sitemap.xml", "rss"}
	for _, c := range []struct {
		view reader.View
		sees []string
	}{
		{reader.View{Anonymous: true}, nil},
		{reader.View{}, []string{"canarymember"}},
		{reader.New("other"), []string{"canarymember"}},
		{reader.New("a"), []string{"canarymember", "canaryalpha", "canaryboth"}},
		{reader.New("b"), []string{"canarymember", "canarybeta", "canaryboth"}},
		{reader.New("b", "a", "c"), []string{"canarymember", "canaryalpha", "canarybeta", "canaryboth"}},
	} {
		for _, style := range []link.Style{link.Clean, link.Relative} {
			out, report := build(t, files(groupSite()), Options{
				Links: style, BaseURL: "https://docs.example.com", Manifest: true, View: c.view, Cards: true,
				Offers: capability.Offers{Search: true},
			})
			if report.Failed > 0 || out.files["open.html"] == "" || out.files["near.html"] == "" || out.files["images/shared.png"] == "" {
				t.Fatalf("%s: %v", c.view, report.Diagnostics)
			}
			if has := out.files["images/unused.png"] != ""; has == c.view.Anonymous {
				t.Errorf("%s: the file that no page names: %v", c.view, has)
			}
			if strings.Join(report.Groups, " ") != "a b" {
				t.Errorf("groups %v", report.Groups)
			}
			for _, word := range []string{"canarymember", "canaryalpha", "canarybeta", "canaryboth", "canarynone"} {
				where := filesWith(t, out.files, word)
				if !slices.Contains(c.sees, word) {
					if len(where) > 0 {
						t.Errorf("%s: %s is in %v", c.view, word, where)
					}
					for _, rule := range report.Redirects {
						if strings.Contains(rule.Source+rule.Destination, word) {
							t.Errorf("%s: %s is in the redirect %v", c.view, word, rule)
						}
					}
					continue
				}
				for _, kind := range always {
					if !slices.ContainsFunc(where, func(name string) bool { return strings.Contains(name, kind) }) {
						t.Errorf("%s: no file of the kind %q has %s, only %v", c.view, kind, word, where)
					}
				}
			}
		}
	}
}

// filesWith returns the names of the files that have a word in their name or content, including compressed content.
func filesWith(t *testing.T, all map[string]string, word string) (out []string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		data := all[name]
		if r, err := gzip.NewReader(strings.NewReader(data)); err == nil {
			plain, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			data = string(plain)
		}
		if strings.Contains(strings.ToLower(name), word) || bytes.Contains(bytes.ToLower([]byte(data)), []byte(word)) {
			out = append(out, name)
		}
	}
	return out
}

// A reader of a view must not learn more from a cached result than from a new one.
func TestSharedCacheDoesNotLeakBetweenViews(t *testing.T) {
	cache := newFaultyCache(1)
	views := []reader.View{reader.New("a", "b"), {}, reader.New("a"), {Anonymous: true}, {}, reader.New("a", "b")}
	for _, view := range views {
		opt := Options{BaseURL: "https://docs.example.com", Manifest: true, View: view}
		want, _ := build(t, files(groupSite()), opt)
		opt.Cache, opt.Program = cache, [32]byte{1}
		got, _ := build(t, files(groupSite()), opt)
		if !maps.Equal(want.files, got.files) {
			for name := range want.files {
				if want.files[name] != got.files[name] {
					t.Errorf("%s: %s differs with a cache", view, name)
				}
			}
			t.Errorf("%s: %d files, %d with a cache", view, len(want.files), len(got.files))
		}
	}
}

// For a reader, a link to a page that they may not see looks like any other broken link; the author learns the reason.
func TestLinkToRestrictedPageLooksBroken(t *testing.T) {
	site := func(secret string) fs.FS {
		all := map[string]string{
			"docs.json": `{"name": "x", "navigation": ["index"]}`,
			"index.mdx": "---\ntitle: Home\n---\n\n[one](/secret) ![two](/images/secret.png) [three](./secret.md#x)\n\n<Card title=\"c\" href=\"/secret\">d</Card>\n",
		}
		if secret != "" {
			all["secret.mdx"] = secret
		}
		return files(all)
	}
	missing, report := build(t, site(""), Options{})
	restricted, found := build(t, site("---\ntitle: S\ngroups: [a]\n---\n"), Options{})
	if !maps.Equal(missing.files, restricted.files) {
		t.Error("the output says that the page exists")
	}
	count := func(r *Report, code string) (n int) {
		for _, d := range r.Diagnostics {
			if d.Code == code {
				n++
			}
		}
		return n
	}
	if count(report, "broken-link") != 3 || count(found, "broken-link") != 0 || count(found, "restricted-link") != 3 {
		t.Errorf("findings %v and %v", report.Diagnostics, found.Diagnostics)
	}
	if _, r := build(t, site("---\ntitle: S\ngroups: [a]\n---\n"), Options{View: reader.New("a")}); count(r,
		"restricted-link")+count(r, "restricted-page")+count(r, "broken-link") != 0 {
		t.Errorf("findings %v", r.Diagnostics)
	}
}

func TestManifestNamesTheView(t *testing.T) {
	out, _ := build(t, files(groupSite()), Options{Manifest: true, View: reader.New("b", "a")})
	m, err := output.ParseManifest(strings.NewReader(out.files[output.ManifestPath]))
	if err != nil || strings.Join(m.Groups, " ") != "a b" {
		t.Errorf("%v, %v", m, err)
	}
}

// A preview for a group shows its pages and files, and no others.
func TestPreviewShowsOneView(t *testing.T) {
	for view, want := range map[string][2]bool{"": {false, false}, "groups=a": {true, false}, "groups=a,b": {true, true}} {
		v, err := reader.Parse(view)
		if err != nil {
			t.Fatal(err)
		}
		tools, err := NewTools()
		if err != nil {
			t.Fatal(err)
		}
		l := NewLive(files(groupSite()), Options{View: v, Tools: tools})
		if _, err := l.Update(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		for i, word := range []string{"canaryalpha", "canarybeta"} {
			for _, name := range []string{word + "/page.html", word + "/page.md", "images/" + word + ".png", word + "/" + word + ".pdf"} {
				if _, ok, err := l.Find(t.Context(), name); ok != want[i] || err != nil {
					t.Errorf("%s: %s is there: %v, %v", v, name, ok, err)
				}
			}
		}
		l.Close()
		_ = tools.Close() // only frees memory
	}
}
